"""Stories of what is sent besides words, from a phone to the planner and back."""

from pathlib import Path

import pytest

from bot.cli.phoning import Phone
from tests.photos import photo
from tests.stories.conftest import Storyteller


@pytest.mark.parametrize(
    ("gym", "words", "told"),
    [
        ("en", "save this", "I see a picture, but I am no language model"),
        ("he", "תשמור את זה", "הגיעה תמונה, אבל אין כאן מודל שפה"),
        ("ru", "сохрани это", "Картинка пришла, но это не языковая модель"),
    ],
    indirect=["gym"],
)
def test_a_photo_is_seen_by_whoever_answers(
    gym: Storyteller, tmp_path: Path, words: str, told: str
) -> None:
    chat = gym.phone()
    assert isinstance(chat.mouth, Phone)
    board = tmp_path / "board.jpg"
    board.write_bytes(photo())
    chat.mouth.send(words, [board])
    chat.hears()
    chat.sees(told)


@pytest.mark.parametrize("gym", ["en"], indirect=True)
def test_a_file_that_is_no_photo_is_answered(gym: Storyteller, tmp_path: Path) -> None:
    chat = gym.phone()
    assert isinstance(chat.mouth, Phone)
    plan = tmp_path / "plan.pdf"
    plan.write_bytes(b"%PDF-1.7")
    chat.mouth.send("", [plan])
    chat.hears()
    chat.sees("Files can't be opened here.")
