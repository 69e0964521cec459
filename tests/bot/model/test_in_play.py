"""Ids that later words may mean are taken from events, whatever a summary's prose says."""

from collections.abc import Sequence
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from bot.model.in_play import LISTED, MOST, Thing, in_play
from bot.turn.events import Event, Ran
from tests.bot.model.samples import found, heard, said
from tests.bot.model.test_slimming import table
from tools.kit.calls import Call
from tools.kit.cards import Card, Done, Facts, Option, Picked, Ref
from tools.kit.values import Line, Name

CLASS, DANA = UUID(int=1), UUID(int=2)


def ran(card: Card, number: int = 1) -> Ran:
    return Ran(call_id=f"toolu_{number}", card=card)


def using(key: str, value: object) -> Event:
    return said(Call(id="toolu_9", name="bookings__create", input={key: value}))


def ids(things: Sequence[Thing]) -> list[str]:
    return [one.id for one in things]


def test_what_a_result_or_a_call_was_about_is_kept_with_its_name() -> None:
    ref = Ref(entity="class_session", id=CLASS, version=3)
    title = Line(key="session.title", values={"class": Name(text="Open gym")})
    turn: list[Event] = [
        heard("which?"),
        ran(Facts(title=title, ref=ref)),
        using("member_id", str(DANA)),
    ]
    assert in_play([turn]) == (
        Thing(str(DANA), "member", ""),
        Thing(str(CLASS), "class_session", "Open gym"),
    )
    picked = ran(Picked(option=Option(id=str(DANA), label=Name(text="Dana Levi"))))
    assert in_play([[picked]], in_play([turn]))[0] == Thing(str(DANA), "label", "Dana Levi")


def test_of_a_list_the_first_are_kept_and_whoever_was_meant_of_all() -> None:
    late = [using("member_ids", ["id-30", "id-31"])]
    things = in_play([[ran(table(40))], late])
    assert ids(things) == ["id-31", "id-30", *(f"id-{n}" for n in reversed(range(LISTED)))]
    assert things[-1].label.startswith("Member 0")
    assert things[-1].kind == "member"


def test_what_was_changed_outlives_what_is_merely_listed_beside_it() -> None:
    cancelled = Done(of="class_sessions.cancel", ref=Ref(entity="class_session", id=CLASS))
    crowd: list[Event] = [
        ran(table(10).model_copy(update={"rows": rows(n)}), n) for n in range(2 + MOST // LISTED)
    ]
    things = in_play([[ran(cancelled), *crowd]])
    assert ids(things)[0] == str(CLASS)
    assert len(things) == MOST


def rows(number: int) -> tuple[object, ...]:
    return tuple(row.model_copy(update={"id": f"{number}-{row.id}"}) for row in table(LISTED).rows)


keys = st.sampled_from(["member_id", "class_session_id", "id"])
used = st.lists(st.lists(st.tuples(keys, st.integers(0, 30)), max_size=4), max_size=8)


@given(used, st.integers(0, 8))
def test_no_id_is_lost_wherever_the_turns_are_cut(
    turns: list[list[tuple[str, int]]], at: int
) -> None:
    told = [[found_one, *(using(key, f"x{n}") for key, n in turn)] for turn in turns]
    whole = in_play(told)
    cut = in_play(told[at:], in_play(told[:at]))
    assert {*ids(cut)} == {*ids(whole)} == {f"x{n}" for turn in turns for _, n in turn}
    assert len({*ids(whole)}) == len(whole), "each once"
    if turns and turns[-1]:
        assert whole[0].id == f"x{turns[-1][-1][1]}"


found_one = found(Call(id="toolu_1", name="read__find_members", input={}))
