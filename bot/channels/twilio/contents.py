"""What Twilio needs to show buttons and lists: a Content resource a shape, made when first needed.

All of a message stands in its variables, since a resource can't be made for each one.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import structlog
from requests.exceptions import RequestException
from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session
from twilio.base.exceptions import TwilioException
from twilio.rest import Client

from app.core.db import Database
from app.core.ids import new_id
from bot.channels.twilio.webhooks import PROVIDER
from bot.conversation.models import ContentShape

CONTENT: Final = "https://content.twilio.com/v1/Content"
_VERSION = 1
"""Of the resources below: a changed one is another shape."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Contents:
    db: Database
    client: Client
    account: str

    def content(self, body: str, buttons: Mapping[str, Any]) -> dict[str, str] | None:
        """What `messages.create` takes; None where the vendor gives no resource for it now."""
        rows, opens = buttons["rows"], buttons["opens"]
        sid = self._sid("list" if opens else "buttons", len(rows))
        if sid is None:
            return None
        told = [body, *([opens] if opens else [])]
        for row in rows:
            told += [row["id"], row["title"], *([row["about"]] if opens else [])]
        variables = {str(place): text for place, text in enumerate(told, 1)}
        return {
            "content_sid": sid,
            "content_variables": json.dumps(variables, ensure_ascii=False),
        }

    def forget(self, sid: str) -> bool:
        """The vendor knows it no more: the next one is made anew. False if it was none of ours."""
        with self.db.platform() as session:
            gone = delete(ContentShape).where(
                ContentShape.provider == PROVIDER,
                ContentShape.account == self.account,
                ContentShape.sid == sid,
            )
            return bool(session.execute(gone.returning(ContentShape.id)).all())

    def _sid(self, kind: str, count: int) -> str | None:
        shape = f"{kind}:{count}:{_VERSION}"
        with self.db.platform() as session:
            known = self._kept(session, shape)
        if known is not None:
            return known
        made = self._made(kind, count)
        return None if made is None else self._keep(shape, made)

    def _kept(self, session: Session, shape: str) -> str | None:
        return session.scalar(
            select(ContentShape.sid).where(
                ContentShape.provider == PROVIDER,
                ContentShape.account == self.account,
                ContentShape.shape == shape,
            )
        )

    def _keep(self, shape: str, sid: str) -> str:
        """Of two that were made at once the first one kept is used."""
        with self.db.platform() as session:
            now = session.info["now"]
            row = insert(ContentShape).values(
                id=new_id(),
                created_at=now,
                updated_at=now,
                provider=PROVIDER,
                account=self.account,
                shape=shape,
                sid=sid,
            )
            session.execute(
                row.on_conflict_do_nothing(index_elements=["provider", "account", "shape"])
            )
            return self._kept(session, shape) or sid

    def _made(self, kind: str, count: int) -> str | None:
        try:
            response = self.client.request(
                "POST",
                CONTENT,
                data=resource(kind, count),
                headers={"Content-Type": "application/json"},
            )
        except (TwilioException, RequestException) as error:
            _log.warning("content_not_made", kind=kind, count=count, error=type(error).__name__)
            return None
        if response.status_code != HTTPStatus.CREATED:
            _log.warning("content_not_made", kind=kind, count=count, status=response.status_code)
            return None
        sid: str = json.loads(response.text)["sid"]
        return sid


def resource(kind: str, count: int) -> dict[str, Any]:
    """The shape with places only; the plain text beside it is for what can show no buttons."""
    fields = 3 if kind == "list" else 2
    first = 3 if kind == "list" else 2
    places = [
        [_place(first + fields * row + field) for field in range(fields)] for row in range(count)
    ]
    text = {"twilio/text": {"body": _place(1)}}
    types: dict[str, Any] = (
        {
            "twilio/list-picker": {
                "body": _place(1),
                "button": _place(2),
                "items": [
                    {"id": id_, "item": item, "description": about} for id_, item, about in places
                ],
            }
        }
        if kind == "list"
        else {
            "twilio/quick-reply": {
                "body": _place(1),
                "actions": [
                    {"type": "QUICK_REPLY", "id": id_, "title": title} for id_, title in places
                ],
            }
        }
    )
    samples = {str(place): f"text {place}" for place in range(1, first + fields * count)}
    return {
        "friendly_name": f"spotter_{kind}_{count}_{_VERSION}",
        "language": "en",
        "variables": samples,
        "types": types | text,
    }


def _place(number: int) -> str:
    return "{{" + str(number) + "}}"
