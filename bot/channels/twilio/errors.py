"""What to do about each Twilio error code, at once or in a status callback."""

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final


class Action(Enum):
    RETRY = "retry"
    """The same channel again, after a while."""
    SWITCH = "switch"
    """Another way to the same person: a template, SMS, the web."""
    STOP = "stop"
    """Nothing more to this address, or at all."""
    FIX = "fix"
    """Our code or configuration is wrong; sending it again can't help."""


class Mark(Enum):
    """What is known about the address from now on."""

    OPTED_OUT = "opted_out"
    BAD_ADDRESS = "bad_address"
    NO_WHATSAPP = "no_whatsapp"
    NO_SMS = "no_sms"
    WINDOW_CLOSED = "window_closed"


@dataclass(frozen=True, slots=True)
class Remedy:
    """One row of the table. Delays are the least number of seconds before the next try."""

    action: Action
    retries: int = 0
    delay: int = 0
    reconcile: bool = False
    """It may have been sent: look it up before it is sent again."""
    as_text: bool = False
    """The content was refused, not the words: send them once as plain text first."""
    alert: bool = False
    mark: Mark | None = None
    then: Action = Action.STOP
    """What to do when the retries are used up."""


_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_BACK_OFF = Remedy(Action.RETRY, retries=5, delay=1)
_AMBIGUOUS = Remedy(Action.RETRY, retries=3, delay=2, reconcile=True, then=Action.SWITCH)
_ONCE = Remedy(Action.RETRY, retries=1, delay=_MINUTE, then=Action.SWITCH)
_FIX = Remedy(Action.FIX, alert=True)
_FIX_AS_TEXT = Remedy(Action.FIX, as_text=True, alert=True)
_STOP = Remedy(Action.STOP)
_ALARM = Remedy(Action.STOP, alert=True)
_BAD_ADDRESS = Remedy(Action.STOP, mark=Mark.BAD_ADDRESS)
_SWITCH = Remedy(Action.SWITCH)
_SWITCH_AND_ALERT = Remedy(Action.SWITCH, alert=True)
_NO_WHATSAPP = Remedy(Action.SWITCH, mark=Mark.NO_WHATSAPP)
_LATER = Remedy(Action.RETRY, retries=3, delay=5 * _MINUTE, then=Action.SWITCH)

_ROWS: Final[tuple[tuple[tuple[int, ...], Remedy], ...]] = (
    ((20003, 30002, 63020, 63051), _ALARM),
    ((20429,), _BACK_OFF),
    ((20500, 63009, 63010, 63012), _AMBIGUOUS),
    ((21211,), _BAD_ADDRESS),
    ((21408, 21606, 21212, 21608, 21617, 21619, 21620, 21703, 21910), _FIX),
    ((21610,), Remedy(Action.STOP, mark=Mark.OPTED_OUT)),
    ((21611, 30001, 63017), _LATER),
    ((21612,), _SWITCH),
    ((21614,), Remedy(Action.STOP, mark=Mark.NO_SMS)),
    ((21655, 21656, 21658), _FIX_AS_TEXT),
    ((30003,), Remedy(Action.RETRY, retries=3, delay=30 * _MINUTE, then=Action.SWITCH)),
    ((30004,), _SWITCH),
    ((30005, 30006), _BAD_ADDRESS),
    ((30007,), _ALARM),
    ((30008, 30036), _ONCE),
    ((30017, 30410), Remedy(Action.RETRY, retries=1, delay=_MINUTE, reconcile=True)),
    ((30018, 30024, 30032, 30034, 30035), _FIX),
    ((30450,), Remedy(Action.RETRY, retries=1, delay=30 * _MINUTE, alert=True)),
    ((63001, 63002, 63007, 63008), _SWITCH_AND_ALERT),
    ((63003, 63024), _NO_WHATSAPP),
    ((63005, 63006, 63021, 63030), _FIX_AS_TEXT),
    ((63013,), _ALARM),
    ((63014, 63033), _STOP),
    ((63015, 63019, 63034), _FIX),
    ((63016,), Remedy(Action.SWITCH, mark=Mark.WINDOW_CLOSED)),
    ((63018,), Remedy(Action.RETRY, retries=2, delay=_HOUR, then=Action.SWITCH)),
    ((63027, 63028, 63040, 63041, 63042), _SWITCH_AND_ALERT),
    ((63032, 63049), _SWITCH),
    ((63038,), Remedy(Action.RETRY, retries=1, delay=_DAY, alert=True)),
)
REMEDIES: Final = MappingProxyType({code: remedy for codes, remedy in _ROWS for code in codes})

# Codes split and move (21211 got siblings 2126x), so a family answers for its unknown members.
# First match wins: (first code, last code, remedy).
_FAMILIES: Final = (
    (20500, 20599, _AMBIGUOUS),
    (21260, 21269, _BAD_ADDRESS),
    (20000, 29999, _FIX),
    (30000, 39999, _ONCE),
    (63000, 63999, _SWITCH),
)
_UNKNOWN: Final = _SWITCH_AND_ALERT
_TOO_MANY_REQUESTS, _SERVER_ERROR = 429, 500
_UNAUTHORISED = frozenset({401, 403})


def remedy_for(code: int | None, http_status: int | None = None) -> Remedy:
    """Look a failure up by its code, else by its HTTP status; neither means it never answered."""
    if code is not None and code in REMEDIES:
        return REMEDIES[code]
    if http_status is not None and http_status >= _SERVER_ERROR:
        return _AMBIGUOUS
    if code is not None:
        return _family(code)
    return _by_status(http_status)


def _family(code: int) -> Remedy:
    for first, last, remedy in _FAMILIES:
        if first <= code <= last:
            return remedy
    return _UNKNOWN


def _by_status(http_status: int | None) -> Remedy:
    if http_status is None:
        return _AMBIGUOUS
    if http_status == _TOO_MANY_REQUESTS:
        return _BACK_OFF
    return _ALARM if http_status in _UNAUTHORISED else _FIX
