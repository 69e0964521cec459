"""Stories of what goes on beside a conversation: its name, and the memory of a long one."""

import json

import pytest
from sqlalchemy import select

from bot.cli.browsing import Browser
from bot.conversation.models import Conversation, SummaryRow, UsageRow
from tests.floor import within
from tests.stories.conftest import Chat, Storyteller

NAMED_S = 3


def title(chat: Chat) -> str | None:
    with chat.place.wiring.db.transaction(chat.gym.org_id) as session:
        return session.scalar(select(Conversation.title))


@pytest.mark.parametrize(
    ("gym", "asked", "named"),
    [
        (
            "en",
            "put open gym tomorrow 13:00-14:00 please",
            "put open gym tomorrow 13:00-14:00 please",
        ),
        ("he", "תבטל את אופן ג׳ים של מחר בבקשה", "תבטל את אופן ג׳ים של מחר"),
        ("ru", "запиши Дану на опен джим завтра в обед", "запиши Дану на опен джим завтра"),
    ],
    indirect=["gym"],
)
def test_a_conversation_on_the_page_is_named_within_three_seconds(
    gym: Storyteller, asked: str, named: str
) -> None:
    chat = gym.page()
    assert isinstance(chat.mouth, Browser)
    chat.mouth.write(asked)
    assert within(NAMED_S, lambda: title(chat)) == named
    chat.hears()


def test_a_long_talk_goes_on_from_its_summary(gym: Storyteller) -> None:
    chat = gym.phone()
    chat.they("find Dana")
    for _ in range(12):
        chat.they("what's on tomorrow?")
    db = gym.place.wiring.db

    def summed() -> SummaryRow | None:
        with db.transaction(gym.gym.org_id) as session:
            return session.scalar(select(SummaryRow))

    row = within(10, summed)
    assert "No language model wrote this" in row.text
    assert "find Dana" in row.text
    assert any("Dana" in thing["label"] for thing in row.things)

    chat.they("put open gym tomorrow 13:00-14:00")
    assert len(chat.changes("class_session")) == 1
    assert gym.place.model is not None
    turns = [json.loads(one.raw) for one in gym.place.model.requests]
    last = next(one for one in reversed(turns) if "sonnet" in one["model"])
    assert last["messages"][0]["content"][0]["text"].startswith("<earlier_turns>")
    with db.transaction(gym.gym.org_id) as session:
        kinds = [one.detail["kind"] for one in session.scalars(select(UsageRow))]
    assert kinds.count("summary") == 1
