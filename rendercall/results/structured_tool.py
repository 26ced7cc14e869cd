"""A LangChain tool whose result has a contract."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Literal, TypeAlias, cast

from langchain_core.messages import ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import ConfigDict, PrivateAttr

from rendercall.contract.args import Args
from rendercall.contract.schema_check import SchemaCheck
from rendercall.errors import ToolDefinitionError, import_extra
from rendercall.results.attempts import Attempts
from rendercall.results.current_call import CurrentCall, current_call, running
from rendercall.results.error_mapping import passes_through
from rendercall.results.failure_log import failure_of
from rendercall.results.output_check import Output, OutputCheck
from rendercall.results.redaction import REDACTOR, Redactor
from rendercall.results.result import Replacement, ToolResult
from rendercall.results.result_contract import ResultContract
from rendercall.results.retry import Replay, Retry
from rendercall.results.retry_budget import RetryBudget
from rendercall.results.summary import Label
from rendercall.results.tool_error import ToolFailed
from rendercall.results.tool_message import failed_message

__all__ = ["AfterTool", "ExecutionMode", "Prepare", "ResultTool", "structured_tool"]

ExecutionMode: TypeAlias = Literal["parallel", "sequential"]
"""`sequential`: calls of one message do not overlap with other sequential ones."""

Prepare: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""Takes the model's arguments before they are validated, and gives those to validate."""

AfterTool: TypeAlias = Callable[[ToolResult, CurrentCall], Replacement | None]
"""Takes a result before it leaves the tool, and gives what to put in its place."""


