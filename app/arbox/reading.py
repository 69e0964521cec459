"""Making sense of Arbox's records: loose types and spellings in, plain facts out.

Names of fields differ by version and by report, so each is looked for under all that were seen.
Flags are the words Yes and No, or numbers; times are local and carry no zone; days may be zeros.
"""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from app.arbox.port import Raw
from app.arbox.terms import Kind
from app.core.errors import StudioError
from app.core.storable import is_visible, one_line, storable
from app.people.contacts import email_key, phone_e164

Facts = dict[str, Any]
_FLAGS: Final = {"yes": True, "no": False, "1": True, "0": False, "true": True, "false": False}
_DAYS: Final = ("%Y-%m-%d", "%d-%m-%Y", "%d/%m/%Y")
_LETTER_WITHIN: Final = re.compile(r"\d[^\W\d_]+\d")
_LARGEST: Final = 10_000_000


class BadRecord(ValueError):
    """A record that lacks what ours can't do without; it is counted and left."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record in our terms; `facts` are JSON."""

    kind: Kind
    arbox_id: str
    name: str
    person: str | None = None
    phone: str | None = None
    email: str | None = None
    facts: Facts = field(default_factory=dict)


def text(raw: Raw, *names: str) -> str | None:
    """The first of these that says something, on one line, as what is typed here has to be."""
    for name in names:
        value = raw.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            said = " ".join(one_line(storable(str(value))).split())
            if is_visible(said) and said.casefold() not in {"null", "none", "undefined"}:
                return said[:300]
    return None


def needed(raw: Raw, *names: str) -> str:
    """Raises BadRecord without any."""
    found = text(raw, *names)
    if found is None:
        raise BadRecord(names[0])
    return found


def flag(raw: Raw, name: str) -> bool | None:
    """Never by truth: 'No' is a text that isn't empty."""
    value = raw.get(name)
    return value if isinstance(value, bool) else _FLAGS.get(str(value).strip().casefold())


def day(raw: Raw, *names: str) -> date | None:
    """The day of a date or of a timestamp; None for 0000-00-00 and the like."""
    for name in names:
        said = (text(raw, name) or "").partition(" ")[0].partition("T")[0]
        for form in _DAYS:
            try:
                found = datetime.strptime(said, form).date()  # noqa: DTZ007 - a day has no zone
            except ValueError:
                continue
            return found if found.year > 1900 else None  # noqa: PLR2004 - nobody's day is older
    return None


def whole(raw: Raw, *names: str) -> int | None:
    said = text(raw, *names)
    try:
        found = None if said is None else int(Decimal(said))
    except (InvalidOperation, ValueError, OverflowError):
        return None
    return found if found is not None and abs(found) < _LARGEST else None


def minor(raw: Raw, *names: str) -> int | None:
    """Money in minor units, of '1,200.50', 1200.5 or with a sign of the currency."""
    found_text = text(raw, *names) or ""
    if _LETTER_WITHIN.search(found_text):
        return None
    said = "".join(one for one in found_text if one.isdigit() or one in ".-")
    try:
        found = (Decimal(said) * 100).to_integral_value()
    except InvalidOperation:
        return None
    return int(found) if found.is_finite() and abs(found) < _LARGEST * 100 else None


def person_name(raw: Raw) -> tuple[str, str]:
    """First and last name. Raises BadRecord."""
    first, last = text(raw, "first_name"), text(raw, "last_name")
    if first is None and last is None:
        first, _, last = needed(raw, "name", "full_name").partition(" ")
    return (first or last or "")[:100], (last or "")[:100] if first else ""


def phone(raw: Raw, region: str) -> str | None:
    """The first number that is one, as E.164."""
    for name in ("phone", "additional_phone", "mobile"):
        try:
            return phone_e164(text(raw, name) or "", region)
        except StudioError:
            continue
    return None


def email(raw: Raw) -> str | None:
    said = email_key(text(raw, "email") or "")
    return said if "@" in said[1:-1] else None


def name_key(name: str) -> str:
    """By which a name of theirs and one of ours are the same: without case, spaces and marks."""
    return "".join(one for one in name.casefold() if one.isalnum())


def key_of(*parts: object) -> str:
    """A key for what has none of its own."""
    joined = "|".join("" if one is None else str(one) for one in parts)
    return hashlib.sha256(joined.encode()).hexdigest()[:24]


def iso(found: date | None) -> str | None:
    return None if found is None else found.isoformat()
