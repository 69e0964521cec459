"""What a turn adds to the model's own time: to its first words, and with each call of a tool."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.request import Request, urlopen

from app.core.actor import Actor
from bot.cli.bench_child import Child, child
from bot.cli.bench_figures import Baseline, Figure, median, quantile
from bot.cli.bench_place import Place, await_answer, base_url, free_port, running
from bot.conversation.accept import open_conversation, say
from bot.conversation.models import Surface

TOOL: Final = "class_types__list"
READS: Final = 6
DELTAS: Final = 40
_PIECE: Final = "fourteen chars"
_READ: Final = {"calls": [{"name": TOOL}]}
SCRIPT: Final = {
    "greet": [{"say": "Good morning."}],
    "once": [_READ, {"say": "Read it once."}],
    "often": [*[_READ] * READS, {"say": "Read it often."}],
    "story": [{"say": _PIECE * DELTAS}],
}
"""What the model answers, by sentence; the stand-in sends fourteen characters with a delta."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured; the smallest is for tests."""

    first: int = 40
    tools: int = 12
    waves: int = 3
    at_once: int = 50
    between_deltas_s: float = 0.05


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn's times in ms from its commit: to the first words at the adapter, to its end."""

    first_ms: float
    whole_ms: float


@dataclass(frozen=True)
class Bench:
    """A worker, the bare SDK in a process of its own, and one stand-in of the model for both."""

    place: Place
    model_url: str
    worker: Child
    direct: Child
    requests: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """What the adapter sent in a turn, by sentence."""

    def turns(self, sentence: str, count: int = 1) -> list[Turn]:
        """So many turns at once, each in a conversation of its own."""
        coaches = self.place.coaches
        people = [coaches[n % len(coaches)] for n in range(count)]
        committed = dict(_say_all(self.place, people, sentence))
        return _times(self.worker, committed)

    def calls(self, sentence: str, count: int = 1) -> list[Turn]:
        """The same requests by the SDK alone, in so many threads at once."""
        self.direct.tell({"requests": self.sent_by(sentence), "threads": count})
        heard = self.direct.hear()
        return [Turn(*both) for both in zip(heard["first_ms"], heard["whole_ms"], strict=True)]

    def sent_by(self, sentence: str) -> list[dict[str, Any]]:
        if sentence not in self.requests:
            self.order(forget=True)
            self.turns(sentence)
            with urlopen(f"{self.model_url}/_control", timeout=10) as answer:  # noqa: S310 - our own stand-in
                kept = json.load(answer)["requests"]
            self.requests[sentence] = [one["body"] for one in kept]
        return self.requests[sentence]

    def order(self, **order: float) -> None:
        """Tell the stand-in how to behave."""
        _order(self.model_url, order)


@contextmanager
def open_bench(place: Place, threads: int) -> Iterator[Bench]:
    """All of it warm: each sentence has been said once by both."""
    with ExitStack() as stack:
        script = Path(stack.enter_context(TemporaryDirectory())) / "script.json"
        scenes = [{"when": sentence, "steps": steps} for sentence, steps in SCRIPT.items()]
        script.write_text(json.dumps(scenes))
        port = free_port()
        url = base_url(port)
        pace = ("--first-byte", "0", "--delta", "0")
        module = [sys.executable, "-m", "bot.playground.model_api"]
        line = [*module, "--port", str(port), "--script", str(script), *pace]
        stack.enter_context(running(line, place.env))
        await_answer(port)
        quiet = {"TWILIO_STAFF_WHATSAPP": ""}  # no numbers: nothing to look up at the vendor's
        # The loop alone is compared, so that each turn's requests are the same.
        alone = {"QUICK_ROUTE": "false", "KEEP_ALIVE": "off"}
        model = {"ANTHROPIC_BASE_URL": url, "TURN_THREADS": str(threads)}
        env = place.env | quiet | alone | model
        worker = stack.enter_context(child(env, "bot.cli.bench_worker", str(threads)))
        direct = stack.enter_context(child(env, "bot.cli.bench_direct"))
        bench = Bench(place, url, worker, direct)
        for sentence in SCRIPT:
            bench.calls(sentence)
        yield bench


