"""Above a size of the prompt the small model costs several times as much: the main one goes on."""

from dataclasses import replace

from bot.model.priced import Priced
from bot.model.prices import step
from bot.model.prompt import Toolset, prefix
from bot.model.purse import Unbounded
from bot.model.quick import QuickRoute, spoken
from bot.playground.model_api.server import Server
from bot.turn.events import Ended, Event, Heard, Said
from tests.bot.model.conftest import FACTS, SETTINGS, Talk
from tests.bot.model.samples import TOOLS

SMALL = "claude-haiku-5-5"


def turn(number: int, length: int) -> list[Event]:
    text = f"{number} " + "שלום abc " * (length // 9)
    block = {"type": "text", "text": text}
    return [Heard(text=text), Said(text=text, blocks=(block,)), Ended(reason="done")]


def test_a_long_conversation_is_no_longer_read_by_the_small_model(talk: Talk) -> None:
    assert step(SMALL) == 100_000
    assert step("claude-sonnet-5-5") is None
    talk.settings = replace(SETTINGS, model=SMALL)
    now = [Heard(text="and who was first?")]
    assert talk.model([turn(n, 100) for n in range(20)]).fits(now)
    long = [turn(n, 1_000) for n in range(200)]
    assert not talk.model(long).fits(now)
    talk.settings = SETTINGS
    assert talk.model(long).fits(now)


def test_words_beyond_the_step_are_not_even_looked_at(server: Server, talk: Talk) -> None:
    vendor = Priced(talk.client, Unbounded(), lambda: 0.0)
    before = spoken([turn(n, 5_000) for n in range(200)])
    quick = QuickRoute(vendor, SMALL, prefix(Toolset.of(TOOLS), FACTS), before)
    assert quick.choose(Heard(text="word " * 60_000), lambda _: True) == "act"
    assert not server.requests
    quick.choose(Heard(text="who is in?"), lambda _: True)
    (asked,) = server.requests
    assert len(asked.raw) < 40_000