class ResultTool(StructuredTool):
    """A tool made by `structured_tool`; an ordinary LangChain tool everywhere else.

    `invoke` gives a `ToolMessage`, also where it is called by hand, and never raises what the
    function raised.

    Attributes:
        label: the tool's name for people.
        replay: whether a call may be made twice.
        execution_mode: whether calls may overlap.
        timeout: seconds for one attempt; None is no limit.
        retry: bounds on attempts and on the time in all.
        prepare: changes the model's arguments before they are validated.
        after: changes the result before it leaves the tool.
        redactor: what takes secrets out of both channels.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    label: Any = ""
    replay: Replay = "never"
    execution_mode: ExecutionMode = "parallel"
    timeout: float | None = 30.0
    retry: Retry = Retry()
    prepare: Prepare | None = None
    after: AfterTool | None = None
    redactor: Redactor = REDACTOR
    output: Any = None

    _contract: ResultContract = PrivateAttr()
    _budget: RetryBudget = PrivateAttr()
    _args_check: SchemaCheck | None = PrivateAttr(default=None)

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self.label = self.label or self.name
        check: OutputCheck[Any] | None = None if self.output is None else OutputCheck(self.output)
        self._budget = RetryBudget(self.retry.budget)
        self._contract = ResultContract(check, self.redactor, self.after)
        if isinstance(self.args_schema, dict):
            self._args_check = SchemaCheck(self.args_schema)
        if self.timeout is not None and self.timeout <= 0:
            raise ToolDefinitionError("timeout is in seconds above 0, or None")
        if self.replay == "safe" and self.retry.attempts > 1:
            import_extra("stamina", "results")

    @property
    def structured_schema(self) -> dict[str, Any] | None:
        """The JSON Schema of the structured result; None where none is declared."""
        return self._contract.schema

    def run(
        self,
        tool_input: str | dict[str, Any],
        *args: Any,
        config: RunnableConfig | None = None,
        tool_call_id: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Run one call; its failure is a message, too."""
        with running(self._call(tool_input, tool_call_id, config)):
            try:
                ready = self._prepared(tool_input)
                return super().run(ready, *args, config=config, tool_call_id=tool_call_id, **kwargs)
            except Exception as error:  # noqa: BLE001 - told as data, or raised again
                return self._refused(error)

    async def arun(
        self,
        tool_input: str | dict[str, Any],
        *args: Any,
        config: RunnableConfig | None = None,
        tool_call_id: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """As `run`, asynchronously."""
        with running(self._call(tool_input, tool_call_id, config)):
            try:
                ready = self._prepared(tool_input)
                return await super().arun(
                    ready, *args, config=config, tool_call_id=tool_call_id, **kwargs
                )
            except Exception as error:  # noqa: BLE001 - told as data, or raised again
                return self._refused(error)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002 - the base class names it
        """As `invoke`; a function that is not async runs in a thread."""
        return await BaseTool.ainvoke(self, input, config, **kwargs)

    def _run(
        self, *args: Any, config: RunnableConfig, run_manager: Any = None, **kwargs: Any
    ) -> Any:
        if self.func is None:
            raise ToolFailed("UNSUPPORTED", "The tool is async: run the graph with ainvoke.")
        run = partial(super()._run, *args, config=config, run_manager=run_manager, **kwargs)
        return self._contract.message(self._attempts().run(run), current_call())

    async def _arun(
        self, *args: Any, config: RunnableConfig, run_manager: Any = None, **kwargs: Any
    ) -> Any:
        if self.coroutine is None:
            manager = run_manager.get_sync() if run_manager else None
            run = partial(super()._run, *args, config=config, run_manager=manager, **kwargs)
            returned = await self._attempts().run_in_thread(run)
        else:
            arun = partial(super()._arun, *args, config=config, run_manager=run_manager, **kwargs)
            returned = await self._attempts().arun(arun)
        return self._contract.message(returned, current_call())

    def _attempts(self) -> Attempts:
        return Attempts(self.retry, self.replay, self.timeout, self._budget)

    def _call(
        self, tool_input: str | dict[str, Any], call_id: str | None, config: RunnableConfig | None
    ) -> CurrentCall:
        return CurrentCall.of(
            self.name, self._model_args(tool_input), call_id, config or {}, self.label
        )

    def _model_args(self, tool_input: str | dict[str, Any]) -> dict[str, Any]:
        """What the model wrote, less what the graph injects."""
        return {} if isinstance(tool_input, str) else self._filter_injected_args(tool_input)

    def _prepared(self, tool_input: str | dict[str, Any]) -> str | dict[str, Any]:
        if isinstance(tool_input, str):
            return tool_input
        written = self._model_args(tool_input)
        ready = self.prepare(dict(written)) if self.prepare else written
        if self._args_check is not None:
            verdict = self._args_check.check(Args("complete", "", ready))
            if verdict.issues:
                raise ToolFailed("INVALID_ARGUMENT", issues=verdict.issues)
        injected = {key: one for key, one in tool_input.items() if key not in written}
        return {**ready, **injected}

    def _refused(self, error: Exception) -> ToolMessage:
        """The call never reached the function."""
        if passes_through(error):
            raise error
        told, call = failure_of(error, self.name), current_call()
        return failed_message(
            told, name=self.name, call_id=call.call_id, label=self.label, redactor=self.redactor
        )


def structured_tool(
    *,
    output: Output[Any] | None = None,
    name: str | None = None,
    description: str | None = None,
    label: Label | None = None,
    args_schema: type[Any] | dict[str, Any] | None = None,
    replay: Replay = "never",
    execution_mode: ExecutionMode = "parallel",
    timeout: float | None = 30.0,
    retry: Retry | None = None,
    prepare: Prepare | None = None,
    after: AfterTool | None = None,
    redactor: Redactor = REDACTOR,
) -> Callable[[Callable[..., ToolResult] | Callable[..., Awaitable[ToolResult]]], ResultTool]:
    """Make a LangChain tool of a function that returns a `ToolResult`.

    ```python
    @structured_tool(
        output=LessonCheck, label={"en": "Check lesson", "zh": "检查课程"}, replay="safe"
    )
    def inspect_lesson(lesson_id: str) -> ToolResult: ...
    ```

    The function's docstring (Google style) and annotations tell the model about it, as with
    LangChain's own `@tool`; `ToolRuntime` and injected arguments work as there. It may raise
    anything: the failure gets a code and a safe text. `ToolFailed` says which.

    Args:
        output: what `structured` must be: a Pydantic model or other type, or a JSON Schema. A
            success without it, or with a wrong one, is an error.
        name: of the tool; the function's by default.
        description: for the model; the docstring's by default.
        label: for people, in one language or by language; the name by default.
        args_schema: of the arguments, where the annotations do not say it.
        replay: `safe` if a call may be made twice: only then is it tried again.
        execution_mode: `sequential` keeps calls of one message from overlapping with others
            that are sequential.
        timeout: seconds for one attempt. An async function is cancelled; a sync one is left
            alone, and stops where it calls `report_progress`. None is no limit.
        retry: bounds on attempts and the time in all; three in 45 seconds by default.
        prepare: changes the model's arguments before they are validated.
        after: changes the result before it leaves the tool.
        redactor: what takes secrets out of both channels.

    Raises:
        ToolDefinitionError: the output cannot be checked, or a limit means nothing.
        MissingExtra: `replay="safe"` without stamina (extra `results`).
    """

    def make(function: Callable[..., Any]) -> ResultTool:
        is_async = inspect.iscoroutinefunction(function)
        parsed = args_schema is None and bool(inspect.getdoc(function))
        made = ResultTool.from_function(
            func=None if is_async else function,
            coroutine=function if is_async else None,
            name=name,
            description=description,
            args_schema=args_schema,
            parse_docstring=parsed,
            error_on_invalid_docstring=False,
            label=label or "",
            output=output,
            replay=replay,
            execution_mode=execution_mode,
            timeout=timeout,
            retry=retry or Retry(),
            prepare=prepare,
            after=after,
            redactor=redactor,
        )
        return cast("ResultTool", made)

    return make
