from __future__ import annotations

import json
import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import BaseModel, Json

from rendercall import RenderTool
from rendercall.contract import Bounds
from rendercall.contract.content_policy import ContentPolicy, Row
from rendercall.contract.verdict import Verdict
from rendercall.contract.written_call import rescue
from rendercall.errors import ToolDefinitionError
from schemas.learning_plan import LearningPlan

ANY_TEXT = ContentPolicy(rows=(Row("*", "flag"),))
STRICT = RenderTool(LearningPlan, content=ANY_TEXT)
TOOL = RenderTool(LearningPlan, mend="lossless", content=ANY_TEXT)
NAME = TOOL.name
PLAN: dict[str, Any] = {
    "topic": "SQL {x} ]",
    "level": "beginner",
    "objectives": ["a, ", 'b: "q"', "```"],
    "lessons": [{"title": "t", "duration_minutes": 5}],
    "total_minutes": 5,
}
TEXT = json.dumps(PLAN)


def codes(verdict: Verdict[Any]) -> list[str]:
    return [notice.code for notice in verdict.notices]


def written(name: str, args: str, value: Any = None, **more: Any) -> str:
    return json.dumps({**more, "name": name, args: value or PLAN})


PACKED = {
    "fence": (f"```json\n{TEXT}\n```", ["code_fence"]),
    "fence, another word": (f"```javascript\n{TEXT}\n```", ["code_fence"]),
    "fence without a word": (f"```\n{TEXT}\n```\n", ["code_fence"]),
    "fence on one line": (f"```json {TEXT}```", ["code_fence"]),
    "fence of tildes": (f"~~~\n{TEXT}\n~~~", ["code_fence"]),
    "fence of four ticks": (f"````json\n{TEXT}\n````", ["code_fence"]),
    "fence that never closes": (f"```json\n{TEXT}", ["code_fence"]),
    "fence that never opened": (f"{TEXT}\n```", ["code_fence"]),
    "code span": (f"`{TEXT}`", ["code_fence"]),
    "text around a fence": (
        f"Here:\n```json\n{TEXT}\n```\nGood luck!",
        ["leading_text", "code_fence", "trailing_text"],
    ),
    "another fence before": (
        f"```python\nprint(1)\n```\n```json\n{TEXT}\n```",
        ["leading_text", "code_fence"],
    ),
    "text before": (f"Here is the plan: {TEXT}", ["leading_text"]),
    "text after": (f"{TEXT}\n\nI hope this helps!", ["trailing_text"]),
    "Chinese around": (f"好的。计划如下 {TEXT} 希望有帮助。", ["leading_text", "trailing_text"]),
    "braces in the text": (f"The {{probable}} plan [1]: {TEXT}", ["leading_text"]),
    "byte order mark": (f"\ufeff{TEXT}", ["leading_text"]),
    "null before": (f"null{TEXT}", ["leading_text"]),
    "empty object before": (f"{{}}{TEXT}", ["leading_text"]),
    "single quotes around": (f"'{TEXT}'", ["leading_text", "trailing_text"]),
    "comment after": (f"{TEXT} // done", ["trailing_text"]),
    "closing brackets too many": (f"{TEXT}]}}", ["trailing_text"]),
    "twice": (f"{TEXT}\n{TEXT}", ["resent_args"]),
    "reasoning": (f'<think>{{"a": 1}}, or {TEXT}?</think>\n{TEXT}', ["leading_text"]),
    "reasoning without its beginning": (f"so be it</think>\n{TEXT}", ["leading_text"]),
    "trailing commas": (
TEXT.replace("], ", " , ], ").replace("}", ",\n}").replace("{x,\n}", "{x}"),
        ["trailing_comma"],
    ),
    "encoded": (json.dumps(TEXT), ["double_encoded"]),
    "encoded twice": (json.dumps(json.dumps(TEXT)), ["double_encoded"]),
    "encoded, in a fence": (f"```\n{json.dumps(TEXT)}\n```", ["code_fence", "double_encoded"]),
    "fence, encoded": (json.dumps(f"```\n{TEXT}\n```"), ["double_encoded", "code_fence"]),
    "list of one": (f"[{TEXT}]", ["single_item_list_unwrapped"]),
    "list of a list": (f"[[{TEXT}]]", ["single_item_list_unwrapped"]),
    "list of a text": (json.dumps([TEXT]), ["single_item_list_unwrapped", "double_encoded"]),
    "text before a list": (f"Plan: [ {TEXT} ]", ["leading_text", "single_item_list_unwrapped"]),
    "wrapper, class name": (json.dumps({"LearningPlan": PLAN}), ["wrapper_key"]),
    "wrapper, args": (json.dumps({"args": PLAN}), ["wrapper_key"]),
    "wrapper in a wrapper": (json.dumps({"data": {"plan": PLAN}}), ["wrapper_key"]),
    "wrapper of a text": (json.dumps({"input": TEXT}), ["wrapper_key", "double_encoded"]),
    "tags": (f"<tool_call>\n{TEXT}\n</tool_call>", ["tool_call_envelope"]),
    "tag that never closes": (f"<tool_call>{TEXT}", ["tool_call_envelope"]),
    "function tag": (f"<function={NAME}>{TEXT}</function>", ["tool_call_envelope"]),
    "call in Python": (f"{NAME}({TEXT})", ["tool_call_envelope"]),
    "envelope": (written(NAME, "arguments"), ["tool_call_envelope"]),
    "envelope, args as text": (
        written(NAME, "arguments", TEXT),
        ["tool_call_envelope", "double_encoded"],
    ),
    "envelope of Llama": (
        f"<|python_tag|>{written(NAME, 'parameters')}",
        ["tool_call_envelope"],
    ),
    "envelope of Mistral": (
        f"[TOOL_CALLS][{written(NAME, 'arguments')}]",
        ["tool_call_envelope", "single_item_list_unwrapped"],
    ),
    "envelope of Anthropic": (
        written(NAME, "input", id="x", type="tool_use"),
        ["tool_call_envelope"],
    ),
    "envelope of OpenAI": (
        json.dumps(
            {"id": "x", "type": "function", "function": {"name": NAME, "arguments": TEXT}}
        ),
        ["tool_call_envelope", "double_encoded"],
    ),
    "begun again": (TEXT[:60] + TEXT, ["restarted_object"]),
    "begun again twice": (TEXT[:60] + TEXT[:30] + TEXT, ["restarted_object"]),
    "begun again, text around": (
        f"Plan: {TEXT[:60]}{TEXT}\nBye",
        ["leading_text", "trailing_text", "restarted_object"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "changes"), PACKED.values(), ids=PACKED)
def test_packaging_that_allows_one_reading_is_taken_off(text: str, changes: list[str]) -> None:
    """The value is the document itself, and each change is a notice."""
    verdict = TOOL.validate(text)
    assert verdict.state == "complete", verdict.issues
    assert verdict.value == LearningPlan(**PLAN)
    assert codes(verdict) == changes


OTHER = TEXT.replace("SQL", "PHP")
REFUSED = {
    # two readings
    "two objects": TEXT + OTHER,
    "two objects in a text": f"{TEXT} or {OTHER}",
    "another object before": '{"thought": "now"}\n' + TEXT,
    "list of two": f"[{TEXT},{OTHER}]",
    "draft in reasoning": f"Well <think>{TEXT}</think>",
    "draft in reasoning without its beginning": f"{TEXT}</think> no, wait",
    "quotes that are not escaped": f'"{TEXT}"',
    # something would be lost
    "members after": TEXT + ', "more": 1}',
    "members before": '"more": 1, "plan": ' + TEXT,
    "items before": f"[1, {TEXT}]",
    "wrapper with a companion": json.dumps({"plan": PLAN, "note": "x"}),
    "envelope with a companion": written(NAME, "arguments", comment="x"),
    "comment inside": TEXT.replace('"level"', '// and more\n"level"'),
    "object of JavaScript around": "{plan: " + TEXT + "}",
    "object in an object": "{" + TEXT + "}",
    "item after": TEXT + ", 5",
    "comma after": TEXT + ",",
    # contents
    "single quotes": str(PLAN),
    "literals of Python": TEXT.replace('"total_minutes": 5', '"total_minutes": None'),
    "NaN": f"```\n{TEXT.replace(': 5', ': NaN')}\n```",
    "key twice": "```" + TEXT.replace("{", '{"topic": "x", ', 1) + "```",
    "two commas": TEXT.replace("], ", ",,], "),
    "number as text": json.dumps({**PLAN, "total_minutes": "5"}),
    "another beginning": TEXT[:60].replace("SQL", "PHP") + TEXT,
    # another tool's call
    "another tool's tag": f"<function=search_docs>{TEXT}</function>",
    "another tool's call": f"search_docs({TEXT})",
    "another tool's envelope": written("search_docs", "arguments"),
    # cut off
    "cut": TEXT[:-1],
    "cut in a fence": f"```json\n{TEXT[:-1]}\n```",
    "cut list": f"[{TEXT}",
    "cut list, further items": f"[{TEXT},",
    "cut list, other items": f"[1, {TEXT}",
    "cut in reasoning after text": f"Well <think>{TEXT}",
    "cut in reasoning": f"<think>perhaps {TEXT}",
    "cut after a whole object": f"{TEXT[:-1]}, {{",
    "cut envelope": written(NAME, "arguments")[:-1],
    "cut text": json.dumps(TEXT)[:-1],
    "cut after it began again": TEXT[:60] + TEXT[:-1],
    "nothing": "",
    "null": "null",
    "text alone": "I cannot help with that.",
}  # fmt: skip


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_would_be_a_guess_or_a_loss_stays_as_strictness_has_it(text: str) -> None:
    """The strict answer stands, unchanged."""
    verdict = TOOL.validate(text)
    assert verdict == STRICT.validate(text)
    assert verdict.state != "complete"


words = st.text(st.characters(categories=["L", "Zs"], include_characters="\n.!'"), max_size=30)
plans = st.fixed_dictionaries(
    {
        "topic": st.text(min_size=1),
        "level": st.sampled_from(["beginner", "advanced"]),
        "objectives": st.lists(st.text(min_size=1), min_size=1, max_size=3),
        "lessons": st.lists(
            st.fixed_dictionaries(
                {"title": st.text(min_size=1), "duration_minutes": st.integers(1, 2**60)}
            ),
            min_size=1,
            max_size=3,
        ),
        "total_minutes": st.integers(1, 10**6),
    }
)
AROUND = {
    "fence": ("```json\n", "\n```"),
    "tildes": ("~~~\n", "\n~~~"),
    "reasoning": ('<think>{"topic": "x"}</think>', ""),
    "tag": ("<tool_call>", "</tool_call>"),
    "call": (f"{NAME}(", ")"),
    "list": ("[", "]"),
    "wrapper": ('{"data": ', "}"),
    "envelope": (f'{{"name": "{NAME}", "arguments": ', "}"),
}
packages = words.flatmap(lambda word: st.sampled_from([*AROUND.values(), (word, ""), ("", word)]))


@given(plans, packages, st.booleans())
def test_any_document_in_any_package_comes_out_as_it_went_in(
    plan: dict[str, Any], package: tuple[str, str], ascii_only: bool
) -> None:
    """Packaging is lossless to undo, whatever the texts in the document look like."""
    before, after = package
    text = json.dumps(plan, ensure_ascii=ascii_only)
    for packed in (before + text + after, json.dumps(text), json.dumps(before + text + after)):
        value = TOOL.validate(packed).value
        assert value is not None or packed.startswith('"')  # chatter in a text may be content
        assert value is None or value.model_dump() == plan


@given(plans, packages, st.data())
def test_a_cut_document_is_never_mended(
    plan: dict[str, Any], package: tuple[str, str], data: st.DataObject
) -> None:
    """Neither bare, nor encoded, nor with anything around it or after the cut."""
    before, after = package
    text = json.dumps(plan)
    whole = data.draw(st.sampled_from([text, json.dumps(text)]))
    cut = whole[: data.draw(st.integers(1, len(whole) - 1))]
    assert TOOL.validate(before + cut).value is None
    assert TOOL.validate(before + cut + after).value is None


@given(plans, st.data())
def test_an_object_that_begins_again_is_taken_whole_or_not_at_all(
    plan: dict[str, Any], data: st.DataObject
) -> None:
    """Wherever it broke off, and wherever the new one ends."""
    text = json.dumps(plan)
    begun = text[: data.draw(st.integers(1, len(text) - 1))]
    value = TOOL.validate(begun + text).value
    assert value is None or value.model_dump() == plan
    again = text[: data.draw(st.integers(1, len(text) - 1))]
    assert TOOL.validate(begun + again).value is None


class Chain(BaseModel):
    t: str
    next: Chain | None = None


CHAIN = RenderTool(Chain, mend="lossless")
chains = st.recursive(
    st.fixed_dictionaries({"t": st.sampled_from(["", "a", "{", '{"t":"'])}),
    lambda inner: st.fixed_dictionaries({"t": st.sampled_from(["", "{", "a"]), "next": inner}),
    max_leaves=4,
)


@given(chains, st.data())
def test_a_part_that_looks_like_the_whole_is_never_taken_for_it(
    chain: dict[str, Any], data: st.DataObject
) -> None:
    """A recursive document that is cut, fenced or begun again."""
    text = json.dumps(chain, separators=(",", ":"))
    cut = text[: data.draw(st.integers(1, len(text) - 1))]
    for packed in (cut, f"```\n{cut}\n```", f"Well: {cut}", f"{cut} and so on", f"[{cut}"):
        assert CHAIN.validate(packed).value is None
    value = CHAIN.validate(cut + text).value
    assert value is None or value.model_dump(exclude_unset=True) == chain


def test_an_end_that_looks_like_the_whole_is_never_taken_for_it() -> None:
    """Both beginnings are beginnings of the part, and the object around it is cut."""
    text = '{"t":"{"t":"a","next":{"t":"a","next":null}\n```'
    assert CHAIN.validate(text).value is None


@pytest.mark.parametrize("text", ['{"a":[,]}', '{"a":{,}}', "{,}", '{"a":[1,,]}', '{"a":1,,}'])
def test_a_comma_that_may_stand_for_an_item_stays_wrong(text: str) -> None:
    """A comma is trailing only after a value, and only one is."""
    assert MENDING_ANYTHING.validate(text).state == "invalid"


@given(st.one_of(plans, st.dictionaries(st.text(), st.integers() | st.text() | st.none())))
def test_what_is_right_is_not_touched(document: dict[str, Any]) -> None:
    """A strict answer that is ok is the same with mending."""
    for strict, mending in ((STRICT, TOOL), (ANYTHING, MENDING_ANYTHING)):
        verdict = strict.validate(json.dumps(document))
        assert verdict.state != "complete" or mending.validate(json.dumps(document)) == verdict


@given(st.text('{}[]",:\\`~<>/=( \nta1') | st.text())
def test_any_text_gets_a_verdict(text: str) -> None:
    """Nothing is raised, and only objects that the schema takes become values."""
    assert TOOL.validate(text).value is None
    verdict = MENDING_ANYTHING.validate(text)
    assert verdict.value is None or isinstance(verdict.value, dict)


def schema(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def of_schema(form: dict[str, Any], bounds: Bounds | None = None) -> RenderTool[dict[str, Any]]:
    return RenderTool.from_json_schema("show", "Shows.", form, mend="lossless", bounds=bounds)


ANYTHING = RenderTool.from_json_schema("show", "Shows.", {"type": "object"})
MENDING_ANYTHING = of_schema({"type": "object"})
TEXTS = {"type": "array", "items": {"type": "string"}}
NULLABLE = {"type": ["string", "null"]}
NESTED = {
    "list": (schema(a=TEXTS), {"a": '["x"]'}, {"a": ["x"]}),
    "object": (schema(a=schema(b=TEXTS)), {"a": '{"b": ["x"]}'}, {"a": {"b": ["x"]}}),
    "text in a list in a text": (
        schema(a={"type": "array", "items": TEXTS}),
        {"a": json.dumps([json.dumps(["[1]"])])},
        {"a": [["[1]"]]},
    ),
    "text of a text": (schema(a=TEXTS), {"a": json.dumps('["x"]')}, {"a": ["x"]}),
    "behind a reference": (
        {**schema(a={"$ref": "#/$defs/A"}), "$defs": {"A": TEXTS}},
        {"a": "[]"},
        {"a": []},
    ),
    "nullable list": (schema(a={"anyOf": [TEXTS, {"type": "null"}]}), {"a": "[]"}, {"a": []}),
    "object in a branch": (
        schema(a={"oneOf": [schema(("b",), b=TEXTS), schema(("c",), c=TEXTS)]}),
        {"a": {"c": '["x"]'}},
        {"a": {"c": ["x"]}},
    ),
    "values of a map": (
        {"type": "object", "additionalProperties": TEXTS},
        {"k": '["x"]'},
        {"k": ["x"]},
    ),
    "item of a tuple": (
        schema(a={"type": "array", "prefixItems": [{"type": "string"}, TEXTS], "items": False}),
        {"a": ["[]", "x"]},
        None,
    ),
    "text allowed too": (schema(("b",), a={"anyOf": [TEXTS, {"type": "string"}]}), {"a": "[]"}, None),
    "beside a text that is allowed": (
        schema(a={"anyOf": [TEXTS, {"type": "string"}]}, b=TEXTS),
        {"a": "[]", "b": "[]"},
        {"a": "[]", "b": []},
    ),
    "anything allowed": (schema(("b",), a={}), {"a": "[]"}, None),
    "not JSON": (schema(a=TEXTS), {"a": "x, y"}, None),
    "the other kind": (schema(a=TEXTS), {"a": '{"b": 1}'}, None),
    "chatter inside": (schema(a=TEXTS), {"a": 'Goals: ["x"]'}, None),
    "cut": (schema(a=TEXTS), {"a": '["x"'}, None),
    "number in a text": (schema(a={"type": "integer"}), {"a": "5"}, None),
}  # fmt: skip


@pytest.mark.parametrize(("form", "answer", "value"), NESTED.values(), ids=NESTED)
def test_a_text_is_decoded_only_where_the_schema_wants_a_list_or_object(
    form: dict[str, Any], answer: dict[str, Any], value: dict[str, Any] | None
) -> None:
    """Not where a text may stand: it may be meant."""
    verdict = of_schema(form).validate(json.dumps(answer))
    assert verdict.value == value
    assert value is None or set(codes(verdict)) == {"nested_json_decoded"}


def test_a_field_that_is_json_in_a_text_stays_a_text() -> None:
    """Pydantic's `Json` wants the text."""

    class Query(BaseModel):
        filter: Json[list[int]]
        tags: list[str]

    value = RenderTool(Query, mend="lossless").validate('{"filter":"[1]","tags":"[]"}').value
    assert value == Query.model_construct(filter=[1], tags=[])


NULLS = {
    "nullable text": (schema(a=NULLABLE), {"a": "null"}, {"a": None}),
    "in a list": (
        schema(a={"type": "array", "items": NULLABLE}),
        {"a": ["null", "x"]},
        {"a": [None, "x"]},
    ),
    "nullable number": (schema(a={"type": ["integer", "null"]}), {"a": "null"}, {"a": None}),
    "nullable number, Python": (
        schema(a={"type": ["integer", "null"]}),
        {"a": "None"},
        {"a": None},
    ),
    "a word that may be meant": (schema(a=NULLABLE), {"a": "None"}, {"a": "None"}),
    "text that must be": (schema(a={"type": "string"}), {"a": "null"}, {"a": "null"}),
    "anything": (schema(a={}), {"a": "null"}, {"a": "null"}),
    "one of the listed": (schema(a={"enum": ["null", None]}), {"a": "null"}, {"a": "null"}),
    "a key": (
        {"type": "object", "additionalProperties": NULLABLE},
        {"null": "x"},
        {"null": "x"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("form", "answer", "value"), NULLS.values(), ids=NULLS)
def test_the_text_null_is_null_in_a_nullable_place(
    form: dict[str, Any], answer: dict[str, Any], value: dict[str, Any]
) -> None:
    """Whether strictness takes the text or not."""
    verdict = of_schema(form).validate(json.dumps(answer))
    assert verdict.value == value
    assert codes(verdict) == (["null_from_text"] if value != answer else [])


def test_a_null_that_the_schema_refuses_stays_a_text() -> None:
    """The strict answer stands where the mended one is not valid."""
    form = {**schema(a=NULLABLE), "allOf": [{"properties": {"a": {"type": "string"}}}]}
    assert of_schema(form).validate('{"a":"null"}').value == {"a": "null"}


KNOWN = {
    "the schema's own key": (schema(("b",), a=schema(b=TEXTS)), {"a": {"b": []}}),
    "a map's key": ({"type": "object", "additionalProperties": TEXTS}, {"data": {"a": ["x"]}}),
    "the schema's own args": (
        schema(("t",), name={"type": "string"}, arguments=schema(t=TEXTS), t=TEXTS),
        {"name": "show", "arguments": {"t": []}},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("form", "answer"), KNOWN.values(), ids=KNOWN)
def test_a_key_that_the_schema_knows_is_no_wrapper(
    form: dict[str, Any], answer: dict[str, Any]
) -> None:
    """What is under it may be meant to be there."""
    assert of_schema(form).validate(json.dumps(answer)).state == "invalid"


def test_notices_say_where() -> None:
    """Pointers lead into the mended value."""
    lessons = json.dumps(PLAN["lessons"])
    verdict = TOOL.validate(json.dumps({"plan": {**PLAN, "lessons": lessons}}))
    assert [(one.code, one.pointer) for one in verdict.notices] == [
        ("wrapper_key", ""),
        ("nested_json_decoded", "/lessons"),
    ]


def test_bounds_hold_for_what_comes_out() -> None:
    """A package does not carry anything past them."""
    form: dict[str, Any] = schema(a={"type": "array"})
    tool = of_schema(form, Bounds(max_depth=3))
    assert tool.validate(json.dumps({"a": "[[1]]"})).value == {"a": [[1]]}
    assert tool.validate(json.dumps({"a": "[[[1]]]"})).value is None
    assert tool.validate('```{"a":[[1]]}```').value == {"a": [[1]]}
    assert tool.validate('```{"a":[[[1]]]}```').value is None
    texts = of_schema(schema(a={"type": "string"}), Bounds(max_string=9))
    assert texts.validate(json.dumps('{"a":"123456789"}')).value == {"a": "123456789"}
    assert texts.validate(json.dumps('{"a":"1234567890"}')).value is None
    assert of_schema(form, Bounds(max_bytes=20)).validate("```" + '{"a":[]}' * 3).value is None


HOSTILE = [
    "{", "[", "[ ", '"', '\\"', "`", "~", "<", "<think>", "<think></think>", "<toolcall",
    '{"', '{"a":', '{"a":1}', '{"a":"', "{}", '" ', "a(", "\\", '[{"a":1},', ",", "}", '"{', " ",
]  # fmt: skip
FRAMES = ["{}", "[{}", '"{}', '{{"topic":"{}', '```\n{{"a":{}', '{{"a":1}}{}', '{}{{"a":1}}']


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_costs_time_in_line_with_its_length(piece: str, frame: str) -> None:
    """Lines are counted, not seconds.

    A search that goes back over a megabyte each time would hit the suite's timeout.
    """

    def hostile(size: int) -> str:
        return frame.replace("{{", "{").replace("}}", "}").replace("{}", piece * size, 1)

    text = hostile(1_500)
    assert lines_run(text) < 1_000 + 30 * len(text)
    text = hostile(1_000_000 // len(piece))
    assert TOOL.validate(text).value is None


def lines_run(text: str) -> int:
    count = 0

    def trace(_frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        TOOL.validate(text)
    finally:
        sys.settrace(before)
    return count


def test_there_is_one_way_to_mend() -> None:
    """Anything else is a mistake in the program."""
    assert STRICT.mend is None
    with pytest.raises(ToolDefinitionError, match="lossless"):
        RenderTool(LearningPlan, mend="all")  # type: ignore[call-overload]


RESCUED = {
    "function tag": f"<function=show>{TEXT}</function>",
    "function tag that never ends": f"<function=show{TEXT}</function>",
    "text around": f"I will call it.\n<function=show>{TEXT}</function>",
    "envelope": written("show", "arguments"),
    "envelope in a tag": f"<tool_call>{written('show', 'parameters')}</tool_call>",
    "list of calls": json.dumps(
        {"tool_calls": [{"id": "x", "function": {"name": "show"}, "parameters": PLAN}]}
    ),
    "args as text": written("show", "arguments", TEXT),
}  # fmt: skip


@pytest.mark.parametrize("text", RESCUED.values(), ids=RESCUED)
def test_a_call_in_a_failed_generation_is_rescued(text: str) -> None:
    """The provider could not read it; its name and args are in the text."""
    found = rescue(text, {"show", "search_docs"})
    assert found is not None
    assert (found[0], json.loads(found[1])) == ("show", PLAN)


LOST = {
    "unknown tool": f"<function=other>{TEXT}</function>",
    "unknown tool in an envelope": written("other", "arguments"),
    "two calls": f"<function=show>{TEXT}</function><function=show>{OTHER}</function>",
    "cut": f"<function=show>{TEXT[:-1]}",
    "cut in a tag": f"<function=show>{TEXT[:-1]}</function>",
    "no name": TEXT,
    "text": "I cannot call that.",
    "nothing": "",
    "too long": f"<function=show>{TEXT}" + " " * 2_000_000,
}  # fmt: skip


@pytest.mark.parametrize("text", LOST.values(), ids=LOST)
def test_no_call_is_made_up_from_a_failed_generation(text: str) -> None:
    """One whole call of a known tool, or none."""
    assert rescue(text, {"show"}) is None


@given(plans, st.data())
def test_a_cut_failed_generation_gives_no_call(plan: dict[str, Any], data: st.DataObject) -> None:
    """Whatever the args look like."""
    text = json.dumps(plan)
    cut = text[: data.draw(st.integers(1, len(text) - 1))]
    assume(cut.strip())
    assert rescue(f"<function=show>{cut}</function>", {"show"}) is None
