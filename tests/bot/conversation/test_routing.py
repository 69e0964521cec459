"""What a phone's message is: an answer to a card, a tap, a quote, or words; never a guess."""

from datetime import timedelta
from uuid import UUID

import pytest

from app.core.actor import Role
from bot.conversation import answering
from bot.conversation.models import InboundState, OutboundState
from bot.turn.events import Heard
from tests.bot.conversation.test_mailbox import nothing
from tests.floor import Gym, Phone, call
from tools.kit.choices import Decline
from tools.kit.models import QuestionState

NOTHING_OPEN = (
    "Nothing is waiting for an answer. Nothing was changed. Write what you need in words."
)
UNCLEAR = "Nothing has been done yet. Reply with a number:"
BARE = ["1", "yes", "כן", "да", "הכל", "1,3", "1️⃣", "לא"]


@pytest.fixture
def phone(gym: Gym) -> Phone:
    return gym.linked()


@pytest.fixture
def asked(gym: Gym, phone: Phone) -> UUID:
    """A card is open on the phone: a class is to be cancelled."""
    gym.cancels(then=[("hello", [{"say": "Hi."}]), ("who is booked", [{"say": "One."}])])
    assert phone.says("cancel it")[-1].startswith("Cancel this class?")
    (question,) = gym.questions()
    return question.id


def heard(gym: Gym) -> list[str]:
    return [event.text for events in gym.events() for event in events if isinstance(event, Heard)]


def states(gym: Gym) -> list[QuestionState]:
    return [one.state for one in gym.questions()]


@pytest.mark.parametrize("text", ["1", "yes", "כן", "да", "\u200f１.\u200f"])
def test_a_bare_yes_approves_the_one_open_card(
    gym: Gym, phone: Phone, asked: UUID, text: str
) -> None:
    assert phone.says(text)[0].startswith("Cancelled:")
    assert states(gym) == [QuestionState.APPROVED]
    assert heard(gym) == ["cancel it"]
    assert gym.questions()[0].id == asked


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("text", ["2", "לא", "Keep it"])
def test_a_bare_no_declines_it(gym: Gym, phone: Phone, text: str) -> None:
    phone.says(text)
    assert states(gym) == [QuestionState.DECLINED]
    assert gym.calls() == []


@pytest.mark.usefixtures("asked")
def test_what_is_no_answer_shows_the_card_again(gym: Gym, phone: Phone) -> None:
    for text in ("ok", "sure", "cool", "👍", "בסדר", "ок", "3", "1,3", "all", "cancel"):
        said, card = phone.says(text)
        assert said == UNCLEAR
        assert card.startswith("Cancel this class?")
        assert states(gym) == [QuestionState.OPEN]
    assert phone.says("1")[0].startswith("Cancelled:")


def test_a_bare_answer_with_no_question_is_told_so(gym: Gym, phone: Phone) -> None:
    for text in BARE:
        assert phone.says(text) == [NOTHING_OPEN]
    assert gym.turns() == []


@pytest.mark.parametrize(("language", "begins"), [("he", "\u200fאין שאלה"), ("ru", "Сейчас нет")])
def test_it_is_told_in_ones_own_language(phone: Phone, language: str, begins: str) -> None:
    phone.says({"he": "עברית", "ru": "по-русски"}[language])
    assert phone.says("1")[0].startswith(begins)


@pytest.mark.usefixtures("asked")
def test_an_expired_card_says_that_it_is(gym: Gym, phone: Phone) -> None:
    gym.later(minutes=61)
    for text in ("1", "yes", "כן", "да"):
        (told,) = phone.says(text)
        assert "closed at 11:00. Nothing was done." in told
    assert gym.calls() == []


@pytest.mark.usefixtures("asked")
def test_a_card_that_newer_words_closed_is_not_answered(gym: Gym, phone: Phone) -> None:
    phone.says("who is booked?")
    for text in ("1", "yes", "כן", "да"):
        (told,) = phone.says(text)
        assert told.startswith("A newer message came in after this question")
    assert states(gym) == [QuestionState.SUPERSEDED]
    assert gym.calls() == []


def test_a_card_answered_elsewhere_says_where_and_when(gym: Gym, phone: Phone, asked: UUID) -> None:
    with gym.db.transaction(gym.org_id) as session:
        answering.answer(session, gym.owner, asked, Decline(), where="web", enqueue=nothing)
    gym.settle()
    phone.got()
    (told,) = phone.says("1")
    assert told == "Already declined at 10:00 on the dashboard. Nothing more was done."
    assert gym.calls() == []


@pytest.mark.usefixtures("asked")
def test_long_after_a_card_a_bare_answer_is_to_nothing(gym: Gym, phone: Phone) -> None:
    phone.says("2")
    gym.later(hours=25)
    assert phone.says("1") == [NOTHING_OPEN]


def test_an_answer_written_before_the_card_came_is_none_to_it(gym: Gym, phone: Phone) -> None:
    """It was on its way, or the vendor brought it late."""
    gym.cancels()
    phone.says("cancel it")
    phone.writes("1")
    (question,) = gym.questions()
    (event,) = [one for one in gym.inbound(phone) if one.state is InboundState.STORED]
    with gym.db.platform() as session:
        session.merge(event).created_at = question.created_at - timedelta(seconds=5)
    gym.settle()
    assert states(gym) == [QuestionState.OPEN]
    assert gym.calls() == []


