"""A card as HTML, for a page and for a notebook: text only, nothing that runs or loads.

Every text passes through `html_text`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from rendercall.card.layout import Bullets, Card, Cell, Column, Section, Table
from rendercall.card.steps import Step, Steps
from rendercall.card.words import Language, duration, labels, told, told_earlier, told_step
from rendercall.contract.status import Status
from rendercall.errors import Issue
from rendercall.sinks.html import html_text

__all__ = ["article", "outcome", "snippet", "step_list"]

_NO_STEPS = Steps()


def snippet(
    card: Card | None,
    status: Status,
    language: Language,
    *,
    issues: Sequence[Issue] = (),
    steps: Steps = _NO_STEPS,
) -> str:
    """A card with its outcome and its own style, for a notebook's output.

    Args:
        card: the value; None where there is nothing to show.
        status: the outcome; `partial` while it arrives.
        language: of the words around the value.
        issues: what was wrong with the answer.
        steps: the tool calls that led to it.
    """
    shown = "" if card is None else article(card, language, is_busy=status == "partial", level=5)
    lang = "zh-Hans" if language == "zh" else "en"
    return (
        f'<div class="rendercall" lang="{lang}"><style>{_style()}</style>'
        f"{outcome(status, language, issues)}{step_list(steps, language)}{shown}</div>"
    )


@cache
def _style() -> str:
    from importlib.resources import files  # slow, and only a notebook needs it

    return (files("rendercall.card") / "markup.css").read_text(encoding="utf-8")


def outcome(status: Status, language: Language, issues: Sequence[Issue] = ()) -> str:
    """An outcome in words: what happened, why, and what to do about it.

    Args:
        status: the outcome.
        language: of the words.
        issues: what was wrong with the answer.
    """
    words = told(status, language)
    kind = {"ok": "ok", "partial": "quiet"}.get(status, "bad")
    role = {"ok": ' role="status"', "partial": ""}.get(status, ' role="alert"')
    found = "".join(f"<li><bdi>{html_text(str(issue))}</bdi></li>" for issue in issues)
    return (
        f'<div{role}><p class="outcome {kind}">'
        f'<span aria-hidden="true">{words.sign}</span> {words.what}</p>'
        + (f"<ul>{found}</ul>" if found else "")
        + (f"<p>{words.next}</p>" if words.next else "")
        + "</div>"
    )


def step_list(shown: Steps, language: Language) -> str:
    """The tool calls of a run, one an item: how each is, what it is, and how long it took.

    Args:
        shown: the steps.
        language: of the words around them.
    """
    if not shown.steps:
        return ""
    earlier = told_earlier(shown.earlier, language)
    items = [f'<li class="quiet">{earlier}</li>'] if shown.earlier else []
    items += [_step(step, language) for step in shown.steps]
    return f'<ul class="steps">{"".join(items)}</ul>'


def _step(step: Step, language: Language) -> str:
    words = told_step(step.status, language)
    kind = {"success": "ok", "error": "bad"}.get(step.status, "quiet")
    detail = f' · <bdi class="quiet">{html_text(step.detail)}</bdi>' if step.detail else ""
    took = "" if step.seconds is None else duration(step.seconds, language)
    status = f'<span aria-hidden="true">{words.sign}</span> {words.what}'
    return (
        f'<li><span class="{kind}">{status}</span> '
        f"<span><bdi>{html_text(step.title)}</bdi>{detail}</span> "
        f'<span class="took">{took}</span></li>'
    )


def article(card: Card, language: Language, *, is_busy: bool = False, level: int = 1) -> str:
    """A card: its heading, its facts, then its lists.

    Args:
        card: the value, laid out.
        language: of the words around the value.
        is_busy: whether more will come: what is missing then has an empty place, and what is
            open a caret. Else nothing stands for the one, and `…` after the other.
        level: of the heading, 1 to 5; a low one leaves a notebook's outline alone.
    """
    return _Writer(language, is_busy, level).article(card)


@dataclass(frozen=True, slots=True)
class _Writer:
    language: Language
    is_busy: bool
    level: int

    def article(self, card: Card) -> str:
        facts = "".join(
            f"<dt>{html_text(fact.label)}</dt><dd>{self._text(fact.cell)}</dd>"
            for fact in card.facts
        )
        sections = "".join(self._section(section) for section in card.sections)
        busy = ' aria-busy="true"' if self.is_busy else ""
        return (
            f"<article{busy}><h{self.level}>{self._text(card.heading)}</h{self.level}>"
            + (f"<dl>{facts}</dl>" if facts else "")
            + f"{sections}</article>"
        )

    def _section(self, section: Section) -> str:
        title = f"<h{self.level + 1}>{html_text(section.label)}</h{self.level + 1}>"
        if isinstance(section, Bullets):
            return f"{title}{self._bullets(section)}"
        return f'{title}<div class="table"><table>{self._table(section)}</table></div>'

    def _bullets(self, section: Bullets) -> str:
        return f"<ul>{''.join(f'<li>{self._text(item)}</li>' for item in section.items)}</ul>"

    def _table(self, section: Table) -> str:
        heads = [_head(column) for column in section.columns]
        if section.has_shares:
            heads.append(f'<th scope="col" class="share">{labels(self.language).share}</th>')
        rows: list[str] = []
        for index, row in enumerate(section.rows):
            cells = [
                f"<td{_kind(column)}>{self._text(cell)}{self._below(cell)}</td>"
                for cell, column in zip(row, section.columns, strict=True)
            ]
            if section.has_shares:
                cells.append(f'<td class="share">{self._share(section.shares, index)}</td>')
            rows.append(_row(cells))
        return f"<thead>{_row(heads)}</thead><tbody>{''.join(rows)}</tbody>"

    def _below(self, cell: Cell) -> str:
        lists = (f"<p>{html_text(one.label)}</p>{self._bullets(one)}" for one in cell.lists)
        return f'<div class="below">{"".join(lists)}</div>' if cell.lists else ""

    def _share(self, shares: tuple[float, ...], index: int) -> str:
        """A bar that says the same in words: its own text is what is read out."""
        if not shares:
            return self._text(Cell(state="missing"))
        share = f"{shares[index]:.0%}"
        return f'<meter value="{shares[index]:.4f}" aria-hidden="true"></meter> {share}'

    def _text(self, cell: Cell) -> str:
        if cell.state == "missing":
            return '<span class="missing"></span>' if self.is_busy else ""
        end = ""
        if cell.state == "open":
            end = '<span class="caret" aria-hidden="true"></span>' if self.is_busy else "…"
        return f'<bdi dir="auto">{html_text(cell.text)}{end}</bdi>'


def _row(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _head(column: Column) -> str:
    if not column.label:
        return "<td></td>"  # a head without words is none
    return f'<th scope="col"{_kind(column)}>{html_text(column.label)}</th>'


def _kind(column: Column) -> str:
    return "" if column.kind == "text" else f' class="{column.kind}"'
