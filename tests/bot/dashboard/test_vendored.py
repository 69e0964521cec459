"""The code of others that we serve: whole, within its size, and reaching for nothing outside."""

import gzip
from pathlib import Path
from re import findall

STATIC = Path(__file__).parents[3] / "bot" / "dashboard" / "static"
VENDOR = STATIC / "vendor"


def test_every_file_is_accounted_for() -> None:
    table = (VENDOR / "VENDORED.md").read_text()
    assert [path.name for path in VENDOR.glob("*.js") if path.name not in table] == []
    assert len(list((VENDOR / "licences").glob("*.txt"))) == 3


def test_all_of_it_is_small() -> None:
    sizes = [len(gzip.compress(path.read_bytes(), 9)) for path in VENDOR.glob("*.js")]
    assert sum(sizes) < 26_000


def test_modules_import_only_files_that_are_here() -> None:
    for path in [*VENDOR.glob("*.js"), *(STATIC / "chat").glob("*.js")]:
        for name in findall(r"""(?:from|import)\s*["']([^"']+)["']""", path.read_text()):
            assert name.startswith("."), (path.name, name)
            assert (path.parent / name).resolve().exists(), (path.name, name)


def test_nothing_of_ours_needs_eval_or_inline_styles() -> None:
    for path in [*(STATIC / "chat").glob("*.js"), STATIC / "desk.js"]:
        assert not findall(r"\beval\(|new Function|innerHTML|style=", path.read_text()), path.name
    for page in (STATIC.parent / "templates").glob("*.html"):
        assert not findall(
            r"\son\w+=|style=|<style|<script(?! type=\"module\" src)", page.read_text()
        )
