"""What is queued goes out in order, once, or is known to have gone twice; and how it fares."""

import threading
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from app.core.db import as_org
from bot.channels.twilio.client import twilio_client
from bot.channels.twilio.inbound import take_all
from bot.channels.twilio.sending import send_lane
from bot.conversation import outbound
from bot.conversation.models import (
    ChannelIdentity,
    InboundEvent,
    InboundState,
    OutboundMessage,
    OutboundState,
)
from bot.playground.twilio_api.records import Message
from bot.playground.twilio_api.rules import Rule
from tests.bot.conversation.test_mailbox import nothing
from tests.floor import Gym, Phone, within


@pytest.fixture
def phone(gym: Gym) -> Phone:
    return gym.linked()


def rule(gym: Gym, phone: Phone, **more: Any) -> None:  # noqa: ANN401 - as Rule
    assert gym.stage.twilio is not None
    gym.stage.twilio.service.rules.add(
        Rule.model_validate({"to": phone.number, "channel": phone.channel, **more})
    )


def at_vendor(gym: Gym, phone: Phone) -> list[Message]:
    """What the vendor has sent to this phone, in order."""
    assert gym.stage.twilio is not None
    store = gym.stage.twilio.service.store
    return store.matching(lambda one: one.direction == "outbound-api" and one.to == phone.address)


def post(gym: Gym, phone: Phone, *bodies: str, key: str) -> None:
    _, ours, theirs = phone.lane.split("|")
    line = outbound.Line(phone.channel, ours, theirs)
    with gym.db.transaction(gym.org_id) as session:
        outbound.post(session, line, bodies, key=key, enqueue=nothing, org_id=gym.org_id)


def newest(phone: Phone) -> OutboundMessage:
    return phone.rows()[-1]


def report(gym: Gym) -> None:
    """Take whatever reports have come."""
    with gym.db.platform() as session:
        stored = InboundEvent.state == InboundState.STORED, InboundEvent.kind == "status"
        lanes = session.scalars(select(InboundEvent.sender).where(*stored).distinct()).all()
    for lane in lanes:
        take_all(gym.stage.wiring.intake, lane)


def reported(gym: Gym, phone: Phone, state: OutboundState) -> OutboundMessage:
    """The newest message, once the vendor's reports have brought it there."""

    def there() -> OutboundMessage | None:
        report(gym)
        row = newest(phone)
        return row if row.state is state else None

    found: OutboundMessage = within(10, there)
    return found


def test_parts_go_out_in_order(gym: Gym, phone: Phone) -> None:
    parts = [f"part {n}" for n in range(6)]
    post(gym, phone, *parts, key="parts")
    gym.settle()
    assert [one.look.body for one in at_vendor(gym, phone)][-6:] == parts


def test_the_same_key_again_sends_nothing_more(gym: Gym, phone: Phone) -> None:
    post(gym, phone, "once", key=f"key:{phone.number}")
    post(gym, phone, "twice", key=f"key:{phone.number}")
    gym.settle()
    assert [one.look.body for one in at_vendor(gym, phone)].count("once") == 1
    assert "twice" not in [one.look.body for one in at_vendor(gym, phone)]


