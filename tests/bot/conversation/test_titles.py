"""A conversation on the dashboard gets a name beside its first turn, or keeps its first words."""

import json
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from app.core.actor import Role
from bot.channels.web import lookup
from bot.channels.web.views import PersonViews
from bot.conversation import accept, titles
from bot.conversation.models import Conversation, Surface, Words
from bot.conversation.relay import relay_due
from bot.playground.model_api.faults import FaultKind
from bot.render.reader import Reader
from bot.stream.entries import Person, person_key
from i18n import Language
from tests.bot.conversation.asides import requests_of, small_says, used, work_asides
from tests.floor import Gym, call
from tests.studio import NOW

SAID, TITLE = "cancel tomorrow's open gym", "Cancelling tomorrow's open gym"


def says(gym: Gym, text: str, conversation_id: UUID | None = None) -> UUID:
    """The owner writes on the page; the turn is carried on by nobody yet."""
    with gym.db.transaction(gym.org_id) as session:
        if conversation_id is None:
            conversation_id = accept.open_conversation(session, gym.owner, Surface.WEB).id
        enqueue = gym.stage.wiring.enqueue
        accept.say(session, gym.owner, conversation_id, text, enqueue=enqueue)
    return conversation_id


def titled(gym: Gym) -> list[str | None]:
    return [one.title for one in gym.conversations() if one.surface is Surface.WEB]


def listed(gym: Gym) -> list[str]:
    """Names in the list of the page."""
    with gym.db.transaction(gym.org_id) as session:
        views = PersonViews(Reader(Language.EN, "Asia/Jerusalem", NOW), gym.stage.wiring.registry)
        return [one["title"] for one in lookup.past(session, gym.owner, views)["conversations"]]


def script(gym: Gym, *small: dict[str, object]) -> None:
    main = {"model": "sonnet", "steps": [{"say": f"Answer {n}."} for n in range(9)]}
    gym.brain.load([small_says(*small), main])


def heard_of(gym: Gym) -> list[dict[str, Any]]:
    """What the person's pages were told under this name."""
    key = person_key(Person(gym.org_id, gym.owner.user_id))
    entries: Any = gym.stage.wiring.redis.xrange(key)
    return [json.loads(one[b"value"]) for _, one in entries if one[b"name"] == b"titled"]


def test_it_is_named_from_its_first_words_before_the_turn_has_ended(gym: Gym) -> None:
    script(gym, {"say": f"**{TITLE}.**"})
    conversation_id = says(gym, SAID)
    assert listed(gym) == [SAID]
    assert work_asides(gym) == ["name_conversation"]
    assert (titled(gym), listed(gym)) == ([TITLE], [TITLE])
    assert heard_of(gym) == [{"conversation_id": str(conversation_id), "title": TITLE}]
    (asked,) = requests_of(gym)
    assert "tools" not in asked
    assert SAID in asked["messages"][0]["content"][0]["text"]
    (row,) = used(gym, "title")
    assert 0 < row.cost_micros < 500
    assert row.conversation_id == conversation_id

    gym.settle()
    says(gym, "and the day after?", conversation_id)
    gym.settle()
    assert work_asides(gym) == [], "once"


def test_a_phones_conversation_has_no_list_to_stand_in(gym: Gym) -> None:
    script(gym, {"say": TITLE})
    gym.linked().says("hello")
    assert work_asides(gym) == []
    gym.stage.wiring.asides.name(gym.org_id, gym.conversations()[0].id)
    assert [one.title for one in gym.conversations()] == [None]


@pytest.mark.parametrize(
    "said",
    [
        {"say": "I can't cancel classes, I'm afraid. What would you like me to do instead?"},
        {"say": "ביטול אופן ג׳ים מחר"},
        {"say": "Cancelling", "stop_reason": "max_tokens"},
        {"say": "-", "fault": {"kind": FaultKind.OVERLOADED, "times": 1}},
    ],
)
def test_without_a_name_the_first_words_stand_and_the_next_turn_asks_again(
    gym: Gym, said: dict[str, object]
) -> None:
    script(gym, said)
    conversation_id = says(gym, SAID)
    assert work_asides(gym) == ["name_conversation"]
    assert (titled(gym), listed(gym), heard_of(gym)) == ([None], [SAID], [])
    script(gym, {"say": TITLE})
    gym.settle()
    assert gym.turns()[0].reason == "done", "no turn minds"
    assert work_asides(gym) == ["name_conversation"]
    assert titled(gym) == [TITLE]
    assert [one["conversation_id"] for one in heard_of(gym)] == [str(conversation_id)]


def test_an_erasure_takes_a_name_that_its_words_gave(gym: Gym) -> None:
    """Whatever was made of the words: another spelling, a first name alone."""
    member_id = gym.studio.person("Dana Levinsky")
    script(gym, {"say": "Booking Danushka for tomorrow"})
    conversation_id = says(gym, "book Dana Levinsky for tomorrow")
    says(gym, "hello, anybody there?")
    gym.settle()
    work_asides(gym)
    with gym.db.transaction(gym.org_id) as session:
        found = titles.unnamed(session, conversation_id)
        assert found is None
    assert titled(gym)[0] == "Booking Danushka for tomorrow"

    erase = call("memberships.erase_member_data", member_id=member_id, legal_basis="request")
    gym.says(("erase Dana", [erase, {"say": "Done."}]))
    owner = gym.linked(role=Role.OWNER)
    owner.says("erase Dana")
    owner.says("Dana Levinsky")
    gym.later(seconds=20)
    relay_due(gym.db, gym.stage.wiring.acts, gym.org_id)
    assert titled(gym)[0] is None
    assert titled(gym)[1] is not None, "another conversation keeps its own"


def test_words_that_were_erased_meanwhile_name_nothing(gym: Gym) -> None:
    conversation_id = says(gym, SAID)
    with gym.db.transaction(gym.org_id) as session:
        found = titles.unnamed(session, conversation_id)
        assert found is not None
    with gym.db.transaction(gym.org_id) as session:
        for words in session.scalars(select(Words)):
            words.text = ""
    with gym.db.transaction(gym.org_id) as session:
        assert titles.keep(session, conversation_id, found, TITLE) is None
        assert session.get_one(Conversation, conversation_id).title is None
        assert titles.unnamed(session, conversation_id) is None, "nothing to name it after"
