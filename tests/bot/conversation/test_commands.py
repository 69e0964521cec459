"""UNDO, LANG, NEW, MORE, HELP, stop, and leaving for good: never the model's business."""

import pytest
from sqlalchemy import select

from bot.conversation.models import ChannelIdentity, TurnState
from tests.floor import Gym, Phone, call
from tools.kit.models import QuestionState


@pytest.fixture
def phone(gym: Gym) -> Phone:
    return gym.linked()


def models_requests(gym: Gym) -> int:
    assert gym.stage.model is not None
    return len(gym.stage.model.requests)


def identities(gym: Gym) -> list[ChannelIdentity]:
    with gym.db.platform() as session:
        mine = ChannelIdentity.org_id == gym.org_id
        return list(session.scalars(select(ChannelIdentity).where(mine)))


class TestUndo:
    @pytest.fixture
    def done(self, gym: Gym, phone: Phone) -> None:
        """Two classes were added, under receipts 1 and 2."""
        for n, start in enumerate(("07:00", "08:00")):
            args = {
                "class_type_id": gym.studio.class_type_id,
                "date": str(gym.studio.day(1)),
                "start_time": start,
            }
            gym.says((f"add {n}", [call("class_sessions.create", **args), {"say": "Added."}]))
            assert f"UNDO {n + 1}" in phone.says(f"add {n}")[0]

    @pytest.mark.usefixtures("done")
    def test_undo_takes_the_last_one_back_and_twice_in_impatience_nothing_more(
        self, gym: Gym, phone: Phone
    ) -> None:
        phone.says("new")
        assert "08:00" in phone.says("undo")[0]
        for again in ("undo", "להחזיר"):
            (told,) = phone.says(again)
            assert told.startswith("The last one was already taken back. Nothing more was done.")
        assert sum(one.undoes is not None for one in gym.calls()) == 1
        assert "07:00" in phone.says("вернуть 1")[0]

    @pytest.mark.usefixtures("done")
    def test_undo_with_a_number_takes_that_one_back_once(self, phone: Phone) -> None:
        assert phone.says("UNDO 1")[0].startswith("Undone: WOD, Tue 1 Dec 07:00")
        (again,) = phone.says("undo 1")
        assert not again.startswith("Undone")
        assert "nothing to take back" in phone.says("undo 77")[0]

    @pytest.mark.usefixtures("done")
    def test_the_word_counts_for_ten_minutes(self, gym: Gym, phone: Phone) -> None:
        gym.later(minutes=11)
        (told,) = phone.says("undo 1")
        assert not told.startswith("Undone")

    @pytest.mark.usefixtures("done")
    def test_the_same_message_again_undoes_nothing_more(self, gym: Gym, phone: Phone) -> None:
        sid = phone.writes("undo")["sid"]
        phone.writes("undo", sid=sid)
        gym.settle()
        assert len(phone.got()) == 1
        assert sum(one.undoes is not None for one in gym.calls()) == 1


class TestMore:
    def test_more_goes_on_where_the_list_was_cut(self, gym: Gym, phone: Phone) -> None:
        for n in range(23):
            gym.studio.person(f"Dana Number{n:02d}")
        found = call("read.find_members", q="Dana", limit=25)
        gym.says(("who is dana", [found, {"say": "These."}]))
        told = "\n".join(phone.says("who is dana"))
        pages = [told, *(phone.says(word)[0] for word in ("more", "עוד"))]
        named = [{n for n in range(23) if f"Number{n:02d}" in page} for page in pages]
        assert [len(one) for one in named] == [10, 10, 3]
        assert set.union(*named) == set(range(23))
        assert phone.says("ещё") == ["That was the whole list."]

    def test_without_a_list_there_is_no_more(self, phone: Phone) -> None:
        assert phone.says("more") == ["That was the whole list."]

    def test_a_whole_list_ends_an_older_one(self, gym: Gym, phone: Phone) -> None:
        for n in range(12):
            gym.studio.person(f"Dana Number{n:02d}")
        gym.studio.person("Zohar Last")
        gym.says(
            ("who is dana", [call("read.find_members", q="Dana", limit=20), {"say": "These."}]),
            ("who is zohar", [call("read.find_members", q="Zohar"), {"say": "One."}]),
        )
        phone.says("who is dana")
        phone.says("who is zohar")
        assert phone.says("more") == ["That was the whole list."]


