"""The planner as the stand-in's brain: everything it knows is in the request before it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import assert_never

from bot.playground.model_api.answer import Answer, Call, Say
from bot.playground.model_api.blocks import TextBlock
from bot.playground.model_api.reading import Turn, turns
from bot.playground.model_api.request import MessagesRequest
from bot.playground.planner import wishes as w
from bot.playground.planner.asides import aside
from bot.playground.planner.desk import Desk, Needs, Over, Stage
from bot.playground.planner.flows import carry_out
from bot.playground.planner.fold import Language, fold, language_of
from bot.playground.planner.lanes import in_lane
from bot.playground.planner.speech import say
from bot.playground.planner.understand import UNKNOWN, understand

_NOW = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)")
_PLAYBOOK = re.compile(r"^playbook \w+:", re.MULTILINE)
_TITLE_WORDS = 6
_NAME_WORDS = 3


class Planner:
    """Asked from many threads at once; it keeps nothing."""

    def answer(self, request: MessagesRequest) -> Answer:
        conversation = turns(request)
        if not conversation:
            return Answer((Say(say("en", "hello")),))
        turn = conversation[-1]
        beside = aside(request, turn.text)
        if beside is not None:
            return beside
        if not request.client_tools:
            return Answer((Say(" ".join(turn.text.split()[:_TITLE_WORDS])),))
        language = _language(conversation)
        now = clock(turn.context)
        if now is None:
            return Answer((Say(say(language, "no_clock")),))
        if _PLAYBOOK.search(turn.context):
            return Answer((Say(say(language, "playbook")),))
        wish = _wish(conversation, language, now, _asked_back(request))
        if turn.pictures and wish == UNKNOWN:
            return Answer((Say(say(language, "picture")),))
        desk = Desk(request, turn, language, now)
        return in_lane(wish, desk, next_step(wish, desk))


def next_step(wish: w.Wish, desk: Desk) -> Answer:
    """The next calls of all parts of the wish, or what to say when each has come to its end."""
    waiting: list[Needs] = []
    done: list[str] = []
    over: list[Over] = []
    for part in w.parts(wish):
        try:
            done.append(carry_out(desk, part))
        except Needs as needs:
            waiting.append(needs)
        except Over as end:
            over.append(end)
    if waiting:
        return Answer(tuple(_next_calls(waiting)))
    return Answer((Say("\n".join([*done, *_told(desk, wish, over, done)])),))


def _told(desk: Desk, wish: w.Wish, over: list[Over], done: list[str]) -> Iterator[str]:
    """Why parts came to nothing, each reason once; and that nothing changed, where that is so."""
    told = list(dict.fromkeys(say(desk.language, end.key, **end.values) for end in over))
    yield from told
    a_change = any(isinstance(part, w.Change) for part in w.parts(wish))
    plain = all(end.key != "went_wrong" for end in over) and not any("?" in text for text in told)
    if told and a_change and plain and not done:
        yield say(desk.language, "nothing_changed")


def _next_calls(waiting: list[Needs]) -> Iterator[Call]:
    """The earliest stage only, and one choice at a time; the same call once."""
    stage = min(needs.stage for needs in waiting)
    seen: list[Call] = []
    for call in (call for needs in waiting if needs.stage is stage for call in needs.calls):
        if call not in seen:
            seen.append(call)
    match stage:
        case Stage.PICK:
            yield seen[0]
        case Stage.READ | Stage.WRITE:
            yield from seen
        case _:
            assert_never(stage)


def clock(context: str) -> datetime | None:
    """The local time the turn's context tells, whatever stands around it."""
    found = _NOW.search(context)
    return datetime.fromisoformat(f"{found[1]}T{found[2]}") if found else None


def _language(conversation: tuple[Turn, ...]) -> Language:
    """Of the words; a bare '13:00' is in the language of the sentence before."""
    language: Language = "en"
    for turn in conversation:
        language = language_of(turn.text, language)
    return language


def _wish(
    conversation: tuple[Turn, ...],
    language: Language,
    now: datetime,
    asked_back: bool,  # noqa: FBT001 - private, one caller
) -> w.Wish:
    """An answer to the planner's own question completes the sentence before it."""
    text = conversation[-1].text
    wish = understand(text, language, now.date())
    if wish != UNKNOWN or not asked_back or len(conversation) < 2:  # noqa: PLR2004 - one before
        return wish
    before = conversation[-2].text.rstrip(" .?!")
    asked = understand(before, language, now.date())
    match asked:
        case w.Book() | w.CancelBooking() | w.FindMember() | w.Credits() if _is_name(text):
            return replace(asked, who=fold(text))
        case _:
            return understand(f"{before} {text}", language, now.date())


def _is_name(text: str) -> bool:
    return not any(letter.isdigit() for letter in text) and len(text.split()) <= _NAME_WORDS


def _asked_back(request: MessagesRequest) -> bool:
    """Whether the assistant's last words before this turn were a question."""
    texts = [
        block.text
        for message in request.messages
        if message.role == "assistant"
        for block in message.content
        if isinstance(block, TextBlock)
    ]
    return bool(texts) and texts[-1].rstrip().endswith("?")
