from __future__ import annotations

import copy
import dataclasses
import enum
import json
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationInfo

from rendercall.consumer.partial import NotYet, PartialModel, has
from rendercall.consumer.plan import ANYTHING, Plan
from rendercall.consumer.pydantic_plan import plan_of
from rendercall.consumer.reader import Reader
from rendercall.contract.bounds import Bounds
from schemas.learning_plan import LearningPlan
from tests.consumer.documents import fragments, leads_to
from tests.consumer.zoo import GOOD, PLAN_OF_ZOO, Sub, Tree, Zoo

PLAN = plan_of(TypeAdapter(LearningPlan))


def reading(text: str, plan: Plan[Any] = PLAN) -> Reader[Any]:
    reader = Reader(plan, Bounds())
    for piece in fragments(text, 3):
        reader.feed(piece)
    return reader


def test_fields_are_attributes_as_they_arrive() -> None:
    """What is there reads as on the model; the view goes on with the text."""
    reader = reading('{"topic":"SQL win')
    partial = reader.partial
    assert partial.topic == "SQL win"
    reader.feed('dows","lessons":[{"title":"Frames","duration_minutes":2')
    assert partial.topic == "SQL windows"
    assert partial.lessons[0].title == "Frames"
    assert not has(partial.lessons[0], "duration_minutes")
    reader.feed("0}")
    assert type(partial.lessons[0]) is LearningPlan.model_fields["lessons"].annotation.__args__[0]
    assert partial.lessons[0].duration_minutes == 20
    assert len(partial.lessons) == 1


def test_what_has_not_arrived_raises() -> None:
    """`NotYet` is an `AttributeError`, so `getattr` with a default works; a wrong name is none."""
    partial = reading('{"topic":"SQL"').partial
    assert not has(partial, "level")
    assert getattr(partial, "level", "?") == "?"
    with pytest.raises(NotYet, match=r"LearningPlan.level has not arrived"):
        _ = partial.level
    with pytest.raises(AttributeError, match="has no field 'levle'") as caught:
        _ = partial.levle
    assert not isinstance(caught.value, NotYet)
    with pytest.raises(AttributeError):
        partial.topic = "x"


def test_missing_is_not_none() -> None:
    """A field that is null is there."""
    reader = reading('{"tree":{"name":"r"', PLAN_OF_ZOO)
    assert not has(reader.partial.tree, "twin")
    reader.feed(',"twin":null,')
    assert has(reader.partial.tree, "twin")
    assert reader.partial.tree.twin is None


def test_what_does_not_fit_is_not_there() -> None:
    """A value that its check refused is no value; what fits around it stays in view."""
    reader = reading('{"lessons":[{"title":"A","duration_minutes":-5},{"title":"B"')
    first, second = reader.partial.lessons
    assert isinstance(first, PartialModel)
    assert first.title == "A"
    assert not has(first, "duration_minutes")
    assert second.title == "B"
    assert [issue.pointer for issue in reader.errors] == ["/lessons/0/duration_minutes"]


def test_what_a_later_validator_decides_is_not_there_yet() -> None:
    """A value whose validator looks at the object around it waits for that object."""
    reader = reading('{"with_info":{"n":5,"s":"abc","subs":[{"x":1}]', PLAN_OF_ZOO)
    assert reader.partial.with_info.n == 5
    assert not has(reader.partial.with_info, "s")
    reader.feed('},"after_info":{"n":4,"subs":[{"x":1}]},')
    assert reader.partial.with_info.s == "abc"
    assert isinstance(reader.partial.after_info, PartialModel)
    assert reader.partial.after_info.subs == [Sub(x=1)]
    assert repr(reader.partial.after_info) == "AfterWithInfo(n=4, subs=[Sub(x=1, y=None)])"


def test_dicts_and_typed_dicts_have_items() -> None:
    """An open TypedDict or dict reads as a mapping, closed ones are dicts."""
    reader = reading('{"record":{"u":1,"v":"te', PLAN_OF_ZOO)
    record = reader.partial.record
    assert dict(record) == {"u": 1, "v": "te"}
    assert record.get("w") is None
    assert "u" in record
    with pytest.raises(KeyError, match="w"):
        _ = record["w"]
    reader.feed('xt"},"mapping":{"k":{"x":1},"l":{"x"')
    assert reader.partial.record == {"u": 1, "v": "text"}
    assert reader.partial.mapping["k"] == Sub(x=1)
    assert list(reader.partial.mapping) == ["k", "l"]


def test_names_are_the_models() -> None:
    """Attributes have Python names, wherever the JSON key is an alias."""
    reader = reading('{"aliased":{"eff":1,"gee":"x"', PLAN_OF_ZOO)
    assert reader.partial.aliased.f == 1
    assert dir(reader.partial.aliased) == ["f", "g"]
    assert repr(reader.partial.aliased) == "Aliased(f=1, g='x', …)"


def test_a_field_of_any_name_is_only_a_field() -> None:
    """Fields called `items`, `keys` or `status` hide nothing and are hidden by nothing."""
    reader = reading('{"tag":{"kind":"items","items":[1,2', PLAN_OF_ZOO)
    assert list(reader.partial.tag.items) == [1]


def test_a_tagged_union_is_seen_through_once_its_tag_is_there() -> None:
    """Before the tag nothing of it is shown; with it, all that came before."""
    reader = reading('{"tag":{"body":"hello","n":2,', PLAN_OF_ZOO)
    assert not has(reader.partial, "tag")
    reader.feed('"kind":"text"')
    assert (reader.partial.tag.body, reader.partial.tag.n) == ("hello", 2)


