"""A zoo of field kinds: one document that holds each of them, valid under its model."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import uuid
from collections.abc import Sequence
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    HttpUrl,
    Json,
    OnErrorOmit,
    RootModel,
    StringConstraints,
    TypeAdapter,
    ValidationInfo,
    WrapValidator,
    field_validator,
    model_validator,
)
from pydantic import dataclasses as pydantic_dataclasses
from pydantic_core import core_schema
from typing_extensions import TypedDict

from rendercall.consumer.pydantic_plan import plan_of

X = TypeVar("X")


class Kind(enum.StrEnum):
    ALPHA = "alpha"
    BETA = "beta"


class Sub(BaseModel):
    x: int
    y: str | None = None


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")

    x: int
    y: str = Field(min_length=2, max_length=9)


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")

    x: int


class TypedExtras(BaseModel):
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, int] = Field(init=False)

    x: int


class Aliased(BaseModel):
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True, extra="forbid")

    f: int = Field(alias="eff")
    g: str = Field(default="q", validation_alias=AliasChoices("gee", "geee"))
    h: int = Field(0, validation_alias=AliasPath("hh", 0))


class Before(BaseModel):
    a: int
    sub: Sub

    @model_validator(mode="before")
    @classmethod
    def take_capital(cls, data: Any) -> Any:
        return {**data, "a": data["A"]} if isinstance(data, dict) and "A" in data else data


class After(BaseModel):
    lo: int
    hi: int
    subs: list[Sub] = []

    @model_validator(mode="after")
    def in_order(self) -> After:
        if self.hi < self.lo:
            raise ValueError("hi is less than lo")
        return self


class AfterWithInfo(BaseModel):
    n: int
    subs: list[Sub] = []

    @model_validator(mode="after")
    def known(self, info: ValidationInfo) -> AfterWithInfo:
        if info.context is None and self.n == -3:
            raise ValueError("n is odd")
        return self


class WithInfo(BaseModel):
    n: int
    s: str
    subs: list[Sub] = []

    @field_validator("s")
    @classmethod
    def fits(cls, s: str, info: ValidationInfo) -> str:
        if len(s) > info.data.get("n", 99):
            raise ValueError("longer than n")
        return s

    @field_validator("subs")
    @classmethod
    def few(cls, subs: list[Sub]) -> list[Sub]:
        if len(subs) > 2:
            raise ValueError("over two")
        return subs


class Text(BaseModel):
    kind: Literal["text"]
    body: str
    n: int = 0


class Items(BaseModel):
    model_config = ConfigDict(extra="forbid")

    kind: Literal["items"]
    items: list[int]


class ByEnum(BaseModel):
    kind: Literal[Kind.ALPHA]
    sub: Sub


Tagged = Annotated[Text | Items, Field(discriminator="kind")]


class Tree(BaseModel):
    name: str = Field(max_length=5)
    kids: list[Tree] = []
    twin: Tree | None = None


class Rows(RootModel[list[Sub]]):
    pass


class Word(RootModel[str]):
    pass


class Boxed(BaseModel, Generic[X]):
    val: X
    vals: list[X] = Field(default_factory=list, max_length=3)


@dataclasses.dataclass
class Plain:
    p: int
    q: str = "z"


@pydantic_dataclasses.dataclass(config=ConfigDict(extra="forbid"))
class Data:
    p: int
    q: Sub | None = None


class Record(TypedDict, total=False):
    u: int
    v: str


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)

    when: dt.datetime
    day: dt.date
    amount: decimal.Decimal = Field(max_digits=4)
    k: Kind
    id: uuid.UUID
    pair: tuple[int, str]
    many: tuple[int, ...]
    unique: set[int]
    fl: float


class Stripped(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True, str_max_length=4)

    s: str
    t: list[str] = []


class Bracketed(str):
    """A type with a schema of its own."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> core_schema.CoreSchema:
        def check(value: Any) -> Bracketed:
            if not isinstance(value, str) or not value.startswith("<"):
                raise ValueError("no bracket")
            return cls(value)

        return core_schema.no_info_plain_validator_function(check)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        return {"type": "string"}


def halve(value: Any) -> Any:
    return value // 2 if isinstance(value, int) and not isinstance(value, bool) else value


