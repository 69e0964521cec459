"""The fold from turn events to the open protocol."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from ag_ui.core import BaseEvent, UserMessage
from ag_ui.encoder import EventEncoder
from hypothesis import given

from app.core.errors import BadInput
from app.core.ids import new_id
from bot.channels.web.agui import Fold
from bot.channels.web.interrupts import choice_of
from bot.turn.events import Answered, Asked, Delta, Ended, EndReason, Event, Heard, Restart, Said
from tests.bot.channels.web.sequences import QUESTION, Rules, asked, call, ran, turns
from tools.kit.cards import AnyCard, ConfirmBatch, Option, Pick, Typed
from tools.kit.choices import choice_of_json
from tools.kit.questions import Approve, Choice, Choose, Decline, Words
from tools.kit.values import Line, Name

UNTIL = datetime(2026, 12, 1, 13, 15, tzinfo=UTC)
TURN, THREAD = new_id(), new_id()


class Plain:
    """Views that say the keys."""

    def label(self, tool: str) -> str:
        return f"label of {tool}"

    def card(self, card: AnyCard, until: datetime | None = None) -> dict[str, Any]:
        return {"kind": card.kind, "title": "A title", "lines": [], **_until(until)}

    def end(self, ended: Ended) -> str:
        return "" if ended.reason == "done" else f"end: {ended.reason}"

    def limit(self, ended: Ended) -> dict[str, Any]:
        return {"text": self.end(ended)}

    def recap(self, events: Sequence[Event]) -> dict[str, Any]:
        return {"done": [len(events)]}

    def next_steps(self, playbook: str) -> list[str]:
        return [f"after {playbook}"] if playbook else []

    def settled(self, answered: Answered, kind: str) -> str:
        return f"{kind} {answered.outcome} {answered.where}"


def _until(until: datetime | None) -> dict[str, str]:
    return {"until": until.isoformat()} if until else {}


def fold(**more: Any) -> Fold:  # noqa: ANN401 - whatever the fold takes
    return Fold(thread=THREAD, turn=TURN, views=Plain(), until=lambda _: UNTIL, **more)


def wire(events: list[Event], picture: Fold | None = None) -> list[dict[str, Any]]:
    picture = picture or fold()
    return [dump(one) for event in events for one in picture.of(event)]


def dump(event: BaseEvent) -> dict[str, Any]:
    shown: dict[str, Any] = event.model_dump(mode="json", by_alias=True)
    return shown


def types(events: list[dict[str, Any]]) -> list[str]:
    return [event.get("name", event["type"]) for event in events]


@given(turns())
def test_any_turn_is_a_valid_stream_and_the_whole_message_wins(events: list[Event]) -> None:
    rules, picture = Rules(), fold()
    for event in events:
        rules.feed(picture.of(event))
    assert rules.running is None
    assert rules.runs == 1 + sum(isinstance(event, Answered) for event in events)
    spoken = [text for key, text in rules.texts.items() if ".m" in key]
    for said in (event for event in events if isinstance(event, Said) and event.text):
        assert said.text in spoken


@given(turns())
def test_the_same_turn_without_its_pieces_says_the_same(events: list[Event]) -> None:
    stored = [event for event in events if not isinstance(event, Delta | Restart)]
    rules, picture = Rules(), fold()
    for event in stored:
        rules.feed(picture.of(event))
    said = [event.text for event in events if isinstance(event, Said) and event.text]
    assert [text for key, text in rules.texts.items() if ".m" in key] == said


def test_a_plain_turn() -> None:
    events = wire([Heard(text="hi"), Delta(text="Hel"), Said(text="Hello"), Ended(reason="done")])
    assert types(events) == [
        "RUN_STARTED",
        *("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"),
        *("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"),
        *("recap", "RUN_FINISHED"),
    ]
    assert [e["delta"] for e in events if "delta" in e] == ["hi", "Hel", "lo"]
    assert events[0]["protocolVersion"] == "1.0"
    assert events[-1]["outcome"] == {"type": "success"}


def test_words_that_turned_out_otherwise_are_dropped_and_said_anew() -> None:
    events = wire([Heard(text="hi"), Delta(text="Good n"), Said(text="Good morning")])
    dropped = next(e for e in events if e.get("name") == "restart")["value"]["message_id"]
    ended = [e["messageId"] for e in events if e["type"] == "TEXT_MESSAGE_END"]
    assert ended[-2:] == [dropped, f"{TURN}.m0.1"]
    assert events[-2]["delta"] == "Good morning"


def test_a_question_is_an_interrupt_with_schema_and_expiry() -> None:
    ask = asked(0)[0]
    events = wire([Heard(text="x"), Said(calls=(call(0),)), ask])
    assert isinstance(ask, Asked)
    assert types(events)[-2:] == ["confirmation_pending", "RUN_FINISHED"]
    wait = events[-1]["outcome"]["interrupts"][0]
    assert wait["id"] == str(ask.question_id)
    assert wait["toolCallId"] == "toolu_0"
    assert wait["expiresAt"] == UNTIL.isoformat()
    assert wait["responseSchema"]["required"] == ["approved"]
    assert wait["metadata"]["spotter"]["view"]["kind"] == "confirm"


def test_an_answer_begins_the_next_run_and_says_how_it_was_settled() -> None:
    events = wire([Heard(text="x"), Said(calls=(call(0),)), *asked(0), Ended(reason="done")])
    started = [e["runId"] for e in events if e["type"] == "RUN_STARTED"]
    assert started == [f"{TURN}.0", f"{TURN}.1"]
    settled = next(e for e in events if e.get("name") == "card_settled")["value"]
    assert (settled["outcome"], settled["approved"]) == ("decided", ["toolu_0"])
    result = next(e for e in events if e["type"] == "TOOL_CALL_RESULT")
    assert result["content"] == '{"done":"bookings.move","member":"Dana"}'
    assert result["metadata"]["spotter"]["ok"] is True


@pytest.mark.parametrize(
    ("reason", "last", "outcome"),
    [
        ("done", "RUN_FINISHED", "success"),
        ("refused", "RUN_FINISHED", "success"),
        ("stopped", "RUN_FINISHED", "cancelled"),
        ("superseded", "RUN_FINISHED", "cancelled"),
        ("over_budget", "RUN_FINISHED", "cancelled"),
        ("model_failed", "RUN_ERROR", None),
    ],
)
def test_each_end_is_told_as_what_it_is(reason: EndReason, last: str, outcome: str | None) -> None:
    events = wire([Heard(text="x"), Ended(reason=reason)])
    assert events[-1]["type"] == last
    assert events[-1].get("outcome", {}).get("type") == outcome
    budget = [e for e in events if e.get("name") == "agent_budget_exceeded"]
    assert bool(budget) == (reason == "over_budget")


def test_the_recap_lists_what_happened() -> None:
    events = wire([Heard(text="x"), Said(calls=(call(0),)), ran(0), Ended(reason="done")])
    recap = next(e for e in events if e.get("name") == "recap")["value"]
    assert recap["happened"] == [
        {
            "tool_call_id": "toolu_0",
            "tool": "bookings__move",
            "kind": "done",
            "ok": True,
            "text": "A title",
        }
    ]


def test_a_client_of_the_protocol_gets_its_run_back_and_a_snapshot_before_it_is_asked() -> None:
    mine = UserMessage(id="u1", content="cancel it")
    picture = fold(asked_for="run-7", given=[mine])
    ask, answer, done = asked(0)
    first = wire([Heard(text="cancel it"), Said(text="Sure?", calls=(call(0),)), ask], picture)
    assert dump(picture.start())["runId"] == first[-1]["runId"] == "run-7"
    assert types(first)[-3:] == ["confirmation_pending", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]
    assert [m["role"] for m in first[-2]["messages"]] == ["user", "assistant"]
    assert not [e for e in first if e.get("role") == "user"]
    later = wire([answer, done, Said(text="Done"), Ended(reason="done")], picture)
    assert [m["role"] for m in later[-2]["messages"]] == ["user", "assistant", "tool", "assistant"]


def test_what_a_client_has_already_is_not_in_its_snapshot_twice() -> None:
    events: list[Event] = [Heard(text="x"), Said(text="Hello"), Ended(reason="done")]
    first = wire(events, fold(asked_for="a", given=[]))[-2]["messages"]
    assert len(first) == 1
    given = [UserMessage(id=first[0]["id"], content="kept")]
    again = wire(events, fold(asked_for="b", given=given))[-2]["messages"]
    assert [m["id"] for m in again] == [first[0]["id"]]


def test_the_encoder_takes_every_event_of_a_turn() -> None:
    encode = EventEncoder().encode
    picture = fold()
    events: list[Event] = [Heard(text="x"), Said(calls=(call(0),)), *asked(0), Ended(reason="done")]
    for event in events:
        for one in picture.of(event):
            assert encode(one).startswith('data: {"type":"')


BATCH = ConfirmBatch(items=(QUESTION, QUESTION, QUESTION))
PICK = Pick(
    ask=Line(key="pick.member"),
    options=tuple(Option(id=str(n), label=Name(text=f"Dana {n}")) for n in range(1, 4)),
)
TYPED = Typed(of="members.erase", words="erase Dana")


@pytest.mark.parametrize(
    ("card", "payload", "choice"),
    [
        (QUESTION, {"approved": True}, Approve()),
        (QUESTION, {"approved": False}, Decline()),
        (BATCH, {"approved": [3, 1]}, Choose((1, 3))),
        (BATCH, {"approved": []}, Choose(())),
        (PICK, {"option": 2}, Choose((2,))),
        (PICK, {"option": 0}, Choose(())),
        (TYPED, {"words": "erase Dana"}, Words("erase Dana")),
    ],
)
def test_a_resume_entry_is_a_choice(card: Any, payload: object, choice: Choice) -> None:  # noqa: ANN401 - any card
    assert choice_of(card, "resolved", payload) == choice
    assert choice_of(card, "cancelled", None) == Decline()


@pytest.mark.parametrize(
    ("card", "payload"),
    [
        (QUESTION, None),
        (QUESTION, {"approved": "yes"}),
        (QUESTION, {"approved": 1}),
        (BATCH, {"approved": [4]}),
        (BATCH, {"approved": [True]}),
        (PICK, {"option": "2"}),
        (PICK, {}),
        (TYPED, {"words": 7}),
    ],
)
def test_an_answer_that_does_not_fit_approves_nothing(card: Any, payload: object) -> None:  # noqa: ANN401 - any card
    with pytest.raises(BadInput):
        choice_of(card, "resolved", payload)


@pytest.mark.parametrize(
    ("raw", "choice"),
    [
        ("approve", Approve()),
        ("decline", Decline()),
        ([2, 1], Choose((1, 2))),
        ([], Choose(())),
        ("erase Dana", Words("erase Dana")),
    ],
)
def test_our_page_s_answer_is_a_choice(raw: object, choice: Choice) -> None:
    assert choice_of_json(raw) == choice


@pytest.mark.parametrize("raw", [None, "", "  ", True, 1, [0], ["1"], [True], {"a": 1}])
def test_our_page_s_answer_is_checked(raw: object) -> None:
    with pytest.raises(BadInput):
        choice_of_json(raw)


def test_ids_are_the_same_whoever_folds() -> None:
    events: list[Event] = [Heard(text="x"), Said(text="Hello"), Ended(reason="done")]
    assert wire(events) == wire(events)
    assert UUID(wire(events)[0]["threadId"]) == THREAD
