"""`spotter call`: one tool, as a person of a gym would call it by hand."""

import json
from typing import Any
from uuid import UUID

import click

from app.core.ids import new_token
from bot.cli import here
from tools.kit.calls import Call
from tools.kit.cards import for_model
from tools.kit.runner import Runner


@click.command("call")
@click.argument("tool")
@click.argument("arguments", default="{}")
@click.option("--org", "org_id", type=click.UUID, required=True)
@click.option("--user", "user_id", type=click.UUID, required=True)
@click.option("--key", default=None, help="Idempotency key; a new one unless given.")
@click.option("--json", "as_json", is_flag=True, help="The whole card.")
def command(
    tool: str, arguments: str, *, org_id: UUID, user_id: UUID, key: str | None, as_json: bool
) -> None:
    """Call TOOL with ARGUMENTS (JSON) in a gym's data, as one of its people."""
    given = _parsed(arguments)
    wiring = here.wiring()
    actor = here.person(wiring, org_id, user_id)
    runner = Runner(wiring.db, wiring.registry, actor, "cli")
    outcome = runner.run(Call(id=key or new_token(), name=tool, input=given))
    card = outcome.card.model_dump(mode="json") if as_json else for_model(outcome.card)
    click.echo(json.dumps(card, ensure_ascii=False, indent=1))
    raise SystemExit(0 if outcome.ok else 1)


def _parsed(arguments: str) -> dict[str, Any]:
    try:
        found = json.loads(arguments)
    except ValueError as error:
        raise click.UsageError(f"ARGUMENTS are no JSON: {error}") from None
    if not isinstance(found, dict):
        raise click.UsageError('ARGUMENTS are a JSON object, as \'{"q": "Dana"}\'')
    return found
