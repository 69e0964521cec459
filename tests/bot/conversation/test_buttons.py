"""A question's options as WhatsApp's own buttons and lists, and its numbers where those fail."""

import threading
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.twilio.client import twilio_client
from bot.channels.twilio.contents import Contents
from bot.channels.twilio.sending import send_lane
from bot.conversation import outbound
from bot.conversation.models import OutboundState
from bot.playground.twilio_api.content import refused_by_whatsapp
from bot.playground.twilio_api.records import Button, Look
from bot.render.native import BODY, Native, native
from bot.render.reader import Reader
from i18n import Language
from tests.bot.conversation.test_mailbox import nothing
from tests.bot.conversation.test_sending import at_vendor, newest, report, rule
from tests.floor import Gym, Phone, call, within
from tests.requests import tasks
from tests.studio import NOW
from tools.kit.cards import Option, Pick
from tools.kit.models import QuestionState
from tools.kit.values import Line, Name

OPTIONS = [{"id": one, "label": f"Dana {one}", "sublabel": f"in row {one}"} for one in "abcd"]


@pytest.fixture
def phone(gym: Gym) -> Phone:
    return gym.linked()


def tap(phone: Phone, title: str) -> list[str]:
    """The newest button of this title."""
    message = next(
        one
        for one in reversed(at_vendor(phone.gym, phone))
        if any(button.title == title for button in one.look.buttons)
    )
    button = next(one for one in message.look.buttons if one.title == title)
    return phone.says("", button_payload=button.id, quoted_sid=message.sid)


def arrived(gym: Gym, phone: Phone) -> bool:
    report(gym)
    gym.settle()
    return newest(phone).state is OutboundState.DELIVERED


def titles(gym: Gym, phone: Phone) -> list[str]:
    return [one.title for one in at_vendor(gym, phone)[-1].look.buttons]


def picking(gym: Gym, count: int = 3) -> None:
    asks = call("read.ask_user_to_pick", question="Which Dana?", options=OPTIONS[:count])
    gym.says(("which dana", [asks, {"say": "Her, then."}]))


def test_a_confirmation_has_two_buttons_above_its_numbers(gym: Gym, phone: Phone) -> None:
    gym.cancels()
    shown = phone.says("cancel it")[-1]

    assert "\n1 Cancel the class\n2 Keep it" in shown
    assert at_vendor(gym, phone)[-1].look.body == shown
    assert titles(gym, phone) == ["Cancel the class", "Keep it"]
    assert tap(phone, "Cancel the class")[0].startswith("Cancelled:")
    assert tap(phone, "Keep it")[0].startswith("Already approved")


def test_who_is_meant_is_picked_from_a_list(gym: Gym, phone: Phone) -> None:
    picking(gym)
    phone.says("which dana")
    look = at_vendor(gym, phone)[-1].look

    assert look.list_label == "Choose"
    assert [(one.title, one.description) for one in look.buttons][:2] == [
        ("1 Dana a", "in row a"),
        ("2 Dana b", "in row b"),
    ]
    assert look.buttons[-1].description == "Say in words who or what is meant"
    assert tap(phone, "2 Dana b")[-1] == "Her, then."


@pytest.mark.parametrize(("title", "left"), [("Approve all", 0), ("None of them", 2)])
def test_a_batch_is_approved_or_left_as_a_whole(
    gym: Gym, phone: Phone, title: str, left: int
) -> None:
    away = [tasks.task(gym.studio) for _ in range(2)]
    calls = [call("tasks.delete", task_id=each)["calls"][0] for each in away]
    gym.says(("both away", [{"calls": calls}, {"say": "So be it."}]))
    phone.says("both away")

    tap(phone, title)

    assert len(gym.calls()) == 2 - left
    assert not gym.questions(QuestionState.OPEN)


@pytest.mark.parametrize(
    "refusal", [{"outcome": "refuse", "code": 21656}, {"outcome": "fail", "code": 63005}]
)
def test_buttons_that_are_refused_leave_the_numbers(
    gym: Gym, phone: Phone, refusal: dict[str, Any]
) -> None:
    gym.cancels()
    rule(gym, phone, only="content", **refusal)
    shown = phone.says("cancel it")[-1]
    within(10, lambda: arrived(gym, phone))

    assert titles(gym, phone) == []
    assert at_vendor(gym, phone)[-1].look.body == shown
    assert not phone.on("sms").rows()
    assert phone.says("1")[0].startswith("Cancelled:")


