"""A summary that a model wrote: marked as such, with what it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["GeneratedSummary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedSummary:
    """Words of a model about records: an inference, never a fact.

    Attributes:
        text: what it wrote.
        source: id of the artifact that it read.
        records_analysed: how many records it was given.
        left_out: what it was not given, in words, e.g. "records 501-20,311"; empty only where
            it was given everything.
        model: its name.
    """

    text: str
    source: str
    records_analysed: int
    left_out: str
    model: str

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, with `generated: true`."""
        return {
            "generated": True,
            "text": self.text,
            "source": self.source,
            "records_analysed": self.records_analysed,
            "left_out": self.left_out,
            "model": self.model,
        }

    def for_model(self) -> str:
        """The same as text, so that a reader does not take it for the records themselves."""
        rest = f"; not read: {self.left_out}" if self.left_out else ""
        return (
            f"[summary written by {self.model} from {self.records_analysed:,} records of "
            f"{self.source}{rest}]\n{self.text}"
        )
