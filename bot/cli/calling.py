"""`spotter call`: one tool, as a person of a gym would call it by hand."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import click

from app.core.actor import Actor
from app.core.ids import new_token
from app.core.settings import Settings
from app.people import queries as people
from app.studio import queries as studio
from bot.cli import here
from bot.cli.scene import Scene, set_up
from bot.wiring import Wiring
from tools.kit.calls import LONGEST_KEY, Call
from tools.kit.cards import for_model
from tools.kit.runner import Runner


@dataclass(frozen=True, slots=True)
class Seat:
    """Whose place is taken: a gym, and a person of it or whoever has the role."""

    org_id: UUID | None
    user_id: UUID | None
    role: str
    language: str
    seed: int | None
    now: datetime | None


def _key(_: click.Context, __: click.Parameter, key: str | None) -> str | None:
    if key is not None and not 0 < len(key) <= LONGEST_KEY:
        raise click.BadParameter(f"1 to {LONGEST_KEY} characters, not {len(key)}")
    return key


@click.command("call")
@click.argument("tool")
@click.argument("arguments", default="{}")
@click.option(
    "--as",
    "role",
    type=click.Choice(["owner", "admin", "coach"]),
    default="owner",
    show_default=True,
)
@click.option("--org", "org_id", type=click.UUID, help="Of this gym.")
@click.option("--user", "user_id", type=click.UUID, help="As this person of it.")
@click.option("--lang", "language", type=click.Choice(["en", "he", "ru"]), default="en")
@click.option("--seed", type=int, default=None, help="In a fresh demo gym of this seed.")
@click.option(
    "--now",
    type=click.DateTime(["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M%z"]),
    help="In a fresh demo gym at this time of its clock.",
)
@click.option(
    "--key",
    callback=_key,
    help=f"Idempotency key of at most {LONGEST_KEY} characters; a new one unless given.",
)
@click.option("--json", "as_json", is_flag=True, help="The whole card.")
def command(
    tool: str,
    arguments: str,
    *,
    key: str | None,
    as_json: bool,
    **seat: Any,  # noqa: ANN401 - the fields of Seat
) -> None:
    """Call TOOL with ARGUMENTS (JSON) in a gym's data, as one of its people.

    In the gym of --org, else in the one that runs here; where none does, or --seed or --now asks
    for one, in a fresh demo gym, gone afterwards.
    """
    given = _parsed(arguments)
    with _seated(Seat(**seat)) as (wiring, actor):
        zone = _zone(wiring, actor)
        runner = Runner(wiring.db, wiring.registry, actor, "cli", zone=zone)
        outcome = runner.run(Call(id=key or new_token(), name=tool, input=given))
    card = outcome.card.model_dump(mode="json") if as_json else for_model(outcome.card)
    click.echo(json.dumps(card, ensure_ascii=False, indent=1))
    raise SystemExit(0 if outcome.ok else 1)


@contextmanager
def _seated(seat: Seat) -> Iterator[tuple[Wiring, Actor]]:
    if seat.org_id is not None or (_has_database() and (seat.seed, seat.now) == (None, None)):
        wiring = here.wiring()
        org_id = seat.org_id or _only_gym(wiring)
        yield wiring, here.person(wiring, org_id, seat.user_id or _first(wiring, org_id, seat.role))
        return
    scene = Scene("web", seat.role, seat.language, seed=seat.seed, now=seat.now)
    with set_up(scene) as (place, cast):
        user_id = seat.user_id or cast.people[seat.role]
        yield place.wiring, here.person(place.wiring, cast.org_id, user_id)


def _has_database() -> bool:
    return bool(Settings().database_url.get_secret_value())


def _only_gym(wiring: Wiring) -> UUID:
    with wiring.db.platform() as session:
        found = [org.id for org in studio.all_orgs(session)]
    if len(found) != 1:
        raise click.UsageError(f"there are {len(found)} gyms: say which with --org")
    return found[0]


def _first(wiring: Wiring, org_id: UUID, role: str) -> UUID:
    with wiring.db.transaction(org_id) as session:
        staff = people.list_staff(session)
    found = [one.user_id for one in staff if one.role.value == role]
    if not found:
        raise click.ClickException(f"nobody is {role} in gym {org_id}: see `spotter staff list`")
    return found[0]


def _zone(wiring: Wiring, actor: Actor) -> str:
    with wiring.db.transaction(actor.org_id) as session:
        return studio.org(session, actor.org_id).timezone


def _parsed(arguments: str) -> dict[str, Any]:
    try:
        found = json.loads(arguments)
    except ValueError as error:
        raise click.UsageError(f"ARGUMENTS are no JSON: {error}") from None
    if not isinstance(found, dict):
        raise click.UsageError('ARGUMENTS are a JSON object, as \'{"q": "Dana"}\'')
    return found
