"""What may be shown: the render tool, the bounds on its args, and the check of them."""

from rendercall.contract.args import Notice, read_args
from rendercall.contract.bounds import Bounds
from rendercall.contract.render_tool import RenderTool
from rendercall.contract.verdict import Verdict

__all__ = ["Bounds", "Notice", "RenderTool", "Verdict", "read_args"]
