"""The keeper's process, started by `bot.playground.servers.keeper.start`."""

import argparse
import os
import signal
from pathlib import Path

from bot.playground.servers.keeper import Keeper
from bot.playground.servers.locks import try_take
from bot.playground.servers.place import Place


def main() -> None:
    """Keep the servers of a folder; a second keeper of it ends at once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fast", action="store_true")
    chosen = parser.parse_args()
    place = Place(chosen.folder)
    os.chdir(place.root)
    lock = try_take(place.keeper)
    if lock is None:
        parser.exit(1, "another keeper runs\n")
    with lock:
        keeper = Keeper(place, fast=chosen.fast)
        signal.signal(signal.SIGTERM, keeper.end)
        signal.signal(signal.SIGINT, keeper.end)
        keeper.run()


main()
