"""Who hears of what happens besides the log: PostHog of the agent's doings, Sentry of faults."""

import atexit
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from structlog.typing import Processor

from app.core.settings import Settings
from bot.operations.scrubbing import scrubbed

if TYPE_CHECKING:
    from posthog import Posthog

Fields = MutableMapping[str, Any]

TOLD: Final = "agent."
"""What begins so is the agent's doing."""
_OURS: Final = frozenset({"event", "level", "timestamp", "exc_info", "exception"})


def watchers(settings: Settings) -> list[Processor]:
    """Processors for the log, of those that the settings name."""
    found: list[Processor] = []
    if key := settings.posthog_key.get_secret_value():
        found.append(_posthog(key, settings.posthog_host))
    if dsn := settings.sentry_dsn.get_secret_value():
        found.append(_sentry(dsn))
    return found


@dataclass(frozen=True)
class ToPosthog:
    client: "Posthog"

    def __call__(self, _: object, __: str, fields: Fields) -> Fields:
        name = str(fields["event"])
        if name.startswith(TOLD):
            told = {key: value for key, value in fields.items() if key not in _OURS}
            whose = str(fields.get("user") or fields.get("org") or "spotter")
            self.client.capture(name, distinct_id=whose, properties=told)
        return fields


class ToSentry:
    """Errors, with their traceback where there is one."""

    def __call__(self, _: object, __: str, fields: Fields) -> Fields:
        if fields.get("level") in {"error", "critical"}:
            import sentry_sdk  # noqa: PLC0415 - only where it is set up

            with sentry_sdk.new_scope() as scope:
                for key, value in fields.items():
                    if key not in _OURS:
                        scope.set_extra(key, value)
                raised = fields.get("exc_info")
                if isinstance(raised, BaseException):
                    sentry_sdk.capture_exception(raised)
                else:
                    sentry_sdk.capture_message(str(fields["event"]), level="error")
        return fields


def _posthog(key: str, host: str) -> ToPosthog:
    from posthog import Posthog  # noqa: PLC0415 - as above

    client = Posthog(key, host=host, disable_geoip=True)
    atexit.register(client.shutdown)
    return ToPosthog(client)


def _sentry(dsn: str) -> ToSentry:
    import sentry_sdk  # noqa: PLC0415 - as above

    sentry_sdk.init(
        dsn=dsn,
        include_local_variables=False,
        include_source_context=False,
        before_send=lambda event, _: scrubbed(event, words=()),
        default_integrations=False,
    )
    return ToSentry()
