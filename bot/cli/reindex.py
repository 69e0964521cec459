"""`spotter reindex`: have the vectors of all that is looked for made anew, in the background."""

import json

import click

from app.search import service
from app.search.embedders import LocalE5
from bot.cli import here
from bot.operations.provisioning import Gym
from bot.wiring import Wiring
from tools import meaning


@click.command("reindex")
@click.option("--org", "slug", help="Only this gym; all of them unless given.")
@click.option("--progress", is_flag=True, help="Start nothing, say how far it is.")
@click.option("--tools", is_flag=True, help="The file of what the tools mean to the local model.")
@click.option("--json", "as_json", is_flag=True)
def command(*, slug: str | None, progress: bool, tools: bool, as_json: bool) -> None:
    """Make all vectors anew: workers do it, and go on where one of them stops.

    Until its new vector is there each thing is found by its old one.
    """
    if tools:
        click.echo(meaning.keep(LocalE5()))
        return
    found = here.wiring()
    model = found.db.meanings.model
    if model is None:
        raise click.ClickException("EMBEDDINGS is off: there is no model to make vectors with")
    with here.told():
        gyms = here.provisioning()
        wanted = [gyms.gym(slug)] if slug else gyms.gyms()
    told = [_gym(found, one, model, start=not progress) for one in wanted]
    if as_json:
        click.echo(json.dumps({"model": model, "started": not progress, "gyms": told}))
        return
    for one in told:
        click.echo(f"{one['slug']:20} {one['vectors']} vectors, {one['missing']} missing")


def _gym(found: Wiring, gym: Gym, model: str, *, start: bool) -> dict[str, str | int]:
    with found.db.transaction(gym.id) as session:
        if start:
            service.rebuild(session, gym.id)
        vectors, missing = service.progress(session, model)
    return {"org": str(gym.id), "slug": gym.slug, "vectors": vectors, "missing": missing}
