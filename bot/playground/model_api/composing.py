"""An answer made ready to be sent: thinking put first and signed, and cut at max_tokens."""

from dataclasses import replace

from bot.playground.model_api.answer import Answer, Call, Other, Piece, Say
from bot.playground.model_api.binding import Bond
from bot.playground.model_api.blocks import ServerToolUse, ToolResult
from bot.playground.model_api.events import THOUGHT, Drawn, draw, thinking
from bot.playground.model_api.request import MessagesRequest, ThinkingAdaptive, ThinkingEnabled
from bot.playground.model_api.spelling import dumps
from bot.playground.model_api.surface import Surface
from bot.playground.model_api.tokens import CHARACTERS_PER_TOKEN, THINKING_TOKENS, tokens_of


def compose(
    answer: Answer, request: MessagesRequest, surface: Surface, bond: Bond
) -> tuple[tuple[Drawn, ...], str]:
    """The blocks to send and the stop reason. An empty answer stays empty."""
    whole = _resumed(answer, request)
    if not whole.pieces or not _thinks(request, surface):
        rest = _within(whole, request.max_tokens)
        return draw(rest), rest.stops_for
    shown = _shows(request, surface)
    thought = thinking(bond.seal(THOUGHT if shown else ""), shown=shown)
    rest = _within(whole, request.max_tokens - THINKING_TOKENS)
    return (thought, *draw(rest)), rest.stops_for


def _thinks(request: MessagesRequest, surface: Surface) -> bool:
    """A forced choice leaves no room for thinking, nor do so few tokens; a summary comes alone."""
    if request.compaction or request.forces_tool or request.max_tokens <= THINKING_TOKENS:
        return False
    match request.thinking.type if request.thinking else None:
        case None:
            return surface.thinks_by_default
        case "between_tools":
            return any(isinstance(block, ToolResult) for block in request.messages[-1].content)
        case mode:
            return mode != "disabled"


def _shows(request: MessagesRequest, surface: Surface) -> bool:
    config = request.thinking
    asked = config.display if isinstance(config, ThinkingAdaptive | ThinkingEnabled) else None
    return asked == "summarized" if asked else surface.shows_thinking


def _resumed(answer: Answer, request: MessagesRequest) -> Answer:
    """An answer to a paused turn begins with the result of the search it was paused at."""
    last = request.messages[-1].content[-1] if request.messages[-1].content else None
    if not isinstance(last, ServerToolUse):
        return answer
    found = {"type": "tool_search_tool_search_result", "tool_references": []}
    result = {"type": "tool_search_tool_result", "tool_use_id": last.id, "content": found}
    return replace(answer, pieces=(Other(result), *answer.pieces), stop_reason=answer.stops_for)


def _within(answer: Answer, budget: int) -> Answer:
    """Cut where max_tokens ends it, which may be in the middle of a call's JSON."""
    kept: list[Piece] = []
    for piece in answer.pieces:
        cost = _cost(piece)
        if cost > budget:
            return Answer((*kept, *_cut(piece, budget)), "max_tokens", answer.faults)
        kept.append(piece)
        budget -= cost
    return answer


def _cost(piece: Piece) -> int:
    match piece:
        case Say(text):
            return tokens_of(len(text))
        case Call():
            sent = dumps(dict(piece.input)) if piece.raw is None else piece.raw
            return tokens_of(len(sent) + len(piece.name))
        case Other(block):
            return tokens_of(len(dumps(block)))


def _cut(piece: Piece, budget: int) -> tuple[Piece, ...]:
    room = int(budget * CHARACTERS_PER_TOKEN)
    match piece:
        case Say(text):
            return (Say(text[:room]),) if room > 0 else ()
        case Call() if room > len(piece.name):
            sent = dumps(dict(piece.input)) if piece.raw is None else piece.raw
            return (replace(piece, raw=sent[: room - len(piece.name)]),)
        case _:
            return ()
