from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver

from graphs import weather_report
from graphs.parts.get_weather import get_weather
from graphs.parts.reporter import report_reply
from graphs.weather_report import graph, skills
from rendercall import last_render
from rendercall.langgraph import render_graph
from rendercall.models import Call, Reply, ScriptedChatModel, is_installed

OFFLINE = {"model": "offline", "pace": 0.0}
USE = Reply(calls=[Call("use_skill", {"name": "weather"})])
LOOK_UP = Reply(calls=[Call("get_weather", {"place": "Berlin"})])
FOUND: Any = get_weather.invoke(
    {"type": "tool_call", "name": "get_weather", "id": "c", "args": {"place": "Berlin"}}
).artifact
SHOW = Reply(calls=[Call("output_weather", {"data": FOUND, "summary": "Mild."})])


def ask(text: str, context: Any = OFFLINE, **more: Any) -> Any:
    return graph.invoke({"messages": [("user", text)]}, context=context, **more)


def called(state: Any) -> list[str]:
    """The calls of a run, in order."""
    messages = [one for one in state["messages"] if one.type == "ai"]
    return [call["name"] for one in messages for call in one.tool_calls]


def test_without_a_model() -> None:
    """The rules take the skill up, look the place up, and show what the table says."""
    state = ask("What is the weather in Berlin?")
    assert called(state) == ["use_skill", "get_weather", "output_weather"]
    assert state["active_skills"] == ["weather"]
    value = last_render(state, skills.renders).require()
    assert value["data"] == FOUND
    assert value["summary"].startswith("Berlin: ")


@pytest.mark.parametrize("text", ["", "Atlantis"])
def test_no_card_without_a_place(text: str) -> None:
    """What the table does not have is said in words."""
    state = ask(text)
    assert last_render(state, skills.renders).status == "absent"
    assert state["messages"][-1].text


def test_with_a_scripted_model() -> None:
    """A model that calls tools gets them only with the skill."""
    model = ScriptedChatModel(script=[USE, LOOK_UP, SHOW])
    scripted = render_graph(model, (), skills=skills, prompt=weather_report.PROMPT)
    state = scripted.invoke({"messages": [("user", "Berlin?")]})
    assert last_render(state, skills.renders).status == "ok"
    bound = [[tool["function"]["name"] for tool in one.tools] for one in model.requests]
    assert bound == [["use_skill"], *[["use_skill", "get_weather", "output_weather"]] * 2]
    prompt = str(model.requests[0].messages[0].text)
    assert prompt.startswith(weather_report.PROMPT)
    assert "- weather: Reports the weather of one place" in prompt


@pytest.mark.model
@pytest.mark.skipif(not is_installed(), reason="needs `make local-model`")
def test_with_the_local_model() -> None:
    """It cannot choose tools: the graph looks up for it, and holds it to the numbers."""
    state = ask("Berlin", {"model": "local"})
    assert called(state) == ["get_weather", "output_weather"]
    assert state["active_skills"] == ["weather"]
    assert last_render(state, skills.renders).require()["data"] == FOUND


TURN = """
import sqlite3, sys
from langgraph.checkpoint.sqlite import SqliteSaver
from graphs.weather_report import Context, graph

with sqlite3.connect(sys.argv[1], check_same_thread=False) as connection:
    stored = graph.copy(update={"checkpointer": SqliteSaver(connection)})
    stored.invoke(
        {"messages": [("user", sys.argv[2])]},
        {"configurable": {"thread_id": "1"}},
        context=Context(model="offline", pace=0.0),
    )
connection.close()
"""


def test_in_force_after_a_restart(tmp_path: Path) -> None:
    """Turn 2, in a new process over the same SQLite file, needs no activation."""
    file = tmp_path / "threads.sqlite"
    for text in ("Berlin", "And in Cairo?"):
        command = [sys.executable, "-W", "error", "-c", TURN, str(file), text]
        subprocess.run(command, check=True, cwd=Path(__file__).parents[2], timeout=120)
    with sqlite3.connect(file, check_same_thread=False) as connection:
        stored = graph.copy(update={"checkpointer": SqliteSaver(connection)})
        state = stored.get_state({"configurable": {"thread_id": "1"}}).values
    connection.close()
    assert state["active_skills"] == ["weather"]
    assert called(state) == [
        "use_skill", "get_weather", "output_weather", "get_weather", "output_weather",
    ]  # fmt: skip
    assert last_render(state, skills.renders).require()["data"]["place"] == "Cairo"


def test_a_refused_card_is_given_up() -> None:
    """The rules do not write the same wrong card again and again."""
    tools = [{"function": {"name": "output_weather"}}]
    state = ask("Berlin")
    refused = [
        *state["messages"],
        state["messages"][-2].model_copy(update={"name": "output_weather"}),
    ]
    assert report_reply(refused, tools).calls == ()


def test_the_schema_is_a_guests() -> None:
    """The skill's folder passes the limits for schemas that others bring."""
    (tool,) = skills.renders
    assert tool.schema["properties"]["data"]["properties"].keys() == {"place", "source", "days"}
    assert tool.validate(json.dumps({"data": FOUND, "summary": "Mild."})).state == "complete"
    warm = {**FOUND, "days": [{**FOUND["days"][0], "high": 99}]}
    (issue,) = tool.validate(json.dumps({"data": warm, "summary": "Hot."})).issues
    assert (issue.layer, issue.pointer, issue.code) == ("value", "/data/days/0/high", "maximum")
