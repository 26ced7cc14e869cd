"""Reads the structured results of threads: `python -m tests.langgraph.stored_results STORE THREAD …`.

A process of its own, which knows the store's address and what the results must be.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from langchain_core.messages import ToolMessage

from rendercall.results import tool_result
from tests.langgraph.stored_threads import saver
from tests.results.lessons import Lesson


def known(message: ToolMessage) -> list[Any]:
    read = tool_result(message, Lesson)
    return [
        read.outcome.name,
        read.value and read.value.model_dump(),
        read.error and read.error.code,
    ]


def main(address: str, threads: list[str]) -> None:
    found = {}
    with saver(address) as store:
        for thread in threads:
            stored = store.get_tuple({"configurable": {"thread_id": thread}})
            assert stored is not None
            messages = stored.checkpoint["channel_values"]["messages"]
            results = [one for one in messages if isinstance(one, ToolMessage)]
            found[thread] = {one.tool_call_id: known(one) for one in results}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
