"""Whether somebody may be written to, and from when: consent, opting out, quiet hours, caps.

Rule 36 holds for every send, whoever makes it. All here is pure: settings, person and time come in.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field

from app.core.errors import StudioError
from app.people.terms import Category, Channel

WHATSAPP_WINDOW: Final = timedelta(hours=23, minutes=50)
"""WhatsApp counts 24 hours from their last word, by a clock that isn't ours."""
_LONGEST = timedelta(days=7)


class Refusal(StudioError):
    """Why somebody isn't written to; its code says which rule it is."""

    code, status = "not_to_be_written_to", 409


class OptedOut(Refusal):
    """`name` said on this channel that they want no more messages."""

    code = "opted_out"


class NoConsent(Refusal):
    """`name` never agreed to marketing."""

    code = "no_consent"


class OverCap(Refusal):
    """`name` had `most` marketing messages in `days` days already."""

    code = "over_cap"


class _Setting(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class WeekSpan(_Setting):
    """From a weekday's clock time to another's; 0 is Sunday."""

    from_day: int = Field(ge=0, le=6)
    from_time: time
    until_day: int = Field(ge=0, le=6)
    until_time: time


class QuietHours(_Setting):
    """When nothing goes out; the same time twice means never."""

    since: time = time(21)
    until: time = time(8)
    marketing: tuple[WeekSpan, ...] = (
        WeekSpan(from_day=5, from_time=time(15), until_day=6, until_time=time(20)),
    )
    """Marketing rests in these too."""


class Cap(_Setting):
    """At most so many marketing messages in so many days."""

    most: int = Field(default=3, ge=1, le=50)
    days: int = Field(default=7, ge=1, le=90)


class MessagingPolicy(_Setting):
    """The platform's defaults; `org.messaging_policy` stores what differs."""

    quiet: QuietHours = QuietHours()
    cap: Cap = Cap()


@dataclass(frozen=True, slots=True)
class Recipient:
    """What is known of somebody on one channel."""

    name: str
    opted_out: bool = False
    agreed_to_marketing: bool = False
    had: Sequence[datetime] = ()
    """When they were sent marketing before."""


def policy_of(stored: dict[str, Any]) -> MessagingPolicy:
    """A gym's own; what it doesn't say is the platform's."""
    return MessagingPolicy.model_validate(stored)


def refusal(recipient: Recipient, category: Category, *, now: datetime, cap: Cap) -> Refusal | None:
    """Why they may not be written to at all; None where they may."""
    if recipient.opted_out:
        return OptedOut(name=recipient.name)
    if category is Category.UTILITY:
        return None
    if not recipient.agreed_to_marketing:
        return NoConsent(name=recipient.name)
    if _had(recipient.had, cap, now) >= cap.most:
        return OverCap(name=recipient.name, most=cap.most, days=cap.days)
    return None


def window_until(channel: Channel | None, heard_at: datetime | None) -> datetime | None:
    """Until when words of one's own may go on WhatsApp; None: it isn't that, or they never wrote.

    `heard_at`: when they last wrote there.
    """
    return heard_at + WHATSAPP_WINDOW if channel is Channel.WHATSAPP and heard_at else None


def window_open(channel: Channel | None, heard_at: datetime | None, at: datetime) -> bool:
    """Whether words of one's own may go: on WhatsApp only for a day after they last wrote."""
    until = window_until(channel, heard_at)
    return channel is not Channel.WHATSAPP or (until is not None and at < until)


def leaves_at(
    policy: MessagingPolicy,
    category: Category,
    zone: str,
    *,
    now: datetime,
    heard_at: datetime | None = None,
) -> datetime:
    """Now, or when the quiet hours are over.

    Who wrote in these very hours, at `heard_at`, is awake and may be answered, though not with
    marketing.
    """
    end = quiet_until(policy.quiet, category, zone, now=now)
    if end is None:
        return now
    awake = heard_at and quiet_until(policy.quiet, category, zone, now=heard_at) == end
    return now if awake and category is Category.UTILITY else end


def quiet_until(
    hours: QuietHours, category: Category, zone: str, *, now: datetime
) -> datetime | None:
    """The instant at which the quiet hours that hold now are over; None where none hold.

    Hours that leave no minute of a week are obeyed for a week.
    """
    at = now
    while at < now + _LONGEST:
        end = _end_of_quiet(hours, category, at.astimezone(ZoneInfo(zone)))
        if end is None:
            break
        at = end
    return None if at == now else at


def _had(before: Sequence[datetime], cap: Cap, now: datetime) -> int:
    return sum(now - timedelta(days=cap.days) < at <= now for at in before)


def _end_of_quiet(hours: QuietHours, category: Category, local: datetime) -> datetime | None:
    """When the longest of the spans around a local time ends, in UTC."""
    spans = [*_nights(hours, local)]
    if category is Category.MARKETING:
        spans += _weekly(hours.marketing, local)
    at = local.astimezone(UTC)
    return max((end for start, end in spans if start <= at < end), default=None)


def _nights(hours: QuietHours, local: datetime) -> Iterator[tuple[datetime, datetime]]:
    over_midnight = hours.until < hours.since
    for day in (local.date() - timedelta(days=1), local.date()):
        end = day + timedelta(days=over_midnight)
        yield _at(day, hours.since, local), _at(end, hours.until, local)


def _weekly(spans: tuple[WeekSpan, ...], local: datetime) -> Iterator[tuple[datetime, datetime]]:
    sunday = local.date() - timedelta(days=local.isoweekday() % 7)
    for span in spans:
        days = span.until_day - span.from_day
        wraps = (days, span.until_time) < (0, span.from_time)
        for week in (sunday - timedelta(days=7), sunday):
            begin = week + timedelta(days=span.from_day)
            end = begin + timedelta(days=days + 7 * wraps)
            yield _at(begin, span.from_time, local), _at(end, span.until_time, local)


def _at(day: date, clock: time, local: datetime) -> datetime:
    return datetime.combine(day, clock, tzinfo=local.tzinfo).astimezone(UTC)
