"""How others, and we, end a run on a structured answer: one adapter a module."""
