"""How others, and we, read a call while it arrives: one adapter a module, each with `WAYS`."""
