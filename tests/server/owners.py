"""Auth for the tests: whoever calls names himself, and threads belong to their makers."""

from __future__ import annotations

from typing import Any

from langgraph_sdk import Auth

auth = Auth()


@auth.authenticate
async def authenticate(headers: dict[Any, Any]) -> dict[str, str]:
    name = headers.get(b"authorization", headers.get("authorization"))
    if not name:
        raise Auth.exceptions.HTTPException(status_code=401, detail="who are you?")
    return {"identity": name.decode() if isinstance(name, bytes) else name}


@auth.on
async def own(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> dict[str, str]:
    """Mark what is made with its maker, and show only that."""
    owner = {"owner": ctx.user.identity}
    if isinstance(value.get("metadata"), dict):
        value["metadata"].update(owner)
    else:
        value["metadata"] = owner
    return owner
