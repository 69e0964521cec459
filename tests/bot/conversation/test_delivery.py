"""What a turn shows on a phone: words, receipts, lists, why it ended, the card last."""

import pytest
from structlog.testing import capture_logs

from app.core.actor import Role
from app.core.errors import NotFound
from bot.conversation import reading
from bot.conversation.delivery import shown_events, unseen
from bot.conversation.models import TurnState
from bot.conversation.run import TRIES
from bot.playground.model_api.faults import FaultKind
from bot.turn.events import Asked, Ended, Heard
from tests.bot.conversation.test_mailbox import begin, ended, write
from tests.floor import Gym, Phone, call, settled
from tools.kit.cards import Failed
from tools.kit.models import QuestionState


@pytest.fixture
def phone(gym: Gym) -> Phone:
    return gym.linked()


def test_words_are_shown_as_the_phone_writes_them(gym: Gym, phone: Phone) -> None:
    gym.says(("hello", [{"say": "Some **bold** words\n\n- one\n- two"}]))
    (told,) = phone.says("hello")
    assert "*bold*" in told
    assert "**" not in told


def test_a_link_leads_only_where_the_person_or_a_result_said(gym: Gym, phone: Phone) -> None:
    made = "[here](https://evil.example/?d=Dana) or https://gym.example/plan"
    gym.says(("the plan", [{"say": made}]))
    (told,) = phone.says("the plan at https://gym.example/plan")
    assert "evil[.]example/?d=Dana" in told
    assert "://evil" not in told
    assert "https://gym.example/plan" in told


def test_a_long_answer_comes_in_parts(gym: Gym, phone: Phone) -> None:
    gym.says(("tell", [{"say": "\n\n".join(f"Paragraph {n}. " + "word " * 60 for n in range(12))}]))
    told = phone.says("tell")
    assert len(told) > 1
    assert max(map(len, told)) <= 1_600
    assert "Paragraph 11" in told[-1]


def test_what_is_said_before_a_card_comes_before_it(gym: Gym, phone: Phone) -> None:
    session_id = gym.studio.session()
    gym.studio.booking(gym.studio.member(), session_id)
    asks = call("class_sessions.cancel", class_session_id=session_id)
    gym.says(("cancel it", [{**asks, "say": "That would be the evening one."}, {"say": "Done."}]))
    words, card = phone.says("cancel it")
    assert words == "That would be the evening one."
    assert card.startswith("Cancel this class?")
    receipt = phone.says("1")
    assert len(receipt) == 1
    assert receipt[0].startswith("Cancelled:")
    assert receipt[0].endswith("Done.")


def test_what_was_shown_before_a_card_is_not_shown_again_after_it(gym: Gym, phone: Phone) -> None:
    session_id = gym.studio.session()
    gym.studio.booking(gym.studio.member(), session_id)
    asks = call("class_sessions.cancel", class_session_id=session_id)
    gym.says(("cancel it", [{**asks, "say": "First words."}, {"say": "Last words."}]))
    phone.says("cancel it")
    assert "First words" not in "\n".join(phone.says("1"))
    (events,) = gym.events()
    assert not any(isinstance(event, Asked | Heard) for event in unseen(events))


def test_a_list_that_was_read_is_shown_with_the_words_about_it(gym: Gym, phone: Phone) -> None:
    gym.studio.person("Dana Levi")
    gym.says(("who", [call("read.find_members", q="Dana"), {"say": "One Dana."}]))
    assert "Dana Levi" in phone.says("who")[0]
    (events,) = gym.events()
    assert len(shown_events(events)) == 2


@pytest.mark.parametrize(
    ("fault", "begins"),
    [
        (FaultKind.REFUSAL, "That can't be done here."),
        (FaultKind.EMPTY, "That didn't go through"),
        (FaultKind.SPEND_CAP, "That didn't go through"),
    ],
)
def test_a_turn_never_ends_in_silence(
    gym: Gym, phone: Phone, fault: FaultKind, begins: str
) -> None:
    gym.says(("hello", [{"say": "", "fault": {"kind": fault, "times": None}}]))
    assert phone.says("hello")[-1].startswith(begins)


def test_a_turn_of_tools_without_end_is_ended_and_told(gym: Gym, phone: Phone) -> None:
    gym.says(("loop", [call("read.find_members", q=f"Dana {n}") for n in range(25)]))
    assert "too many steps" in phone.says("loop")[-1]
    assert ended(gym) == ["too_long"]


