"""The pages over real servers."""

from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from app.core.settings import Settings
from bot.wiring import Wiring
from tests.browser.stage import Stage


@pytest.fixture
def stage(database_url: str, redis_url: str) -> Iterator[Stage]:
    settings = Settings(
        database_url=SecretStr(database_url),
        redis_url=SecretStr(redis_url),
        secret_key=SecretStr("k" * 40),
        twilio_staff_whatsapp="whatsapp:+14155238886",
    )
    stage = Stage(Wiring(settings))
    yield stage.build()
    stage.close()