@pytest.mark.usefixtures("asked")
def test_after_other_words_of_ours_the_card_is_shown_again(gym: Gym, phone: Phone) -> None:
    phone.says("help")
    said, card = phone.says("1")
    assert said == UNCLEAR
    assert card.startswith("Cancel this class?")
    assert states(gym) == [QuestionState.OPEN]
    assert phone.says("1")[0].startswith("Cancelled:")


@pytest.mark.usefixtures("asked")
def test_a_card_that_never_arrived_is_not_answered(gym: Gym, phone: Phone) -> None:
    with gym.db.platform() as session:
        session.merge(phone.rows()[-1]).state = OutboundState.UNDELIVERED
    assert phone.says("1") == [NOTHING_OPEN]
    assert states(gym) == [QuestionState.OPEN]


@pytest.mark.usefixtures("asked")
def test_any_further_word_makes_it_a_message(gym: Gym, phone: Phone) -> None:
    phone.says("yes but who is booked?")
    assert heard(gym) == ["cancel it", "yes but who is booked?"]
    assert states(gym) == [QuestionState.SUPERSEDED]


@pytest.mark.parametrize("text", ["12", "150"])
def test_a_number_that_no_card_shows_is_a_message(gym: Gym, phone: Phone, text: str) -> None:
    gym.says((text, [{"say": "Noted."}]))
    assert phone.says(text) == ["Noted."]


class TestQuotes:
    def quoted(self, phone: Phone, begins: str) -> str:
        row = next(row for row in reversed(phone.rows()) if row.body.startswith(begins))
        assert row.sid is not None
        return row.sid

    def test_a_quote_answers_the_quoted_card(self, gym: Gym, phone: Phone, asked: UUID) -> None:
        phone.says("help")
        sid = self.quoted(phone, "Cancel this")
        assert phone.says("1", quoted_sid=sid)[0].startswith("Cancelled:")
        assert gym.questions()[0].id == asked

    def test_a_quote_of_an_older_card_is_answered_honestly(
        self, gym: Gym, phone: Phone, asked: UUID
    ) -> None:
        old = self.quoted(phone, "Cancel this")
        phone.says("who is booked?")
        second = gym.cancels("drop it")
        phone.says("drop it")
        assert len(gym.questions(QuestionState.OPEN)) == 1
        (told,) = phone.says("1", quoted_sid=old)
        assert told.startswith("A newer message came in")
        assert states(gym) == [QuestionState.SUPERSEDED, QuestionState.OPEN]
        assert gym.calls() == []
        assert asked != second

    @pytest.mark.usefixtures("asked")
    def test_a_quote_of_anything_else_shows_what_is_open(self, gym: Gym, phone: Phone) -> None:
        sid = self.quoted(phone, "This phone is linked")
        said, card = phone.says("1", quoted_sid=sid)
        assert said == UNCLEAR
        assert card.startswith("Cancel this class?")
        assert states(gym) == [QuestionState.OPEN]

    @pytest.mark.usefixtures("asked")
    def test_words_that_quote_a_card_are_words(self, gym: Gym, phone: Phone) -> None:
        phone.says("who is booked?", quoted_sid=self.quoted(phone, "Cancel this"))
        assert heard(gym)[-1] == "who is booked?"


class TestTaps:
    """Posted as the webhook brings them: the card itself was sent as text."""

    def tap(self, phone: Phone, payload: str, title: str = "Approve") -> list[str]:
        phone.posts(Body=title, ButtonPayload=payload, ButtonText=title)
        phone.gym.settle()
        return phone.got()

    def token(self, gym: Gym) -> str:
        return gym.questions()[-1].token

    @pytest.mark.usefixtures("asked")
    def test_a_tap_decides_its_card(self, gym: Gym, phone: Phone) -> None:
        phone.says("help")
        assert self.tap(phone, f"{self.token(gym)}:1")[0].startswith("Cancelled:")

    @pytest.mark.usefixtures("asked")
    def test_a_late_tap_runs_nothing(self, gym: Gym, phone: Phone) -> None:
        phone.says("who is booked?")
        (told,) = self.tap(phone, f"{self.token(gym)}:1")
        assert told.startswith("A newer message came in")
        assert gym.calls() == []

    @pytest.mark.usefixtures("asked")
    def test_a_tap_on_no_card_is_not_read_by_its_title(self, gym: Gym, phone: Phone) -> None:
        token = self.token(gym)
        for payload in ("nonsense:1", "nonsense", ":", token, f"{token}:", f"{token}:²"):
            assert self.tap(phone, payload) == [NOTHING_OPEN]
        assert states(gym) == [QuestionState.OPEN]

    @pytest.mark.usefixtures("asked")
    def test_nobody_taps_anothers_card(self, gym: Gym, phone: Phone) -> None:
        coach = gym.linked(role=Role.COACH)
        assert self.tap(coach, f"{self.token(gym)}:1") == [NOTHING_OPEN]
        assert states(gym) == [QuestionState.OPEN]
        assert phone.got() == []

    def test_an_option_that_is_not_there_shows_the_card_again(self, gym: Gym, phone: Phone) -> None:
        options = [{"id": "a", "label": "Dana Levi"}, {"id": "b", "label": "Dana Cohen"}]
        asks = call("read.ask_user_to_pick", question="Which Dana?", options=options)
        gym.says(("which dana", [asks, {"say": "Her, then."}]))
        phone.says("which dana")
        said, card = self.tap(phone, f"{self.token(gym)}:7")
        assert said == UNCLEAR
        assert card.startswith("Which Dana?")
        assert self.tap(phone, f"{self.token(gym)}:2")[-1] == "Her, then."


