"""The commands: what they take, print and exit with."""

from __future__ import annotations

import asyncio
import io
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from rendercall.card.words import Language
from rendercall.cli.note import model_note
from rendercall.cli.show import exit_code, language_of, print_card, print_json, to_json
from rendercall.consumer.scan import last_render
from rendercall.errors import RenderCallError

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


def _turn_options(command: Callable[..., None]) -> Callable[..., None]:
    """What every command takes that runs a turn."""
    for option in (
        _lang_option,
        _json_option,
        click.option("--pace", type=click.FloatRange(0, 5), help="Seconds a piece, offline only."),
        click.option("--thread", "thread_id", help="Go on with this stored thread."),
        click.option(
            "--model", help='"provider:name", "local" or "offline" [default: by environment].'
        ),
    ):
        command = option(command)
    return command


@app.command(epilog=_EXIT_CODES)
@click.argument("topic")
@_graph_option
@_turn_options
def plan(topic: str, graph_name: str | None, **options: Any) -> None:
    """Make a plan about TOPIC, and show it while it forms.

    The conversation is kept in .rendercall/threads.sqlite. With --json, stdout gets exactly
    one object: status, value, errors, warnings, thread_id, model, seconds.
    """
    from rendercall.cli.turn import TurnOptions, run_turn

    if not topic.strip():
        raise click.UsageError("TOPIC is empty: say what the plan is about")
    project = _project()
    name = _graph_name(project, graph_name)
    sys.exit(run_turn(project, name, topic, TurnOptions(**options)))


@app.command(epilog=_EXIT_CODES)
@click.argument("graph_name", metavar="GRAPH")
@click.argument("text")
@click.option("--trace", is_flag=True, help="Show each step, its time, and what stopped what.")
@_turn_options
def run(graph_name: str, text: str, **options: Any) -> None:
    """Run any GRAPH of langgraph.json on TEXT, and show its answer while it forms.

    The conversation is kept in .rendercall/threads.sqlite. With --json, stdout gets exactly
    one object: status, value, errors, warnings, thread_id, model, seconds; with --trace also
    trace, a list of steps: kind, name, at_ms, took_ms, detail, layer.
    """
    from rendercall.cli.turn import TurnOptions, run_turn

    if not text.strip():
        raise click.UsageError("TEXT is empty: say what the graph is to do")
    sys.exit(run_turn(_project(), graph_name, text, TurnOptions(**options)))


@app.command(epilog=_EXIT_CODES)
@click.argument("thread_id", metavar="THREAD")
@_json_option
@_lang_option
def read(thread_id: str, as_json: bool, lang: Language | None) -> None:
    """Show the last plan of a stored THREAD, without running anything."""
    from rendercall.cli.threads import stored_messages

    project = _project()
    tools = project.all_render_tools()
    rendered = last_render(asyncio.run(stored_messages(project.root, thread_id)), tools)
    if as_json:
        print_json(to_json(rendered) | {"thread_id": thread_id})
    else:
        print_card(rendered, language_of(lang))
    sys.exit(exit_code(rendered.status))


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
    print_json(tools[name].schema)


@app.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--port", type=int, help="Where to listen [default: 2024, or the next free one].")
def serve(host: str, port: int | None) -> None:
    """Serve the project's graphs and the page with the embedded LangGraph server."""
    from rendercall.cli.serve import free_port, port_is_free
    from rendercall.cli.serve import serve as serve_project
    from rendercall.models import default_model_name

    project = _project()
    project.all_render_tools()  # a graph that cannot be loaded is told before anything starts
    if port is not None and not port_is_free(host, port):
        raise click.UsageError(f"{host}:{port} is in use: choose another with --port")

    def ready(address: str) -> None:
        click.echo(model_note(default_model_name(os.environ), os.environ), err=True)
        click.echo(f"{address}/app/")

    serve_project(project.root, host, port or free_port(host), ready)


def _project() -> Project:
    """The project of the working directory; what it imports takes a second, so it comes late."""
    from rendercall.project import Project

    return Project.find()


def _graph_name(project: Project, name: str | None) -> str:
    return name or next(iter(project.graphs))
