"""What is looked up for a turn before the model is asked: a round trip less."""

from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from app.core.db import Database
from app.core.ids import new_id
from bot.model.turn_context import page_of
from bot.turn.advance import Opening, calling
from bot.turn.events import Heard, Said
from i18n import Language, phrase
from tools import finding
from tools.kit.calls import Call
from tools.playbooks import playbook

FIND_TOOLS: Final = "read__find_tools"


def plain_opening(db: Database, zone: str) -> Opening:
    """That of any turn in a gym of this zone."""
    return lambda heard: opening(heard, db.clock.now().astimezone(ZoneInfo(zone)).date())


def opening(heard: Heard, today: date) -> tuple[Said, ...]:
    """Calls of ours: the tools that fit the words, and what the playbook reads.

    `today` is the gym's.
    """
    book = playbook(heard.playbook)
    reads = () if book is None else book.reads(today)
    steps = "" if book is None else phrase(f"{book.key}.next", Language.EN)
    text = f"{heard.text}\n{steps}".strip()[: finding.LONGEST]
    page = page_of(heard.beside)
    told = {"page": page} if finding.routers_of(page) else {}
    wanted: dict[str, object] = {"q": text, **told}
    find = (_call(FIND_TOOLS, wanted),) if text else ()
    calls = (*find, *(_call(name.replace(".", "__"), given) for name, given in reads))
    return (calling(calls, ours=True),) if calls else ()


def _call(name: str, given: dict[str, object]) -> Call:
    return Call(id=f"opening_{new_id().hex}", name=name, input=given)
