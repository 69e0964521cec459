"""What a tool answered, read without knowing the gym: rows, names, times, and why not."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from bot.model.transcript import REASONS
from bot.playground.model_api.reading import Exchange

_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?:-(\d\d:\d\d))?")
_CLASS_KEYS = ("class", "class_name", "class_type", "title", "name")
NAME_KEYS = frozenset({"class", "class_type", "member", "name", "title", "plan", "membership"})
_PERSON_KEYS = ("member", "member_name", "name", "staff", "coach", "person")
_OVER = ("cancel", "delete", "removed")
_WAITS = "wait"


@dataclass(frozen=True, slots=True)
class Moment:
    date: date
    start: time
    end: time | None = None

    @property
    def starts(self) -> datetime:
        return datetime.combine(self.date, self.start)


@dataclass(frozen=True, slots=True)
class Row:
    """One thing of a list, or the one thing a result tells."""

    id: str
    fields: Mapping[str, Any]

    def get(self, *keys: str) -> Any:  # noqa: ANN401 - a cell holds any JSON value
        """The first of these that is there and says something."""
        said = (self.fields[key] for key in keys if self.fields.get(key) not in (None, "", []))
        return next(said, None)

    @property
    def class_name(self) -> str:
        return str(self.get(*_CLASS_KEYS) or "")

    @property
    def person(self) -> str:
        return str(self.get(*_PERSON_KEYS) or "")

    @property
    def moment(self) -> Moment | None:
        """When it is, in whichever cell that stands, or in a date and a time of their own."""
        cells = " ".join(map(str, [self.get("when"), *self.fields.values()]))
        found = _MOMENT.search(cells) or _MOMENT.search(
            f"{self.get('date')} {self.get('start', 'start_time', 'time')}"
        )
        if found is None:
            return None
        end = time.fromisoformat(found[3]) if found[3] else None
        return Moment(date.fromisoformat(found[1]), time.fromisoformat(found[2]), end)

    @property
    def is_over(self) -> bool:
        """Cancelled, whatever the word for it is."""
        status = str(self.get("status", "state") or "").lower()
        return any(word in status for word in _OVER)

    @property
    def waits(self) -> bool:
        """On the waiting list only."""
        return _WAITS in str(self.get("status", "state") or "").lower()

    @property
    def details(self) -> str:
        """What tells this one from another of the same name."""
        told = self.get("phone"), self.get("plan", "membership"), self.get("email")
        texts = (", ".join(each) if isinstance(each, list) else each for each in told)
        return ", ".join(str(each) for each in texts if each)[:60]


@dataclass(frozen=True, slots=True)
class Result:
    """A settled call, as the model was told of it."""

    value: Any
    failed: bool
    text: str

    @property
    def rows(self) -> tuple[Row, ...]:
        if not isinstance(self.value, dict):
            return ()
        rows = self.value.get("rows")
        return tuple(_rows(rows)) if isinstance(rows, list) else ()

    @property
    def total(self) -> int:
        total = self.value.get("total") if isinstance(self.value, dict) else None
        return total if isinstance(total, int) else len(self.rows)

    @property
    def one(self) -> Row:
        """The one thing told: what was done, or facts."""
        fields = self.value if isinstance(self.value, dict) else {}
        return Row(str(fields.get("id", "")), fields)

    @property
    def picked(self) -> str | None:
        """The id of the chosen option; None for none of them."""
        match self.value:
            case {"picked": {"id": str(chosen)}}:
                return chosen
            case _:
                return None

    @property
    def reason(self) -> str:
        """Why it wasn't carried out, or the code of the error."""
        for reason, text in REASONS.items():
            if self.text == text:
                return reason
        match self.value:
            case {"error": str(code)}:
                return code
            case _:
                return "failed"


def result_of(exchange: Exchange) -> Result:
    text = exchange.result.text if exchange.result else ""
    return Result(exchange.value, exchange.failed, text)


def _rows(rows: Iterable[Any]) -> Iterable[Row]:
    for row in rows:
        if isinstance(row, dict):
            yield Row(str(row.get("id", "")), row)
