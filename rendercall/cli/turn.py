"""One turn from the command line: the graph is run, its card drawn, and the outcome printed."""

from __future__ import annotations

import asyncio
import os
import uuid
from dataclasses import asdict, dataclass

import click
from rich.console import Console
from rich.text import Text

from rendercall.card.words import Language
from rendercall.cli.note import model_note
from rendercall.cli.run import Run, Turn, context_of
from rendercall.cli.show import console_of, exit_code, language_of, print_json, to_json
from rendercall.cli.trace_table import trace_table
from rendercall.langgraph.trace import Trace
from rendercall.models import default_model_name
from rendercall.project import Project
from rendercall.sinks.terminal import terminal_text
from rendercall.terminal import LiveCard

__all__ = ["TurnOptions", "run_turn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOptions:
    """What the user asked for.

    Attributes:
        model: the model's name; None leaves it to the environment.
        thread_id: the stored thread to go on with; None begins one.
        pace: seconds a piece of the rule-based model; None leaves it to the graph.
        as_json: whether stdout gets one JSON object, and nothing else.
        lang: the language; None takes the locale's.
        trace: whether each step is shown.
    """

    model: str | None = None
    thread_id: str | None = None
    pace: float | None = None
    as_json: bool = False
    lang: Language | None = None
    trace: bool = False


def run_turn(project: Project, name: str, text: str, options: TurnOptions) -> int:
    """Run a turn of a graph, and show it.

    Args:
        project: whose graph it is.
        name: the graph's name.
        text: what the user says.
        options: what the user asked for.

    Returns:
        The exit code.

    Raises:
        RenderCallError: the project, the graph or the model cannot be used.
    """
    graph, tools = project.graph(name), project.render_tools(name)
    wanted = {"model": options.model, "pace": options.pace}
    context = context_of(
        graph,
        {key: one for key, one in wanted.items() if one is not None},
        default_model=default_model_name(os.environ),
    )
    used = (context or {}).get("model")
    if used:
        click.echo(model_note(used, os.environ), err=True)
    trace = Trace(tools)
    run = Run(
        root=project.root,
        graph=graph,
        tools=tools,
        thread_id=options.thread_id or str(uuid.uuid4()),
        context=context,
        callbacks=[trace] if options.trace else [],
    )
    console = console_of(as_json=options.as_json)
    card = LiveCard(console, tools[0].schema, language_of(options.lang))
    turn = asyncio.run(run.turn(text, card))
    if turn.cause:
        click.echo(f"rendercall: the run failed: {turn.cause}", err=True)
    if options.as_json:
        extra = {"thread_id": run.thread_id, "model": used, "seconds": turn.seconds}
        steps = {"trace": [asdict(step) for step in trace.steps]} if options.trace else {}
        print_json(to_json(turn.rendered) | extra | steps)
    else:
        _print(console, turn, run.thread_id, trace if options.trace else None)
    return exit_code(turn.rendered.status)


def _print(console: Console, turn: Turn, thread_id: str, trace: Trace | None) -> None:
    if turn.said:
        console.print(Text(f"  {terminal_text(turn.said)}"))
    if trace is not None:
        console.print(trace_table(trace.steps))
    console.print(Text(f"  thread {thread_id}", style="dim"))
