"""What the API does with a request, apart from HTTP."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.core.clock import Clock as WallClock
from bot.playground.model_api.answer import Answer, Brain, Other
from bot.playground.model_api.binding import Bond, follow
from bot.playground.model_api.cache import Plan, PromptCache
from bot.playground.model_api.compaction import summed_up
from bot.playground.model_api.composing import compose
from bot.playground.model_api.diagnosis import Diagnosis
from bot.playground.model_api.errors import Refused, invalid
from bot.playground.model_api.events import Reply, new_id
from bot.playground.model_api.faults import Fault, FaultKind
from bot.playground.model_api.injection import TORN, Strikes, raise_before, reshaped
from bot.playground.model_api.prefix import Prefix, prefix_of
from bot.playground.model_api.request import MessagesRequest, Prompt
from bot.playground.model_api.rules.rule import Case, Rule, check
from bot.playground.model_api.rules.table import RULES
from bot.playground.model_api.surface import SURFACES, Surface

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A reply that is ready to be sent, what happens to the connection meanwhile, and its cost."""

    reply: Reply
    plan: Plan
    torn: Fault | None


@dataclass(frozen=True, slots=True)
class _Checked:
    surface: Surface
    bond: Bond
    prefix: Prefix


def epoch_seconds() -> float:
    """The wall clock, as the API's own expiries are counted."""
    return WallClock().now().timestamp()


class Service:
    """Holds what a process knows: the cache, recent requests' fingerprints, faults to come."""

    def __init__(
        self, brain: Brain, *, clock: Clock = epoch_seconds, rules: Sequence[Rule] = RULES
    ) -> None:
        self.brain = brain
        self.strikes = Strikes()
        self.clock = clock
        self._rules = rules
        self._cache = PromptCache()
        self._diagnosis = Diagnosis()

    def count(self, prompt: Prompt) -> int:
        """Tokens of a prompt, under the same rules as a request for an answer."""
        return self._checked(prompt).prefix.tokens

    def prepare(self, request: MessagesRequest) -> Prepared:
        """Raises Refused where the API would, or where a fault strikes in place of an answer."""
        started = self.clock()
        checked = self._checked(request)
        asked = self.strikes.for_request(request)
        for fault in asked:
            raise_before(fault)
        answer, faults = self._answer(request, checked.prefix, asked)
        if answer.stream and not request.stream:
            raise invalid("The stand-in has this answer as a stream only.")
        blocks, stop_reason = compose(answer, request, checked.surface, checked.bond)
        plan = self._cache.plan(checked.prefix, checked.surface.min_cached, started)
        reply = Reply(
            message_id=new_id("msg_01"),
            model=request.model,
            blocks=blocks,
            stop_reason=stop_reason,
            usage=plan.usage(),
            diagnostics=self._diagnosis.of(request, checked.prefix, plan),
            unknown_event=any(fault.kind is FaultKind.UNKNOWN_EVENT for fault in faults),
            recorded=answer.stream,
        )
        self._diagnosis.remember(reply.message_id, checked.prefix)
        torn = next((fault for fault in faults if fault.kind in TORN), None)
        return Prepared(reply, plan, torn)

    def begin(self, prepared: Prepared) -> None:
        """The response begins: from here on others can read what this request caches."""
        self._cache.keep(prepared.plan)

    def _checked(self, prompt: Prompt) -> _Checked:
        surface = SURFACES.get(prompt.model)
        if surface is None:
            raise Refused(404, f"model: {prompt.model}")
        prefix = prefix_of(prompt, surface)
        check(Case(prompt, surface, prefix.tokens), self._rules)
        bond = follow(prompt, surface)
        if bond.dropped:
            prefix = prefix_of(prompt, surface, bond.dropped)
        return _Checked(surface, bond, prefix)

    def _answer(
        self, request: MessagesRequest, prefix: Prefix, asked: tuple[Fault, ...]
    ) -> tuple[Answer, tuple[Fault, ...]]:
        if request.compaction:
            summary = summed_up(request).model_dump(exclude={"cache_control", "tool_changes"})
            return Answer((Other(summary),), "compaction"), asked
        if request.max_tokens == 0:
            return Answer(stop_reason="max_tokens"), asked
        answer = self.brain.answer(request)
        faults = (*asked, *self.strikes.of_answer(answer, prefix.digest))
        for fault in faults:
            raise_before(fault)
            answer = reshaped(answer, fault, request)
        return answer, faults
