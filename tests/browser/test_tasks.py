"""Long work on the page: a bar that moves, a stop, and in the end what came of it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.script import TASK
from tests.browser.stage import Stage
from tests.browser.test_chat import enter, over, say

pytestmark = pytest.mark.browser


def test_a_task_of_the_background_moves_on_the_page_until_it_is_done(
    page: Page, address: str, stage: Stage
) -> None:
    enter(page, address, "en")
    person = stage.people["en"]
    say(page, "extend all")
    over(page)
    bar = page.locator("spotter-chat .call progress")
    expect(bar).to_have_js_property("max", 45)
    expect(page.locator("spotter-chat .call")).to_contain_text("Started: 45 in all.")
    expect(page.locator("spotter-chat .call button")).to_have_text("Stop")
    task = {"task_id": str(TASK), "call_id": "c", "state": "running"}
    for count in (20, 40, 20):
        view = {"kind": "progress", "lines": [f"{count} so far"], "done": count, "total": 45}
        stage.tell(person, "task_progress", {**task, "view": view | {"task_id": str(TASK)}})
    expect(bar).to_have_js_property("value", 40)
    undo = {"call_id": "c", "number": 3, "until": "", "label": "Undo"}
    ended = {"kind": "done", "lines": ["45 memberships extended."], "undo": undo}
    stage.tell(person, "task_progress", {**task, "state": "done", "view": ended})
    expect(page.locator("spotter-chat .call .told")).to_have_text("45 memberships extended.")
    expect(page.locator("spotter-chat .call button")).to_have_text("Undo")
    expect(bar).to_have_count(0)
