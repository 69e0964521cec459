"""The planner in the small model's place: which lane a wish is for, and when it lets go."""

from bot.model.lanes import ESCALATE, HAND_OVER, Lane
from bot.playground.model_api.answer import Answer, Call
from bot.playground.model_api.request import MessagesRequest
from bot.playground.planner import wishes as w
from bot.playground.planner.desk import Desk, Needs, Over
from bot.playground.planner.flows import carry_out

ONWARD = Answer((Call(ESCALATE, {"lane": "act"}),))
_READ = Answer((Call(ESCALATE, {"lane": "read"}),))
HANDS_OVER = Answer((Call(HAND_OVER, {}),))


def place(request: MessagesRequest) -> Lane:
    """Where it stands, by the tools it was given."""
    if ESCALATE in request.tool_by_name:
        return "quick"
    return "read" if HAND_OVER in request.tool_by_name else "act"


def lane_of(wish: w.Wish) -> Lane:
    """One look-up whose arguments are all in the sentence; reads after one another; the rest."""
    match wish:
        case w.ListAll() | w.ShowDay() | w.Figures() | w.Programmed():
            return "quick"
        case w.WhoIsIn() | w.FindMember() | w.Credits():
            return "read"
        case w.Several(parts) if all(lane_of(part) != "act" for part in parts):
            return "read"
        case _:
            return "act"


def in_lane(wish: w.Wish, desk: Desk, answer: Answer) -> Answer:
    """What the small model says in the planner's words, or that it lets go."""
    calls = [piece for piece in answer.pieces if isinstance(piece, Call)]
    lacks = any(_lacks(part, desk) for part in w.parts(wish))
    match place(desk.request):
        case "quick" if desk.turn.exchanges:
            return ONWARD if calls or lacks else answer
        case "quick" if lane_of(wish) == "read":
            return _READ
        case "quick":
            return answer if lane_of(wish) == "quick" and len(calls) == 1 else ONWARD
        case "read":
            return HANDS_OVER if lacks or lane_of(wish) == "act" else answer
        case "act":
            return answer


def _lacks(part: w.One, desk: Desk) -> bool:
    """Whether it needs a tool that isn't there."""
    try:
        carry_out(desk, part)
    except Needs:
        return False
    except Over as end:
        return end.key == "not_offered"
    return False
