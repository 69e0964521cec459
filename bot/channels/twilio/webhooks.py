"""What Twilio calls: verify, store, acknowledge, enqueue; nothing slow, no call back to Twilio."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import structlog
from flask import Blueprint, Response, request
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session
from werkzeug.datastructures import MultiDict

from app.core.db import Database, now_of
from app.core.ids import new_id
from app.web.identity import public
from bot.channels.twilio.parse import parse_status
from bot.channels.twilio.signature import SignatureConfig, is_genuine, signed_url
from bot.conversation.models import InboundEvent, InboundState
from bot.conversation.queue import ROUTE_SENDER, Enqueue

PROVIDER = "twilio"
_EMPTY = '<?xml version="1.0" encoding="UTF-8"?><Response/>'
_LONGEST = 200
"""Characters of an id or an address; a longer one is none."""
_KEEP = insert(InboundEvent).on_conflict_do_nothing(index_elements=["provider", "account", "key"])
"""Built once: made anew for each request it took a third of the acknowledgement's CPU."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Webhooks:
    db: Database
    enqueue: Enqueue
    public_base_url: str
    signatures: SignatureConfig
    allow: Callable[[str], bool]
    """The rate limit of a sender, asked once the signature is right.

    Forged requests burn nobody's quota.
    """


def blueprint(hooks: Webhooks) -> Blueprint:
    routes = Blueprint("twilio", __name__, url_prefix="/hooks/twilio")

    @routes.post("/inbound")
    @routes.post("/inbound-fallback")
    @public
    def inbound() -> Response:
        if not _genuine(hooks):
            return Response(status=403)
        sid, sender = _field("MessageSid"), _field("From")
        if not sid or not sender:
            return _twiml()
        return _store(hooks, kind="message", key=sid, sender=sender, answer=_twiml())

    @routes.post("/status")
    @public
    def status() -> Response:
        if not _genuine(hooks):
            return Response(status=403)
        report = parse_status(request.form)
        if report is None:
            return Response(status=204)
        key, lane = f"{report.sid}:{report.status}", status_lane(report.sid)
        return _store(hooks, kind="status", key=key, sender=lane, answer=Response(status=204))

    return routes


def status_lane(sid: str) -> str:
    """Reports on one message are taken in order; those on others need not wait for them."""
    return f"status:{sid}"


def _field(name: str) -> str:
    """A short field as it can be a key: PostgreSQL's text holds anything but NUL."""
    return request.form.get(name, "").replace("\x00", "")[:_LONGEST]


def _genuine(hooks: Webhooks) -> bool:
    target = (
        request.environ.get("RAW_URI") or request.environ.get("REQUEST_URI") or request.full_path
    )
    url = signed_url(hooks.public_base_url, str(target).rstrip("?"))
    headers = dict(request.headers.items())
    return is_genuine(url, MultiDict(request.form), headers, hooks.signatures)


def _twiml() -> Response:
    return Response(_EMPTY, mimetype="text/xml")


def _store(hooks: Webhooks, *, kind: str, key: str, sender: str, answer: Response) -> Response:
    """One row for good, then the acknowledgement; without the row a 503: the vendor comes back."""
    flood = kind == "message" and not hooks.allow(sender)
    try:
        with hooks.db.platform() as session:
            new = _insert(session, kind=kind, key=key, sender=sender, flood=flood)
    except SQLAlchemyError as error:
        _log.error("inbound_not_stored", error=type(error).__name__)
        return Response(status=503)
    if new and not flood:
        hooks.enqueue(ROUTE_SENDER, sender)
    return answer


def _insert(session: Session, *, kind: str, key: str, sender: str, flood: bool) -> bool:
    """Whether it is new. What a flood brings is kept too, and not acted on."""
    now = now_of(session)
    row = {
        "id": new_id(),
        "created_at": now,
        "updated_at": now,
        "provider": PROVIDER,
        "account": request.form.get("AccountSid", ""),
        "key": key,
        "kind": kind,
        "sender": sender,
        "form": request.form.to_dict(flat=False),
        "state": InboundState.IGNORED if flood else InboundState.STORED,
    }
    done: Any = session.connection().execute(_KEEP, row)
    return bool(done.rowcount)
