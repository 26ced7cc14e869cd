"""Args checked against a raw JSON Schema, by jsonschema-rs, with errors as JSON Pointers."""

from __future__ import annotations

from typing import Any, NoReturn

import jsonschema_rs

from rendercall.contract.args import Args, pointer
from rendercall.contract.verdict import Verdict
from rendercall.errors import Issue, ToolDefinitionError

__all__ = ["SchemaCheck"]


class SchemaCheck:
    """Checks args against a JSON Schema, formats included. Nothing is ever fetched.

    Args:
        schema: the schema; draft 2020-12 unless `$schema` says otherwise.

    Raises:
        ToolDefinitionError: it is no valid schema, or refers to what it does not hold.
    """

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema
        try:
            jsonschema_rs.meta.validate(schema)
            self._validator = jsonschema_rs.validator_for(
                schema, validate_formats=True, retriever=_deny, mask="the value"
            )
        except jsonschema_rs.ValidationError as error:
            where = pointer(tuple(error.instance_path))
            issue = Issue(where, "schema", "schema_rejected", error.message)
            raise ToolDefinitionError(f"not a usable JSON Schema: {issue}", [issue]) from None

    @property
    def schema(self) -> dict[str, Any]:
        """The schema as it was given."""
        return self._schema

    def check(self, args: Args) -> Verdict[dict[str, Any]]:
        """Validate the object; the value of a valid one is plain JSON."""
        issues = [
            issue for error in self._validator.iter_errors(args.value) for issue in _issues(error)
        ]
        if issues:
            return Verdict("invalid", issues=tuple(issues))
        return Verdict("complete", args.value, notices=args.notices)


def _deny(uri: str) -> NoReturn:  # noqa: ARG001 - the name is part of the protocol
    raise LookupError("remote references are never fetched")


def _issues(error: jsonschema_rs.ValidationError) -> list[Issue]:
    """One issue a key where the rule is about keys, so that each has its own pointer."""
    code = error.kind.name
    path = tuple(error.instance_path)
    details = error.kind.as_dict()
    if code == "required":
        missing = (*path, details["property"])
        return [Issue(pointer(missing), "schema", code, "this key is required and missing")]
    if code in {"additionalProperties", "unevaluatedProperties"}:
        message = "this key is not in the schema: leave it out"
        return [
            Issue(pointer((*path, key)), "schema", code, message) for key in details["unexpected"]
        ]
    return [Issue(pointer(path), "schema", code, error.message)]
