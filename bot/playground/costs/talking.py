"""One conversation of a replay: the events that stand, and what is asked of which model."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import anthropic

from bot.conversation.ledger import first_remembered
from bot.conversation.minds import READING_MAX_TOKENS, WORDS_MAX_TOKENS
from bot.conversation.opening import FIND_TOOLS
from bot.conversation.summaries import Remembered
from bot.model import title
from bot.model.adapter import ClaudeModel
from bot.model.in_play import in_play
from bot.model.lanes import ESCALATE, HAND_OVER
from bot.model.pace import WALL
from bot.model.priced import Priced
from bot.model.prompt import Json, Prefix
from bot.model.quick import QuickRoute, spoken
from bot.model.settings import ModelSettings
from bot.model.summary import Summary, due, request
from bot.playground.costs.cards import result
from bot.playground.costs.counting import Tally
from bot.playground.costs.gyms import Told
from bot.playground.costs.policy import MAIN, SMALL
from bot.playground.costs.trace import Ask, Step
from bot.playground.costs.vendor import Vendor
from bot.playground.model_api.answer import Answer, Call, Say
from bot.turn.advance import calling
from bot.turn.events import Ended, Event, Heard, Ran, Said
from tools import finding
from tools.kit import calls as kit
from tools.kit.cards import FoundTool, ToolsFound

STEP_S = 4.0
"""Seconds from one call of the model to the next."""
_TITLE = "Who is in tomorrow evening"
_SUMMARY = "The owner asked who is in, what is owed and what to change, and approved it. " * 15
_WORDS = "So it is, and this is what came of it. "


@dataclass
class Taken:
    """How many turns went which way."""

    lanes: Counter[str] = field(default_factory=Counter)
    handed_over: int = 0
    sought: int = 0
    """Calls of the model that only looked for a tool which the opening had not found."""


@dataclass
class Talk:
    told: Told
    client: anthropic.Anthropic
    vendor: Vendor
    tally: Tally
    turns: list[list[Event]] = field(default_factory=list)
    summary: Summary | None = None

    @property
    def before(self) -> Sequence[Event]:
        return self.turns[-1] if self.turns else ()

    def take(self, heard: Heard, ask: Ask, *, routed: bool, found: bool, taken: Taken) -> None:
        """Play a turn to its end."""
        turn = _Turn(self, [heard], ask, taken, known=self._known())
        lane = turn.look(heard) if routed else "act"
        taken.lanes[lane if routed else "unrouted"] += 1
        if lane == "quick":
            turn.quick()
        else:
            if found:
                turn.open(heard)
            turn.go_on(lane)
        self.turns.append([*turn.events, Ended(reason="done")])
        self._aside(heard)

    def model(self, name: str, prefix: Prefix, most: int, past: Remembered) -> ClaudeModel:
        settings = ModelSettings(name, max_tokens=most)
        earlier, summary = past.turns, past.summary
        return ClaudeModel(
            self.client, settings, prefix, earlier=earlier, summary=summary, purse=self.tally
        )

    def past(self) -> Remembered:
        """Turns count from one, as they do in their table."""
        until = self.summary.until if self.summary else 0
        since = max(first_remembered(len(self.turns) + 1), until + 1, 1)
        block = self.summary.block() if self.summary else ""
        return Remembered(since, block, self.turns[since - 1 :])

    def _aside(self, heard: Heard) -> None:
        """What the small model does once a turn is over."""
        if len(self.turns) == 1:
            self._ask(title.request(SMALL, heard.text), _TITLE)
        before = self.summary
        until = due(len(self.turns), before.until if before else 0)
        if until is not None:
            new = self.turns[before.until if before else 0 : until]
            self._ask(request(SMALL, new, before), _SUMMARY)
            self.summary = Summary(until, _SUMMARY, in_play(new, before.things if before else ()))

    def _ask(self, asked: Json, said: str) -> None:
        self.vendor.script.answers.append(Answer((Say(said),)))
        Priced(self.client, self.tally, WALL.clock).ask(asked)

    def _known(self) -> set[str]:
        """Tools that the model sees: loaded, or referred to before."""
        loaded = {one["name"] for one in self.told.main.tools} - self.told.main.deferred
        cards = (event.card for turn in self.turns for event in turn if isinstance(event, Ran))
        found = {one.name for card in cards if isinstance(card, ToolsFound) for one in card.tools}
        return loaded | found


@dataclass
class _Turn:
    talk: Talk
    events: list[Event]
    ask: Ask
    taken: Taken
    known: set[str]

    def look(self, heard: Heard) -> str:
        """The first look of the small model: the lane it names."""
        told, vendor = self.talk.told.quick, Priced(self.talk.client, self.talk.tally, WALL.clock)
        names = {one["name"] for one in told.tools}
        one = self.ask.rounds[0][0] if self.ask.rounds else None
        if self.ask.lane == "quick" and one is not None and _wire(one.tool) in names:
            said: Call = _call(one)
        else:
            said = Call(ESCALATE, {"lane": "act" if self.ask.lane == "act" else "read"})
        self._say(said)
        route = QuickRoute(vendor, SMALL, told, spoken(self.talk.turns))
        chosen = route.choose(heard, lambda _: True)
        if isinstance(chosen, str):
            return chosen
        self._ran(calling((chosen,), model=SMALL), [self.ask.rounds[0][0].result])
        return "quick"

    def quick(self) -> None:
        """Its words, or where it had taken too much upon itself the main model's turn."""
        if self.ask.wrong:
            self._reply(self._words_model(), Call(ESCALATE, {"lane": "act"}), keep=False)
            self.taken.handed_over += 1
            self.go_on("act")
        else:
            self._reply(self._words_model(), self._answer())

    def open(self, heard: Heard) -> None:
        """What is looked for before the model is asked."""
        registry = self.talk.told.tools.registry
        offered = registry.for_role(self.talk.told.tools.role)
        text = heard.text[: finding.LONGEST]
        best = finding.find([one for one in offered if not one.core], text)
        call = kit.Call(id=f"opening_{len(self.talk.turns)}", name=FIND_TOOLS, input={"q": text})
        card = ToolsFound(tools=tuple(FoundTool(name=o.wire_name, label=o.label) for o in best))
        self.events += [calling((call,), ours=True), Ran(call_id=call.id, card=card)]
        self.known |= {one.wire_name for one in best}

    def go_on(self, lane: str) -> None:
        reader = lane == "read"
        model = self._reading_model() if reader else self._main_model()
        for at, calls in enumerate(self.ask.rounds):
            self._seek(model, calls)
            said = self._reply(model, *map(_call, calls))
            self._ran(said, [one.result for one in calls], pause=self._pause(at))
        if reader and self.ask.wrong:
            self._reply(model, Call(HAND_OVER, {}), keep=False)
            self.taken.handed_over += 1
            model = self._main_model()
        self._reply(model, self._answer())

    def _seek(self, model: ClaudeModel, calls: Sequence[Step]) -> None:
        """A tool that isn't seen yet is asked for first."""
        missing = [
            name for name in map(_wire, (one.tool for one in calls)) if name not in self.known
        ]
        if not missing:
            return
        self.taken.sought += 1
        said = self._reply(model, Call(FIND_TOOLS, {"q": " ".join(missing)}))
        card = ToolsFound(tools=tuple(FoundTool(name=one, label=one) for one in missing))
        self.events.append(Ran(call_id=said.calls[0].id, card=card))
        self.known |= {*missing}

    def _pause(self, at: int) -> float:
        return self.ask.waits if at == len(self.ask.rounds) - 1 else 0

    def _reply(self, model: ClaudeModel, *pieces: Call | Say, keep: bool = True) -> Said:
        self._say(*pieces)
        said = next(_said(model, self.events))
        if keep:
            self.events.append(said)
        return said

    def _say(self, *pieces: Call | Say) -> None:
        self.talk.vendor.script.answers.append(Answer(pieces))
        self.talk.vendor.now += STEP_S

    def _ran(self, said: Said, sizes: Sequence[int], pause: float = 0) -> None:
        if said not in self.events:
            self.events.append(said)
        for call, size in zip(said.calls, sizes, strict=True):
            card = result(size, seed=len(self.talk.turns) * 50 + len(self.events))
            self.events.append(Ran(call_id=call.id, card=card))
        self.talk.vendor.now += pause

    def _answer(self) -> Say:
        return Say((_WORDS * (self.ask.words // len(_WORDS) + 1))[: max(1, self.ask.words)])

    def _main_model(self) -> ClaudeModel:
        past = self.talk.past()
        told = self.talk.told.main.after(past.since, past.summary)
        return self.talk.model(MAIN, told, 8_000, past)

    def _reading_model(self) -> ClaudeModel:
        past = self.talk.past()
        told = self.talk.told.reading.after(past.since, past.summary)
        return self.talk.model(SMALL, told, READING_MAX_TOKENS, past)

    def _words_model(self) -> ClaudeModel:
        recent = Remembered(0, "", spoken(self.talk.turns))
        return self.talk.model(SMALL, self.talk.told.quick, WORDS_MAX_TOKENS, recent)


def _said(model: ClaudeModel, events: Sequence[Event]) -> Iterator[Said]:
    """The message of a reply. Raises StopIteration where the stand-in refused the request."""
    return (event for event in model.reply(events) if isinstance(event, Said))


def _wire(tool: str) -> str:
    return tool.replace(".", "__")


def _call(step: Step) -> Call:
    return Call(_wire(step.tool), {"of": "x" * max(0, step.input - 9)})
