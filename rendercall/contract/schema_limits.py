"""How large and how free a JSON Schema may be, by who wrote it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DIALECTS", "FORMATS", "GUEST", "OWN", "SchemaLimits"]

DIALECTS = frozenset(
    {
        "https://json-schema.org/draft/2020-12/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "http://json-schema.org/draft-07/schema",
        "http://json-schema.org/draft-06/schema",
        "http://json-schema.org/draft-04/schema",
    }
)
"""The drafts whose metaschemas the validator brings along."""

FORMATS = frozenset(
    {
        *("date-time", "date", "time", "duration"),
        *("email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6"),
        *("uri", "uri-reference", "iri", "iri-reference", "uri-template", "uuid"),
        *("json-pointer", "relative-json-pointer", "regex"),
    }
)
"""The formats of draft 2020-12 (Validation, section 7.3): the validator asserts each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaLimits:
    """What a JSON Schema may cost and ask for, before anything validates by it.

    Two are ready: `GUEST` for schemas that come from elsewhere, `OWN` for one's own. For
    others take `dataclasses.replace(GUEST, name="partner", max_properties=200)`.

    Attributes:
        name: in messages.
        max_bytes: size of the schema as JSON, about.
        max_nesting: subschemas inside subschemas, through every keyword.
        max_depth: nesting of the objects and arrays that it describes, references followed;
            the root is depth 1.
        max_nodes: subschemas in all.
        max_properties: named properties in all.
        max_enum: values of all enumerations.
        max_names: characters of all property names, definition names, and texts in `enum`
            and `const`.
        max_description: characters of one description, title or comment.
        max_text: characters of all of them.
        max_patterns: regular expressions in all.
        max_pattern: characters of one.
        max_number: bits of an integer.
        max_expansion: how often one place of a value may be looked at, every branch and
            reference multiplied out.
        max_findings: how many findings a refusal lists.
        recursive: whether a schema may refer to itself, so that values nest as deep as
            `max_depth` lets them.
        closed: whether every object with properties must forbid others.
        dialects: what `$schema` may say, without a final `#`.
        formats: what `format` may say, since anything else is no rule and only looks like one;
            None lets it say anything.
    """

    name: str
    max_bytes: int = 262_144
    max_nesting: int = 16
    max_depth: int = 5
    max_nodes: int = 1_000
    max_properties: int = 50
    max_enum: int = 250
    max_names: int = 15_000
    max_description: int = 200
    max_text: int = 8_192
    max_patterns: int = 16
    max_pattern: int = 256
    max_number: int = 64
    max_expansion: int = 1_000
    max_findings: int = 100
    recursive: bool = False
    closed: bool = False
    dialects: frozenset[str] = DIALECTS
    formats: frozenset[str] | None = FORMATS


GUEST = SchemaLimits(name="guest")
"""For schemas that others bring: skills, plug-ins, a user's own tools."""

OWN = SchemaLimits(
    name="own",
    max_nesting=32,
    max_depth=16,
    max_nodes=10_000,
    max_properties=5_000,
    max_enum=1_000,
    max_names=120_000,
    max_description=4_096,
    max_text=65_536,
    max_patterns=64,
    max_pattern=512,
    max_number=256,
    max_expansion=10_000,
    recursive=True,
    formats=None,
)
"""For schemas that the host's developers wrote: a model's whole request still bounds them
(5,000 properties and 120,000 characters of names are OpenAI's limits for strict schemas)."""
