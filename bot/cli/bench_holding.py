"""Open streams, held by a process of its own until its standard input ends.

    python -m bot.cli.bench_holding < plan.json     {"port": ..., "requests": [...]} on one line

Prints {"open": n} when all are open or refused, and {"open": n} again at the end: how many still
lived.
"""

import asyncio
import json
import socket
import sys
from typing import Final

AT_ONCE: Final = 20
PATIENCE_S: Final = 4.0
"""What has no answer by then is refused."""
_PIECE: Final = 65_536
_OPEN: Final = b"HTTP/1.1 200"


async def open_one(port: int, request: bytes) -> socket.socket | None:
    """A connection whose answer has begun, None where it was refused."""
    loop = asyncio.get_running_loop()
    connection = socket.socket()
    connection.setblocking(False)  # noqa: FBT003 - the socket's own signature
    await loop.sock_connect(connection, ("127.0.0.1", port))
    await loop.sock_sendall(connection, request)
    try:
        async with asyncio.timeout(PATIENCE_S):
            head = await loop.sock_recv(connection, _PIECE)
    except TimeoutError:
        head = b""
    if head.startswith(_OPEN):
        return connection
    connection.close()
    return None


async def read_on(connection: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    while await loop.sock_recv(connection, _PIECE):
        pass


async def hold(port: int, requests: list[str]) -> None:
    some = asyncio.Semaphore(AT_ONCE)

    async def one(request: str) -> socket.socket | None:
        async with some:
            return await open_one(port, request.encode("latin-1"))

    tried = await asyncio.gather(*map(one, requests))
    reading = [asyncio.create_task(read_on(held)) for held in tried if held is not None]
    _tell(len(reading))
    await asyncio.to_thread(sys.stdin.read)
    _tell(sum(not task.done() for task in reading))
    for task in reading:
        task.cancel()


def _tell(count: int) -> None:
    sys.stdout.write(json.dumps({"open": count}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    given = json.loads(sys.stdin.readline())
    asyncio.run(hold(given["port"], given["requests"]))
