"""What a turn's answer has cost: the ledger that a render graph keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

__all__ = ["Cost"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The cost of a turn up to its last model message.

    Characters are counted here, for every provider alike; tokens are the provider's own count,
    and a call that was stopped in mid-stream has none.

    It is on `Rendered.cost`, and as plain JSON in the metadata of the turn's last message, at
    `response_metadata["rendercall"]["cost"]`.

    Attributes:
        calls: calls of the model.
        written: characters that the model wrote: text and args, of every call. Thoughts are not
            counted, since most providers keep them.
        repaired: those characters of them that it wrote because it was asked again.
        saved: characters of the final answer that stopped calls left unwritten, were they to be
            as long as it: an estimate.
        seconds: seconds in the model's calls together; the tools' time is not in it.
        first_field: seconds of them until the first true field of a render call was there; None
            where nothing was streamed.
        input_tokens: tokens, as the provider reported them; None where no call reported any.
        output_tokens: the same, of what it wrote.
    """

    calls: int = 0
    written: int = 0
    repaired: int = 0
    saved: int = 0
    seconds: float = 0.0
    first_field: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None

    @classmethod
    def of_note(cls, note: Mapping[str, Any]) -> Cost | None:
        """The cost that a render graph noted on a message; None where there is none."""
        noted = note.get("cost")
        if not isinstance(noted, Mapping):
            return None
        known = {one.name for one in fields(cls)}
        return cls(**{key: value for key, value in noted.items() if key in known})

    def to_note(self) -> dict[str, Any]:
        """As `of_note` reads it: plain JSON, less what is as in a cost of nothing."""
        nothing = Cost()
        return {
            key: _rounded(value)
            for key, value in asdict(self).items()
            if value != getattr(nothing, key)
        }


def _rounded(value: Any) -> Any:
    """Seconds to a tenth of a millisecond."""
    return round(value, 4)
