"""Run the stand-in as a process: python -m bot.playground.model_api --port N [--script FILE]."""

import importlib
from pathlib import Path

import click

from bot.playground.model_api.answer import Brain
from bot.playground.model_api.received import Pace
from bot.playground.model_api.recorded import RecordedBrain
from bot.playground.model_api.script import ScriptBrain
from bot.playground.model_api.server import Server, Setup

_REMEMBERED = 100
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def built(spec: str) -> Brain:
    """A brain from `module:factory`, the factory taking no arguments."""
    module, _, name = spec.partition(":")
    brain: Brain = getattr(importlib.import_module(module), name)()
    return brain


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=int, required=True)
@click.option("--script", type=_FILE, help="JSON steps or scenes to play.")
@click.option("--recording", type=_FILE, help="Recorded exchanges to play, one a line.")
@click.option("--brain", help="module:factory of another brain.")
@click.option("--first-byte", type=float, default=0.2, show_default=True, help="Seconds.")
@click.option("--delta", type=float, default=0.02, show_default=True, help="Seconds.")
@click.option("--quiet", is_flag=True, help="Don't print its address.")
def main(
    *,
    host: str,
    port: int,
    script: Path | None,
    recording: Path | None,
    brain: str | None,
    first_byte: float,
    delta: float,
    quiet: bool,
) -> None:
    """Serve a local stand-in for the Messages API until interrupted."""
    chosen: Brain = ScriptBrain()
    if brain:
        chosen = built(brain)
    elif recording:
        chosen = RecordedBrain.from_file(recording)
    elif script:
        chosen = ScriptBrain.from_file(script)
    with Server(
        chosen, (host, port), Setup(pace=Pace(first_byte, delta), remembered=_REMEMBERED)
    ) as server:
        if not quiet:
            click.echo(f"The model's stand-in listens at {server.url}")
        server.serve_forever()


if __name__ == "__main__":
    main()
