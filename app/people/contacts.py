"""Phones and e-mail addresses in one form each."""

from dataclasses import dataclass

import phonenumbers

from app.core.errors import StudioError


class BadPhone(StudioError):
    """No number has that many digits; `phone` is what was typed."""

    code, status = "bad_phone", 422


@dataclass(frozen=True, slots=True)
class Phone:
    e164: str
    extension: str | None = None
    """Apart from the number, which is the same person's with or without it (rule 51)."""


def read_phone(typed: str, region: str = "IL") -> Phone:
    """One form for 050-123 4567, 972501234567 and +972 50...; raises BadPhone."""
    found = _parsed(typed, region) or _parsed(f"+{typed.strip()}", region)
    if found is None:
        raise BadPhone(phone=typed)
    e164 = phonenumbers.format_number(found, phonenumbers.PhoneNumberFormat.E164)
    return Phone(e164, found.extension or None)


def phone_e164(typed: str, region: str = "IL") -> str:
    """The number alone; raises BadPhone."""
    return read_phone(typed, region).e164


def phone_digits(query: str, region: str = "IL") -> str | None:
    """The digits a typed number shares with its E.164 form, to look up a part; None for words."""
    digits = "".join(one for one in query if one.isdigit())
    if len(digits) < 4 or any(one.isalpha() for one in query):  # noqa: PLR2004 - fewer say nothing
        return None
    code = str(phonenumbers.country_code_for_region(region))
    return digits.removeprefix("00").removeprefix(code).lstrip("0") or None


def email_key(typed: str) -> str:
    return typed.strip().casefold()


def _parsed(typed: str, region: str) -> phonenumbers.PhoneNumber | None:
    try:
        found = phonenumbers.parse(typed, region)
    except phonenumbers.NumberParseException:
        return None
    return found if phonenumbers.is_possible_number(found) else None
