"""Stories of members put into classes: who is meant, done, taken back, no place left."""

from tests.stories.conftest import Storyteller


def test_a_coach_books_one_of_several_danas_and_takes_it_back(gym: Storyteller) -> None:
    chat = gym.phone("coach")

    chat.they("book Dana into open gym tomorrow")
    chat.sees("Which", "1 ", "2 ", "0 ")
    chat.they("2")
    chat.sees("Booked", "UNDO 1")
    made = [one for one in chat.changes("booking") if "added" in one]
    assert len(made) == 1
    assert made[0]["added"]["class_session_id"] == str(chat.gym.open_gym)

    chat.they("UNDO")
    chat.sees("Undone")
    standing = [one["added"]["status"] for one in chat.changes("booking") if "added" in one]
    assert "booked" not in standing


def test_none_of_these_books_nobody(gym: Storyteller) -> None:
    chat = gym.phone("coach")

    chat.they("book Dana into open gym tomorrow")
    chat.they("0")

    assert chat.changes("booking") == []


def test_undo_twice_is_once(gym: Storyteller) -> None:
    chat = gym.phone("coach")
    chat.they("book Dana into open gym tomorrow")
    chat.they("1")
    chat.they("UNDO 1")
    chat.sees("Undone")

    chat.they("UNDO 1")

    chat.sees_not("Undone")


def test_the_schedule_of_tomorrow_is_told(gym: Storyteller) -> None:
    chat = gym.phone()

    chat.they("what's on tomorrow?")

    chat.sees("Open gym")
    assert chat.changes("class_session") == []


def test_a_class_is_put_on_and_taken_off_again(gym: Storyteller) -> None:
    chat = gym.phone()

    chat.they("put open gym on tomorrow 21:30-22:30")
    chat.sees("Added", "21:30")
    assert len(chat.changes("class_session")) == 1
    chat.they("UNDO")

    assert [one for one in chat.changes("class_session") if "added" in one] == []
