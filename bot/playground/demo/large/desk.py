"""What is written to a large gym and by it: threads of its members, and forms they filled in."""

import json
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import select

from app.core.db import Base
from app.core.sealed import sealer_of
from app.forms import service as forms
from app.forms.fields import Field
from app.forms.service import NewForm
from app.forms.terms import FieldType, FormKind, FormStatus
from app.inbox.terms import Direction, MessageState, ThreadChannel, ThreadStatus
from app.people.terms import Channel
from bot.playground.demo.large.crowd import Crowd, phone_of
from bot.playground.demo.large.rows import Rows
from bot.playground.demo.news import MISS_YOU
from bot.playground.demo.site import Site
from bot.playground.demo.texts import HEALTH, QUESTION

_WRITES, _FILLS = 4, 2
"""One of so many has written, and has had a form."""
_TURNS: Final = 6
_VALID: Final = timedelta(days=730)


def write(rows: Rows, crowd: Crowd, site: Site, staff: list[UUID]) -> None:
    """Each thread has gone to and fro a few times; one in five waits for an answer."""
    for number, (member_id, person) in enumerate(crowd.names.items()):
        if number % _WRITES:
            continue
        waits = number % 5 == 0
        last = rows.now - timedelta(minutes=7 * number)
        thread_id = rows.add(
            "inbox_thread",
            at=last,
            channel=ThreadChannel.WHATSAPP,
            handle=phone_of(number),
            member_id=member_id,
            status=ThreadStatus.OPEN if waits else ThreadStatus.CLOSED,
            assignee_id=staff[number % len(staff)] if number % 3 else None,
            unread=1 if waits else 0,
            last_inbound_at=last,
            last_message_at=last,
            closed_at=None if waits else last,
        )
        for turn in range(_TURNS + waits):
            comes = turn % 2 == 0
            rows.add(
                "inbox_message",
                at=last,
                thread_id=thread_id,
                direction=Direction.IN if comes else Direction.OUT,
                body=(QUESTION if comes else MISS_YOU)[person.language],
                author_id=None if comes else site.actor.user_id,
                state=None if comes else MessageState.READ,
            )


def declare(rows: Rows, crowd: Crowd, site: Site) -> None:
    """A health declaration: every other member got it, most of them have signed."""
    title, questions = HEALTH[site.actor.language]
    fields = tuple(Field(label=one, type=FieldType.YES_NO) for one in questions)
    new = NewForm(title, FormKind.HEALTH_DECLARATION, fields)
    template_id = forms.create(site.session, site.actor, new, now=rows.now).id
    version = Base.metadata.tables["form_version"].c
    query = select(version.id).where(version.template_id == template_id)
    version_id = site.session.scalars(query).one()
    answers = {f"q{number}": False for number in range(1, len(questions) + 1)}
    for number, (member_id, person) in enumerate(crowd.names.items()):
        if number % _FILLS == 0:
            told = {"answers": answers, "signed_by": person.first, "address": None}
            sealed = sealer_of(site.session).seal(json.dumps(told)) if number % 5 else None
            _form(rows, template_id, version_id, member_id, sealed)


def _form(
    rows: Rows, template_id: UUID, version_id: UUID, member_id: UUID, sealed: str | None
) -> None:
    sent = rows.now - timedelta(days=10)
    signed = None if sealed is None else sent + timedelta(hours=3)
    instance_id = rows.add(
        "form_instance",
        at=sent,
        template_id=template_id,
        version_id=version_id,
        member_id=member_id,
        status=FormStatus.SENT if signed is None else FormStatus.SUBMITTED,
        channel=Channel.WHATSAPP,
        expires_on=rows.today + timedelta(days=20),
        sent_at=sent,
        submitted_at=signed,
        valid_until=None if signed is None else rows.today + _VALID,
    )
    if sealed is not None:
        rows.add(
            "form_response", at=signed, instance_id=instance_id, answers=sealed, signed_at=signed
        )