def test_lang_changes_the_language_for_the_person_and_the_conversation(
    gym: Gym, phone: Phone
) -> None:
    assert phone.says("hebrew")[0].startswith("\u200f")
    assert phone.says("русский") == ["Теперь по-русски."]
    assert gym.conversations()[-1].language == "ru"
    with gym.db.transaction(gym.org_id) as session:
        actor = gym.stage.wiring.phone.actor_of(session, gym.org_id, gym.owner.user_id)
    assert actor is not None
    assert actor.language == "ru"


def test_help_says_what_can_be_written(gym: Gym, phone: Phone) -> None:
    assert phone.says("?")[0].startswith("I'm Spotter, the assistant of Gym.")
    assert models_requests(gym) == 0


def test_new_starts_another_conversation_and_closes_the_open_card(gym: Gym, phone: Phone) -> None:
    gym.cancels(then=[("hello", [{"say": "Hi."}])])
    phone.says("cancel it")
    assert phone.says("חדש")[0] == "A new conversation. Write what you need."
    assert gym.questions(QuestionState.OPEN) == []
    phone.says("1")
    assert gym.calls() == []
    phone.says("hello")
    assert len(gym.conversations()) == 2


def test_stop_closes_the_open_question_and_does_not_opt_out(gym: Gym, phone: Phone) -> None:
    gym.cancels()
    phone.says("cancel it")
    assert phone.says("stop") == ["Stopped. What was done before stays done."]
    assert gym.questions(QuestionState.OPEN) == []
    assert not any(row.opted_out_whatsapp for row in identities(gym))


def test_stop_stops_what_waits(gym: Gym, phone: Phone) -> None:
    gym.says(("hello", [{"say": "Hi."}]))
    phone.writes("hello")
    gym.work_inbound()
    phone.says("стой")
    assert [turn.state for turn in gym.turns()] == [TurnState.ENDED]
    assert models_requests(gym) == 0


def test_stop_with_nothing_to_stop_opts_out_on_whatsapp_and_start_opts_in(
    gym: Gym, phone: Phone
) -> None:
    (told,) = phone.says("STOP")
    assert told.startswith("No more messages will come to this number.")
    assert all(row.opted_out_whatsapp for row in identities(gym))
    assert not any(row.opted_out_sms for row in identities(gym))
    (told,) = phone.says("start")
    assert told.startswith("Messages come to this number again.")
    assert not any(row.opted_out_whatsapp for row in identities(gym))
    assert models_requests(gym) == 0


@pytest.mark.parametrize("text", ["הסר", "отписаться", "unsubscribe"])
def test_opt_out_words_of_every_language_count(gym: Gym, phone: Phone, text: str) -> None:
    assert len(phone.says(text)) == 1
    assert all(row.opted_out_whatsapp for row in identities(gym))


def test_a_word_that_only_stops_never_opts_out(gym: Gym, phone: Phone) -> None:
    assert phone.says("עצור") == ["Nothing is running. Nothing was changed."]
    assert not any(row.opted_out_whatsapp for row in identities(gym))


@pytest.mark.parametrize(("text", "out"), [("STOP", True), ("Cancel", True), ("HELP", False)])
def test_by_sms_the_carrier_has_answered_it_is_recorded_only(
    gym: Gym, phone: Phone, text: str, *, out: bool
) -> None:
    sms = phone.on("sms")
    assert sms.says(text) == []
    assert [row.opted_out_sms for row in identities(gym)] == [out]
    assert sms.says("START") == []
    assert not any(row.opted_out_sms for row in identities(gym))
    assert models_requests(gym) == 0


def test_a_word_of_the_operators_own_that_the_carrier_took_is_recorded(
    gym: Gym, phone: Phone
) -> None:
    sms = phone.on("sms")
    sms.posts(Body="basta", OptOutType="STOP")
    gym.settle()
    assert sms.got() == []
    assert all(row.opted_out_sms for row in identities(gym))


def test_yes_by_sms_answers_the_card_though_carriers_take_it_for_start(gym: Gym) -> None:
    gym.cancels()
    sms = gym.linked("sms")
    sms.says("cancel it")
    assert sms.says("YES")[0].startswith("Cancelled:")


def test_a_stopped_turn_is_stopped_by_sms_words_of_our_own(gym: Gym) -> None:
    gym.cancels()
    sms = gym.linked("sms")
    sms.says("cancel it")
    assert sms.says("стоп")[0].startswith("Stopped.")
    assert not any(row.opted_out_sms for row in identities(gym))


def test_an_empty_message_and_a_book_are_told_what_is_wrong(gym: Gym, phone: Phone) -> None:
    assert phone.says("  ") == ["The message is empty. Nothing was done."]
    assert phone.says("x" * 10_000) == [
        "The message is too long. Nothing was done. Send it in parts."
    ]
    assert gym.turns() == []
