"""The FastAPI app that LangGraph's server mounts: all of it is under `/app`.

`langgraph.json` names it as `"http": {"app": "rendercall.server.app:app"}`. The plain
predecessor of the page: a form, and the plan of a thread.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from langgraph_sdk import get_client
from langgraph_sdk.errors import NotFoundError

from rendercall.card.words import Language, language_of_header
from rendercall.consumer.rendered import Rendered
from rendercall.consumer.scan import last_render
from rendercall.contract import RenderTool
from rendercall.errors import Issue
from rendercall.project import Project
from rendercall.server.pages import form_page, lost_page, thread_page

__all__ = ["app"]

MAX_TOPIC = 500
_MAX_BODY = 10_000
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}

# In-process: calls of this client reach the server that the app is mounted in, by no socket.
client = get_client()
router = APIRouter(prefix="/app", include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Served:
    """What the server serves.

    Attributes:
        graph: the graph that the form runs: the first one of `langgraph.json`.
        schema: the JSON Schema of what it shows.
        tools: the render tools of all graphs.
    """

    graph: str
    schema: Mapping[str, Any]
    tools: Sequence[RenderTool[Any]]


@cache
def served() -> Served:
    """The project of the working directory."""
    project = Project.find()
    graph = next(iter(project.graphs))
    return Served(graph, project.render_tools(graph)[0].schema, project.all_render_tools())


@cache
def style() -> str:
    """The stylesheet."""
    return (files("rendercall.server") / "style.css").read_text(encoding="utf-8")


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    """Read the files before the first request: the event loop must not wait for a disk."""
    await asyncio.to_thread(lambda: (served(), style()))
    yield


app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)


@router.get("")
async def root() -> Response:
    """Send to the page."""
    return RedirectResponse("/app/", HTTPStatus.PERMANENT_REDIRECT)


@router.get("/")
async def form(request: Request) -> Response:
    """The form."""
    return _html(form_page(_language(request)))


@router.get("/style.css")
async def stylesheet() -> Response:
    """The stylesheet."""
    return Response(style(), media_type="text/css", headers=_HEADERS)


@router.get("/schemas.json")
async def schemas() -> Response:
    """The JSON Schemas of what the project's graphs show, by the names of the render tools."""
    found = {tool.name: tool.schema for tool in served().tools}
    return JSONResponse(found, headers=_HEADERS)


@router.post("/threads")
async def start(request: Request) -> Response:
    """Start a run of the graph on a new thread, and send to the thread's page."""
    language = _language(request)
    if _is_foreign(request):
        return _html(lost_page(language, is_foreign=True), HTTPStatus.FORBIDDEN)
    topic = await _topic(request)
    if not 0 < len(topic) <= MAX_TOPIC:
        return _html(
            form_page(language, topic=topic[:MAX_TOPIC], is_wrong=True),
            HTTPStatus.BAD_REQUEST,
        )
    thread = await client.threads.create()
    turn: dict[str, Any] = {"messages": [{"role": "user", "content": topic}]}
    await client.runs.create(
        thread["thread_id"],
        served().graph,
        input=turn,
        durability="async",
        multitask_strategy="reject",
    )
    return RedirectResponse(f"/app/threads/{thread['thread_id']}", HTTPStatus.SEE_OTHER)


@router.get("/threads/{thread_id}")
async def show(request: Request, thread_id: str) -> Response:
    """The plan of a thread, or how far it is."""
    try:
        known_id = str(uuid.UUID(thread_id))
        thread = await client.threads.get(known_id)
        state = await client.threads.get_state(known_id)
    except (ValueError, NotFoundError):
        return _html(lost_page(_language(request)), HTTPStatus.NOT_FOUND)
    is_busy = thread["status"] == "busy"
    rendered = None if is_busy else _rendered(thread["status"], state)
    return _html(thread_page(_language(request), rendered, served().schema))


app.include_router(router)


def _rendered(thread_status: str, state: Any) -> Rendered[Any]:
    """The outcome in the state, or how the run ended before it wrote one.

    What an exception said stays in the server's log: it may hold secrets.
    """
    rendered = last_render(state, served().tools)
    if rendered.status == "ok":
        return rendered
    if thread_status == "error":
        issue = Issue("", "aborted", "run_error", "the run ended with an error")
        return Rendered(status="failed", errors=(issue,))
    if thread_status == "interrupted" and rendered.status == "absent" and not state["interrupts"]:
        issue = Issue("", "aborted", "aborted", "the run was stopped")
        return Rendered(status="aborted", errors=(issue,))
    return rendered


def _html(page: str, status: int = 200) -> Response:
    return HTMLResponse(page, status, headers=_HEADERS)


def _language(request: Request) -> Language:
    return language_of_header(request.headers.get("accept-language", ""))


def _is_foreign(request: Request) -> bool:
    """Whether another site sent the form: it must not start runs that cost money."""
    origin = request.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != request.headers.get("host")


async def _topic(request: Request) -> str:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _MAX_BODY:
            return ""
    fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=10)
    return " ".join(fields.get("topic", [""])[0].split())
