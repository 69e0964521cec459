"""Stories of a class that is cancelled: named, agreed to, done, taken back."""

import pytest

from tests.stories.conftest import Storyteller


def test_an_owner_cancels_tomorrows_open_gym_by_whatsapp(gym: Storyteller) -> None:
    chat = gym.phone()

    chat.they("cancel tomorrow's open gym")
    chat.sees("Cancel this class?", "*Open gym*", "1 Cancel the class", "2 Keep it", "Open until")
    assert chat.status_of(chat.gym.open_gym) == "scheduled"

    chat.they("1")
    chat.sees("Cancelled: *Open gym*", "reply UNDO 1")
    assert chat.status_of(chat.gym.open_gym) == "cancelled"

    chat.they("UNDO")
    chat.sees("Undone")
    assert chat.status_of(chat.gym.open_gym) == "scheduled"


@pytest.mark.parametrize(
    ("word", "again"),
    [("UNDO", "The last one was already taken back."), ("undo 1", "This was already taken back.")],
)
def test_an_owner_takes_it_back_by_the_word_on_the_page(
    gym: Storyteller, word: str, again: str
) -> None:
    chat = gym.page()

    chat.they("cancel tomorrow's open gym")
    chat.they("1")
    assert chat.status_of(chat.gym.open_gym) == "cancelled"

    chat.they(word)
    chat.sees("Undone: Open gym")
    assert chat.status_of(chat.gym.open_gym) == "scheduled"
    chat.they(word)
    chat.sees(again)


def test_keeping_it_changes_nothing(gym: Storyteller) -> None:
    chat = gym.phone()

    chat.they("cancel tomorrow's open gym")
    chat.they("2")

    chat.sees("Nothing was changed")
    assert chat.changes("class_session") == []
    assert chat.changes("booking") == []


@pytest.mark.parametrize(
    ("gym", "sentence", "asks", "done", "undo"),
    [
        ("he", "לבטל את האופן ג׳ים מחר", "לבטל את השיעור?", "השיעור בוטל", "להחזיר"),
        ("ru", "отмени завтрашний open gym", "Отменить занятие?", "Занятие отменено", "вернуть"),
    ],
    indirect=["gym"],
)
def test_the_same_in_the_persons_language(
    gym: Storyteller, sentence: str, asks: str, done: str, undo: str
) -> None:
    chat = gym.phone()

    chat.they(sentence)
    chat.sees(asks)
    chat.they("1")
    chat.sees(done)
    assert chat.status_of(chat.gym.open_gym) == "cancelled"
    chat.they(undo)
    assert chat.status_of(chat.gym.open_gym) == "scheduled"


def test_ok_is_no_approval(gym: Storyteller) -> None:
    chat = gym.phone()

    chat.they("cancel tomorrow's open gym")
    chat.they("ok")

    chat.sees("Nothing has been done yet", "1 Cancel the class")
    assert chat.status_of(chat.gym.open_gym) == "scheduled"


def test_newer_words_close_the_card(gym: Storyteller) -> None:
    chat = gym.phone()

    chat.they("cancel tomorrow's open gym")
    chat.they("what's on tomorrow?")
    chat.they("1")

    assert chat.status_of(chat.gym.open_gym) == "scheduled"


def test_a_card_of_the_phone_is_answered_on_the_page(gym: Storyteller) -> None:
    """Whoever answers first decides; the other channel is told the truth."""
    chat = gym.phone()
    chat.they("cancel tomorrow's open gym")

    gym.page().answers_what_waits("approve")
    chat.hears()
    chat.sees("Cancelled: *Open gym*")
    assert chat.status_of(chat.gym.open_gym) == "cancelled"

    chat.they("2")
    chat.sees("Already approved", "on the dashboard")
    assert chat.status_of(chat.gym.open_gym) == "cancelled"


def test_two_classes_are_decided_in_one_round(gym: Storyteller) -> None:
    chat = gym.phone()

    chat.they("cancel tomorrow's open gym and the weightlifting")
    chat.sees("Which class do you mean?", "Weightlifting")
    chat.they("1")
    chat.sees("To approve: 2 actions", "ALL")
    chat.they("1")

    cancelled = [one for one in chat.changes("class_session") if "status" in one]
    assert len(cancelled) == 1


def test_by_sms_it_is_short(gym: Storyteller) -> None:
    chat = gym.phone(channel="sms")

    chat.they("cancel tomorrow's open gym")
    assert all(len(text) <= 160 for text in chat.heard)
    chat.they("1")

    assert chat.status_of(chat.gym.open_gym) == "cancelled"


def test_on_the_page_a_typed_1_is_the_answer(gym: Storyteller) -> None:
    chat = gym.page()

    chat.they("cancel tomorrow's open gym")
    chat.sees("Cancel this class?")
    chat.they("1")

    chat.sees("Cancelled")
    assert chat.status_of(chat.gym.open_gym) == "cancelled"
