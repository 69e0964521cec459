"""A gym comes over from Arbox, all of it from a phone: key page, sync, preview, import, undo."""

import re

import pytest
import requests
from sqlalchemy import func, select

from app.people.models import Member
from bot.playground.arbox_api.server import DEMO_KEY
from tests.floor import Gym, Phone, call
from tools.kit.models import AuditEntry, ToolCall

PEOPLE = 30


@pytest.fixture
def phone(gym: Gym) -> Phone:
    return gym.linked()


def connect(gym: Gym, phone: Phone) -> None:
    """Over real HTTP, as the owner's browser does it."""
    gym.says(("connect arbox", [call("arbox.connect"), {"say": "Open the page."}]))
    told = "\n".join(phone.says("connect arbox"))
    (link,) = re.findall(r"http://\S+/connect/arbox/\S+", told)
    assert link.startswith(gym.stage.base_url)
    with requests.Session() as browser:
        page = browser.get(link, timeout=20).text
        (word,) = re.findall(r'name="csrf_token" value="([^"]+)"', page)
        told = browser.post(link, data={"key": DEMO_KEY, "csrf_token": word}, timeout=20).text
    assert DEMO_KEY[-4:] in told


def members(gym: Gym) -> int:
    with gym.db.transaction(gym.org_id) as session:
        return session.scalar(select(func.count()).select_from(Member)) or 0


def preview_id(gym: Gym) -> str:
    """What the model was given to go on with."""
    assert gym.stage.model is not None
    found = re.findall(rb'preview_id\\+":\\+"([0-9a-f-]{36})', gym.stage.model.requests[-1].raw)
    return str(found[-1], "ascii")


def test_a_gym_comes_over_and_goes_back(gym: Gym, phone: Phone) -> None:
    connect(gym, phone)
    chosen = {"entities": ["members"]}
    gym.says(("sync it", [call("arbox.sync_now", **chosen), {"say": "Reading."}]))
    begun, read = phone.says("sync it")
    assert "Reading Arbox: 0 of 7" in begun
    assert "Arbox was read · records: 39" in read
    gym.says(("what would", [call("arbox.preview_import", **chosen), {"say": "That is it."}]))
    assert f"members · new: {PEOPLE}" in "\n".join(phone.says("what would it do"))
    assert members(gym) == 0

    gym.says(("go on", [call("arbox.run_import", preview_id=preview_id(gym)), {"say": "Started."}]))
    asked = phone.says("go on")[-1]
    assert f"New: {PEOPLE}. Changed: 0." in asked
    begun, done = phone.says("1")
    assert "Importing from Arbox: 0 of 30" in begun
    assert "Imported from Arbox: 30 records · new: 30 · changed: 0" in done
    assert members(gym) == PEOPLE

    assert phone.says("UNDO 1")[0].startswith("Undone: the import from Arbox")
    assert members(gym) == 0


def test_the_key_is_in_no_row_no_log_and_no_call_to_the_model(
    gym: Gym, phone: Phone, capfd: pytest.CaptureFixture[str]
) -> None:
    connect(gym, phone)
    gym.says(("sync it", [call("arbox.sync_now", entities=["plans"]), {"say": "Reading."}]))
    phone.says("sync it")
    gym.says(("status", [call("arbox.get_status"), {"say": "Here."}]))
    assert "Key ends in: 4711" in "\n".join(phone.says("status of arbox"))
    with gym.db.transaction(gym.org_id) as session:
        rows = [*session.scalars(select(ToolCall)), *session.scalars(select(AuditEntry))]
        kept = " ".join(str(vars(row)) for row in rows)
    assert gym.stage.model is not None
    said = b" ".join(request.raw for request in gym.stage.model.requests)
    assert DEMO_KEY not in kept + said.decode() + "".join(capfd.readouterr())
    told = [row for row in rows if isinstance(row, AuditEntry) and row.tool == "arbox.connect"]
    assert [row.result for row in sorted(told, key=lambda row: row.id)] == ["done", "connected"]


def test_a_key_that_was_revoked_there_is_told_and_shown(gym: Gym, phone: Phone) -> None:
    connect(gym, phone)
    stand_in = gym.stage.arbox
    assert stand_in is not None
    revoked = stand_in.arbox.gyms.pop(DEMO_KEY)
    try:
        gym.says(("sync it", [call("arbox.sync_now", entities=["plans"]), {"say": "Reading."}]))
        told = phone.says("sync it")[-1]
    finally:
        stand_in.arbox.add(revoked)
    assert "Arbox refused the key." in told
    gym.says(("status", [call("arbox.get_status"), {"say": "Here."}]))
    assert "Status: key refused" in "\n".join(phone.says("status of arbox"))
