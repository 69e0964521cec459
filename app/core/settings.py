"""Every setting of a process, read once from the environment."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Built once by a process and passed down in parts.

    Secrets never leave their `SecretStr` but where they are used.
    """

    model_config = SettingsConfigDict(frozen=True, env_file=None, extra="ignore")

    database_url: SecretStr = SecretStr("")
    """Login of the owner of the schema.

    Each transaction steps down to a role of its own (see db.py).
    """
    redis_url: SecretStr = SecretStr("")
    public_base_url: str = "http://127.0.0.1:8000"
    """Where the vendors and the browser reach us.

    Signatures are checked against it, never against Host.
    """
    secret_key: SecretStr = SecretStr("")
    """Signs sessions, dashboard tokens and links."""
    sealing_keys: SecretStr = SecretStr("")
    """Seal keys of other services and medical answers in the database; several by commas.

    The first one seals, all unseal. Without any the secret key does it, and must stay the same.
    """
    operator_token: SecretStr = SecretStr("")
    """Opens /api/operator/v1 to the operator's own systems; without it there is no such API."""
    jwks_url: str = ""
    """Where the operator's product publishes the keys of its tokens.

    Without it only the shared key counts.
    """
    frame_ancestors: str = "'self'"
    """Which pages may hold ours in a frame, as the header has it."""

    anthropic_api_key: SecretStr = SecretStr("")
    anthropic_base_url: str | None = None
    model_main: str = "claude-sonnet-5-5"
    model_small: str = "claude-haiku-5-5"
    quick_route: bool = True
    """Whether the small model is asked first, for one look-up or for a turn that only reads."""
    model_effort: Literal["low", "medium", "high"] = "low"
    model_max_tokens: int = 8_000

    cache_ttl: Literal["5m", "1h"] = "1h"
    """How long the vendor keeps what all gyms of a role share: an hour costs more to write."""
    keep_alive: Annotated[int, Field(ge=1, le=59)] | Literal["off"] = 55
    """Minutes between renewals of what all gyms of a role share, while one of them is open."""
    open_from: int = Field(default=6, ge=0, le=23)
    """Opening hours of a gym for that, in its own zone."""
    open_until: int = Field(default=22, ge=1, le=24)

    cap_lite_micros: int = Field(default=1_000_000, ge=0)
    """What a gym's model calls may cost on its local day, in micro-dollars, by tier."""
    cap_pro_micros: int = Field(default=5_000_000, ge=0)
    cap_elite_micros: int = Field(default=25_000_000, ge=0)
    upgrade_url: str = ""
    """Where an owner moves to another tier, told with a limit that is used up."""

    embeddings: Literal["local", "voyage", "off"] = "off"
    """What gives texts their vectors: a model in this process, Voyage's, or nothing."""
    voyage_api_key: SecretStr = SecretStr("")
    voyage_api_url: str | None = None
    voyage_model: str = "voyage-4-lite"

    twilio_account_sid: str = ""
    twilio_auth_token: SecretStr = SecretStr("")
    twilio_webhook_keys: dict[str, SecretStr] = {}
    """Shared keys of the SHA-256 signature mode, by key id."""
    twilio_api_url: str | None = None
    """One base address for every Twilio host, paths unchanged: a stand-in or a proxy."""
    twilio_staff_whatsapp: str = ""
    twilio_staff_sms: str = ""
    twilio_members_whatsapp: str = ""
    twilio_members_sms: str = ""
    smtp_url: SecretStr = SecretStr("")
    """Where e-mail to members leaves: smtp://user:password@host:587, or smtps:// from the start."""
    mail_from: str = ""
    """The address that it comes from."""

    transcriber: Literal["openai", "off"] = "off"
    """What hears voice notes: a server with the API of OpenAI's transcriptions, or nothing."""
    transcriber_api_url: str = "https://api.openai.com/v1"
    transcriber_api_key: SecretStr = SecretStr("")
    transcriber_model: str = "whisper-1"

    arbox_api_url: str | None = None
    """One base address in place of Arbox's own: a stand-in or a proxy."""
    arbox_pace_s: float = 0.5
    """Between two questions to it; no limit is published."""

    question_minutes_web: int = 15
    question_minutes_phone: int = 60
    sms_chat: bool = False
    """Whether whole chats are served by SMS; questions and answers always are."""
    fallback_after_s: int = 60
    debounce_ms: int = 1_000
    turn_threads: int = 40
    clock_offset_s: float = 0.0
    """Added to the wall clock: a demo may live on another day."""
    playground: bool = False
    """Whether the phone page and the language switch are served; never in production."""
    spotter_data: Path | None = None
    """Where the embedded servers of `make run` and `make test` keep their files.

    `.data` if unset.
    """
    log_json: bool = False
    posthog_key: SecretStr = SecretStr("")
    """Project key: with it, what the agent does is told there, as numbers and names of tools."""
    posthog_host: str = "https://eu.i.posthog.com"
    sentry_dsn: SecretStr = SecretStr("")
    """Where faults are told, without people's data."""

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Self:
        """Settings from variables that are not this process's own."""
        given = {key.lower(): value for key, value in environment.items()}
        known = {key: given[key] for key in cls.model_fields if key in given}
        keys = known.pop("twilio_webhook_keys", None)
        return cls.model_validate(
            {**known, "twilio_webhook_keys": json.loads(keys)} if keys else known
        )


def environment() -> dict[str, str]:
    """This process's variables, to be given on to a child with changes."""
    return dict(os.environ)
