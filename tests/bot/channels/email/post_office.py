"""A small SMTP server that keeps what it is given, or behaves as it is told."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread


@dataclass
class PostOffice:
    url: str = ""
    taken: list[bytes] = field(default_factory=list)
    recipient: str = "250 fine"
    """What it says of whoever a letter is for."""
    hangs_up: bool = False
    """Breaks the connection once it has the letter."""


@contextmanager
def post_office() -> Iterator[PostOffice]:
    office = PostOffice()

    class Clerk(StreamRequestHandler):
        def handle(self) -> None:
            serve(self, office)

    with ThreadingTCPServer(("127.0.0.1", 0), Clerk) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        office.url = f"smtp://127.0.0.1:{server.server_address[1]}"
        yield office
        server.shutdown()


def serve(clerk: StreamRequestHandler, office: PostOffice) -> None:
    say(clerk, "220 here")
    while line := clerk.rfile.readline().decode().strip():
        match line.upper().split()[0]:
            case "EHLO" | "HELO" | "MAIL" | "RSET":
                say(clerk, "250 fine")
            case "RCPT":
                say(clerk, office.recipient)
            case "DATA":
                say(clerk, "354 go on")
                office.taken.append(letter(clerk))
                if office.hangs_up:
                    return
                say(clerk, "250 taken")
            case _:
                say(clerk, "221 bye")
                return


def letter(clerk: StreamRequestHandler) -> bytes:
    lines = []
    while (line := clerk.rfile.readline()) not in {b".\r\n", b""}:
        lines.append(line)
    return b"".join(lines)


def say(clerk: StreamRequestHandler, text: str) -> None:
    clerk.wfile.write(f"{text}\r\n".encode())
