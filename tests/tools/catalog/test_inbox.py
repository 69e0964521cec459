"""The tools for the inbox, through the runner, as the assistant calls them."""

from typing import Any

from app.core.actor import Role
from app.messages import service as messages
from app.messages.service import NewTemplate
from app.messages.terms import ProviderStatus
from app.people.terms import Category, Channel
from tests.requests.inbox import thread
from tests.studio import Studio
from tests.tools.catalog.asking import Asking
from tests.tools.kit.conftest import at_once
from tools.kit.cards import Confirm, Done, Facts
from tools.kit.values import plain


def template(studio: Studio, body: str) -> str:
    """One that WhatsApp has approved, with its Hebrew translation."""
    made = []
    with studio.act() as session:
        for language, text in (("en", body), ("he", "שלום {name}, {what}")):
            new = NewTemplate("back", Channel.WHATSAPP, language, text, Category.UTILITY)
            made.append(messages.create_template(session, studio.owner, new).id)
            approved = ProviderStatus.APPROVED
            messages.set_provider_status(session, made[-1], approved, f"HX{language}")
    return str(made[-1])


def test_an_answer_is_asked_about_with_every_word_and_cannot_be_taken_back(
    studio: Studio, ask: Asking
) -> None:
    given = {"thread_id": thread(studio), "body": "Yes.\nSee you at six."}
    asked = ask.question("inbox.reply", **given)
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    assert asked.card.always
    shown = {key: plain(value) for key, value in asked.card.values.items()}
    assert (shown["contact"], shown["channel"], shown["text"]) == (
        "Dana Levi",
        "whatsapp",
        "Yes.\nSee you at six.",
    )
    done = ask.outcome("inbox.reply", **given).card
    assert isinstance(done, Done)
    assert done.undo is None


def test_after_a_day_a_template_goes_in_their_language(studio: Studio, ask: Asking) -> None:
    old = thread(studio, hours_ago=30)
    assert ask.question("inbox.reply", thread_id=old, body="Hi") is None
    assert ask.told("inbox.reply", thread_id=old, body="Hi")["error"] == "needs_template"
    told = ask.told("inbox.get_thread", thread_id=old)
    assert told["only_templates"] is True
    given = {"thread_id": old, "template_id": template(studio, "Hi {name}, {what}")}
    assert ask.told("inbox.reply", **given)["error"] == "missing_values"
    assert ask.told("inbox.reply", **given, body="Hi")["error"] == "no_text"
    sent = ask.told("inbox.reply", **given, variables={"what": "the rower is back"})
    assert sent["text"] == "Hi Dana, the rower is back"


def test_at_night_the_question_says_when_it_leaves(studio: Studio, ask: Asking) -> None:
    given = {"thread_id": thread(studio), "body": "Yes"}
    studio.wait(hours=12)
    asked = ask.question("inbox.reply", **given)
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    (effect,) = asked.card.effects
    assert plain(effect.values["when"]) == "2026-12-01T06:00+00:00"


def test_my_own_threads_are_those_assigned_to_me(studio: Studio, ask: Asking) -> None:
    mine, _ = thread(studio), thread(studio)
    own = ask.told("read.get_current_context")["staff_id"]
    ask.outcome("inbox.assign_thread", thread_id=mine, assignee_id=own)
    found = ask.told("inbox.list_threads", mine=True)
    assert [row["id"] for row in found["rows"]] == [str(mine)]
    assert ask.told("inbox.list_threads")["total"] == 2


def test_of_several_who_assign_a_thread_at_once_one_wins(studio: Studio, ask: Asking) -> None:
    given: dict[str, Any] = {"thread_id": thread(studio)}
    roles = [Role.OWNER, Role.COACH]
    told = at_once(
        2,
        lambda: ask.told("inbox.assign_thread", **given, assignee_id=studio.staff[roles.pop()]),
    )
    assert sorted(one.get("error", "") for one in told) == ["", "thread_taken"]
    found = ask.card("inbox.get_thread", **given)
    assert isinstance(found, Facts)
    assert found.ref is not None
    given |= {"expected_version": found.ref.version}
    moved = ask.told("inbox.assign_thread", **given, assignee_id=studio.staff[Role.ADMIN])
    assert "error" not in moved
    late = ask.told("inbox.assign_thread", **given, assignee_id=studio.staff[Role.COACH])
    assert late["error"] == "stale_version"