def even(value: int) -> int:
    if value % 2:
        raise ValueError("odd")
    return value


def or_zero(value: Any, handler: Any) -> Any:
    try:
        return handler(value)
    except ValueError:
        return 0


class Zoo(BaseModel):
    closed: Closed
    opened: Open
    typed_extras: TypedExtras
    aliased: Aliased
    before: Before
    after: After
    after_info: AfterWithInfo
    with_info: WithInfo
    tags: list[Tagged]
    tag: Tagged
    by_enum: Annotated[ByEnum | Text, Field(discriminator="kind")]
    tree: Tree
    rows: Rows
    word: Word
    boxed: Boxed[Sub]
    plain: Plain
    data: Data
    record: Record
    strict: Strict
    stripped: Stripped
    union: int | Sub | list[int] | str
    number: int | float
    choice: int | str
    mapping: dict[str, Sub]
    by_number: dict[int, int]
    anything: Any
    coded: Json[list[int]]
    optional: After | None = None
    limited: Annotated[list[int], Field(min_length=1, max_length=2)]
    models: list[Sub | After] = []
    sequence: Sequence[Sub] = ()
    literal: Literal["one", "two", 3]
    pattern: Annotated[str, StringConstraints(pattern="^a+$")]
    link: HttpUrl
    custom: Bracketed
    halved: Annotated[int, BeforeValidator(halve)]
    evened: Annotated[int, AfterValidator(even)]
    omitted: list[OnErrorOmit[Sub]] = []
    forgiven: Annotated[int, WrapValidator(or_zero)] = 0
    free: str
    flag: bool
    last: int


GOOD: dict[str, Any] = {
    "closed": {"x": 1, "y": "abc"},
    "opened": {"x": 1, "more": {"y": [1, "z"]}},
    "typed_extras": {"x": 1, "more": 2},
    "aliased": {"eff": 1, "gee": "x", "hh": [3]},
    "before": {"a": 1, "sub": {"x": 1}},
    "after": {"lo": 1, "hi": 2, "subs": [{"x": 1, "y": "k"}]},
    "after_info": {"n": 4, "subs": [{"x": 1}]},
    "with_info": {"n": 5, "s": "abc", "subs": [{"x": 1}]},
    "tags": [{"kind": "text", "body": "hello"}, {"kind": "items", "items": [1, 2]}],
    "tag": {"body": "b", "n": 2, "kind": "text"},
    "by_enum": {"sub": {"x": 3}, "kind": "alpha"},
    "tree": {"name": "r", "kids": [{"name": "k", "twin": {"name": "z"}}], "twin": None},
    "rows": [{"x": 1}, {"x": 2}],
    "word": "word",
    "boxed": {"val": {"x": 1}, "vals": [{"x": 2}]},
    "plain": {"p": 1, "q": "w"},
    "data": {"p": 1, "q": {"x": 2}},
    "record": {"u": 1, "v": "x"},
    "strict": {
        "when": "2026-01-01T00:00:00Z",
        "day": "2026-01-02",
        "amount": "1.5",
        "k": "alpha",
        "id": "12345678-1234-5678-1234-567812345678",
        "pair": [1, "a"],
        "many": [1, 2],
        "unique": [1, 2, 2],
        "fl": 1,
    },
    "stripped": {"s": " ab ", "t": ["c"]},
    "union": {"x": 1},
    "number": 2.5,
    "choice": "three",
    "mapping": {"k": {"x": 1}},
    "by_number": {"1": 2},
    "anything": {"z": [1, None]},
    "coded": "[1,2]",
    "optional": None,
    "limited": [1],
    "models": [{"x": 1}, {"lo": 1, "hi": 2}],
    "sequence": [{"x": 1}],
    "literal": "one",
    "pattern": "aaa",
    "link": "https://example.com/",
    "custom": "<x>",
    "halved": 4,
    "evened": 4,
    "omitted": [{"x": 1}],
    "forgiven": 1,
    "free": "some text",
    "flag": True,
    "last": 7,
}

ADAPTER: TypeAdapter[Zoo] = TypeAdapter(Zoo)
PLAN_OF_ZOO = plan_of(ADAPTER)
