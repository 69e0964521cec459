"""The end of a turn says what it came to: as data wherever it is read, in words what isn't said."""

from typing import Any

from app.core.errors import NotFound
from app.core.ids import new_id
from bot.conversation.models import Conversation
from bot.turn.events import Asked, Event, Heard, Ran, Said
from bot.turn.recap import recap
from tests.bot.conversation.test_playbooks import at_desk
from tests.floor import Gym, Phone
from tools.kit.calls import Call
from tools.kit.cards import AnyCard, Confirm, Done, Failed, NotRun, Progress


def cancelling(gym: Gym, *starts: str) -> dict[str, Any]:
    """A step of the model that cancels so many classes in one message, the second one's."""
    ids = [gym.studio.session(start) for start in starts]
    calls = [
        {"name": "class_sessions__cancel", "input": {"class_session_id": str(one)}} for one in ids
    ]
    return {"calls": calls}


def told(gym: Gym, phone: Phone) -> dict[str, Any]:
    """The recap of the last turn as a page reads it."""
    web = at_desk(gym, gym.owner)
    kept = web.get(f"/chat/conversations/{conversation(gym, phone).id}").json()
    events = kept["turns"][-1]["events"]
    value: dict[str, Any] = next(e["value"] for e in events if e.get("name") == "recap")
    return value


def conversation(gym: Gym, phone: Phone) -> Conversation:
    return next(
        one
        for one in gym.conversations()
        if one.address and one.address["recipient"] == phone.address
    )


def test_what_was_left_out_of_a_batch_is_said_and_what_was_done_is_not_said_twice(gym: Gym) -> None:
    phone = gym.linked()
    gym.says(
        ("clear them", [cancelling(gym, "13:00", "14:00"), {"say": "One is off."}]),
        ("clear that", [cancelling(gym, "15:00"), {"say": "It stays."}]),
    )
    phone.says("clear them")
    text = "\n".join(phone.says("1"))
    assert text.count("13:00") == 1
    assert text.endswith(
        "Not done:\n- Cancel the class: WOD · Tue 1 Dec 14:00 · booked: 0 · declined"
    )
    value = told(gym, phone)
    assert [one["tool"] for one in value["done"]] == ["class_sessions__cancel"]
    assert value["done"][0]["undo"]["number"] == 1
    assert [one["why"] for one in value["not_done"]] == ["declined"]
    assert value["waits"] == []

    phone.says("clear that")
    assert phone.says("2") == ["It stays."]  # who declined all of it knows
    assert [one["why"] for one in told(gym, phone)["not_done"]] == ["declined"]


A, B, C = (Call(id=name, name=f"bookings__{name}", input={}) for name in ("book", "move", "find"))


def turn(*cards: tuple[Call, AnyCard], asks: Call | None = None) -> list[Event]:
    ran: list[Event] = [Ran(call_id=call.id, card=card) for call, card in cards]
    calls = tuple({call.id: call for call, _ in cards}.values())
    return [Heard(text="x"), Said(calls=(*calls, *([asks] if asks else []))), *ran]


def fates(events: list[Event]) -> list[str]:
    return [one.fate for one in recap(events, lambda name: name.endswith("find")).deeds]


def test_a_recap_tells_deeds_from_look_ups_and_from_mistakes_that_were_mended() -> None:
    again = Call(id="again", name=A.name, input={})
    wrong, full = (Failed(code=code) for code in (NotFound.code, "class_full"))
    done = Done(of="bookings.book")
    assert fates(turn((C, wrong), (A, done))) == ["done"]
    assert fates(turn((A, wrong), (again, done))) == ["done"]
    assert fates(turn((A, full), (again, done))) == ["not_done", "done"]
    assert fates(turn((A, wrong), (again, wrong))) == ["not_done", "not_done"]
    assert fates(turn((A, Progress(of="x.y", done=0)))) == ["waits"]

    card = Confirm(of="bookings.move")
    asked = Asked(
        question_id=new_id(), kind="confirm", card=card, call_ids=("move",), targets=("",)
    )
    waiting = recap([*turn((A, done), asks=B), asked], lambda _: False)
    assert [(one.fate, one.asked) for one in waiting.deeds] == [("done", None), ("waits", card)]

    newer = turn((A, done), (B, NotRun(reason="superseded")))
    assert recap(newer, lambda _: False).untold == ()
    skipped = turn((A, full), (B, NotRun(reason="skipped")))
    assert len(recap(skipped, lambda _: False).untold) == 2
