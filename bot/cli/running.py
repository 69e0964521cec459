"""`spotter run`: from nothing to an open page.

Servers, schema, demo gym, web, workers, stand-ins.
"""

import os
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import click

from app.core import migrate
from app.core.settings import Settings, environment
from app.search.embedders import has_local
from bot.cli import run_file
from bot.cli.children import Children, spotter, web_line
from bot.cli.demo import ensure_demo, offset_for
from bot.cli.stage import ACCOUNT, MEMBERS_SMS, MEMBERS_WHATSAPP, STAFF_SMS, STAFF_WHATSAPP
from bot.playground.arbox_api.server import PREFIX
from bot.playground.servers import servers_folder, shared_servers
from bot.wiring import Wiring

READY_S = 60.0


@click.command("run")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option(
    "--port", type=int, default=8000, show_default=True, help="The next free one if it is taken."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of the demo gym.")
@click.option(
    "--now", type=click.DateTime(["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M%z"]), help="The gym's clock."
)
@click.option("--lang", type=click.Choice(["en", "he", "ru"]), default="en", show_default=True)
def command(*, host: str, port: int, seed: int, now: datetime | None, lang: str) -> None:
    """Run Spotter with a demo gym, and say which page to open. Ctrl-C ends all of it."""
    ended = _signals()
    begun = time.monotonic()
    with ExitStack() as stack:
        folder = servers_folder("run", Settings().spotter_data)
        place = stack.enter_context(_place(folder, host, port, offset_for(now)))
        settings = place.settings
        migrate.upgrade(settings.database_url.get_secret_value())
        wiring = Wiring(settings)
        org_id = ensure_demo(wiring, seed, lang)
        children = Children()
        stack.callback(children.end)
        stack.callback(run_file.forget, folder)
        place.start(children)
        run_file.write(folder, run_file.Running(place.pid, place.env, str(org_id), seed))
        _await_ready(place.base_url, children, ended)
        if not ended.is_set():
            took = time.monotonic() - begun
            click.echo(f"\n  Spotter is ready after {took:.0f} s. Open {place.base_url}/\n")
        while not ended.wait(0.5):
            children.look()
        click.echo("  Ending ...", err=True)


@dataclass(frozen=True, slots=True)
class Place:
    """Where it all runs: the settings as processes get them, in their environment."""

    settings: Settings
    env: dict[str, str]
    host: str
    port: int
    stands_in: tuple[tuple[str, list[str]], ...]
    pid: int

    @property
    def base_url(self) -> str:
        return self.settings.public_base_url

    def start(self, children: Children) -> None:
        for name, line in self.stands_in:
            children.add(name, line, self.env)
        children.add("web", web_line(self.host, self.port), self.env)
        children.add("worker", spotter("worker", "--quiet", "--threads", "16"), self.env)
        children.add("heavy", spotter("worker", "--quiet", "--heavy"), self.env)


@contextmanager
def _place(folder: Path, host: str, port: int, offset: float) -> Iterator[Place]:
    """Servers of our own where the environment names none; stand-ins where it has no vendor."""
    given = Settings()
    with ExitStack() as stack:
        addresses = {}
        if not given.database_url.get_secret_value() or not given.redis_url.get_secret_value():
            servers = stack.enter_context(shared_servers(folder))
            addresses = {"DATABASE_URL": servers.database_url, "REDIS_URL": servers.redis_url}
        port = _free(host, port)
        base_url = f"http://{host}:{port}"
        told = {
            **addresses,
            "PUBLIC_BASE_URL": base_url,
            "SECRET_KEY": given.secret_key.get_secret_value() or _secret(folder, "secret_key"),
            "CLOCK_OFFSET_S": str(offset),
            "PLAYGROUND": "1",
            "SMS_CHAT": "1",
            "EMBEDDINGS": "local" if has_local() else "off",
        }
        vendors = (*_model(given, told), *_twilio(given, told, base_url, folder))
        stands_in = (*vendors, *_arbox(given, told, offset))
        mine = environment()
        env = {**told, **mine, **addresses}
        yield Place(Settings.of(env), env, host, port, stands_in, os.getpid())


def _model(given: Settings, told: dict[str, str]) -> tuple[tuple[str, list[str]], ...]:
    if given.anthropic_base_url or given.anthropic_api_key.get_secret_value():
        return ()
    port = _free("127.0.0.1", 8101)
    told |= {"ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}", "ANTHROPIC_API_KEY": "playground"}
    module = [sys.executable, "-m", "bot.playground.model_api", "--quiet"]
    planner = ["--brain", "bot.playground.planner.brain:Planner"]
    return (("model", [*module, "--port", str(port), *planner]),)


def _twilio(
    given: Settings, told: dict[str, str], base_url: str, folder: Path
) -> tuple[tuple[str, list[str]], ...]:
    if given.twilio_api_url or given.twilio_account_sid:
        return ()
    port = _free("127.0.0.1", 8201)
    told |= {
        "TWILIO_API_URL": f"http://127.0.0.1:{port}",
        "TWILIO_ACCOUNT_SID": ACCOUNT,
        "TWILIO_AUTH_TOKEN": _secret(folder, "twilio_token"),
        "TWILIO_STAFF_WHATSAPP": STAFF_WHATSAPP,
        "TWILIO_MEMBERS_WHATSAPP": MEMBERS_WHATSAPP,
        "TWILIO_STAFF_SMS": STAFF_SMS,
        "TWILIO_MEMBERS_SMS": MEMBERS_SMS,
    }
    module = [sys.executable, "-m", "bot.playground.twilio_api", "--port", str(port)]
    hooks = ["--webhook", f"{base_url}/hooks/twilio/inbound#rc=3&rp=ct,rt,5xx"]
    spare = ["--fallback", f"{base_url}/hooks/twilio/inbound-fallback"]
    numbers = ["--whatsapp-number", STAFF_WHATSAPP.removeprefix("whatsapp:")]
    more = [
        "--whatsapp-number",
        MEMBERS_WHATSAPP.removeprefix("whatsapp:"),
        "--sms-number",
        STAFF_SMS,
        "--sms-number",
        MEMBERS_SMS,
    ]
    return (
        (
            "twilio",
            [*module, *hooks, *spare, *numbers, *more, "--page-origin", base_url, "--no-window"],
        ),
    )


def _arbox(
    given: Settings, told: dict[str, str], offset: float
) -> tuple[tuple[str, list[str]], ...]:
    if given.arbox_api_url:
        return ()
    port = _free("127.0.0.1", 8301)
    told["ARBOX_API_URL"] = f"http://127.0.0.1:{port}{PREFIX}"
    module = [sys.executable, "-m", "bot.playground.arbox_api", "--port", str(port)]
    return (("arbox", [*module, "--offset", str(offset)]),)


def _secret(folder: Path, name: str) -> str:
    """A secret of this installation: made once, readable by its owner alone."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.touch(mode=0o600)
    if not path.read_text(encoding="utf-8"):
        path.write_text(secrets.token_urlsafe(32), encoding="utf-8")
    return path.read_text(encoding="utf-8")


def _free(host: str, port: int) -> int:
    """The port, or the next one that nobody listens on."""
    for one in range(port, port + 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, one))
            except OSError:
                continue
            return one
    raise click.ClickException(f"no free port from {port} on")


def _await_ready(base_url: str, children: Children, ended: threading.Event) -> None:
    until = time.monotonic() + READY_S
    while not ended.is_set():
        try:
            with urlopen(f"{base_url}/readyz", timeout=2):  # noqa: S310 - our own address
                return
        except (URLError, OSError):
            children.look()
            if time.monotonic() > until:
                raise click.ClickException("the web process does not come up") from None
            time.sleep(0.1)


def _signals() -> threading.Event:
    ended = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, lambda *_: ended.set())
    return ended
