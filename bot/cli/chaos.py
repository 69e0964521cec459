"""`spotter chaos`.

Turns carried on by workers that are killed with -9, held against an undisturbed run.
"""

import json
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import click
from sqlalchemy import select

from app.core.clock import Clock
from app.core.db import Base
from app.schedule import queries as schedule
from bot.cli import chaos_ledger as ledger
from bot.cli.browsing import Browser
from bot.cli.chaos_plan import Case, Things, cases
from bot.cli.phoning import Phone
from bot.cli.stage import Stage, stage
from bot.cli.victims import Victims
from bot.playground.demo import DemoGym, build
from bot.playground.model_api.script import ScriptBrain
from bot.playground.servers import private_servers

AT_ONCE: Final = 8
ZONE: Final = ZoneInfo("Asia/Jerusalem")


@dataclass(frozen=True, slots=True)
class Run:
    """What one run left behind."""

    accepted: list[str]
    answered: dict[str, list[str]]
    history: dict[str, list[Any]]
    studio: dict[str, list[Any]]
    writes: dict[str, int]
    doubled: list[str]
    kills: int
    seconds: float


@click.command("chaos")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--turns", type=int, default=50, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The whole ledger.")
def command(*, seed: int, turns: int, as_json: bool) -> None:
    """Carry TURNS on twice, once undisturbed and once under kill -9; exit 1 if anything differs."""
    now = _ten_o_clock()
    calm = carry(seed, turns, now, disturbed=False)
    chaos = carry(seed, turns, now, disturbed=True)
    told = compare(calm, chaos) | {"seed": seed, "turns": turns, "kills": chaos.kills}
    if as_json:
        told["ledger"] = [entry(chaos, text) for text in chaos.accepted]
        told["differences"] = differences(calm, chaos, told["histories_that_differ"])
        click.echo(json.dumps(told, ensure_ascii=False, indent=1))
    else:
        click.echo("\n".join(f"{key}: {value}" for key, value in told.items()))
    raise SystemExit(0 if told["equal"] else 1)


def _ten_o_clock() -> datetime:
    """Both runs live on the same day, far from midnight."""
    today = Clock().now().astimezone(ZONE)
    return today.replace(hour=10, minute=0, second=0, microsecond=0)


def carry(seed: int, turns: int, now: datetime, *, disturbed: bool) -> Run:
    """One run on a gym of its own."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = stack.enter_context(private_servers(folder / "servers"))
        brain = ScriptBrain()
        offset = (now - Clock().now()).total_seconds()
        addresses = (servers.database_url, servers.redis_url)
        place = stack.enter_context(
            stage(
                *addresses,
                brain=brain,
                working=False,
                clock_offset_s=offset,
                debounce_ms=0,
                quick_route=False,
            )
        )
        gym = build(place.wiring.db, seed=seed, now=now, language="en")
        names = ledger.Names(ledger.known_ids(place.wiring.db, gym.org_id))
        planned = cases(seed, turns, things_of(place, gym))
        brain.load([case.scene for case in planned])
        victims = stack.enter_context(Victims(place.wiring.settings, seed if disturbed else None))
        begun = time.monotonic()
        answered = _play(place, gym, planned)
        db = place.wiring.db
        return Run(
            accepted=[case.text for case in planned],
            answered=answered,
            history=ledger.history(db, gym.org_id, names),
            studio=ledger.studio(db, gym.org_id, names),
            writes=ledger.writes(db, gym.org_id),
            doubled=ledger.doubled(db),
            kills=victims.kills,
            seconds=round(time.monotonic() - begun, 1),
        )


def things_of(place: Stage, gym: DemoGym) -> Things:
    """Future classes and active members of the gym, in the order they were made."""
    now = place.wiring.clock.now()
    with place.wiring.db.transaction(gym.org_id) as session:
        classes, members = (Base.metadata.tables[name].c for name in ("class_session", "member"))
        future = select(classes.id).where(
            classes.starts_at > now + timedelta(hours=30), classes.status == "scheduled"
        )
        active = select(members.id).where(members.status == "active")
        types = schedule.list_class_types(session, gym.org_id, "en")
        return Things(
            sessions=tuple(session.scalars(future.order_by(classes.id))),
            members=tuple(session.scalars(active.order_by(members.id))),
            class_type=types[0].id,
            first_free_day=(now.astimezone(ZONE) + timedelta(days=25)).date().isoformat(),
        )


def _play(place: Stage, gym: DemoGym, planned: list[Case]) -> dict[str, list[str]]:
    """All cases, several at once; those on the phone one after another, as one person would."""
    on_web = [[case] for case in planned if case.channel == "web"]
    on_phone = [case for case in planned if case.channel == "whatsapp"]
    answered: dict[str, list[str]] = {}
    with ThreadPoolExecutor(AT_ONCE) as threads:
        phone = Phone(place, gym.org_id, gym.coach, "whatsapp", patience_s=180)
        done = [threads.submit(_say_all, phone, on_phone)]
        for one in on_web:
            page = Browser(place, gym.org_id, gym.owner, patience_s=180)
            done.append(threads.submit(_say_all, page, one))
        for each in done:
            answered |= each.result()
    return answered


def _say_all(mouth: Phone | Browser, planned: list[Case]) -> dict[str, list[str]]:
    answered: dict[str, list[str]] = {}
    if isinstance(mouth, Phone) and planned:
        mouth.link()
    for case in planned:
        mouth.write(case.text)
        heard = mouth.read()
        if case.answer is not None:
            mouth.write(case.answer)
            heard += mouth.read()
        answered[case.text] = heard
    return answered


def compare(calm: Run, chaos: Run) -> dict[str, Any]:
    """Whether the two ended alike, and where they did not."""
    histories = [
        text for text in calm.accepted if calm.history.get(text) != chaos.history.get(text)
    ]
    tables = [name for name, rows in calm.studio.items() if rows != chaos.studio.get(name)]
    twice = [key for key, count in chaos.writes.items() if count != 1]
    unanswered = [text for text in chaos.accepted if not chaos.answered.get(text)]
    same_number = len(calm.writes) == len(chaos.writes)
    return {
        "equal": same_number and not (histories or tables or twice or unanswered),
        "writes": len(chaos.writes),
        "writes_undisturbed": len(calm.writes),
        "histories_that_differ": histories,
        "tables_that_differ": tables,
        "written_twice": twice,
        "unanswered": unanswered,
        "messages_perhaps_twice": chaos.doubled,
        "seconds": [calm.seconds, chaos.seconds],
    }


def differences(calm: Run, chaos: Run, texts: list[str]) -> dict[str, dict[str, list[Any]]]:
    """The events that only one of the two runs has."""
    return {
        text: {
            "undisturbed": [one for one in calm.history[text] if one not in chaos.history[text]],
            "killed": [one for one in chaos.history[text] if one not in calm.history[text]],
        }
        for text in texts
    }


def entry(run: Run, text: str) -> dict[str, Any]:
    """One case: what was accepted, what was answered, what was written."""
    events = run.history.get(text, [])
    wrote = [
        event["card"].get("of")
        or event["card"].get("code")
        or event["card"].get("reason", event["card"]["kind"])
        for event in events
        if event["type"] == "ran"
    ]
    return {
        "accepted": text,
        "answered": run.answered.get(text, []),
        "written": wrote,
        "events": [event["type"] for event in events],
    }
