"""`spotter`: each command lives in a module of its own and is loaded when it is called."""

import logging
from importlib import import_module
from typing import Final

import click

from bot.operations.logs import log_to_stderr

COMMANDS: Final = {
    "run": "running",
    "worker": "working",
    "say": "saying",
    "call": "calling",
    "tools": "tools",
    "find-tools": "find_tools",
    "prefix": "prefix",
    "cost-sim": "cost_sim",
    "eval": "eval",
    "usage": "usage",
    "chaos": "chaos",
    "org": "orgs",
    "staff": "staff",
    "migrate": "migrating",
    "reindex": "reindex",
    "demo": "demo",
    "bench": "bench",
    "doctor": "doctor",
    "new-tool": "new_tool",
}
"""Command -> module of this package, whose `command` it is."""


class Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        found: click.Command = import_module(f"bot.cli.{module}").command
        return found


@click.group(cls=Commands)
def main() -> None:
    """Spotter, the assistant of a gym."""
    log_to_stderr(logging.WARNING)


if __name__ == "__main__":
    main()