def test_the_repr_tells_what_is_there() -> None:
    """It reads like the model's, with `…` where more may come."""
    text = '{"topic":"SQL","lessons":[{"title":"A","duration_minutes":5},{"title":"Fra'
    assert repr(reading(text).partial) == (
        "LearningPlan(topic='SQL', lessons=[Lesson(title='A', duration_minutes=5), "
        "Lesson(title='Fra'…, …), …], …)"
    )
    assert repr(reading('{"a":{"b":[1', Plan(ANYTHING)).partial) == "{'a': {'b': […], …}, …}"


def passed(value: Any, info: ValidationInfo) -> Any:
    """A validator that may look around."""
    del info
    return value


class Mixed(BaseModel):
    pair: tuple[Annotated[str, AfterValidator(passed)], Sub]
    items: list[Annotated[Any, AfterValidator(passed)]]


def test_no_item_takes_the_place_of_another() -> None:
    """Where an item waits for the object around it, those after it are not shown before it."""
    reader = reading('{"pair":["a",{"x":1', plan_of(TypeAdapter(Mixed)))
    assert repr(reader.partial) == "Mixed(…)"
    reader.feed('}],"items":[1,{"x":2},[')
    assert repr(reader.partial) == "Mixed(items=[…], …)"
    assert not reader.errors


class Kind(enum.StrEnum):
    A = "a"


class Keyed(BaseModel):
    by_number: dict[int, int] = {}
    by_kind: dict[Kind, int] = {}


def test_a_dict_has_the_keys_that_it_will_have() -> None:
    """One whose keys are not the JSON's is shown when it closes."""
    reader = reading('{"by_number":{"1":2,"2":', plan_of(TypeAdapter(Keyed)))
    assert not has(reader.partial, "by_number")
    reader.feed('3},"by_kind":{"a":1,')
    assert reader.partial.by_number == {1: 2, 2: 3}
    assert reader.partial.by_kind[Kind.A] == 1


@dataclasses.dataclass
class Made:
    a: int
    seed: dataclasses.InitVar[int]


class Extended(BaseModel):
    model_config = ConfigDict(extra="allow")

    made: Made | None = None
    name: str = Field("", alias="title")


def test_only_attributes_of_the_model_are_there() -> None:
    """What only its constructor takes is none, nor an extra key that a field's name hides."""
    reader = reading('{"made":{"a":1,"seed":2', plan_of(TypeAdapter(Extended)))
    reader.feed(",")
    assert dir(reader.partial.made) == ["a"]
    reader.feed('"seed2":0},"name":"extra","more":1,')
    assert dir(reader.partial) == ["made", "more"]
    assert not has(reader.partial, "name")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy], ids=["flat", "deep"])
def test_a_snapshot_can_be_copied(copied: Any) -> None:
    """As any other value."""
    frozen = reading('{"topic":"SQL","lessons":[{"title":"A"').snapshot()
    assert repr(copied(frozen)) == repr(frozen)


def test_a_snapshot_tells_what_was_open() -> None:
    """It reads as the live view did, open string and all."""
    reader = reading('{"topic":"SQL","lessons":[{"title":"Fra')
    frozen, before = reader.snapshot(), repr(reader.partial)
    reader.feed('mes","duration_minutes":5}]')
    assert repr(frozen) == before


def test_a_snapshot_stays() -> None:
    """A snapshot does not move on, and shares what has closed."""
    reader = reading('{"topic":"SQL","lessons":[{"title":"A","duration_minutes":5},{"title":"Fra')
    frozen = reader.snapshot()
    assert frozen.lessons[0] is reader.partial.lessons[0]
    reader.feed('mes"},{"title":"C"')
    assert frozen.lessons[1].title == "Fra"
    assert len(frozen.lessons) == 2
    assert reader.partial.lessons[1].title == "Frames"


def test_nothing_that_is_shown_turns_out_wrong() -> None:
    """At every prefix, all that the partial shows is, or grows into, what the model gets."""
    reader: Reader[Any] = Reader(PLAN_OF_ZOO, Bounds())
    final = Zoo.model_validate_json(json.dumps(GOOD))
    for piece in fragments(json.dumps(GOOD), 1):
        reader.feed(piece)
        for name in dir(reader.snapshot()):
            assert_grows_into(getattr(reader.partial, name), getattr(final, name))


def assert_grows_into(shown: Any, final: Any) -> None:
    if isinstance(shown, PartialModel):
        for name in dir(shown):
            assert_grows_into(getattr(shown, name), getattr(final, name))
    elif type(shown) is type(final):
        assert leads_to(shown, final) or shown == final
    elif hasattr(shown, "keys"):
        for key in shown:
            assert_grows_into(shown[key], final[key])
    elif isinstance(final, set):
        assert set(shown) <= final
    else:
        final = getattr(final, "root", final)
        for one, other in zip(shown, final, strict=False):
            assert_grows_into(one, other)
        assert len(shown) <= len(final)


def test_recursive_models_are_views_all_the_way_down() -> None:
    """An open tree reads as a tree."""
    reader = reading(
        '{"name":"a","kids":[{"name":"b","twin":{"name":"c', plan_of(TypeAdapter(Tree))
    )
    assert reader.partial.kids[0].twin.name == "c"
    assert repr(reader.partial.kids[0]) == "Tree(name='b', twin=Tree(name='c'…, …), …)"
