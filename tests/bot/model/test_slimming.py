"""Old large results become digests in strides; thinking holds through it on the stand-in."""

import json
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversation.ledger import first_remembered
from bot.model.slimming import LARGE, spelled, still_bound, window
from bot.model.transcript import transcript
from bot.turn.advance import advance
from bot.turn.events import Delta, Ended, Event, Ran, Restart
from tests.bot.model.conftest import Talk
from tests.bot.model.samples import SmallRunner, call, heard, said
from tools.kit.calls import Call, Decision, Outcome
from tools.kit.cards import Table, TableRow, for_model
from tools.kit.values import Line, Name

WORDS = {"say": "Those are they."}


def table(rows: int) -> Table:
    return Table(
        title=Line(key="members"),
        columns=("label.member", "label.phone"),
        rows=tuple(
            TableRow(id=f"id-{n}", cells=(Name(text=f"Member {n}"), Name(text="+972" + "5" * 9)))
            for n in range(rows)
        ),
        total=rows,
    )


class ListingRunner(SmallRunner):
    """Its one read lists as many members as it is asked for."""

    def run(self, call: Call, decision: Decision | None = None) -> Outcome:
        del decision
        return Outcome(card=table(call.input["n"]))


def turn(number: int, rows: int) -> list[Event]:
    one = call(number)
    return [
        heard(f"turn {number}"),
        said(one),
        Ran(call_id=one.id, card=table(rows)),
        said(text="So."),
    ]


def results(turns: Sequence[Sequence[Event]]) -> list[str]:
    return [
        block["content"]
        for message in transcript(turns, None)
        for block in message["content"]
        if block["type"] == "tool_result"
    ]


@pytest.mark.parametrize(
    ("answered", "whole_from"), [(1, 0), (5, 0), (6, 4), (9, 4), (10, 8), (13, 8), (14, 12)]
)
def test_two_to_five_turns_stay_whole(answered: int, whole_from: int) -> None:
    assert window(answered - 1) == whole_from
    told = results([turn(number, 60) for number in range(answered)])
    assert [len(text) <= LARGE for text in told] == [
        number < whole_from for number in range(answered)
    ]


def test_a_digest_has_the_first_ten_the_count_and_the_way_back() -> None:
    digest = json.loads(results([turn(number, 60) for number in range(6)])[0])
    assert digest["total"] == 60
    assert [row["id"] for row in digest["first"]] == [f"id-{n}" for n in range(10)]
    assert digest["first"][0]["label"].startswith("Member 0")
    assert "call the tool again" in digest["slimmed"]


def test_small_results_stay_as_they_are() -> None:
    turns = [turn(number, 3) for number in range(12)]
    assert all(
        json.loads(text)["total"] == 3 and "rows" in json.loads(text) for text in results(turns)
    )


@given(st.frozensets(st.integers(0, 30)), st.data())
def test_kept_thinking_follows_what_it_followed_when_it_was_made(
    large: frozenset[int], data: st.DataObject
) -> None:
    now = data.draw(st.integers(0, 30))
    made = data.draw(st.integers(0, now))
    older = data.draw(st.integers(0, made))
    if still_bound(made, now, large):
        assert still_bound(older, made, large) == still_bound(older, now, large)


@pytest.mark.parametrize("big", [{0, 2, 7}, {3}, {5, 6}, set(range(14))])
def test_a_long_conversation_is_never_refused(play: Callable[..., Talk], big: set[int]) -> None:
    steps = [
        step
        for number in range(14)
        for step in (
            {"calls": [{"name": "read__find_members", "input": {"n": 60 if number in big else 2}}]},
            WORDS,
        )
    ]
    talk = play(*steps)
    turns: list[list[Event]] = []
    for number in range(14):
        history: list[Event] = [heard(f"turn {number}")]
        model = talk.model(turns)
        events = advance(history, model=model, runner=ListingRunner(), watch=lambda: None)
        kept = [event for event in events if not isinstance(event, Delta | Restart)]
        assert kept[-1] == Ended(reason="done")
        turns.append([*history, *kept])
    assert [usage.outcome for usage in talk.used] == ["whole"] * 28


def test_a_conversation_of_four_hundred_messages_is_sent_in_a_bounded_prompt() -> None:
    """100 turns of four messages, each with 60 members listed: the last are sent, mostly slim."""
    turns = [turn(number, 60) for number in range(100)]

    def characters(number: int) -> int:
        return len(spelled(transcript(turns[first_remembered(number) : number], None)))

    listed = 100 * len(spelled(for_model(table(60))))
    assert len(transcript(turns, None)) == 400
    early, late = characters(40), characters(100)
    assert abs(late - early) < 100
    assert late < 70_000 < listed / 5
