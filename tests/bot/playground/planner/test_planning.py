"""Whole turns with the planner as the model: engine, SDK, HTTP, stand-in, a gym in memory."""

from collections.abc import Callable
from datetime import time
from typing import Any

import pytest

from bot.model import summary, title
from bot.model.summary import Summary
from bot.playground.model_api.answer import Call, Say
from bot.playground.model_api.reading import turns
from bot.playground.model_api.request import MessagesRequest
from bot.playground.model_api.server import Server
from bot.playground.planner.brain import Planner
from bot.turn.events import Heard
from tests.bot.playground.planner.conftest import Person
from tests.bot.playground.planner.gym import TOMORROW, Gym, definitions, iron_fig, te_enah, uid

Enter = Callable[[Gym], Person]
LANGUAGES = (0, 1, 2)


@pytest.mark.parametrize("gym", [iron_fig, te_enah])
@pytest.mark.parametrize(
    "text",
    [
        "put open gym tomorrow 16:00-17:00",
        "תפתח אופן ג׳ים מחר 16-17",
        "поставь опен джим завтра с 16 до 17",
    ],
)
def test_a_class_is_put_on_the_schedule(person: Enter, gym: Callable[[], Gym], text: str) -> None:
    someone = person(gym())
    said = someone.writes(text)
    made = someone.gym.sessions[-1]
    assert (made.name, made.day, made.start) == (someone.gym.types[0], TOMORROW, time(16))
    assert made.name in said
    assert "16:00–17:00" in said


@pytest.mark.parametrize("gym", [iron_fig, te_enah])
@pytest.mark.parametrize(
    "text",
    ["cancel tomorrow's open gym", "תבטל את אופן ג׳ים של מחר", "отмени завтрашний опен джим"],
)
def test_a_class_is_cancelled_after_a_yes(person: Enter, gym: Callable[[], Gym], text: str) -> None:
    someone = person(gym())
    someone.writes(text)
    assert [each.name for each in someone.gym.sessions if each.cancelled] == [someone.gym.types[0]]
    assert len(someone.asked) == 1


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("cancel tomorrow's open gym", "Kept. Nothing was changed."),
        ("תבטל את אופן ג׳ים של מחר", "הכול נשאר כמו שהיה."),
        ("отмени завтрашний опен джим", "Оставлено как было."),
    ],
)
def test_a_no_is_left_at_that(person: Enter, text: str, kept: str) -> None:
    someone = person(iron_fig())
    someone.answers = [False]
    assert kept in someone.writes(text)
    assert someone.changes == []


@pytest.mark.parametrize(
    "text",
    [
        "book Dana into open gym tomorrow",
        "תרשום את דנה לאופן ג׳ים מחר",
        "запиши Дану на опен джим завтра",
    ],
)
def test_of_several_members_the_person_picks_one(person: Enter, text: str) -> None:
    someone = person(iron_fig())
    someone.answers = [2]
    said = someone.writes(text)
    assert someone.gym.session(2).members[-1] == uid(101)
    assert "Dana Cohen" in said


@pytest.mark.parametrize(
    "text",
    [
        "book Anton into open gym tomorrow",
        "תרשום את אנטון לאופן ג׳ים מחר",
        "запиши Антона на опен джим завтра",
    ],
)
def test_one_member_is_booked_at_once(person: Enter, text: str) -> None:
    someone = person(te_enah())
    assert "Антон Белов" in someone.writes(text)
    assert someone.gym.session(1).members[-1] == uid(101)
    assert someone.asked == []


def test_none_of_them_changes_nothing(person: Enter) -> None:
    someone = person(iron_fig())
    someone.answers = [0]
    said = someone.writes("book Dana into open gym tomorrow")
    assert said == "None of these, then.\nNothing was changed."
    assert someone.changes == []


def test_two_things_at_once_are_one_round(person: Enter) -> None:
    someone = person(iron_fig())
    said = someone.writes("cancel tomorrow's 13:00 and the 18:00 WOD")
    [asked] = someone.asked
    assert asked.kind == "confirm_batch"
    assert someone.changes == ["class_sessions__cancel"] * 2
    assert said.splitlines() == [
        "Class cancelled: Open gym, Tue 1 Dec 13:00–14:00.",
        "Class cancelled: WOD, Tue 1 Dec 18:00–19:00.",
    ]


@pytest.mark.parametrize(
    "text", ["cancel all classes tomorrow", "תבטל את כל השיעורים מחר", "отмени все занятия завтра"]
)
def test_a_whole_day_is_one_round(person: Enter, text: str) -> None:
    someone = person(iron_fig())
    said = someone.writes(text)
    [asked] = someone.asked
    assert asked.kind == "confirm_batch"
    assert [each.cancelled for each in someone.gym.sessions] == [True, True, True, False, False]
    assert len(said.splitlines()) == 3