def _order(url: str, order: dict[str, float]) -> None:
    request = Request(f"{url}/_control", json.dumps(order).encode(), method="POST")  # noqa: S310 - our own stand-in
    with urlopen(request, timeout=10):  # noqa: S310 - our own stand-in
        pass


def _say_all(place: Place, people: list[Actor], sentence: str) -> Iterator[tuple[str, float]]:
    """Turn ids, and when what was said was committed."""
    db, times = place.wiring.db, []

    def enqueue(job: str, *args: str) -> None:
        times.append(time.monotonic())  # it is called right after the commit
        place.wiring.enqueue(job, *args)

    conversations = []
    for person in people:
        with db.transaction(person.org_id) as session:
            opened = open_conversation(session, person, Surface.WEB)
            opened.title = "Bench"  # or the small model would be asked for one
            conversations.append(opened.id)
    for person, conversation in zip(people, conversations, strict=True):
        with db.transaction(person.org_id) as session:
            said = say(session, person, conversation, sentence, enqueue=enqueue)
        yield str(said.turn_id), times[-1]


def _times(worker: Child, committed: dict[str, float]) -> list[Turn]:
    first: dict[str, float] = {}
    turns: list[Turn] = []
    while len(turns) < len(committed):
        heard = worker.hear()
        turn = heard["turn"]
        ms = (heard["at"] - committed[turn]) * 1e3
        if heard["what"] == "first":
            first[turn] = ms
        else:
            turns.append(Turn(first[turn], ms))
    return turns


def first_words(place: Place, size: Size) -> Iterator[Figure]:
    """From what was said being committed to the model's first words, one turn at a time."""
    with open_bench(place, 4) as bench:
        both = [(bench.turns("greet")[0], bench.calls("greet")[0]) for _ in range(size.first)]
    ours, bare = [turn.first_ms for turn, _ in both], [call.first_ms for _, call in both]
    how = (
        "one turn at a time, an idle worker of 4 threads; a stand-in that answers at once",
        "the main model alone",
        "from the commit of what was said to the first delta at the adapter",
        "turn and bare call alternate",
        *place.conditions,
    )
    what = "a thread that sends the same request by the SDK alone, from before it starts"
    for part in (0.5, 0.95):
        base = Baseline(quantile(bare, part), what, bare)
        yield Figure(f"first_words.p{part * 100:g}", quantile(ours, part), "ms", ours, how, base)
    added = [mine - theirs for mine, theirs in zip(ours, bare, strict=True)]
    yield Figure("first_words.added", median(added), "ms", added, how)


def tool_calls(place: Place, size: Size) -> Iterator[Figure]:
    """What each call of a tool adds: its round through the model included, and the bare rounds."""
    ours: list[float] = []
    bare: list[float] = []
    with open_bench(place, 4) as bench:
        for _ in range(size.tools):
            ours.append(_each(bench.turns))
            bare.append(_each(bench.calls))
    how = (
        f"turns of {READS} and of 1 sequential reads ({TOOL}): the difference by {READS - 1}",
        "one turn at a time; a stand-in that answers at once; turn and bare calls alternate",
        *place.conditions,
    )
    what = "the same requests by the SDK alone: a request more for each read, without running it"
    base = Baseline(median(bare), what, bare)
    yield Figure("tool_call.each", median(ours), "ms", ours, how, base)
    added = [mine - theirs for mine, theirs in zip(ours, bare, strict=True)]
    yield Figure("tool_call.added", median(added), "ms", added, how)


def _each(carry: Callable[[str], list[Turn]]) -> float:
    often, once = carry("often")[0], carry("once")[0]
    return (often.whole_ms - once.whole_ms) / (READS - 1)
