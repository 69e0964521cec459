"""A whole Spotter inside this process.

Web, workers and the vendors' stand-ins, over servers of its own.
"""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from pydantic import SecretStr
from werkzeug.serving import make_server

from app.core import migrate
from app.core.settings import Settings
from bot.operations.serving import create_web
from bot.operations.working import Working
from bot.playground.arbox_api.server import ArboxServer
from bot.playground.arbox_api.server import demo as demo_arbox
from bot.playground.arbox_api.server import serve as serve_arbox
from bot.playground.model_api.answer import Brain
from bot.playground.model_api.server import Server as ModelServer
from bot.playground.model_api.server import serve as serve_model
from bot.playground.twilio_api.config import TwilioConfig
from bot.playground.twilio_api.server import TwilioServer
from bot.playground.twilio_api.server import serve as serve_twilio
from bot.wiring import Wiring

ACCOUNT: Final = "AC" + "0" * 31 + "1"
STAFF_WHATSAPP: Final = "whatsapp:+14155238886"
MEMBERS_WHATSAPP: Final = "whatsapp:+14155238887"
STAFF_SMS: Final = "+972552764100"
MEMBERS_SMS: Final = "+972552764101"
TOKEN: Final = "stage-token"  # noqa: S105 - signs nothing outside this process


@dataclass(frozen=True)
class Stage:
    wiring: Wiring
    base_url: str
    model: ModelServer | None
    """None where somebody else's server stands in."""
    twilio: TwilioServer | None
    arbox: ArboxServer | None = None


UNPAID = 10**12
"""Micro-dollars of a day: nobody pays the stand-in, and whatever is tried on it has room."""


@contextmanager
def stage(
    database_url: str,
    redis_url: str,
    *,
    brain: Brain | None,
    settings: Settings | None = None,
    threads: int = 4,
    working: bool = True,
    **changes: Any,  # noqa: ANN401 - each setting has a type of its own
) -> Iterator[Stage]:
    """Migrate, serve and work until the block ends; `changes` are settings by name.

    The vendors' own addresses count where the settings name them.
    """
    given = settings or Settings()
    migrate.upgrade(database_url)
    with ExitStack() as stack:
        model = None
        if given.anthropic_base_url is None and brain is not None:
            model = stack.enter_context(serve_model(brain))
        web = _Web()
        base_url = f"http://127.0.0.1:{web.port}"
        twilio = None
        if given.twilio_api_url is None:
            twilio = stack.enter_context(serve_twilio(0, _config(base_url)))
        told = _told(given, database_url, redis_url, base_url, model, twilio)
        offset = float(changes.get("clock_offset_s", given.clock_offset_s))
        arbox = None
        if given.arbox_api_url is None:
            arbox = stack.enter_context(serve_arbox(demo_arbox(offset)))
            told["arbox_api_url"] = arbox.url
        told |= changes
        wiring = Wiring(given.model_copy(update=told))
        stack.callback(wiring.close)
        stack.callback(wiring.close)
        web.start(wiring)
        stack.callback(web.stop)
        if working:
            crew = Working(wiring, threads, heavy=True)
            crew.start()
            stack.callback(crew.stop)
        yield Stage(wiring, base_url, model, twilio, arbox)


def _config(base_url: str) -> TwilioConfig:
    return TwilioConfig(
        account_sid=ACCOUNT,
        auth_token=TOKEN,
        webhook_url=f"{base_url}/hooks/twilio/inbound#rc=3&rp=ct,rt,5xx",
        fallback_url=f"{base_url}/hooks/twilio/inbound-fallback",
        whatsapp_numbers=tuple(
            one.removeprefix("whatsapp:") for one in (STAFF_WHATSAPP, MEMBERS_WHATSAPP)
        ),
        sms_numbers=(STAFF_SMS, MEMBERS_SMS),
    )


def _told(  # noqa: PLR0917 - one caller, a list of addresses
    given: Settings,
    database_url: str,
    redis_url: str,
    base_url: str,
    model: ModelServer | None,
    twilio: TwilioServer | None,
) -> dict[str, Any]:
    told: dict[str, Any] = {
        "database_url": SecretStr(database_url),
        "redis_url": SecretStr(redis_url),
        "public_base_url": base_url,
        "secret_key": SecretStr(
            given.secret_key.get_secret_value() or "stage-secret-of-32-characters-len"
        ),
        "playground": True,
        "sms_chat": True,
        "twilio_account_sid": given.twilio_account_sid or ACCOUNT,
        "twilio_auth_token": SecretStr(given.twilio_auth_token.get_secret_value() or TOKEN),
        "twilio_staff_whatsapp": given.twilio_staff_whatsapp or STAFF_WHATSAPP,
        "twilio_members_whatsapp": given.twilio_members_whatsapp or MEMBERS_WHATSAPP,
        "twilio_staff_sms": given.twilio_staff_sms or STAFF_SMS,
        "twilio_members_sms": given.twilio_members_sms or MEMBERS_SMS,
        "anthropic_api_key": SecretStr(given.anthropic_api_key.get_secret_value() or "stage-key"),
    }
    if model is not None:
        told["anthropic_base_url"] = model.url
        told["cap_lite_micros"] = told["cap_pro_micros"] = told["cap_elite_micros"] = UNPAID
    if twilio is not None:
        told["twilio_api_url"] = twilio.url
    return told


class _Web:
    """The port is taken before the settings are known, since they must name it."""

    def __init__(self) -> None:
        self._app: Any = None
        self._server = make_server("127.0.0.1", 0, self._serve, threaded=True)
        serve = partial(self._server.serve_forever, poll_interval=0.05)  # so it ends at once
        self._thread = threading.Thread(target=serve, name="web", daemon=True)

    @property
    def port(self) -> int:
        return self._server.server_port

    def start(self, wiring: Wiring) -> None:
        self._app = create_web(wiring)
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _serve(self, environ: Any, start_response: Any) -> Any:  # noqa: ANN401 - WSGI
        return self._app(environ, start_response)
