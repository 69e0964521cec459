"""`spotter say`: sentences to Spotter, as a person of the demo gym.

The transcript as they would see it.
"""

import json
from datetime import datetime
from pathlib import Path

import click

from bot.cli.scene import Scene, play


@click.command("say")
@click.argument("sentences", nargs=-1)
@click.option(
    "--channel",
    type=click.Choice(["web", "whatsapp", "sms"]),
    default="whatsapp",
    show_default=True,
)
@click.option(
    "--as",
    "role",
    type=click.Choice(["owner", "admin", "coach"]),
    default="owner",
    show_default=True,
)
@click.option(
    "--lang",
    type=click.Choice(["en", "he", "ru"]),
    default="en",
    show_default=True,
    help="Of a fresh demo gym and its owner.",
)
@click.option("--seed", type=int, default=None, help="A fresh demo gym of this seed.")
@click.option(
    "--now",
    type=click.DateTime(["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M%z"]),
    help="A fresh demo gym at this time of its clock.",
)
@click.option(
    "--model-script",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What the model's stand-in answers, as JSON.",
)
@click.option(
    "--media",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="A file that is sent with the first sentence, or without any; may be repeated.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Add the events and what changed in the studio."
)
def command(
    sentences: tuple[str, ...],
    *,
    channel: str,
    role: str,
    lang: str,
    seed: int | None,
    now: datetime | None,
    model_script: Path | None,
    media: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Say SENTENCES one after another, each once the answer to the last is there.

    To the Spotter that `spotter run` runs here; to a fresh demo gym, gone afterwards, where none
    does or where --seed, --now or --model-script asks for one of its own.
    """
    if not (sentences or media):
        raise click.UsageError("Nothing to say: give a sentence, or a file with --media.")
    if media and channel == "web":
        raise click.UsageError("Files are sent from a phone: --channel whatsapp or sms.")
    scene = Scene(channel, role, lang, seed=seed, now=now, script=model_script, media=media)
    told = play(scene, sentences or ("",))
    if as_json:
        click.echo(json.dumps(told.as_json(), ensure_ascii=False, indent=1))
        return
    for line in told.lines:
        click.echo(f"> {line.text}" if line.mine else line.text)
        click.echo()
