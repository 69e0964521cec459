"""Messages.json as a list: filters and pages as the official library asks for them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from bot.playground.twilio_api.errors import ApiError
from bot.playground.twilio_api.records import Message
from bot.playground.twilio_api.store import Store

_PAGE_SIZE, _MOST_PER_PAGE = 50, 1000


@dataclass(frozen=True, slots=True)
class Page:
    number: int
    size: int

    @classmethod
    def asked_for(cls, query: Mapping[str, str]) -> "Page":
        try:
            number, size = int(query.get("Page", 0)), int(query.get("PageSize", _PAGE_SIZE))
        except ValueError as error:
            raise ApiError(20001) from error
        if number < 0 or size < 1:
            raise ApiError(20001)
        return cls(number, min(size, _MOST_PER_PAGE))


def page_of_messages(query: Mapping[str, str], store: Store, account_sid: str) -> dict[str, Any]:
    """Answer one list request, the newest message first."""
    page = Page.asked_for(query)
    found = store.matching(_filter(query))[::-1]
    start = page.number * page.size
    shown = found[start : start + page.size]

    def uri(number: int) -> str:
        kept = {name: value for name, value in query.items() if name not in {"Page", "PageToken"}}
        asked = urlencode({**kept, "PageSize": page.size, "Page": number})
        return f"/2010-04-01/Accounts/{account_sid}/Messages.json?{asked}"

    has_more = start + page.size < len(found)
    return {
        "messages": [message.resource(account_sid) for message in shown],
        "start": start,
        "end": start + max(len(shown) - 1, 0),
        "page": page.number,
        "page_size": page.size,
        "uri": uri(page.number),
        "first_page_uri": uri(0),
        "next_page_uri": uri(page.number + 1) if has_more else None,
        "previous_page_uri": uri(page.number - 1) if page.number else None,
    }


def _filter(query: Mapping[str, str]) -> Callable[[Message], bool]:
    after, before = _instant(query, "DateSent>"), _instant(query, "DateSent<")
    on = query.get("DateSent")

    def wanted(message: Message) -> bool:
        # A message that is still queued has no date sent; Twilio finds it by when it was made.
        at = message.sent or message.created
        return (
            message.direction != "outbound-reply"
            and query.get("To", message.to) == message.to
            and query.get("From", message.sender) == message.sender
            and (after is None or at.replace(microsecond=0) >= after)
            and (before is None or at.replace(microsecond=0) <= before)
            and (on is None or at.astimezone(UTC).date().isoformat() == on[:10])
        )

    return wanted


def _instant(query: Mapping[str, str], name: str) -> datetime | None:
    text = query.get(name)
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise ApiError(20001) from error
    return at if at.tzinfo else at.replace(tzinfo=UTC)