def test_of_a_whole_day_only_what_was_cancelled_is_said_to_be(person: Enter) -> None:
    someone = person(iron_fig())
    someone.answers = [True, False, True]
    said = someone.writes("cancel all classes tomorrow").splitlines()
    assert [line.startswith("Class cancelled") for line in said] == [True, False, True]
    assert said[1] == "Kept. Nothing was changed."


def test_a_place_on_the_waitlist_is_not_called_a_booking(person: Enter) -> None:
    someone = person(te_enah())
    someone.gym.waitlist = True
    assert someone.writes("book Anton into strength today").startswith("On the waitlist: Антон")


def test_of_two_classes_that_fit_the_person_picks_one(person: Enter) -> None:
    someone = person(iron_fig())
    someone.answers = [2, True]
    someone.writes("cancel tomorrow's wod")
    assert [each.id for each in someone.gym.sessions if each.cancelled] == [uid(3)]


def test_a_class_that_is_over_is_not_meant(person: Enter) -> None:
    """06:00 has passed at 10:00, so six is 18:00."""
    someone = person(iron_fig())
    someone.writes("תכניס את אבי לשש היום")
    assert uid(104) in someone.gym.session(5).members


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("move tomorrow's open gym to 15:00", "15:00–16:00"),
        ("move open gym tomorrow from 13:00 to 15:00", "15:00–16:00"),
        ("תזיז את אופן ג׳ים של מחר ל-15:00", "15:00–16:00"),
        ("перенеси опен джим завтра на 15:00", "15:00–16:00"),
        ("set the capacity of tomorrow's open gym to 15", "Places: 15"),
        ("измени количество мест на опен джим завтра до 15", "Мест: 15"),
        ("change the coach of tomorrow's 18:00 to Lior", "Coach: Lior Ben-Ami"),
        ("תחליף את המאמן בשיעור של 18:00 מחר לליאור", "Lior Ben-Ami"),
        ("cancel Tom's booking for tomorrow's open gym", "Booking cancelled: Tom Levi, Open gym"),
        ("תבטל את ההרשמה של תום לאופן ג׳ים מחר", "Tom Levi"),
        ("отмени запись Тома на опен джим завтра", "Запись отменена: Tom Levi"),
        ("move Tom from open gym tomorrow to the 18:00 wod", "Booking moved: Tom Levi, WOD"),
        ("перепиши Тома с опен джим завтра на 18:00", "Запись перенесена: Tom Levi, WOD"),
        ("who's in tomorrow's open gym", "Open gym, Tue 1 Dec 13:00–14:00. Booked: 1."),
        ("מי באופן ג׳ים מחר?", "רשומים: 1."),
        ("what's on tomorrow", "Tue 1 Dec, classes on the schedule: 3."),
        ("what's on tomorrow evening", "Tue 1 Dec\n18:00–19:00 WOD 1/12"),
        ("find Dana", "Found: Dana Levi, Dana Cohen."),
        ("сколько посещений у Тома", "Tom Levi: 10 visits"),
        ("show class types", "In all: 3."),
        ("покажи тренеров", "Всего: 2."),
    ],
)
def test_the_answer_says_what_the_results_say(person: Enter, text: str, part: str) -> None:
    assert part in person(iron_fig()).writes(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cancel tomorrow's yoga", "Tue 1 Dec: no class on the schedule fits yoga."),
        ("book Zoe into open gym tomorrow", "No member called Zoe was found. How is it spelled?"),
        (
            "book Tomer into open gym tomorrow",
            "No member is called Tomer; the closest is Tom Levi. What is the full name?",
        ),
        ("change the coach of tomorrow's 18:00 to Zoe", "No one on the staff is called Zoe."),
        ("cancel Avi's booking for tomorrow's open gym", "Avi Mizrahi has no booking that fits."),
        ("put yoga tomorrow at 18:00", "There is no class type yoga."),
        ("cancel all yoga tomorrow", "Tue 1 Dec: no class on the schedule fits yoga."),
        ("cancel all classes on friday", "Fri 4 Dec: nothing on the schedule."),
        ("delete this workout", "I didn't get that one"),
        ("book Avi into the 18:00 tomorrow", "That didn't go through (already_booked)."),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(person: Enter, text: str, said: str) -> None:
    someone = person(iron_fig())
    before = [list(each.members) for each in someone.gym.sessions]
    answer = someone.writes(text)
    assert answer.startswith(said)
    assert [list(each.members) for each in someone.gym.sessions] == before
    assert not any(each.cancelled for each in someone.gym.sessions)


def test_a_part_that_fails_does_not_hide_the_part_that_went_through(person: Enter) -> None:
    someone = person(iron_fig())
    said = someone.writes("cancel tomorrow's open gym and cancel tomorrow's yoga")
    assert "Class cancelled: Open gym" in said
    assert "fits yoga" in said
    assert "Nothing was changed" not in said


def test_a_tool_that_is_not_offered_is_not_called(person: Enter) -> None:
    someone = person(iron_fig())
    someone.tools = definitions(without="cancel")
    said = someone.writes("cancel tomorrow's open gym")
    assert said.startswith("I understood that, but have no tool for it here.")
    assert someone.changes == []


def test_an_answer_to_its_question_completes_the_sentence(person: Enter) -> None:
    someone = person(iron_fig())
    assert someone.writes("create open gym tomorrow") == "At what time?"
    assert "Tue 1 Dec 17:00–18:00" in someone.writes("17:00")


def test_a_name_spelled_anew_takes_the_place_of_the_old_one(person: Enter) -> None:
    someone = person(iron_fig())
    someone.writes("book Zoe into open gym tomorrow")
    assert "Booked: Avi Mizrahi" in someone.writes("Avi")


def test_a_new_sentence_after_a_question_stands_for_itself(person: Enter) -> None:
    someone = person(iron_fig())
    someone.writes("create open gym tomorrow")
    assert someone.writes("what's on tomorrow").startswith("Tue 1 Dec, classes")


def test_undo_in_other_words_tells_the_word(person: Enter) -> None:
    someone = person(iron_fig())
    someone.writes("book Avi into open gym tomorrow")
    assert "reply UNDO 12" in someone.writes("take that back")


@pytest.mark.parametrize(
    ("text", "plainly"),
    [
        ("write me a poem", "no language model"),
        ("תכתוב לי שיר", "אין כאן מודל שפה"),
        ("напиши стихи", "не языковая модель"),
    ],
)
def test_it_says_plainly_that_it_is_no_language_model(
    person: Enter, text: str, plainly: str
) -> None:
    someone = person(iron_fig())
    assert plainly in someone.writes(text)
    assert someone.gym.calls == []


def test_without_a_clock_it_does_not_guess_the_day(person: Enter) -> None:
    assert "date" in person(iron_fig()).writes("what's on tomorrow", beside="channel: web")


def test_a_conversation_goes_on_over_many_turns(person: Enter, planner: Server) -> None:
    someone = person(iron_fig())
    for text in ("what's on tomorrow", "book Avi into open gym tomorrow", "מי באופן ג׳ים מחר?"):
        someone.writes(text)
    assert "Booked: 2." in someone.writes("who's in open gym tomorrow")
    assert planner.requests[-1].status == 200


def test_lookups_that_need_not_wait_go_out_together() -> None:
    answer = Planner().answer(_request("book Avi into open gym tomorrow"))
    assert [piece.name for piece in answer.pieces if isinstance(piece, Call)] == [
        "read__find_members",
        "class_sessions__list",
    ]


def test_the_same_request_is_answered_the_same() -> None:
    request = _request("cancel tomorrow's open gym")
    assert Planner().answer(request) == Planner().answer(request)


def _request(text: str) -> MessagesRequest:
    context = "<turn_context>\nnow: Monday 2026-11-30 10:00 Asia/Jerusalem\n</turn_context>"
    return MessagesRequest.model_validate(
        {
            "model": "claude-sonnet-5-5",
            "max_tokens": 100,
            "tools": definitions(),
            "messages": [{"role": "user", "content": f"{context}\n{text}"}],
        }
    )


def request(asked: dict[str, Any]) -> MessagesRequest:
    return MessagesRequest.model_validate(asked)


def test_beside_turns_it_repeats_what_was_asked_and_says_that_it_is_no_model() -> None:
    words = "תבטל את אופן ג׳ים של מחר בבקשה עכשיו"
    named = Planner().answer(request(title.request("claude-haiku-5-5", words)))
    (said,) = named.pieces
    assert isinstance(said, Say)
    assert title.title_of(said.text, words) == "תבטל את אופן ג׳ים של מחר"

    talk = [[Heard(text=f"what's on\nday {n}?")] for n in range(20)]
    (summed,) = Planner().answer(request(summary.request("claude-haiku-5-5", talk))).pieces
    assert isinstance(summed, Say)
    assert summed.text.startswith("No language model wrote this")
    assert "what's on\nday 19?" in summed.text
    assert summary.summary_of(summed.text) == summed.text


def test_a_summary_of_before_is_not_taken_for_the_persons_words() -> None:
    block = Summary(9, "cancel tomorrow's open gym").block()
    asked = {"model": "claude-sonnet-5-5", "max_tokens": 100}
    content = [{"type": "text", "text": block}, {"type": "text", "text": "thanks"}]
    whole = request({**asked, "messages": [{"role": "user", "content": content}]})
    assert [turn.text for turn in turns(whole)] == ["thanks"]
