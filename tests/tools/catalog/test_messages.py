"""What one agrees to of a message: just this text, to just these people."""

from typing import Any

import pytest
from sqlalchemy import select

from app.core.outbox import Outbox, OutboxState
from app.messages.service import CARRY
from app.people import service as people
from app.people.terms import Channel
from tests.reachable import reachable, told_alone
from tests.studio import Studio
from tests.tools.catalog.asking import Asking
from tools.kit.calls import Decision
from tools.kit.cards import Confirm, Done, Failed

TEXT = {"en": "Hi {name}"}


@pytest.fixture
def ask(studio: Studio) -> Asking:
    return Asking(studio, studio.owner)


def previewed(ask: Asking, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as the tool's
    given = {"channel": "sms", "body": TEXT, **more}
    told = ask.told("messages.preview_broadcast", **given)
    return {**given, "audience_hash": told["audience_hash"]}


def test_a_broadcast_asks_with_the_count_the_texts_and_who_is_left_out(
    studio: Studio, ask: Asking
) -> None:
    reachable(studio)
    told_alone(studio, "Max Klein")
    question = ask.question("messages.send_broadcast", **previewed(ask))
    assert question is not None
    assert isinstance(question.card, Confirm)
    said = question.card.model_dump_json()
    assert all(piece in said for piece in ("Hi {name}", "Dana Levi", "Max Klein", '"n":1'))


def test_who_joined_since_the_preview_stops_it_and_is_told(studio: Studio, ask: Asking) -> None:
    reachable(studio)
    given = previewed(ask)
    question = ask.question("messages.send_broadcast", **given)
    assert question is not None
    reachable(studio, "Noa Bar")
    agreed = Decision(approved=True, target=question.target)
    card = ask.decided(agreed, "messages.send_broadcast", **given).card
    assert isinstance(card, Failed)
    assert (card.code, card.values["before"], card.values["now"]) == ("audience_changed", 1, 2)


def test_a_schedule_is_asked_again_when_its_people_change(studio: Studio, ask: Asking) -> None:
    dana, noa = reachable(studio), told_alone(studio, "Noa Bar")
    given = {"channel": "sms", "body": TEXT, "send_at": "2026-12-02T10:00"}
    question = ask.question("messages.schedule_broadcast", **given)
    assert question is not None
    with studio.act() as session:  # as many as before, but others
        people.consent(session, dana, now=None)
        people.consent(session, noa, now=studio.now)
    agreed = Decision(approved=True, target=question.target)
    assert ask.decided(agreed, "messages.schedule_broadcast", **given).moved


def test_one_message_shows_the_text_the_channel_and_the_hour(studio: Studio, ask: Asking) -> None:
    dana = told_alone(studio, language="he")
    studio.wait(hours=12)
    given = {"member_id": str(dana), "channel": "sms", "body": "See you, {name}"}
    question = ask.question("messages.send_to_member", **given)
    assert question is not None
    assert isinstance(question.card, Confirm)
    assert question.card.always
    keys = [line.key for line in question.card.effects]
    assert keys == ["messages.kind_utility", "messages.other_language", "messages.leaves_later"]
    assert "See you, Dana" in question.card.model_dump_json()
    assert isinstance(ask.card("messages.send_to_member", **given), Done)


def test_who_opted_out_is_not_asked_about(studio: Studio, ask: Asking) -> None:
    dana = told_alone(studio, phone="+972541112233")
    given = {"member_id": str(dana), "channel": "sms", "body": "See you"}
    with studio.act() as session:
        people.opt_out(
            session, studio.org_id, Channel.SMS, "+972541112233", source="word", now=studio.now
        )
    assert ask.question("messages.send_to_member", **given) is None
    assert ask.told("messages.send_to_member", **given)["error"] == "opted_out"


def test_a_coach_previews_but_sends_to_many_only_as_an_admin(studio: Studio, ask: Asking) -> None:
    reachable(studio)
    coach = ask.by(studio.coach)
    given = previewed(coach)
    assert coach.told("messages.send_broadcast", **given)["error"] == "not_allowed"
    owing = {"channel": "sms", "body": TEXT, "filter": {"unpaid": True}}
    assert coach.told("messages.preview_broadcast", **owing)["error"] == "not_allowed"


@pytest.mark.parametrize(
    "bad",
    [
        {"channel": "pigeon"},
        {"body": {"fr": "Salut"}},
        {"body": {"en": "x" * 1_001}},
        {"variables": {"Bad Name": "x"}},
        {"filter": {"price": 5}},
    ],
)
def test_nonsense_is_refused(ask: Asking, bad: dict[str, Any]) -> None:
    given = {"channel": "sms", "body": TEXT, **bad}
    assert ask.told("messages.preview_broadcast", **given)["error"] == "bad_input"


def test_news_for_who_has_not_paid_tells_a_coach_nothing(studio: Studio, ask: Asking) -> None:
    news = {"title": "Payment", "body": "Please pay.", "audience": {"unpaid": True}}
    coach, admin = ask.by(studio.coach), ask.by(studio.admin)
    assert coach.told("announcements.create_draft", **news)["error"] == "not_allowed"
    made = admin.card("announcements.create_draft", **news)
    assert isinstance(made, Done)
    assert made.ref is not None
    change = {"announcement_id": made.ref.id, "body": "Please pay soon."}
    assert coach.told("announcements.update", **change)["error"] == "not_allowed"
    (seen,), (whole,) = (one.told("announcements.list")["rows"] for one in (coach, admin))
    assert (seen.get("reach"), whole["reach"]) == (None, 0)


def test_news_taken_back_in_time_is_never_pushed(studio: Studio, ask: Asking) -> None:
    told_alone(studio)
    made = ask.told("announcements.create_draft", title="Showers", body="They are closed.")
    given = {"announcement_id": made["announcement_id"], "push": "sms"}
    outcome = ask.outcome("announcements.publish", **given)
    assert ask.undo(outcome).ok
    (shown,) = ask.told("announcements.list")["rows"]
    assert shown["status"] == "unpublished"
    with studio.act() as session:
        rows = session.scalars(select(Outbox)).all()
        states = [row.state for row in rows if row.topic == CARRY]
    assert states == [OutboxState.DROPPED]
