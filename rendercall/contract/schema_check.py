"""Args checked against a raw JSON Schema, by jsonschema-rs, with errors as JSON Pointers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn, Protocol

import jsonschema_rs

from rendercall.contract.args import Args, pointer
from rendercall.contract.envelope import enveloped
from rendercall.contract.schema_document import refused
from rendercall.contract.schema_guard import guard_schema
from rendercall.contract.schema_limits import OWN, SchemaLimits
from rendercall.contract.schema_rules import LINEAR
from rendercall.contract.verdict import Verdict
from rendercall.errors import Issue, SchemaRefused

__all__ = ["SchemaCheck", "validator_of"]


class Retriever(Protocol):
    """Gives the document of an address."""

    def __call__(self, uri: str) -> Any:
        """The document, as plain JSON; it raises where there is none."""
        ...


def _deny(uri: str) -> NoReturn:  # noqa: ARG001 - the name is part of the protocol
    raise LookupError("remote references are never fetched")


class SchemaCheck:
    """Checks args against a JSON Schema, formats included. Nothing is ever fetched.

    Args:
        schema: the schema; draft 2020-12 unless `$schema` says otherwise.
        limits: what the schema may cost and ask for.
        envelope: whether args are an object of `data`, which the schema is of, and `summary`.

    Attributes:
        is_recursive: whether the schema contains itself, so that values may nest without end.

    Raises:
        SchemaRefused: it is no valid schema, breaks the limits, or refers to what it does not
            hold.
    """

    def __init__(
        self, schema: dict[str, Any], limits: SchemaLimits = OWN, *, envelope: bool = False
    ) -> None:
        self.is_recursive = guard_schema(schema, limits).is_recursive
        self._schema = enveloped(schema, limits) if envelope else schema
        self._validator = validator_of(self._schema)

    @property
    def schema(self) -> dict[str, Any]:
        """The schema of the args: as it was given, or the envelope around it."""
        return self._schema

    def check(self, args: Args) -> Verdict[dict[str, Any]]:
        """Validate the object; the value of a valid one is plain JSON."""
        if self._validator.is_valid(args.value):
            return Verdict("complete", args.value, notices=args.notices)
        found = {issue: None for error in self._errors(args.value) for issue in _issues(error)}
        return Verdict("invalid", issues=tuple(found))

    def _errors(self, value: object) -> Iterator[jsonschema_rs.ValidationError]:
        return iter(self._validator.iter_errors(value))


def validator_of(schema: dict[str, Any], retriever: Retriever = _deny) -> jsonschema_rs.Validator:
    """The validator of a schema: formats asserted, patterns in linear time, no retrieval.

    Args:
        schema: the schema.
        retriever: for references that lead out of the schema; by default it has none.

    Raises:
        SchemaRefused: jsonschema-rs cannot make one.
    """
    try:
        return jsonschema_rs.validator_for(
            schema,
            validate_formats=True,
            retriever=retriever,
            mask="the value",
            pattern_options=LINEAR,
        )
    except jsonschema_rs.ValidationError as error:
        issue = refused(pointer(tuple(error.instance_path)), "not_a_schema", error.message)
    except ValueError as error:  # text that is no Unicode, say
        issue = refused("", "not_a_schema", f"jsonschema-rs: {error}")
    raise SchemaRefused(f"not a usable JSON Schema: {issue}", [issue])


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
    if code == "propertyNames":  # its message quotes the key
        message = "a key is not as the schema wants keys to be"
        return [Issue(pointer(path), "schema", code, message)]
    return [Issue(pointer(path), "schema", code, error.message)]
