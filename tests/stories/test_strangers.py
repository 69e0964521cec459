"""Stories of phones we don't know: they learn how to link, and nothing else."""

from tests.stories.conftest import Storyteller


def test_an_unlinked_phone_learns_nothing_and_is_told_once(gym: Storyteller) -> None:
    chat = gym.stranger()

    chat.they("what's on tomorrow?")
    chat.sees("isn't linked yet")
    chat.sees_not("Open gym")
    chat.they("cancel tomorrow's open gym")

    assert chat.heard == []
    assert chat.status_of(chat.gym.open_gym) == "scheduled"


def test_help_says_what_may_be_asked(gym: Storyteller) -> None:
    chat = gym.phone()

    chat.they("?")

    chat.sees("Spotter", "UNDO", "LANG")


def test_lang_changes_the_language_from_here_on(gym: Storyteller) -> None:
    chat = gym.phone()

    chat.they("hebrew")
    chat.they("?")

    chat.sees("אפשר לכתוב")
