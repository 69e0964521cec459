"""Which failures are tried again, sent another way, given up or fixed."""

import pytest

from bot.channels.twilio.errors import REMEDIES, Action, Mark, remedy_for


@pytest.mark.parametrize(
    ("code", "action"),
    [
        (20003, Action.STOP),
        (20429, Action.RETRY),
        (20500, Action.RETRY),
        (21211, Action.STOP),
        (21265, Action.STOP),
        (21408, Action.FIX),
        (21610, Action.STOP),
        (21611, Action.RETRY),
        (21612, Action.SWITCH),
        (21614, Action.STOP),
        (21617, Action.FIX),
        (21655, Action.FIX),
        (21910, Action.FIX),
        (30003, Action.RETRY),
        (30005, Action.STOP),
        (30007, Action.STOP),
        (30008, Action.RETRY),
        (30410, Action.RETRY),
        (30034, Action.FIX),
        (63003, Action.SWITCH),
        (63007, Action.SWITCH),
        (63014, Action.STOP),
        (63016, Action.SWITCH),
        (63018, Action.RETRY),
        (63024, Action.SWITCH),
        (63032, Action.SWITCH),
        (63038, Action.RETRY),
        (63051, Action.STOP),
        # unknown members of a family, and of none
        (21999, Action.FIX),
        (30999, Action.RETRY),
        (63999, Action.SWITCH),
        (12345, Action.SWITCH),
    ],
)
def test_each_code_has_its_action(code: int, action: Action) -> None:
    assert remedy_for(code).action is action


@pytest.mark.parametrize("status", [None, 500, 502, 503])
def test_no_answer_or_a_server_error_is_looked_up_before_it_is_sent_again(
    status: int | None,
) -> None:
    remedy = remedy_for(None, status)

    assert remedy.action is Action.RETRY
    assert remedy.reconcile


def test_an_unknown_code_of_a_server_error_is_ambiguous_too() -> None:
    assert remedy_for(29999, 500).reconcile
    assert remedy_for(21610, 500).action is Action.STOP


def test_statuses_without_a_code() -> None:
    assert remedy_for(None, 429) == remedy_for(20429)
    assert remedy_for(None, 401).alert
    assert remedy_for(None, 404).action is Action.FIX


def test_what_is_learned_about_an_address() -> None:
    assert remedy_for(21610).mark is Mark.OPTED_OUT
    assert remedy_for(63003).mark is Mark.NO_WHATSAPP
    assert remedy_for(63016).mark is Mark.WINDOW_CLOSED
    assert remedy_for(30006).mark is Mark.BAD_ADDRESS


def test_refused_content_falls_back_to_its_words() -> None:
    assert {code for code, remedy in REMEDIES.items() if remedy.as_text} == {
        *(21655, 21656, 21658),
        *(63005, 63006, 63021, 63030),
    }


def test_every_retry_ends_and_waits() -> None:
    for remedy in REMEDIES.values():
        assert (remedy.retries > 0) == (remedy.action is Action.RETRY)
        assert (remedy.delay > 0) == (remedy.action is Action.RETRY)
        assert remedy.then is not Action.RETRY
