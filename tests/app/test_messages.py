"""Writing to members: who may be, in which language, when it leaves, and to just whom."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.automations.service import stands
from app.core.errors import NotFound
from app.core.outbox import Outbox
from app.inbox.models import InboxThread
from app.inbox.terms import ThreadChannel
from app.messages import queries, rules, service
from app.messages.errors import (
    AudienceChanged,
    AudienceEmpty,
    BroadcastClosed,
    MissingValues,
    NoText,
    OtherChannel,
    TooSoon,
    WindowClosed,
)
from app.messages.filters import AudienceFilter
from app.messages.models import Message
from app.messages.rules import House, Known
from app.messages.service import Said
from app.messages.terms import BroadcastStatus, MessageState, ProviderStatus
from app.messages.texts import Variant, Wording
from app.messages.views import Audience, Draft, Person, Plan
from app.people import service as people
from app.people.consent import MessagingPolicy, NoConsent, OptedOut, OverCap
from app.people.terms import Category, Channel
from tests.reachable import reachable, told_alone
from tests.studio import NOW, ZONE, Studio

SMS, WHATSAPP = Channel.SMS, Channel.WHATSAPP
HELLO = Said(SMS, {"en": "Hi {name}", "he": "היי {name}"})
NOTE = Said(SMS, {"en": "Your shoes are here"}, category=Category.UTILITY)


def planned(studio: Studio, said: Said = HELLO, *ids: UUID, **filters: Any) -> Plan:  # noqa: ANN401 - as AudienceFilter
    audience = Audience(AudienceFilter(**filters), None, ids)
    with studio.act() as session:
        return service.plan(session, studio.owner, audience, said, now=studio.now)


def started(studio: Studio, found: Plan) -> UUID:
    with studio.act() as session:
        return service.start(session, studio.owner, found).id


def rows(session: Session) -> list[Message]:
    return list(session.scalars(select(Message).order_by(Message.created_at, Message.id)))


def told(studio: Studio) -> list[tuple[str, str, MessageState]]:
    with studio.act() as session:
        return [(row.body, row.language, row.state) for row in rows(session)]


def heard(studio: Studio, member_id: UUID, at: datetime) -> None:
    """They wrote on WhatsApp."""
    with studio.act() as session:
        phone = queries.person(session, member_id).phone
        thread = InboxThread(
            org_id=studio.org_id,
            channel=ThreadChannel.WHATSAPP,
            handle=phone,
            member_id=member_id,
            last_inbound_at=at,
            last_message_at=at,
        )
        session.add(thread)


def broken_off(studio: Studio, broadcast_id: UUID) -> None:
    """A worker that dies with its chunk."""
    with studio.act() as session:
        service.carry(session, broadcast_id, now=studio.now, chunk=2)
        raise ZeroDivisionError


def test_each_reads_it_in_their_language_or_the_gyms(studio: Studio) -> None:
    reachable(studio)
    reachable(studio, "נועה כהן", language="he")
    reachable(studio, "Иван Петров", language="ru")
    found = planned(studio)

    read = {one.person.first_name: one.language for one in found.recipients}
    assert read == {"Dana": "en", "Иван": "he", "נועה": "he"}
    broadcast_id = started(studio, found)
    with studio.act() as session:
        for _ in range(2):  # a second time nobody is written to again
            for one in found.recipients:
                service.write_one(session, broadcast_id, one.person.id, now=studio.now)
    assert {body for body, _, _ in told(studio)} == {"Hi Dana", "היי Иван", "היי נועה"}


def test_who_is_left_out_is_told_with_the_reason(studio: Studio) -> None:
    dana = reachable(studio)
    told_alone(studio, "Max Klein")
    studio.person("No Phone")
    shut = reachable(studio, "Lea Katz")
    with studio.act() as session:
        phone = queries.person(session, shut).phone
        assert phone is not None
        people.opt_out(session, studio.org_id, SMS, phone, source="word", now=studio.now)
    found = planned(studio)

    assert [one.person.id for one in found.recipients] == [dana]
    reasons = {one.person.name: one.reason.code for one in found.left_out}
    assert reasons == {
        "Max Klein": "no_consent",
        "No Phone": "no_address",
        "Lea Katz": "opted_out",
    }


def test_a_service_message_needs_no_consent_but_respects_a_no(studio: Studio) -> None:
    dana = told_alone(studio)
    with studio.act() as session:
        service.send_to_member(session, studio.coach, dana, NOTE, now=studio.now)
        with pytest.raises(NoConsent):
            service.send_to_member(session, studio.coach, dana, HELLO, now=studio.now)
        phone = queries.person(session, dana).phone
        assert phone is not None
        people.opt_out(session, studio.org_id, SMS, phone, source="word", now=studio.now)
        with pytest.raises(OptedOut):
            service.send_to_member(session, studio.coach, dana, NOTE, now=studio.now)


def test_offers_stop_at_the_cap(studio: Studio) -> None:
    dana = reachable(studio)
    for _ in range(3):
        with studio.act() as session:
            service.send_to_member(session, studio.owner, dana, HELLO, now=studio.now)
    with studio.act() as session, pytest.raises(OverCap):
        service.send_to_member(session, studio.owner, dana, HELLO, now=studio.now)
    studio.wait(days=7, hours=1)
    with studio.act() as session:
        service.send_to_member(session, studio.owner, dana, HELLO, now=studio.now)


def test_whatsapp_takes_free_words_for_a_day_and_approved_templates_always(studio: Studio) -> None:
    dana = reachable(studio)
    text = Said(WHATSAPP, {"en": "Hello"}, category=Category.UTILITY)
    with studio.act() as session, pytest.raises(WindowClosed):
        service.send_to_member(session, studio.owner, dana, text, now=studio.now)
    heard(studio, dana, studio.now - timedelta(hours=23))
    with studio.act() as session:
        service.send_to_member(session, studio.owner, dana, text, now=studio.now)
    studio.wait(hours=1)
    with studio.act() as session, pytest.raises(WindowClosed):
        service.send_to_member(session, studio.owner, dana, text, now=studio.now)
    with studio.act() as session:
        new = service.NewTemplate("hi", WHATSAPP, "en", "Hi {name}, {day}?", Category.UTILITY)
        made = service.create_template(session, studio.owner, new)
        by_template = Said(WHATSAPP, template_id=made.id, given={"day": "Sunday"})
        with pytest.raises(WindowClosed):
            service.send_to_member(session, studio.owner, dana, by_template, now=studio.now)
        service.set_provider_status(session, made.id, ProviderStatus.APPROVED, "HX1")
        sent, _ = service.send_to_member(session, studio.owner, dana, by_template, now=studio.now)
        row = session.get_one(Message, sent)
        assert (row.body, row.content_ref) == ("Hi Dana, Sunday?", "HX1")
        assert row.content_variables == {"1": "Dana", "2": "Sunday"}


def test_what_is_written_at_night_leaves_in_the_morning_if_it_still_may(studio: Studio) -> None:
    dana, noa = reachable(studio), reachable(studio, "Noa Bar")
    studio.wait(hours=12)  # ten in the evening
    with studio.act() as session:
        first, plan = service.send_to_member(session, studio.owner, dana, NOTE, now=studio.now)
        second, _ = service.send_to_member(session, studio.owner, noa, NOTE, now=studio.now)
        assert service.outgoing(session, first, stands=stands, now=studio.now) is None
    assert plan.leaves_at == datetime(2026, 12, 1, 6, tzinfo=UTC)
    with studio.act() as session:
        waits = {row.due_at for row in session.scalars(select(Outbox))}
        phone = queries.person(session, noa).phone
        assert phone is not None
        people.opt_out(session, studio.org_id, SMS, phone, source="word", now=studio.now)
    assert waits == {plan.leaves_at}
    studio.wait(hours=10)
    with studio.act() as session:
        found = service.outgoing(session, first, stands=stands, now=studio.now)
        assert found is not None
        assert found.body == "Your shoes are here"
        assert service.outgoing(session, second, stands=stands, now=studio.now) is None
        late = session.get_one(Message, second)
        assert (late.state, late.reason) == (MessageState.SKIPPED, "opted_out")


def test_a_broadcast_is_for_just_those_who_were_previewed(studio: Studio) -> None:
    reachable(studio)
    found = planned(studio)
    assert service.checked(found, found.audience_hash) is found
    reachable(studio, "Noa Bar")
    with pytest.raises(AudienceChanged) as caught:
        service.checked(planned(studio), found.audience_hash)
    assert (caught.value.values["before"], caught.value.values["now"]) == (1, 2)
    with pytest.raises(AudienceEmpty):
        service.checked(planned(studio, HELLO, tags=("nobody",)))


def test_a_scheduled_broadcast_goes_on_where_it_broke_off(studio: Studio) -> None:
    for number in range(5):
        reachable(studio, f"Member {number}")
    with studio.act() as session:
        found = service.plan_later(
            session,
            studio.owner,
            Audience(),
            HELLO,
            send_at=studio.now + timedelta(hours=1),
            now=studio.now,
        )
        broadcast_id = service.schedule(session, studio.owner, found, now=studio.now).id
    reachable(studio, "Too Late")
    studio.wait(hours=1)
    with studio.act() as session:
        assert service.carry(session, broadcast_id, now=studio.now, chunk=2) == 3
    with pytest.raises(ZeroDivisionError):
        broken_off(studio, broadcast_id)
    assert len(told(studio)) == 2
    for _ in range(3):
        with studio.act() as session:
            service.carry(session, broadcast_id, now=studio.now, chunk=2)
    assert sorted(body for body, _, _ in told(studio)) == ["Hi Member"] * 5
    with studio.act() as session:
        assert queries.broadcast(session, broadcast_id).status is BroadcastStatus.SENT
        assert len(session.scalars(select(Outbox)).all()) == 1 + 5


def test_a_broadcast_is_cancelled_before_it_leaves_and_not_after(studio: Studio) -> None:
    reachable(studio)
    send_at = studio.now + timedelta(hours=1)
    with studio.act() as session:
        with pytest.raises(TooSoon):
            service.plan_later(
                session, studio.owner, Audience(), HELLO, send_at=studio.now, now=studio.now
            )
        found = service.plan_later(
            session, studio.owner, Audience(), HELLO, send_at=send_at, now=studio.now
        )
        first = service.schedule(session, studio.owner, found, now=studio.now).id
        service.cancel(session, first)
        second = service.schedule(session, studio.owner, found, now=studio.now).id
        with pytest.raises(BroadcastClosed):
            service.cancel(session, first)
        with pytest.raises(NotFound):
            service.cancel(session, uuid4())
    studio.wait(hours=1)
    with studio.act() as session:
        with pytest.raises(BroadcastClosed):
            service.cancel(session, second)
        assert service.carry(session, first, now=studio.now) == 0
    assert told(studio) == []


def test_a_text_must_be_one_and_have_its_places_filled(studio: Studio) -> None:
    with studio.act() as session:
        new = service.NewTemplate("hi", WHATSAPP, "en", "Hi {name}, {day}?", Category.UTILITY)
        made = service.create_template(session, studio.owner, new)
        for said, error in (
            (Said(SMS), NoText),
            (Said(WHATSAPP, {"en": "a"}, made.id), NoText),
            (Said(SMS, template_id=made.id), OtherChannel),
            (Said(WHATSAPP, template_id=made.id), MissingValues),
            (Said(SMS, {"en": "{who} are you"}), MissingValues),
            (Said(SMS, template_id=uuid4()), NotFound),
        ):
            with pytest.raises(error):
                service.draft(session, said)


PEOPLE = st.lists(
    st.builds(
        Person,
        id=st.uuids(),
        first_name=st.just("A"),
        name=st.just("A B"),
        language=st.sampled_from(["en", "he", "ru"]),
        phone=st.none() | st.just("+972541234567"),
        email=st.none(),
        gone=st.booleans(),
        consents=st.booleans(),
    ),
    max_size=8,
    unique_by=lambda one: one.id,
)


@given(people=PEOPLE, data=st.data(), category=st.sampled_from(Category))
def test_everybody_is_a_recipient_or_left_out_and_order_changes_nothing(
    people: list[Person], data: st.DataObject, category: Category
) -> None:
    wording = Wording(variants={"en": Variant(body="a"), "he": Variant(body="b")})
    draft = Draft(SMS, category, wording)
    known = {one.id: Known(opted_out=data.draw(st.booleans())) for one in people}
    house = House(MessagingPolicy(), ZONE, "he")
    found = rules.plan(draft, people, known, house, NOW)
    again = rules.plan(draft, data.draw(st.permutations(people)), known, house, NOW)

    got = [one.person for one in found.recipients]
    out = [one.person for one in found.left_out]
    assert sorted(one.id for one in (*got, *out)) == sorted(one.id for one in people)
    assert all(one.phone and not one.gone and not known[one.id].opted_out for one in got)
    if category is Category.MARKETING:
        assert all(one.consents for one in got)
    assert all(
        one.language == ("en" if one.person.language == "en" else "he") for one in found.recipients
    )
    assert found.audience_hash == again.audience_hash
    assert rules.counted(found.audience_hash) == len(got)
