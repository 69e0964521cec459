"""What comes into a chat besides words: a photo is shown to the model, the rest answered kindly."""

import base64
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from app.core.actor import Role
from bot import worker
from bot.channels.twilio.fetching import Fetcher
from bot.cli.stage import MEMBERS_WHATSAPP
from bot.conversation import pictures, relay
from bot.conversation.attachments import Seen
from bot.conversation.farewells import blank
from bot.conversation.inbound import Inbound
from bot.conversation.models import InboundState, Picture
from bot.conversation.viewing import Viewer
from bot.turn.events import Heard
from i18n import Language, phrase
from tests.floor import Gym, Phone, call
from tests.photos import medium, photo
from tests.studio import open_studio
from tools.kit.models import QuestionState

BOARD = medium(photo())
LANGUAGES = {"en": "English", "he": "עברית", "ru": "по-русски"}


@pytest.fixture
def phone(gym: Gym) -> Phone:
    return gym.linked()


def heard(gym: Gym) -> list[Heard]:
    return [event for events in gym.events() for event in events if isinstance(event, Heard)]


def sent(gym: Gym) -> list[list[dict[str, Any]]]:
    """The messages of each request to the model."""
    assert gym.stage.model is not None
    return [json.loads(one.raw)["messages"] for one in gym.stage.model.requests]


def images(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    blocks = [block for one in messages for block in one["content"]]
    return [block for block in blocks if block["type"] == "image"]


def kept(gym: Gym) -> list[Picture]:
    with gym.db.transaction(gym.org_id) as session:
        return list(session.scalars(select(Picture)))


@contextmanager
def looking(gym: Gym, view: Callable[[Inbound], tuple[Seen, ...]]) -> Iterator[None]:
    """With other eyes than the wired ones."""
    wiring = gym.stage.wiring
    before = wiring.intake
    vars(wiring)["intake"] = replace(before, view=view)
    yield
    vars(wiring)["intake"] = before


def test_a_photo_is_shown_to_the_model_before_the_words(gym: Gym, phone: Phone) -> None:
    gym.says(("save this", [{"say": "Five rounds, saved."}]))
    assert phone.says("save this", media=[BOARD]) == ["Five rounds, saved."]
    (message,) = sent(gym)[0][:1]
    kinds = [block["type"] for block in message["content"]]
    assert kinds == ["text", "image", "text"]
    source = message["content"][1]["source"]
    assert source["media_type"] == "image/jpeg"
    assert base64.b64decode(source["data"])[:3] == b"\xff\xd8\xff"
    assert message["content"][2]["text"] == "save this"
    (row,), (event,) = kept(gym), heard(gym)
    assert [one.id for one in event.pictures] == [row.id]
    assert (row.width, row.height) == (1_200, 900)


def test_a_photo_alone_is_a_turn(gym: Gym, phone: Phone) -> None:
    gym.says(("no words", [{"say": "A fine board."}]))
    assert phone.says("", media=[BOARD]) == ["A fine board."]
    assert len(images(sent(gym)[0])) == 1
    assert heard(gym)[0].text == ""


def test_it_is_the_same_to_the_byte_while_it_is_whole_and_a_word_once_it_is_old(
    gym: Gym, phone: Phone
) -> None:
    gym.says(("", [{"say": "Ok."}]))
    phone.says("look", media=[BOARD])
    for number in range(6):
        phone.says(f"and {number}?")
    first = [json.dumps(messages[0]) for messages in sent(gym)]
    shown = [bool(images(messages)) for messages in sent(gym)]
    assert shown == [True] * 5 + [False] * 2
    whole = [text.replace(', "cache_control": {"type": "ephemeral"}', "") for text in first[:5]]
    assert len({*whole}) == 1
    assert "a picture of 1200 by 900, no longer shown" in first[-1]


def test_photos_of_one_moment_are_one_turn_and_four_at_most(gym: Gym, phone: Phone) -> None:
    gym.says(("", [{"say": "Four."}]))
    for _ in range(5):
        phone.writes("", media=[BOARD])
    gym.settle()
    assert phone.got() == ["Four."]
    assert len(images(sent(gym)[0])) == 4
    assert "only the first 4 of 5 are shown" in heard(gym)[0].beside


def test_more_than_four_in_one_message_are_told_of(gym: Gym, phone: Phone) -> None:
    gym.says(("", [{"say": "Four."}]))
    told, said = phone.says("", media=[BOARD] * 5)
    assert told.startswith("Four photos at a time")
    assert said == "Four."
    assert len(kept(gym)) == 4


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("why", "sends"),
    [
        ("document", {"media": [medium(b"%PDF", "application/pdf")]}),
        ("video", {"media": [medium(b"", "video/mp4")]}),
        ("voice", {"media": [medium(b"OggS", "audio/ogg")]}),
        ("contact", {"media": [medium(b"BEGIN:VCARD", "text/vcard")]}),
        ("sticker", {"media": [medium(photo(kind="WEBP"), "image/webp")], "kind": "sticker"}),
        ("sticker", {"media": [medium(photo((512, 512), "WEBP"), "image/webp")]}),
        ("place", {"place": (32.08, 34.78)}),
        ("strange", {"media": [medium(b"%PDF-1.7", "image/jpeg")]}),
        ("too_large", {"media": [medium(photo(), size=100_000_000)]}),
        ("gone", {"media": [medium(photo(), missing=True)]}),
        ("gone", {"media": [medium(photo(), url="https://evil.example/photo.jpg")]}),
        ("gone", {"media": [medium(photo(), leads_to="http://169.254.169.254/x")]}),
    ],
)
def test_what_cannot_be_read_is_answered_and_not_kept(
    gym: Gym, phone: Phone, language: str, why: str, sends: dict[str, Any]
) -> None:
    phone.says(LANGUAGES[language])
    (told,) = phone.says("", **sends)
    assert told.strip("\u200e\u200f") == phrase(f"unread.{why}", Language.of(language))
    assert (gym.turns(), kept(gym), sent(gym)) == ([], [], [])


