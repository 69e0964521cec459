"""What can be done with the inbox."""

from app.inbox.service.answering import (
    REPLY,
    Approved,
    Outgoing,
    Planned,
    Reply,
    outgoing,
    preview_reply,
    reply,
    report,
)
from app.inbox.service.handling import (
    add_note,
    assign,
    close,
    mark_read,
    reopen,
    save_draft,
)
from app.inbox.service.receiving import Wish, receive, wish_in

__all__ = [
    "REPLY",
    "Approved",
    "Outgoing",
    "Planned",
    "Reply",
    "Wish",
    "add_note",
    "assign",
    "close",
    "mark_read",
    "outgoing",
    "preview_reply",
    "receive",
    "reopen",
    "reply",
    "report",
    "save_draft",
    "wish_in",
]
