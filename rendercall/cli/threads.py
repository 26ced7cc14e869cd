"""Conversations of the terminal, kept in a SQLite file of the working directory."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from rendercall.errors import ProjectError

__all__ = ["open_threads", "stored_messages", "thread_config"]

_FILE = Path(".rendercall", "threads.sqlite")


def thread_config(thread_id: str) -> RunnableConfig:
    """The config that names a thread."""
    return {"configurable": {"thread_id": thread_id}}


@asynccontextmanager
async def open_threads(root: Path) -> AsyncIterator[AsyncSqliteSaver]:
    """Open the project's threads; the file is made where there is none.

    Raises:
        ProjectError: the file cannot be made, or is no SQLite database.
    """
    file = root / _FILE
    async with AsyncExitStack() as stack:
        try:
            file.parent.mkdir(exist_ok=True)
            saver = await stack.enter_async_context(AsyncSqliteSaver.from_conn_string(str(file)))
            await saver.setup()
        except (OSError, sqlite3.Error) as error:
            raise ProjectError(
                f"{file} cannot be used ({type(error).__name__}): make the directory writable, "
                "or move the file away"
            ) from error
        yield saver


async def stored_messages(root: Path, thread_id: str) -> list[Any]:
    """The messages of a stored thread.

    Raises:
        ProjectError: no such thread is stored.
    """
    if (root / _FILE).exists():
        async with open_threads(root) as saver:
            found = await saver.aget_tuple(thread_config(thread_id))
        if found is not None:
            return list(found.checkpoint["channel_values"].get("messages", ()))
    raise ProjectError(
        f"no thread of this id is stored in {_FILE} of {root}: "
        "`rendercall plan` prints the id when it ends"
    )
