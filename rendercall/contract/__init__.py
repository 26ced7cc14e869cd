"""What may be shown: the render tool, the bounds on its args, and the check of them."""

from rendercall.contract.args import Notice, read_args
from rendercall.contract.bounds import Bounds
from rendercall.contract.content_policy import ContentPolicy, Row
from rendercall.contract.finding import Finding
from rendercall.contract.output_tools import final_output
from rendercall.contract.provider_schema import ProviderSchema
from rendercall.contract.render_tool import RenderTool
from rendercall.contract.schema_limits import GUEST, OWN, SchemaLimits
from rendercall.contract.target_lint import lint_schema
from rendercall.contract.targets import Target, TargetRules
from rendercall.contract.value_check import Check
from rendercall.contract.verdict import Verdict

__all__ = [
    "GUEST",
    "OWN",
    "Bounds",
    "Check",
    "ContentPolicy",
    "Finding",
    "Notice",
    "ProviderSchema",
    "RenderTool",
    "Row",
    "SchemaLimits",
    "Target",
    "TargetRules",
    "Verdict",
    "final_output",
    "lint_schema",
    "read_args",
]
