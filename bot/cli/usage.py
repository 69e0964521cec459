"""`spotter usage`: what the calls of the model used and cost."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date, datetime
from typing import Any, get_args

import click

from bot.cli import here
from bot.conversation.lane_rates import lane_rates
from bot.conversation.tallies import By, Tally, tallies
from bot.operations.provisioning import Gym, Provisioning, storage_json

_DOLLAR = 1_000_000
_MEGA = 1_000_000
_RATES = ("hit_rate", "wrong_route_rate", "hand_over_rate")


@click.command("usage")
@click.option("--org", help="A gym's slug or id; all of them if not given.")
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="The gym's local day.")
@click.option("--by", type=click.Choice(get_args(By)), default="org", show_default=True)
@click.option("--lanes", is_flag=True, help="How turns were routed instead, as JSON.")
@click.option("--storage", is_flag=True, help="What is kept in the database instead.")
@click.option("--json", "as_json", is_flag=True)
def command(
    org: str | None, day: datetime | None, by: By, *, lanes: bool, storage: bool, as_json: bool
) -> None:
    """Add up tokens and micro-dollars, and say why the cache missed."""
    with here.told():
        of = here.provisioning()
        gyms = [of.gym(org)] if org else of.gyms()
    on = day.date() if day else None
    if storage:
        stored = _stored(of, gyms, whole=org is None)
        click.echo(json.dumps(stored, ensure_ascii=False) if as_json else _stored_lines(stored))
        return
    if lanes:
        click.echo(json.dumps([_rates(gym, on) for gym in gyms], ensure_ascii=False))
        return
    rows = [row for gym in gyms for row in _rows(gym, by, on)]
    click.echo(json.dumps(rows, ensure_ascii=False) if as_json else _lines(rows))


def _stored(of: Provisioning, gyms: Sequence[Gym], *, whole: bool) -> list[dict[str, Any]]:
    names = [(gym.slug, gym.id) for gym in gyms] + ([("(all)", None)] if whole else [])
    found = [(slug, of.storage(org_id)) for slug, org_id in names]
    return [{"org": slug, **storage_json(one)} for slug, one in found if one is not None]


def _stored_lines(stored: Sequence[dict[str, Any]]) -> str:
    return (
        "\n".join(
            f"{one['org']:20} {one['day']}  {one['rows']:10} rows  {one['bytes'] / _MEGA:9.1f} MB"
            + "".join(f"  {more / _MEGA:+.1f} in {span} days" for span, more in one["more"].items())
            for one in stored
        )
        or "nothing yet: the workers look once a day"
    )


def _rows(gym: Gym, by: By, day: date | None) -> list[dict[str, Any]]:
    with here.wiring().db.transaction(gym.id) as session:
        return [_row(gym, one) for one in tallies(session, gym.id, by, day=day)]


def _rates(gym: Gym, day: date | None) -> dict[str, Any]:
    with here.wiring().db.transaction(gym.id) as session:
        found = lane_rates(session, day=day)
    rates = {name: getattr(found, name) for name in _RATES}
    return {"org": gym.slug, **asdict(found), **rates}


def _row(gym: Gym, one: Tally) -> dict[str, Any]:
    return {"org": gym.slug, **asdict(one), "hit_ratio": one.hit_ratio}


def _lines(rows: Sequence[dict[str, Any]]) -> str:
    return "\n".join(
        f"{row['org']:20} {row['key']:36} {row['calls']:6} calls  ${row['micros'] / _DOLLAR:.4f}"
        f"  hits {'-' if row['hit_ratio'] is None else format(row['hit_ratio'], '.0%')}"
        for row in rows
    )
