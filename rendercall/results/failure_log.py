"""The log of failures that nobody knew: what, where and when, and not a word of what it said."""

from __future__ import annotations

import logging
import traceback
import uuid
from dataclasses import replace

from rendercall.results.error_mapping import error_of
from rendercall.results.tool_error import ToolError, ToolFailed

__all__ = ["failure_of"]

_log = logging.getLogger("rendercall.results")


def failure_of(error: Exception, tool: str) -> ToolError:
    """The failure of a tool; what nobody knows is logged, and the failure refers to it.

    The log has the exception's class and the line that raised it. Its text stays out: it may
    hold what must not be logged.
    """
    told = error_of(error)
    if told.code != "INTERNAL" or isinstance(error, ToolFailed):
        return told
    reference = uuid.uuid4().hex[:12]
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "an unknown line"
    _log.error("tool %s failed with %s at %s [%s]", tool, type(error).__name__, place, reference)
    return replace(told, reference=reference)
