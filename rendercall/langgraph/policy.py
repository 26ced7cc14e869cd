"""How a render graph behaves: its tools, and its limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from rendercall.contract import Bounds, RenderTool
from rendercall.errors import GraphDefinitionError
from rendercall.langgraph.patch import patch_name

__all__ = ["Ack", "Mixed", "OnError", "Policy", "Repair"]

Mixed: TypeAlias = Literal["rerender", "finish"]
"""What a render call beside ordinary calls means: not final, or final once they ran."""

Ack: TypeAlias = Literal["request", "state"]
"""Where a shown call is answered: in the next request's copy only, or in the state."""

Repair: TypeAlias = Literal["patch", "reask"]
"""How a wrong call is repaired: by operations on its args, or by writing it again."""

OnError: TypeAlias = Literal["finish_then_patch", "abort_and_continue"]
"""What a definite error does while the call arrives: nothing, or it stops the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The rules of one graph.

    Attributes:
        renders: the render tools.
        dormant: render tools of skills that are not active: the model may not call them, but
            earlier calls of them were shown.
        tool_names: names of the ordinary tools.
        mixed: what a render call beside ordinary calls means.
        max_repairs: how often the model may be asked again in one turn.
        max_model_calls: model calls in one turn, all reasons together.
        required: whether a turn must end on a render call.
        ack: where a shown call is answered.
        repair: how a wrong call is repaired.
        on_error: what a definite error does while the call arrives.

    Raises:
        GraphDefinitionError: no render tool, two tools of one name, or a limit below its
            minimum.
    """

    renders: tuple[RenderTool[Any], ...]
    dormant: tuple[RenderTool[Any], ...] = ()
    tool_names: frozenset[str] = frozenset()
    mixed: Mixed = "rerender"
    max_repairs: int = 2
    max_model_calls: int = 10
    required: bool = False
    ack: Ack = "request"
    repair: Repair = "patch"
    on_error: OnError = "finish_then_patch"

    def __post_init__(self) -> None:
        names = [*(tool.name for tool in self.renders), *self.patch_names]
        if not self.known:
            raise GraphDefinitionError("a render graph needs at least one render tool")
        doubled = {name for name in names if names.count(name) > 1} | (set(names) & self.tool_names)
        if doubled:
            raise GraphDefinitionError(
                f"tool names must differ, but these come twice: {', '.join(sorted(doubled))}"
            )
        if self.max_repairs < 0 or self.max_model_calls < 1:
            raise GraphDefinitionError("max_repairs must be >= 0, and max_model_calls >= 1")
        if self.mixed not in {"rerender", "finish"} or self.ack not in {"request", "state"}:
            raise GraphDefinitionError(
                'mixed is "rerender" or "finish", and ack is "request" or "state"'
            )
        if self.repair not in get_args(Repair) or self.on_error not in get_args(OnError):
            raise GraphDefinitionError(
                f"repair is one of {get_args(Repair)}, and on_error one of {get_args(OnError)}"
            )

    @property
    def known(self) -> tuple[RenderTool[Any], ...]:
        """Every render tool whose calls may stand in the history."""
        return (*self.renders, *self.dormant)

    @property
    def names(self) -> frozenset[str]:
        """Every name that the model may call at any time."""
        return self.tool_names | {tool.name for tool in self.renders}

    @property
    def patch_names(self) -> frozenset[str]:
        """Every name that it may call to patch a wrong call."""
        tools = self.renders if self.repair == "patch" else ()
        return frozenset(patch_name(tool) for tool in tools)

    @property
    def bounds(self) -> Bounds:
        """Limits for the args of any call: those of the first render tool."""
        return self.known[0].bounds


def as_tuple(
    render: RenderTool[Any] | Sequence[RenderTool[Any]],
) -> tuple[RenderTool[Any], ...]:
    """One render tool or several, as a tuple."""
    return (render,) if isinstance(render, RenderTool) else tuple(render)
