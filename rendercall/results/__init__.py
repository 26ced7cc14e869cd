"""Ordinary tools' results: two channels that can be trusted, one contract for what happened.

A structured tool gives the model text and programs a checked result; every result says what
happened, how complete it is, and how to go on. `rendercall.langgraph` runs such tools;
everything here works without it.
"""

from rendercall.results.artifacts import ArtifactRef, ArtifactStore, Lines, read_lines
from rendercall.results.consume import ReadResult, tool_result
from rendercall.results.current_call import CurrentCall, current_call
from rendercall.results.cursor import Cursors
from rendercall.results.error_codes import CODES, Code
from rendercall.results.error_mapping import error_of
from rendercall.results.file_artifacts import FileArtifacts
from rendercall.results.fit import Fitted, fit
from rendercall.results.generated import GeneratedSummary
from rendercall.results.outcome import Covered, Empty, Failed, Ok, Outcome, Truncated
from rendercall.results.paging import Page, WalkBounds, Walked, awalk, walk
from rendercall.results.redaction import Redactor
from rendercall.results.result import Replacement, ToolResult
from rendercall.results.retry import Retry
from rendercall.results.store_artifacts import StoreArtifacts
from rendercall.results.structured_tool import ResultTool, structured_tool
from rendercall.results.summary import Summary
from rendercall.results.tool_error import ToolError, ToolFailed
from rendercall.results.tool_events import report_progress

__all__ = [
    "CODES",
    "ArtifactRef",
    "ArtifactStore",
    "Code",
    "Covered",
    "CurrentCall",
    "Cursors",
    "Empty",
    "Failed",
    "FileArtifacts",
    "Fitted",
    "GeneratedSummary",
    "Lines",
    "Ok",
    "Outcome",
    "Page",
    "ReadResult",
    "Redactor",
    "Replacement",
    "ResultTool",
    "Retry",
    "StoreArtifacts",
    "Summary",
    "ToolError",
    "ToolFailed",
    "ToolResult",
    "Truncated",
    "WalkBounds",
    "Walked",
    "awalk",
    "current_call",
    "error_of",
    "fit",
    "read_lines",
    "report_progress",
    "structured_tool",
    "tool_result",
    "walk",
]