def test_without_a_resource_for_them_the_numbers_stand_alone(
    gym: Gym, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiring = gym.stage.wiring
    nowhere = twilio_client("AC0", "token", api_url="http://127.0.0.1:9", timeout=0.5)
    lost = replace(wiring.sender, contents=Contents(gym.db, nowhere, "AC0"))
    monkeypatch.setitem(vars(wiring), "sender", lost)
    gym.cancels()
    shown = phone.says("cancel it")[-1]

    assert (titles(gym, phone), at_vendor(gym, phone)[-1].look.body) == ([], shown)
    assert phone.says("1")[0].startswith("Cancelled:")


def test_a_resource_that_is_gone_at_the_vendors_is_made_anew(gym: Gym, phone: Phone) -> None:
    gym.cancels()
    phone.says("cancel it")
    phone.says("2")
    assert gym.stage.twilio is not None
    gym.stage.twilio.service.store.contents.clear()
    phone.says("cancel it")

    assert titles(gym, phone) == ["Cancel the class", "Keep it"]
    assert newest(phone).buttons is not None


def test_one_resource_a_shape_however_many_need_it_at_once(gym: Gym) -> None:
    wiring = gym.stage.wiring
    contents = Contents(gym.db, wiring.twilio, "AC-another")
    buttons = Native((), "Choose").bound_to("t") | {
        "rows": [{"id": str(n), "title": str(n), "about": "x"} for n in range(5)]
    }
    made: list[dict[str, str] | None] = []
    threads = [
        threading.Thread(target=lambda: made.append(contents.content("Who?", buttons)))
        for _ in range(8)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    assert len({one["content_sid"] for one in made if one}) == 1
    assert len(made) == len(threads)


def test_a_long_text_goes_without_buttons() -> None:
    card = Pick(ask=Line(key="pick.other"), options=(Option(id="a", label=Name(text="A")),) * 2)
    reader = Reader(Language.EN, "Asia/Jerusalem", NOW)

    assert native(card, "a" * BODY, reader) is not None
    assert native(card, "a" * (BODY + 1), reader) is None


def test_what_waits_in_the_queue_keeps_its_buttons(gym: Gym, phone: Phone) -> None:
    """They are in its row, with the words: whichever worker sends it."""
    _, ours, theirs = phone.lane.split("|")
    rows = [{"id": f"t:{n}", "title": f"B{n}", "about": ""} for n in (1, 2)]
    with gym.db.transaction(gym.org_id) as session:
        outbound.post(
            session,
            outbound.Line(phone.channel, ours, theirs),
            ("first", "last"),
            key="buttons",
            enqueue=nothing,
            org_id=gym.org_id,
            buttons={"opens": "", "rows": rows},
        )
    send_lane(gym.stage.wiring.sender, phone.lane)
    looks = [one.look for one in at_vendor(gym, phone)[-2:]]
    assert [[button.id for button in one.buttons] for one in looks] == [[], ["t:1", "t:2"]]


NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=60
)


@given(
    st.lists(st.tuples(NAMES, st.just("") | NAMES), min_size=2, max_size=9),
    st.sampled_from(Language),
)
def test_whatever_the_options_are_called_whatsapp_takes_them(
    options: list[tuple[str, str]], language: Language
) -> None:
    card = Pick(
        ask=Line(key="pick.other"),
        options=tuple(
            Option(
                id=str(n),
                label=Name(text=label),
                sublabel=Name(text=sublabel) if sublabel else None,
            )
            for n, (label, sublabel) in enumerate(options)
        ),
    )
    found = native(card, "Who?", Reader(language, "Asia/Jerusalem", NOW))
    assert found is not None
    shown = tuple(Button(f"t:{one.answer}", one.title, one.about) for one in found.buttons)
    assert not refused_by_whatsapp(Look("Who?", shown, found.opens))