class TestTwoCards:
    """One of the chat by SMS, and one of the WhatsApp chat that fell back to SMS."""

    @pytest.fixture
    def sms(self, gym: Gym, phone: Phone, asked: UUID) -> Phone:  # noqa: ARG002 - a card is open
        first = phone.rows()[-1]
        with gym.db.platform() as session:
            gym.stage.wiring.fallback.refused(session, session.merge(first))
        gym.settle()
        sms = phone.on("sms")
        session_id = gym.studio.session("19:00")
        gym.studio.booking(gym.studio.member("Noa Bar"), session_id)
        asks = call("class_sessions.cancel", class_session_id=session_id)
        gym.says(("drop it", [asks, {"say": "Done."}]))
        sms.says("drop it")
        assert len(gym.questions(QuestionState.OPEN)) == 2
        return sms

    def test_a_bare_answer_asks_which(self, gym: Gym, sms: Phone) -> None:
        for text in ("1", "yes", "כן", "да", "2", "ok", "approve"):
            told = sms.says(text)
            assert told[0].startswith("Several questions are open.")
            assert len(told) == 3
        assert len(gym.questions(QuestionState.OPEN)) == 2
        assert gym.calls() == []

    def test_words_close_only_their_own_conversations_card(self, gym: Gym, sms: Phone) -> None:
        gym.says(("never mind", [{"say": "Fine."}]))
        sms.says("never mind")
        assert sorted(states(gym)) == [QuestionState.OPEN, QuestionState.SUPERSEDED]


def test_an_unlinked_sender_is_told_once_an_hour_and_nothing_of_the_gym(gym: Gym) -> None:
    phone = gym.phone()
    (told,) = phone.says("who is booked at the gym today?")
    assert told.startswith("This number isn't linked yet.")
    assert gym.studio.owner.name not in told
    assert phone.says("hello?") == []
    gym.later(minutes=61)
    assert len(phone.says("hello?")) == 1
    assert gym.turns() == []
    model = gym.stage.model
    assert model is not None
    assert model.requests == ()


@pytest.mark.parametrize(
    ("text", "begins"), [("מה קורה", "\u200fהמספר הזה"), ("привет", "Этот номер")]
)
def test_a_stranger_is_told_in_the_language_they_wrote(gym: Gym, text: str, begins: str) -> None:
    assert gym.phone().says(text)[0].startswith(begins)


@pytest.mark.parametrize("text", ["stop", "הסר"])
def test_a_stranger_who_wants_nothing_gets_nothing(gym: Gym, text: str) -> None:
    assert gym.phone().says(text) == []


def test_a_members_phone_is_a_strangers(gym: Gym) -> None:
    phone = gym.phone()
    gym.studio.person("Dana Levi", phone=phone.number)
    (told,) = phone.says("my classes")
    assert told.startswith("This number isn't linked yet.")
    assert "Dana" not in told


def test_what_comes_to_the_members_number_is_no_turn(gym: Gym, phone: Phone) -> None:
    assert phone.says("hello", to="+14155238887") == []
    assert gym.turns() == []
    assert gym.inbound(phone)[-1].state is InboundState.ROUTED


def test_what_breaks_in_one_message_does_not_stop_those_behind_it(gym: Gym, phone: Phone) -> None:
    gym.says(("hello", [{"say": "Hi."}]))
    phone.writes("hello")
    phone.writes("hello again")
    (first, _) = [one for one in gym.inbound(phone) if one.state is InboundState.STORED]
    with gym.db.platform() as session:
        session.merge(first).form = {"MessageSid": 7, "From": 8, "To": 9}
    gym.settle()
    assert [one.state for one in gym.inbound(phone)][-2:] == [
        InboundState.FAILED,
        InboundState.ROUTED,
    ]
    assert heard(gym) == ["hello again"]


class TestLanguage:
    def test_cards_are_in_the_language_of_the_words_they_answer(
        self, gym: Gym, phone: Phone
    ) -> None:
        gym.cancels("לבטל מחר")
        assert phone.says("לבטל מחר")[-1].startswith("\u200fלבטל את השיעור?")
        gym.cancels("отмени завтра")
        assert phone.says("отмени завтра")[-1].startswith("Отменить занятие?")
        assert phone.says("1")[0].startswith("Занятие отменено:")
