"""A browser, and the stage it looks at."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pydantic import SecretStr

from app.core.settings import Settings
from bot.playground.servers.browser import find_browser
from bot.wiring import Wiring
from tests.browser.stage import Stage, served

QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


expect.set_options(timeout=20_000)
"""What comes late on a busy machine is not missing; how late it may be is for the benchmarks."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = find_browser()
    assert found is not None, "no Chromium or Chrome: see python -m bot.playground.servers.browser"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def stage(database_url: str, redis_url: str) -> Iterator[Stage]:
    settings = Settings(
        database_url=SecretStr(database_url),
        redis_url=SecretStr(redis_url),
        secret_key=SecretStr("k" * 40),
    )
    stage = Stage(Wiring(settings))
    yield stage.build()
    stage.close()


@pytest.fixture
def address(stage: Stage) -> Iterator[str]:
    with served(stage.app()) as url:
        yield url


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1360, "height": 860}, reduced_motion="reduce")
    context.set_default_timeout(10_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
