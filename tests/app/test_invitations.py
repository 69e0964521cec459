"""Invitations: one link for one person, good once, for a week, and written down nowhere."""

import json
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from app.core.errors import BadInput, NotFound, StudioError
from app.core.outbox import Outbox
from app.people import queries, service
from app.people.consent import OptedOut
from app.people.errors import InvitationClosed, InvitationWaiting, MemberExists, WrongChannel
from app.people.models import Invitation, Member
from app.people.service import Invited, NewInvitation
from app.people.terms import Channel, InvitationStatus, MemberStatus
from app.people.views import InvitationView
from app.studio.paging import Cut
from tests.app.test_races import race
from tests.studio import ZONE, Studio

MIA = NewInvitation("Mia", Channel.SMS, "Stone", phone="052-111 2233")
SMS, WHATSAPP, EMAIL = Channel.SMS, Channel.WHATSAPP, Channel.EMAIL


def invite(studio: Studio, new: NewInvitation = MIA) -> Invited:
    with studio.act() as session:
        return service.invite(session, studio.admin, new, now=studio.now)


def link(studio: Studio, invitation_id: UUID) -> str:
    with studio.act() as session:
        token = service.new_link(session, invitation_id, now=studio.now)
    assert token is not None
    return token


def accept(studio: Studio, token: str) -> InvitationView:
    with studio.act() as session:
        return service.accept(session, token, today=studio.day(0), now=studio.now)


def listed(studio: Studio, status: InvitationStatus | None = None) -> list[InvitationView]:
    with studio.act() as session:
        found = queries.invitations(session, now=studio.now, status=status, cut=Cut())
        return list(found.rows)


def rows(studio: Studio, model: Any) -> list[Any]:  # noqa: ANN401 - any model and its rows
    with studio.act() as session:
        return list(session.scalars(select(model)))


def test_who_follows_the_link_is_a_member_once(studio: Studio) -> None:
    made = invite(studio).invitation
    token = link(studio, made.id)
    (kept,) = rows(studio, Invitation)
    assert token not in json.dumps([str(vars(kept)), [row.body for row in rows(studio, Outbox)]])
    assert accept(studio, token).status is InvitationStatus.ACCEPTED
    (mia,) = rows(studio, Member)
    assert (mia.name, mia.phone, mia.status) == ("Mia Stone", "+972521112233", MemberStatus.ACTIVE)
    with pytest.raises(InvitationClosed) as closed:
        accept(studio, token)
    assert closed.value.values == {"state": "accepted"}
    with pytest.raises(NotFound):
        accept(studio, "no-such-token")


def test_many_at_once_make_one_member(studio: Studio) -> None:
    token = link(studio, invite(studio).invitation.id)
    came = race(*[partial(accept, studio, token)] * 6)
    assert sum(isinstance(one, StudioError) for one in came) == 5
    assert len(rows(studio, Member)) == 1


def test_a_week_later_it_opens_nothing_until_it_is_sent_again(studio: Studio) -> None:
    made = invite(studio).invitation
    old = link(studio, made.id)
    studio.wait(days=7)
    with pytest.raises(InvitationClosed):
        accept(studio, old)
    assert [one.status for one in listed(studio)] == [InvitationStatus.EXPIRED]
    assert listed(studio, InvitationStatus.PENDING) == []
    with studio.act() as session:
        service.resend(session, made.id, now=studio.now)
    new = link(studio, made.id)
    with pytest.raises(NotFound):
        accept(studio, old)
    assert accept(studio, new).send_count == 2


def test_a_revoked_one_is_closed(studio: Studio) -> None:
    made = invite(studio).invitation
    token = link(studio, made.id)
    with studio.act() as session:
        service.revoke(session, made.id, now=studio.now)
        assert service.new_link(session, made.id, now=studio.now) is None
    for act in (
        lambda session: service.resend(session, made.id, now=studio.now),
        lambda session: service.by_token(session, token, now=studio.now),
    ):
        with studio.act() as session, pytest.raises(InvitationClosed):
            act(session)
    assert invite(studio).invitation.id != made.id


def test_a_member_is_not_invited_but_pointed_to(studio: Studio) -> None:
    dana = studio.person("Dana Levi", phone="0521112233")
    with pytest.raises(MemberExists) as known:
        invite(studio)
    assert known.value.values["member_id"] == dana


def test_who_was_here_for_a_trial_joins_as_that_person(studio: Studio) -> None:
    trial = studio.person("Mia S", phone="0521112233", status=MemberStatus.PROSPECT)
    token = link(studio, invite(studio).invitation.id)
    assert accept(studio, token).member_id == trial
    assert [(one.id, one.status) for one in rows(studio, Member)] == [(trial, MemberStatus.ACTIVE)]


def test_one_waits_at_a_time_and_two_at_once_make_one(studio: Studio) -> None:
    first = invite(studio).invitation
    with pytest.raises(InvitationWaiting) as waiting:
        invite(studio, NewInvitation("Mia", WHATSAPP, phone="+972-52-1112233"))
    assert waiting.value.values["invitation_id"] == first.id
    other = NewInvitation("Tom", EMAIL, email="tom@example.com")
    came = race(*[partial(invite, studio, other)] * 4)
    assert sum(isinstance(one, StudioError) for one in came) == 3


def test_nobody_is_written_to_who_wants_nothing_or_by_night(studio: Studio) -> None:
    with studio.act() as session:
        mia = "+972521112233"
        service.opt_out(session, studio.org_id, SMS, mia, source="word", now=studio.now)
    with pytest.raises(OptedOut):
        invite(studio)
    by_whatsapp = NewInvitation("Mia", WHATSAPP, phone=MIA.phone)
    studio.wait(hours=12)
    held = invite(studio, by_whatsapp).goes_at
    assert held == datetime(2026, 12, 1, 8, tzinfo=ZoneInfo(ZONE))
    assert [row.due_at for row in rows(studio, Outbox)] == [held]


def test_what_cannot_be_reached_is_refused(studio: Studio) -> None:
    with pytest.raises(BadInput):
        invite(studio, NewInvitation("Mia", EMAIL, phone="0521112233"))
    made = invite(studio).invitation
    with studio.act() as session, pytest.raises(WrongChannel):
        service.resend(session, made.id, channel=EMAIL, now=studio.now)


def test_what_whatsapp_will_not_carry_goes_by_sms(studio: Studio) -> None:
    made = invite(studio, NewInvitation("Mia", WHATSAPP, phone=MIA.phone)).invitation
    link(studio, made.id)
    with studio.act() as session:
        service.not_delivered(session, made.id)
    (again,) = listed(studio)
    assert (again.channel, again.sent_at) == (SMS, None)
    queued = [row.due_at - studio.now for row in rows(studio, Outbox)]
    assert sorted(queued) == [timedelta(), timedelta(seconds=15)]
