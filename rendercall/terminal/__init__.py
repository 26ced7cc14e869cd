"""The card in a terminal: it forms while the value arrives, and stays when it is there.

Needs the extra `cli`. All text of models and tools is drawn as plain text: never as markup, and
without control characters, so that it can neither colour nor move anything.
"""

from rendercall.terminal.card import draw
from rendercall.terminal.live_card import LiveCard
from rendercall.terminal.steps import draw_steps

__all__ = ["LiveCard", "draw", "draw_steps"]