def test_nothing_is_sent_for_a_conversation_of_the_web(gym: Gym, phone: Phone) -> None:
    gym.says(("hello", [{"say": "Hi."}]))
    write(gym, begin(gym), "hello")
    gym.settle()
    assert phone.got() == []


def test_who_lost_the_role_while_the_card_was_open_runs_nothing(gym: Gym) -> None:
    phone = gym.linked(role=Role.ADMIN)
    gym.cancels()
    phone.says("cancel it")
    gym.dismiss(Role.ADMIN)
    phone.writes("1")
    gym.settle()
    assert gym.questions()[0].state is QuestionState.OPEN
    gym.later(minutes=61)
    gym.stage.wiring.pulse.beat()
    gym.settle()
    assert ended(gym) == ["stopped"]
    assert gym.calls() == []


def test_who_left_with_words_in_the_mailbox_leaves_no_turn(gym: Gym) -> None:
    phone = gym.linked(role=Role.COACH)
    gym.says(("hello", [{"say": "Hi."}]))
    phone.writes("hello")
    gym.work_inbound()
    gym.dismiss(Role.COACH)
    gym.settle()
    assert ended(gym) == ["stopped"]
    assert phone.got() == []
    assert gym.stage.model is not None
    assert gym.stage.model.requests == ()


def test_a_lower_role_is_refused_at_the_tool(gym: Gym) -> None:
    """The tool itself is not offered; a model that calls it anyway gets the refusal."""
    phone = gym.linked(role=Role.COACH)
    gym.says(("do it", [call("studio.teleport"), {"say": "No."}]))
    phone.says("do it")
    (events,) = gym.events()
    (ran,) = settled(events)
    assert isinstance(ran.card, Failed)


def test_a_turn_that_breaks_every_time_is_ended(gym: Gym, phone: Phone) -> None:
    """A fault of ours in what is told: the turn is given up, the conversation goes on."""
    gym.says(("hello", [{"say": "Hi."}]), ("again", [{"say": "Yes."}]))
    phone.writes("hello")
    gym.work_inbound()
    conversation = gym.conversations()[-1]
    with gym.db.transaction(gym.org_id) as session:
        session.merge(conversation).address = {"channel": "whatsapp"}
    broke = 0
    while gym.turns()[0].state is not TurnState.ENDED:
        try:
            gym.settle()
        except KeyError:
            broke += 1
        assert broke <= TRIES + 1
    assert broke == TRIES + 1
    (events,) = gym.events()
    assert events[-1] == Ended(reason="model_failed")
    assert phone.says("again")[-1] == "Yes."


def test_a_conversation_is_found_by_its_person_alone(gym: Gym, phone: Phone) -> None:
    gym.says(("hello", [{"say": "Hi."}]))
    phone.says("hello")
    (conversation,), (turn,) = gym.conversations(), gym.turns()
    with gym.db.transaction(gym.org_id) as session:
        assert reading.turn(session, gym.owner, turn.id).id == turn.id
        with pytest.raises(NotFound):
            reading.conversation(session, gym.studio.coach, conversation.id)
        with pytest.raises(NotFound):
            reading.turn(session, gym.studio.coach, turn.id)


def test_what_a_turn_did_is_told_in_numbers_once_it_is_over(gym: Gym, phone: Phone) -> None:
    gym.cancels()
    with capture_logs() as logged:
        phone.says("cancel it")
        phone.says("1")

    told = [one for one in logged if one["event"].startswith("agent.")]
    *tools, whole = told
    assert [(one["tool"], one["ok"], one["ours"]) for one in tools] == [
        ("read.find_tools", True, True),
        ("class_sessions.cancel", True, False),
    ]
    assert whole["event"] == "agent.turn.completed"
    assert (whole["reason"], whole["surface"], whole["questions"]) == ("done", "whatsapp", 1)
    assert whole["model_calls"] == 2
    assert whole["cost_micros"] > 0
    assert {one["org"] for one in told} == {str(gym.org_id)}


def test_a_tool_that_the_model_made_up_is_told_by_no_name(gym: Gym, phone: Phone) -> None:
    gym.says(("hello", [call("tell_Dana_Levi"), {"say": "Hi."}]))
    with capture_logs() as logged:
        phone.says("hello")
    told = [one for one in logged if one["event"] == "agent.tool.executed"]
    assert [(one["tool"], one["code"]) for one in told[1:]] == [("unknown", "unknown_tool")]
    assert "Dana" not in str(logged)
