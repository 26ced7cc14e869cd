"""The FastAPI app that LangGraph's server mounts: all of it is under `/app`.

`langgraph.json` names it as `"http": {"app": "rendercall.server.app:app"}`.

- `/app/` and the files beside it: the page, built from `web/`.
- `/app/schemas.json`: what each graph can show, and the JSON Schemas of that.
- `/app/threads/{id}/rendered.json`: what a thread has shown, turn by turn.

The page talks to LangGraph's own routes for everything else.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any, Literal

import httpx
from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import RedirectResponse, Response
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIStatusError

from rendercall.contract import RenderTool
from rendercall.errors import ProjectError
from rendercall.langgraph import EnableCustom
from rendercall.project import Project
from rendercall.server.built_page import PAGE_HEADERS, BuiltPage, takes_gzip
from rendercall.server.turns import turns_of

__all__ = ["app"]

_DATA_HEADERS = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
_WORTH_PACKING = 500  # bytes
_NOT_FORWARDED = frozenset({"accept", "accept-encoding", "connection", "content-length", "host"})

router = APIRouter(prefix="/app", include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Served:
    """What the server serves.

    Attributes:
        tools: the render tools of each graph, in the order of `langgraph.json`.
        framed: the graphs that send render frames.
        page: the built page.
    """

    tools: dict[str, list[RenderTool[Any]]]
    framed: frozenset[str]
    page: BuiltPage

    @property
    def all_tools(self) -> dict[str, RenderTool[Any]]:
        """The render tools of all graphs by name; the first graph's where two are named alike."""
        return {tool.name: tool for tools in reversed(self.tools.values()) for tool in tools}


@cache
def served() -> Served:
    """The project of the working directory, and the page."""
    project = Project.find()
    found = {graph: project.known_render_tools(graph) for graph in project.graphs}
    tools = {graph: shown for graph, shown in found.items() if shown}
    framed = frozenset(graph for graph in tools if _sends_frames(project, graph))
    return Served(tools, framed, BuiltPage.installed())


def _sends_frames(project: Project, graph: str) -> bool:
    """Whether the root graph lets frames out, as `render_graph` makes it."""
    try:
        transformers = project.graph(graph).stream_transformers
    except ProjectError:  # a factory that only LangGraph's server can call
        return False
    return EnableCustom in transformers


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    """Read the files before the first request: the event loop must not wait for a disk."""
    await asyncio.to_thread(served)
    yield


app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)


@router.get("")
async def root(request: Request) -> Response:
    """Send to the page, wherever the server is mounted."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"app/{query}", HTTPStatus.PERMANENT_REDIRECT)


@router.get("/schemas.json")
async def schemas(request: Request) -> Response:
    """The graphs, the first of which the page runs, and the JSON Schemas of what they show."""
    graphs = [
        {
            "name": graph,
            "tools": [tool.name for tool in tools],
            "frames": graph in served().framed,
        }
        for graph, tools in served().tools.items()
    ]
    found = {name: tool.schema for name, tool in served().all_tools.items()}
    return _json(request, {"graphs": graphs, "tools": found})


@router.get("/threads/{thread_id}/rendered.json")
async def rendered(
    request: Request, thread_id: str, turns: Literal["all", "last"] = "all"
) -> Response:
    """What a thread has shown, read with the rights of whoever asks."""
    try:
        known_id = str(uuid.UUID(thread_id))
    except ValueError:
        return _json(request, {"detail": "this is no thread's id"}, HTTPStatus.NOT_FOUND)
    try:
        async with _api(request) as api:
            thread = await api.threads.get(known_id)
            state = await api.threads.get_state(known_id)
    except APIStatusError as error:
        return _json(request, {"detail": "the thread cannot be read"}, error.status_code)
    told = turns_of(
        state, thread["status"], list(served().all_tools.values()), only_last=turns == "last"
    )
    return _json(request, {"turns": told, "busy": thread["status"] == "busy"})


@router.get("/{path:path}")
async def page(request: Request, path: str) -> Response:
    """The page and its files."""
    return served().page.answer(path, request.headers)


app.include_router(router)


def _api(request: Request) -> LangGraphClient:
    """The server that this app is part of, called in process and as the caller would call it.

    The SDK's own in-process client has all rights, and would read any thread for anybody.
    """
    headers = [one for one in request.headers.items() if one[0] not in _NOT_FORWARDED]
    transport = httpx.ASGITransport(app=request.app)
    return LangGraphClient(
        httpx.AsyncClient(transport=transport, base_url="http://server", headers=headers)
    )


def _json(request: Request, value: Any, status: int = HTTPStatus.OK) -> Response:
    """JSON whose integers are exact, and in which halves of surrogate pairs are escaped."""
    body = json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
    headers = PAGE_HEADERS | _DATA_HEADERS
    if len(body) > _WORTH_PACKING and takes_gzip(request.headers):
        body, headers = gzip.compress(body), {**headers, "Content-Encoding": "gzip"}
    return Response(body, status, headers, "application/json")
