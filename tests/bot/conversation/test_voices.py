"""Voice notes: heard by whom the settings name, shown back, and words like any others."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from pydantic import SecretStr

from bot.channels.twilio.fetching import Fetcher
from bot.channels.voice.transcription import HostedTranscriber, transcriber
from bot.conversation import relay
from bot.conversation.attachments import UnfetchedError
from bot.conversation.viewing import Viewer
from bot.conversation.voices import checked, seconds_of
from bot.turn.events import Heard
from i18n import Language, phrase
from tests.floor import Gym, Phone, call
from tests.photos import medium, photo
from tests.voices import KEY, Ear, hearing, note, page
from tools.kit.models import QuestionState

NOTE = medium(note(), "audio/ogg; codecs=opus")
MARKS = "\u200e\u200f\u2066\u2067\u2068\u2069"
BROKEN = [b"", b"OggS", b"RIFF" + note(), note()[:-1], note() + b"x", page(b"vorbis", 0, 0)]


@pytest.fixture
def phone(gym: Gym) -> Phone:
    return gym.linked()


@contextmanager
def ears(gym: Gym, ear: Ear) -> Iterator[None]:
    wiring = gym.stage.wiring
    told = {
        "transcriber": "openai",
        "transcriber_api_url": ear.url,
        "transcriber_api_key": SecretStr(KEY),
    }
    hears = transcriber(wiring.settings.model_copy(update=told))
    before = wiring.intake
    viewer = Viewer(Fetcher.of(wiring.settings).fetch, hears)
    vars(wiring)["intake"] = replace(before, view=viewer.view)
    yield
    vars(wiring)["intake"] = before


def heard(gym: Gym) -> list[Heard]:
    return [event for events in gym.events() for event in events if isinstance(event, Heard)]


def test_how_long_it_is_is_read_off_its_last_page() -> None:
    assert seconds_of(note(4.0)) == pytest.approx(4.0)
    assert checked(note(180)) == note(180)
    with pytest.raises(UnfetchedError) as caught:
        checked(note(181))
    assert caught.value.why == "voice_long"


@pytest.mark.parametrize("body", BROKEN)
def test_what_is_no_opus_is_not_sent_to_anybody(body: bytes) -> None:
    with pytest.raises(UnfetchedError) as caught:
        checked(body)
    assert caught.value.why == "unheard"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("who is in at six?", "I heard: who is in at six?"),
        ("מי בא בשש?", "זה מה שנשמע: מי בא בשש?"),
        ("кто придёт в шесть?", "Вот что слышно: кто придёт в шесть?"),
    ],
)
def test_what_was_heard_is_shown_back_and_is_words(
    gym: Gym, phone: Phone, said: str, shown: str
) -> None:
    gym.says((said, [{"say": "Dana."}]))
    with hearing(Ear(says=f" {said}\n")) as ear, ears(gym, ear):
        told, answer = phone.says("", media=[NOTE])
    assert told.translate(dict.fromkeys(map(ord, MARKS))) == shown
    assert answer == "Dana."
    assert ear.heard == [note()]
    (event,) = heard(gym)
    assert event.text == said
    assert "heard in a voice note, perhaps misheard" in event.beside


def test_a_long_one_is_shown_back_whole(gym: Gym, phone: Phone) -> None:
    said = " ".join(f"word{number}" for number in range(400))
    gym.says(("word0", [{"say": "Ok."}]))
    with hearing(Ear(says=said)) as ear, ears(gym, ear):
        *told, answer = phone.says("", media=[NOTE])
    assert "word399" in told[-1]
    assert max(map(len, told)) <= 1_600
    assert answer == "Ok."


@pytest.mark.parametrize("said", ["1", "yes", "כן", "да", "undo", "new", "stop"])
def test_it_never_answers_a_card(gym: Gym, phone: Phone, said: str) -> None:
    gym.cancels(then=[(said, [{"say": "I see."}])])
    phone.says("cancel it")
    with hearing(Ear(says=said)) as ear, ears(gym, ear):
        assert phone.says("", media=[NOTE])[-1] == "I see."
    assert [one.state for one in gym.questions()] == [QuestionState.SUPERSEDED]
    assert gym.calls() == []


@pytest.mark.parametrize("language", ["en", "he", "ru"])
@pytest.mark.parametrize(
    ("why", "ear", "body"),
    [
        ("unheard", Ear(says="  "), note()),
        ("unheard", Ear(says=None), note()),
        ("unheard", Ear(says=["x"]), note()),
        ("unheard", Ear(status=401), note()),
        ("unheard", Ear(status=500), note()),
        ("unheard", Ear(), photo()),
        ("voice_long", Ear(), note(181)),
    ],
)
def test_what_is_not_heard_is_answered(
    *, gym: Gym, phone: Phone, language: str, why: str, ear: Ear, body: bytes
) -> None:
    phone.says({"en": "English", "he": "עברית", "ru": "по-русски"}[language])
    with hearing(ear), ears(gym, ear):
        (told,) = phone.says("", media=[medium(body, "audio/ogg")])
    assert told.strip("\u200e\u200f") == phrase(f"unread.{why}", Language.of(language))
    assert gym.turns() == []


def test_what_was_shown_back_is_erased_with_its_turn(gym: Gym, phone: Phone) -> None:
    """Also where only a nickname is in it."""
    member_id = gym.studio.person("Zelda Quint", nickname="Zebbo")
    said = "Zebbo is late"
    erase = call("memberships.erase_member_data", member_id=member_id, legal_basis="request")
    gym.says((said, [{"say": "Ok."}]), ("erase", [erase, {"say": "Gone."}]))
    with hearing(Ear(says=said)) as ear, ears(gym, ear):
        phone.says("", media=[NOTE])
    phone.says("erase her")
    (question,) = gym.questions(QuestionState.OPEN)
    phone.says(question.card["words"])
    relay.relay_due(gym.db, gym.stage.wiring.acts, gym.org_id)
    gym.settle()
    assert [row.body for row in phone.rows() if "Zebbo" in row.body] == []


def test_a_hundred_megabytes_of_it_and_one_from_elsewhere(gym: Gym, phone: Phone) -> None:
    with hearing() as ear, ears(gym, ear):
        (large,) = phone.says("", media=[medium(note(), "audio/ogg", size=100_000_000)])
        (foreign,) = phone.says("", media=[medium(note(), "audio/ogg", url="https://x.example/a")])
    assert large.startswith("This voice note is too long")
    assert foreign.startswith("This voice note couldn't be made out")
    assert ear.heard == []


def test_nobody_there_is_told_as_not_heard() -> None:
    with hearing() as ear:
        url = ear.url
    with pytest.raises(UnfetchedError) as caught:
        HostedTranscriber(url, SecretStr(KEY), "whisper-1").transcribe(note())
    assert caught.value.why == "unheard"