def test_ten_senders_at_once_send_each_message_once(gym: Gym, phone: Phone) -> None:
    parts = [f"part {n}" for n in range(5)]
    post(gym, phone, *parts, key="race")
    threads = [
        threading.Thread(target=send_lane, args=(gym.stage.wiring.sender, phone.lane))
        for _ in range(10)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gym.settle()
    assert [one.look.body for one in at_vendor(gym, phone)][-5:] == parts


def test_the_next_part_waits_until_the_last_has_left(gym: Gym, phone: Phone) -> None:
    reported(gym, phone, OutboundState.DELIVERED)
    rule(gym, phone, delay=0.4)
    post(gym, phone, "first", "second", key="pace")
    sender = replace(gym.stage.wiring.sender, pace_s=5.0)
    running = threading.Thread(target=send_lane, args=(sender, phone.lane))
    running.start()
    within(5, lambda: any(one.look.body == "first" for one in at_vendor(gym, phone)))
    assert not any(one.look.body == "second" for one in at_vendor(gym, phone))
    while running.is_alive():
        report(gym)
        running.join(0.05)
    first, second = at_vendor(gym, phone)[-2:]
    assert first.sent is not None
    assert first.sent <= second.created


def test_reports_move_it_on(gym: Gym, phone: Phone) -> None:
    rule(gym, phone, outcome="read")
    post(gym, phone, "hello", key="read")
    gym.settle()
    row = reported(gym, phone, OutboundState.READ)
    assert row.sid == at_vendor(gym, phone)[-1].sid


def test_reports_out_of_order_and_twice_never_move_it_back(gym: Gym, phone: Phone) -> None:
    rule(gym, phone, outcome="read", order="reversed", copies=2)
    post(gym, phone, "hello", key="reversed")
    gym.settle()
    reported(gym, phone, OutboundState.READ)

    def all_three() -> bool:
        with gym.db.platform() as session:
            keys = InboundEvent.key.startswith(f"{newest(phone).sid}:")
            return len(session.scalars(select(InboundEvent).where(keys)).all()) == 3

    within(10, all_three)
    report(gym)
    assert newest(phone).state is OutboundState.READ


def test_a_report_that_comes_before_we_know_the_id_waits_for_it(gym: Gym, phone: Phone) -> None:
    """The answer to our request takes longer than the message itself."""
    rule(gym, phone, outcome="hang", seconds=0.6, delay=0.0)
    post(gym, phone, "hello", key="early")
    running = threading.Thread(target=send_lane, args=(gym.stage.wiring.sender, phone.lane))
    running.start()
    within(10, lambda: "hello" in {one.look.body for one in at_vendor(gym, phone)})
    within(10, lambda: at_vendor(gym, phone)[-1].status in {"sent", "delivered"})
    report(gym)
    assert newest(phone).state is OutboundState.SENDING
    running.join(10)
    reported(gym, phone, OutboundState.DELIVERED)


def test_a_report_about_nothing_of_ours_is_put_aside_in_the_end(gym: Gym, phone: Phone) -> None:
    rule(gym, phone, delay=0.0)
    post(gym, phone, "hello", key="foreign")
    gym.settle()
    sid = newest(phone).sid
    with gym.db.platform() as session:
        session.merge(newest(phone)).sid = None

    def states() -> set[InboundState]:
        report(gym)
        with gym.db.platform() as session:
            keys = InboundEvent.key.startswith(f"{sid}:")
            return set(session.scalars(select(InboundEvent.state).where(keys)))

    within(5, lambda: states() == {InboundState.STORED})
    gym.later(minutes=11)
    assert states() == {InboundState.IGNORED}


class TestFailures:
    def test_what_is_busy_is_tried_again_later(self, gym: Gym, phone: Phone) -> None:
        rule(gym, phone, outcome="refuse", code=20429, http_status=429, times=1)
        post(gym, phone, "hello", key="busy")
        gym.settle()
        assert newest(phone).state is OutboundState.QUEUED
        gym.later(seconds=2)
        gym.settle()
        assert newest(phone).state in {OutboundState.ACCEPTED, OutboundState.SENT}
        assert not newest(phone).maybe_twice

    def test_what_is_refused_for_good_is_told_so(self, gym: Gym, phone: Phone) -> None:
        rule(gym, phone, outcome="refuse", code=21211)
        post(gym, phone, "hello", "world", key="refused")
        gym.settle()
        states = [(row.state, row.error_code) for row in phone.rows()[-2:]]
        assert states == [(OutboundState.REJECTED, 21211)] * 2

    def test_retries_end(self, gym: Gym, phone: Phone) -> None:
        rule(gym, phone, outcome="refuse", code=20429, http_status=429)
        post(gym, phone, "hello", key="tired")
        for _ in range(8):
            gym.settle()
            gym.later(minutes=2)
        assert newest(phone).state is OutboundState.REJECTED
        assert newest(phone).attempts == 6

    def test_what_waits_for_long_holds_up_nothing_behind_it(self, gym: Gym, phone: Phone) -> None:
        rule(gym, phone, outcome="refuse", code=63017, times=1)
        post(gym, phone, "first", key="long")
        gym.settle()
        post(gym, phone, "second", key="behind")
        gym.settle()
        first, second = phone.rows()[-2:]
        assert first.state is OutboundState.QUEUED
        assert second.sid is not None
        gym.later(minutes=6)
        gym.settle()
        assert at_vendor(gym, phone)[-1].look.body == "first"

    def test_an_unknown_fate_is_looked_up_and_not_sent_twice(self, gym: Gym, phone: Phone) -> None:
        rule(gym, phone, outcome="accept_then_500", times=1)
        post(gym, phone, "hello", key="unknown")
        gym.settle()
        assert newest(phone).state is OutboundState.UNKNOWN
        gym.later(seconds=3)
        gym.settle()
        bodies = [one.look.body for one in at_vendor(gym, phone)]
        assert bodies.count("hello") == 1
        assert newest(phone).sid == at_vendor(gym, phone)[-1].sid
        assert not newest(phone).maybe_twice

    def test_a_timeout_is_an_unknown_fate(self, gym: Gym, phone: Phone) -> None:
        rule(gym, phone, outcome="hang", seconds=2.0, times=1)
        post(gym, phone, "hello", key="timeout")
        wiring = gym.stage.wiring
        settings = wiring.settings
        token = settings.twilio_auth_token.get_secret_value()
        hasty = twilio_client(
            settings.twilio_account_sid, token, api_url=settings.twilio_api_url, timeout=0.3
        )
        send_lane(replace(wiring.sender, client=hasty), phone.lane)
        assert newest(phone).state is OutboundState.UNKNOWN
        gym.later(seconds=3)
        gym.settle()
        assert [one.look.body for one in at_vendor(gym, phone)].count("hello") == 1

    def test_what_the_vendor_knows_nothing_of_is_sent_again_and_marked(
        self, gym: Gym, phone: Phone
    ) -> None:
        rule(gym, phone, outcome="refuse_500", times=1)
        post(gym, phone, "hello", key="nowhere")
        gym.settle()
        gym.later(seconds=3)
        gym.settle()
        assert newest(phone).maybe_twice
        assert newest(phone).sid is not None

    def test_equal_texts_are_told_apart_when_looked_up(self, gym: Gym, phone: Phone) -> None:
        """The one that is known already is not taken for the one whose fate is unknown."""
        post(gym, phone, "hello", key="one")
        gym.settle()
        rule(gym, phone, outcome="refuse_500", times=1)
        post(gym, phone, "hello", key="two")
        gym.settle()
        gym.later(seconds=3)
        gym.settle()
        one, two = phone.rows()[-2:]
        assert one.sid != two.sid
        assert [each.look.body for each in at_vendor(gym, phone)].count("hello") == 2

    def test_what_a_dead_sender_left_is_looked_up_first(self, gym: Gym, phone: Phone) -> None:
        post(gym, phone, "hello", key="dead")
        gym.settle()
        with gym.db.platform() as session:
            row = session.merge(newest(phone))
            row.state, row.sid = OutboundState.SENDING, None
        gym.settle()
        assert [one.look.body for one in at_vendor(gym, phone)].count("hello") == 1
        assert newest(phone).sid == at_vendor(gym, phone)[-1].sid

    def test_a_phone_that_was_off_gets_it_later(self, gym: Gym, phone: Phone) -> None:
        rule(gym, phone, outcome="fail", code=30003, times=1, delay=0.0)
        post(gym, phone, "hello", key="off")
        gym.settle()
        reported(gym, phone, OutboundState.QUEUED)
        gym.later(minutes=31)
        gym.settle()
        assert [one.look.body for one in at_vendor(gym, phone)].count("hello") == 2


class TestFallback:
    @pytest.fixture
    def sms(self, phone: Phone) -> Phone:
        return phone.on("sms")

    def fails(self, gym: Gym, phone: Phone, code: int) -> None:
        rule(gym, phone, outcome="fail", code=code, delay=0.0)
        gym.cancels()
        phone.says("cancel it")
        reported(gym, phone, OutboundState.UNDELIVERED)
        gym.settle()

    @pytest.mark.parametrize("code", [63003, 63016, 63024])
    def test_a_card_that_whatsapp_refuses_comes_by_sms_and_is_answered_there(
        self, gym: Gym, phone: Phone, sms: Phone, code: int
    ) -> None:
        self.fails(gym, phone, code)
        (card,) = sms.got()
        assert card.startswith("Spotter (WhatsApp failed): cancel")
        told = sms.says("1")
        assert told[0].startswith("Cancelled:")
        assert [one.decided_where for one in gym.questions()] == ["sms"]
        assert any("Cancelled:" in text for text in phone.got())

    def test_it_comes_once(self, gym: Gym, phone: Phone, sms: Phone) -> None:
        self.fails(gym, phone, 63016)
        gym.later(minutes=2)
        for _ in range(3):
            gym.stage.wiring.pulse.beat()
            gym.settle()
        assert len(sms.got()) == 1

    def test_a_card_that_stays_on_its_way_comes_by_sms_after_a_minute(
        self, gym: Gym, phone: Phone, sms: Phone
    ) -> None:
        rule(gym, phone, outcome="stay_sent")
        gym.cancels()
        phone.says("cancel it")
        gym.stage.wiring.pulse.beat()
        gym.settle()
        assert sms.got() == []
        gym.later(seconds=61)
        gym.stage.wiring.pulse.beat()
        gym.settle()
        assert len(sms.got()) == 1

    def test_an_answered_card_needs_no_other_way(self, gym: Gym, phone: Phone, sms: Phone) -> None:
        rule(gym, phone, outcome="stay_sent")
        gym.cancels()
        phone.says("cancel it")
        phone.says("2")
        gym.later(seconds=61)
        gym.stage.wiring.pulse.beat()
        gym.settle()
        assert sms.got() == []

    def test_who_opted_out_of_sms_has_only_the_web(
        self, gym: Gym, phone: Phone, sms: Phone
    ) -> None:
        rule(gym, sms, outcome="refuse", code=21610)
        self.fails(gym, phone, 63016)
        assert [row.error_code for row in sms.rows()] == [21610]
        with gym.db.platform() as session:
            rows = session.scalars(
                select(ChannelIdentity).where(ChannelIdentity.value == phone.number)
            ).all()
        assert all(row.opted_out_sms for row in rows)
        sms.got()
        gym.says(("leave", [{"say": "Left."}]))
        phone.says("leave")
        self.fails(gym, phone, 63016)
        assert sms.got() == []

    def test_a_plain_text_has_no_other_way(self, gym: Gym, phone: Phone, sms: Phone) -> None:
        rule(gym, phone, outcome="fail", code=63016, delay=0.0)
        post(gym, phone, "hello", key="plain")
        gym.settle()
        reported(gym, phone, OutboundState.UNDELIVERED)
        gym.settle()
        assert sms.rows() == []


def test_an_org_sees_only_its_own_messages(gym: Gym, phone: Phone) -> None:
    post(gym, phone, "hello", key="wall")
    with gym.db.platform() as session, as_org(session, phone.gym.studio.class_type_id):
        assert session.scalars(select(OutboundMessage)).all() == []
