"""Row 9: every fault of the model, from the phone's message to the phone's answer."""

from time import monotonic

import pytest

from bot.conversation.models import TurnState
from bot.playground.model_api.faults import FaultKind
from tests.floor import Gym, Phone, call, settled
from tools.kit.cards import Done

pytestmark = [pytest.mark.faults, pytest.mark.long]

SAID = "All is well."
FAILED = {
    "en": "That didn't go through: the assistant is not answering.",
    "he": "\u200f",
    "ru": "Не получилось",
}
PASSING = [
    FaultKind.RATE_LIMITED,
    FaultKind.OVERLOADED,
    FaultKind.SERVER_ERROR,
    FaultKind.RESET,
    FaultKind.OVERLOADED_MIDSTREAM,
    FaultKind.ERROR_MIDSTREAM,
    FaultKind.CUT,
    FaultKind.DROPPED,
    FaultKind.UNKNOWN_BLOCK,
    FaultKind.UNKNOWN_EVENT,
    FaultKind.PAUSE_TURN,
]
LASTING = [FaultKind.SERVER_ERROR, FaultKind.SPEND_CAP]
TOLD = {
    FaultKind.MAX_TOKENS: "",
    FaultKind.REFUSAL: "That can't be done here.",
    FaultKind.CONTEXT_EXCEEDED: "",
    FaultKind.UNKNOWN_STOP_REASON: "",
    FaultKind.EMPTY: "That didn't go through",
}


@pytest.fixture
def phone(gym: Gym) -> Phone:
    return gym.linked()


@pytest.mark.parametrize("kind", PASSING)
def test_a_fault_that_passes_is_not_seen(gym: Gym, phone: Phone, kind: FaultKind) -> None:
    gym.says(("hello", [{"say": SAID, "fault": {"kind": kind, "retry_after": 0.1}}]))
    assert phone.says("hello") == [SAID]


@pytest.mark.parametrize("kind", LASTING)
def test_a_fault_that_lasts_is_told_after_a_bounded_time(
    gym: Gym, phone: Phone, kind: FaultKind
) -> None:
    assert gym.stage.model is not None
    before = len(gym.stage.model.requests)
    gym.says(("hello", [{"say": SAID, "fault": {"kind": kind, "times": None}}]))
    begun = monotonic()
    assert phone.says("hello")[-1].startswith(FAILED["en"])
    assert monotonic() - begun < 30
    assert len(gym.stage.model.requests) - before <= 4
    assert gym.turns()[0].state is TurnState.ENDED


@pytest.mark.parametrize(("language", "words"), [("he", "מי רשום מחר?"), ("ru", "кто записан?")])
def test_it_is_told_in_the_language_of_the_words(
    gym: Gym, phone: Phone, language: str, words: str
) -> None:
    gym.says((words, [{"say": SAID, "fault": {"kind": FaultKind.SPEND_CAP, "times": None}}]))
    told = phone.says(words)[-1]
    assert told.startswith(FAILED[language])
    assert "didn't" not in told


@pytest.mark.parametrize(("kind", "begins"), TOLD.items())
def test_a_message_that_is_not_as_it_should_be_never_ends_in_silence(
    gym: Gym, phone: Phone, kind: FaultKind, begins: str
) -> None:
    gym.says(("hello", [{"say": SAID, "fault": {"kind": kind, "times": None}}]))
    told = phone.says("hello")
    assert told
    assert told[-1].strip()
    assert begins in told[-1]


@pytest.mark.parametrize(
    "kind", [FaultKind.CUT, FaultKind.DROPPED, FaultKind.TRUNCATED_JSON, FaultKind.MAX_TOKENS]
)
def test_half_a_call_is_never_run(gym: Gym, phone: Phone, kind: FaultKind) -> None:
    args = {"class_type_id": gym.studio.class_type_id, "date": str(gym.studio.day(1))}
    adds = call("class_sessions.create", start_time="07:00", **args)
    lasting = {"kind": kind, "times": None, "after": 4}
    gym.says(("add it", [{**adds, "fault": lasting}, {"say": SAID}]))
    assert phone.says("add it")
    assert gym.calls() == []


def test_a_call_that_comes_whole_after_a_cut_is_run_once(gym: Gym, phone: Phone) -> None:
    args = {"class_type_id": gym.studio.class_type_id, "date": str(gym.studio.day(1))}
    adds = call("class_sessions.create", start_time="07:00", **args)
    gym.says(("add it", [{**adds, "fault": {"kind": FaultKind.CUT, "after": 4}}, {"say": SAID}]))
    assert phone.says("add it")[-1].endswith(SAID)
    (events,) = gym.events()
    assert [type(event.card) for event in settled(events)] == [Done]
    assert len(gym.calls()) == 1


@pytest.mark.parametrize("kind", [FaultKind.UNKNOWN_TOOL, FaultKind.TWIN_CALLS])
def test_calls_that_make_no_sense_are_answered_and_the_turn_goes_on(
    gym: Gym, phone: Phone, kind: FaultKind
) -> None:
    gym.studio.person("Dana Levi")
    found = call("read.find_members", q="Dana")
    gym.says(("who", [{**found, "fault": kind}, {"say": SAID}]))
    assert SAID in phone.says("who")[-1]
    assert gym.turns()[0].reason == "done"
