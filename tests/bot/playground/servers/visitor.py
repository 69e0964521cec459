"""A process that uses shared servers: says their addresses, then stays until its input ends."""

import json
import sys
from pathlib import Path

from bot.playground.servers import shared_servers


def main() -> None:
    with shared_servers(Path(sys.argv[1]), fast=True) as servers:
        line = {"database": servers.database_url, "redis": servers.redis_url}
        sys.stdout.write(f"VISITS {json.dumps(line)}\n")
        sys.stdout.flush()
        sys.stdin.read()


main()