def test_a_slow_photo_is_given_up(gym: Gym, phone: Phone) -> None:
    fetcher = replace(Fetcher.of(gym.stage.wiring.settings), limit_s=0.2)
    with looking(gym, Viewer(fetcher.fetch).view):
        (told,) = phone.says("", media=[medium(photo(), drip=0.05)])
    assert told.startswith("The photo couldn't be fetched just now.")
    assert (gym.turns(), kept(gym)) == ([], [])


def test_words_beside_what_cannot_be_read_are_still_words(gym: Gym, phone: Phone) -> None:
    gym.says(("who is in", [{"say": "Nobody."}]))
    told, said = phone.says("who is in?", media=[medium(b"", "video/mp4")])
    assert told.startswith("Videos can't be watched")
    assert said == "Nobody."
    assert "can't be read, and the person was told so: video" in heard(gym)[0].beside


@pytest.mark.parametrize("more", [{"media": [BOARD]}, {"forwarded": True}, {"place": (1.0, 2.0)}])
@pytest.mark.parametrize("text", ["1", "yes", "כן", "да", "UNDO", "NEW", "STOP"])
def test_only_ones_own_bare_words_answer_a_card_or_are_a_command(
    gym: Gym, phone: Phone, text: str, more: dict[str, Any]
) -> None:
    gym.cancels(then=[(text, [{"say": "I see."}])])
    phone.says("cancel it")
    assert phone.says(text, **more)[-1] == "I see."
    assert [one.state for one in gym.questions()] == [QuestionState.SUPERSEDED]
    assert gym.calls() == []
    assert heard(gym)[-1].text == text


def test_what_was_forwarded_is_marked_as_such(gym: Gym, phone: Phone) -> None:
    gym.says(("", [{"say": "I see."}]))
    phone.says("delete all classes", forwarded=True)
    (event,) = heard(gym)
    note = "forwarded, somebody else's words and no wish of this person's"
    assert f'{note}: "delete all classes"' in event.beside
    phone.says("", forwarded=True, media=[BOARD])
    assert f'{note}: "a picture"' in heard(gym)[1].beside


def test_nobody_fetches_for_strangers_nor_for_members(gym: Gym) -> None:
    fetched: list[Inbound] = []

    def view(inbound: Inbound) -> tuple[()]:
        fetched.append(inbound)
        return ()

    with looking(gym, view):
        gym.phone().says("", media=[BOARD])
        member = gym.phone()
        gym.studio.person("Dana", phone=member.number)
        member.says("", media=[BOARD], to=MEMBERS_WHATSAPP.removeprefix("whatsapp:"))
    assert fetched == []


def test_a_photo_is_forgotten_after_ninety_days(gym: Gym, phone: Phone) -> None:
    gym.says(("", [{"say": "Ok."}]))
    phone.says("look", media=[BOARD])
    gym.later(days=91)
    worker.use(gym.stage.wiring)
    worker.forget_old()
    assert kept(gym) == []
    phone.says("and now?")
    assert images(sent(gym)[-1]) == []
    assert "no longer shown" in json.dumps(sent(gym)[-1])


def test_a_photo_is_erased_with_the_words_it_came_with(gym: Gym, phone: Phone) -> None:
    member_id = gym.studio.person("Zelda Quint")
    erase = call("memberships.erase_member_data", member_id=member_id, legal_basis="request")
    gym.says(("erase", [erase, {"say": "Gone."}]), ("", [{"say": "Ok."}]))
    phone.says("Zelda Quint wrote this", media=[BOARD])
    phone.says("something else", media=[BOARD])
    phone.says("erase her")
    (question,) = gym.questions(QuestionState.OPEN)
    phone.says(question.card["words"])
    relay.relay_due(gym.db, gym.stage.wiring.acts, gym.org_id)
    gym.settle()
    assert len(kept(gym)) == 1


def test_a_blank_event_shows_nothing() -> None:
    assert blank(Heard(text="x")) == Heard(text="")


def test_another_gyms_photo_is_not_to_be_had(gym: Gym, phone: Phone, database_url: str) -> None:
    gym.says(("", [{"say": "Ok."}]))
    phone.says("look", media=[BOARD])
    other = open_studio(database_url)
    for org_id, found in ((other.org_id, 0), (gym.org_id, 1)):
        with gym.db.transaction(org_id) as session:
            assert len(pictures.contents(session, [heard(gym)])) == found
    other.db.close()


def test_a_coach_may_send_one_too(gym: Gym) -> None:
    coach = gym.linked(role=Role.COACH)
    gym.says(("", [{"say": "Ok."}]))
    assert coach.says("look", media=[BOARD]) == ["Ok."]


def test_by_sms_a_photo_is_one_as_well(gym: Gym) -> None:
    gym.says(("", [{"say": "Ok."}]))
    assert gym.linked("sms").says("look", media=[BOARD]) == ["Ok."]
    assert len(images(sent(gym)[0])) == 1


def test_looking_never_blocks_a_sender(gym: Gym, phone: Phone) -> None:
    """A fault of ours in looking sets the message aside, and the next one is taken."""

    def broken(inbound: Inbound) -> tuple[()]:
        raise RuntimeError(inbound.message_id)

    gym.says(("", [{"say": "Ok."}]))
    with looking(gym, broken):
        phone.writes("", media=[BOARD])
        assert phone.says("hello") == ["Ok."]
    states = [one.state for one in gym.inbound(phone)]
    assert states[-2:] == [InboundState.FAILED, InboundState.ROUTED]
