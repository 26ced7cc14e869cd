"""The commands: what they take, print and exit with."""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
import uuid
from typing import TYPE_CHECKING, Any

import click
from pydantic_core import to_jsonable_python
from rich.console import Console
from rich.text import Text

from rendercall.card.layout import lay_out
from rendercall.card.plain import clean
from rendercall.card.words import Language, language_of_environment
from rendercall.cli.note import model_note
from rendercall.consumer.rendered import Rendered, Status
from rendercall.consumer.scan import last_render
from rendercall.errors import RenderCallError
from rendercall.terminal import LiveCard, draw

if TYPE_CHECKING:
    from rendercall.project import Project

__all__ = ["app"]

_EXIT_CODES = """\b
Exit codes:
  0    the result is ok
  1    any other outcome
  2    wrong usage, or the project or the model cannot be used
  130  interrupted
"""


class _Commands(click.Group):
    """Our errors exit with 2, an interruption with 130."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RenderCallError as error:
            click.echo(f"rendercall: {error}", err=True)
            ctx.exit(2)
        except KeyboardInterrupt:
            ctx.exit(130)


@click.group(cls=_Commands, epilog=_EXIT_CODES)
def app() -> None:
    """Learning plans, or whatever your graphs show, in the terminal and in the browser.

    Run it in the directory of a LangGraph project: its langgraph.json names the graphs.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a character gets "?"
            stream.reconfigure(errors="replace")


_graph_option = click.option("--graph", "graph_name", help="Graph [default: the first one].")
_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object only.")
_lang_option = click.option(
    "--lang", type=click.Choice(["en", "zh"]), help="Language [default: that of the locale]."
)


@app.command(epilog=_EXIT_CODES)
@click.argument("topic")
@click.option("--model", help='"provider:name", "local" or "offline" [default: by environment].')
@click.option("--thread", "thread_id", help="Go on with this stored thread.")
@click.option("--pace", type=click.FloatRange(0, 5), help="Seconds a piece, offline only.")
@_graph_option
@_json_option
@_lang_option
def plan(  # noqa: PLR0917 - click passes them by name
    topic: str,
    model: str | None,
    thread_id: str | None,
    pace: float | None,
    graph_name: str | None,
    as_json: bool,
    lang: Language | None,
) -> None:
    """Make a plan about TOPIC, and show it while it forms.

    The conversation is kept in .rendercall/threads.sqlite. With --json, stdout gets exactly
    one object: status, value, errors, warnings, thread_id, model, seconds.
    """
    from rendercall.cli.run import Run, context_of, to_json
    from rendercall.models import default_model_name

    if not topic.strip():
        raise click.UsageError("TOPIC is empty: say what the plan is about")
    project = _project()
    name = _graph_name(project, graph_name)
    graph, tools = project.graph(name), project.render_tools(name)
    wanted = {"model": model, "pace": pace}
    context = context_of(
        graph,
        {key: one for key, one in wanted.items() if one is not None},
        default_model=default_model_name(os.environ),
    )
    used = (context or {}).get("model")
    if used:
        click.echo(model_note(used, os.environ), err=True)
    run = Run(
        root=project.root,
        graph=graph,
        tools=tools,
        thread_id=thread_id or str(uuid.uuid4()),
        context=context,
    )
    console = _console(as_json)
    card = LiveCard(console, tools[0].schema, _language(lang))
    turn = asyncio.run(run.turn(topic, card))
    if turn.cause:
        click.echo(f"rendercall: the run failed: {turn.cause}", err=True)
    if as_json:
        extra = {"thread_id": run.thread_id, "model": used, "seconds": turn.seconds}
        _print_json(to_json(turn.rendered) | extra)
    else:
        if turn.said:
            console.print(Text(f"  {clean(turn.said)}"))
        console.print(Text(f"  thread {run.thread_id}", style="dim"))
    sys.exit(_exit_code(turn.rendered.status))


@app.command(epilog=_EXIT_CODES)
@click.argument("thread_id", metavar="THREAD")
@_json_option
@_lang_option
def read(thread_id: str, as_json: bool, lang: Language | None) -> None:
    """Show the last plan of a stored THREAD, without running anything."""
    from rendercall.cli.run import to_json
    from rendercall.cli.threads import stored_messages

    project = _project()
    tools = project.all_render_tools()
    rendered = last_render(asyncio.run(stored_messages(project.root, thread_id)), tools)
    if as_json:
        _print_json(to_json(rendered) | {"thread_id": thread_id})
    else:
        _print_card(rendered, _language(lang))
    sys.exit(_exit_code(rendered.status))


@app.command()
@_graph_option
@click.option("--tool", "tool_name", help="Render tool [default: the graph's only one].")
def schema(graph_name: str | None, tool_name: str | None) -> None:
    """Print the JSON Schema of what a graph shows."""
    project = _project()
    tools = {tool.name: tool for tool in project.render_tools(_graph_name(project, graph_name))}
    name = tool_name or next(iter(tools))
    if name not in tools or (tool_name is None and len(tools) > 1):
        raise click.UsageError(f"choose one with --tool: {', '.join(tools)}")
    _print_json(tools[name].schema)


@app.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--port", type=int, help="Where to listen [default: 2024, or the next free one].")
def serve(host: str, port: int | None) -> None:
    """Serve the project's graphs and the page with the embedded LangGraph server."""
    from rendercall.cli.serve import free_port, port_is_free
    from rendercall.cli.serve import serve as run
    from rendercall.models import default_model_name

    project = _project()
    project.all_render_tools()  # a graph that cannot be loaded is told before anything starts
    if port is not None and not port_is_free(host, port):
        raise click.UsageError(f"{host}:{port} is in use: choose another with --port")

    def ready(address: str) -> None:
        click.echo(model_note(default_model_name(os.environ), os.environ), err=True)
        click.echo(f"{address}/app/")

    run(project.root, host, port or free_port(host), ready)


def _project() -> Project:
    """The project of the working directory; what it imports takes a second, so it comes late."""
    from rendercall.project import Project

    return Project.find()


def _graph_name(project: Project, name: str | None) -> str:
    return name or next(iter(project.graphs))


def _language(chosen: Language | None) -> Language:
    return chosen or language_of_environment(os.environ)


def _console(as_json: bool) -> Console:
    """Where the card is drawn: not on stdout where that carries JSON."""
    if not as_json:
        return Console(highlight=False)
    return Console(stderr=True, highlight=False, quiet=not sys.stderr.isatty())


def _print_card(rendered: Rendered[Any], language: Language) -> None:
    card = None
    if rendered.tool is not None and rendered.status == "ok":
        value = to_jsonable_python(rendered.value)
        card = lay_out(rendered.tool.schema, value, complete=True)
    drawn = draw(card, rendered.status, language, issues=rendered.errors)
    Console(highlight=False).print(drawn)


def _print_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def _exit_code(status: Status) -> int:
    return {"ok": 0, "aborted": 130}.get(status, 1)
