"""Threads in real stores: written here, read by `python -m tests.langgraph.stored_threads`.

The reader is a process of its own, which knows the store's address and nothing else.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from rendercall import RenderTool, last_render, scan_renders
from rendercall.langgraph import render_graph
from rendercall.models import Call, Reply, ScriptedChatModel
from schemas.learning_plan import LearningPlan
from tests.langgraph.scripted_graph import BAD, CUT, GOOD, NAME, render, search, search_docs

PLAN = RenderTool(LearningPlan)
THREADS: dict[str, list[Reply]] = {
    "ok": [Reply("Here.", calls=[Call(NAME, GOOD)])],
    "repaired after a search": [Reply(calls=[search()]), render(BAD), render()],
    "invalid": [render(BAD)] * 3,
    "truncated": [render(CUT, finish_reason="length")] * 3,
    "refused": [Reply(refusal="No.")],
    "a turn later": [render(), Reply("You are welcome.")],
}
NAMES = [f"{prefix} {name}" for prefix in ("sync", "async") for name in THREADS]
Shown = list[dict[str, Any]]


@contextmanager
def saver(address: str) -> Iterator[BaseCheckpointSaver[Any]]:
    """The sync saver of an address: a file, or PostgreSQL's URL."""
    if address.startswith("postgresql:"):
        with PostgresSaver.from_conn_string(address) as postgres:
            postgres.setup()
            yield postgres
    else:
        with SqliteSaver.from_conn_string(address) as sqlite:
            yield sqlite


@asynccontextmanager
async def async_saver(address: str) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    """The async saver of an address."""
    if address.startswith("postgresql:"):
        async with AsyncPostgresSaver.from_conn_string(address) as postgres:
            await postgres.setup()
            yield postgres
    else:
        async with AsyncSqliteSaver.from_conn_string(address) as sqlite:
            yield sqlite


def graph(script: list[Reply], store: BaseCheckpointSaver[Any]) -> Any:
    model = ScriptedChatModel(script=script)
    return render_graph(model, PLAN, tools=[search_docs], checkpointer=store)


def config(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


def turns(name: str) -> int:
    return 2 if name == "a turn later" else 1


def write(address: str) -> dict[str, Shown]:
    """Run every thread into the store, and tell how each ended."""
    ends: dict[str, Shown] = {}
    with saver(address) as store:
        for name, script in THREADS.items():
            built = graph(script, store)
            for turn in range(turns(name)):
                ask = {"messages": [HumanMessage(f"{turn}")]}
                ends[f"sync {name}"] = shown(built.invoke(ask, config(f"sync {name}")))
    return ends


async def awrite(address: str) -> dict[str, Shown]:
    """The same, asynchronously."""
    ends: dict[str, Shown] = {}
    async with async_saver(address) as store:
        for name, script in THREADS.items():
            built = graph(script, store)
            for turn in range(turns(name)):
                ask = {"messages": [HumanMessage(f"{turn}")]}
                state = await built.ainvoke(ask, config(f"async {name}"))
                ends[f"async {name}"] = shown(state)
    return ends


def shown(source: Any) -> Shown:
    """The thread's result and its whole history of results, as JSON."""
    return json.loads(
        json.dumps([as_json(last_render(source, PLAN)), *map(as_json, scan_renders(source, PLAN))])
    )


def as_json(rendered: Any) -> dict[str, Any]:
    """A result in full, as JSON."""
    value = rendered.value
    return {
        "status": rendered.status,
        "tool": rendered.tool and rendered.tool.name,
        "value": value and [type(value).__name__, value.model_dump()],
        "errors": [str(one) for one in rendered.errors],
        "warnings": [str(one) for one in rendered.warnings],
        "ids": [rendered.call_id, rendered.message_id],
        "args_text": rendered.args_text,
        "finish_reason": rendered.finish_reason,
        "refusal": rendered.refusal,
    }


def read(address: str) -> dict[str, dict[str, Shown]]:
    """Each thread in every shape that a saver or a graph gives it in."""
    with saver(address) as store:
        return {
            name: shapes(store.get_tuple(config(name)), graph([], store), name) for name in NAMES
        }


def shapes(found: Any, built: Any, name: str) -> dict[str, Shown]:
    snapshot = built.get_state(config(name))
    return {
        "checkpoint tuple": shown(found),
        "checkpoint": shown(found.checkpoint),
        "channel values": shown(found.checkpoint["channel_values"]),
        "snapshot": shown(snapshot),
        "state": shown(snapshot.values),
        "messages": shown(snapshot.values["messages"]),
        "history": shown(next(iter(built.get_state_history(config(name))))),
    }


async def aread(address: str) -> dict[str, dict[str, Shown]]:
    """The same with the async saver."""
    async with async_saver(address) as store:
        return {
            name: {
                "async checkpoint tuple": shown(await store.aget_tuple(config(name))),
                "async snapshot": shown(await graph([], store).aget_state(config(name))),
            }
            for name in NAMES
        }


def main() -> None:
    found = {}
    for address in sys.argv[1:]:
        more = asyncio.run(aread(address))
        found[address] = {name: one | more[name] for name, one in read(address).items()}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
