"""A browser for the tests that need one: the machine's own, or one that root may install."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
"""The first is the lightest: what it draws nobody sees, a third less work."""
APPLICATIONS = (
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
)
INSTALL = ("apt-get", "install", "-y", "--no-install-recommends", NAMES[0], "fonts-liberation")


class NoBrowserError(Exception):
    """No browser is here; the argument is the command that fetches one."""


def find_browser(path: str | None = None) -> Path | None:
    """Return the executable of a Chromium on the search path (PATH by default), or None."""
    found = next(filter(None, (shutil.which(name, path=path) for name in NAMES)), None)
    if found is not None:
        return Path(found)
    return next((program for program in APPLICATIONS if path is None and program.exists()), None)


def ensure_browser() -> Path:
    """Return a browser, installed if there is none and this may be done without asking.

    Raises:
        NoBrowserError: There is none, and installing one is up to the person.
        subprocess.CalledProcessError: apt failed.
    """
    browser = find_browser()
    if browser is None:
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            raise NoBrowserError(" ".join(("sudo", *INSTALL)))
        install()
        browser = find_browser()
    if browser is None:
        raise NoBrowserError(" ".join(INSTALL))
    return browser


def install() -> None:
    quiet = ("env", "DEBIAN_FRONTEND=noninteractive")
    subprocess.run([*quiet, "apt-get", "update", "-qq"], check=True)
    subprocess.run([*quiet, *INSTALL], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Say which browser the tests will drive, or fail with the command that fetches one."""
    try:
        sys.stdout.write(f"browser: {ensure_browser()}\n")
    except NoBrowserError as missing:
        sys.exit(f"No Chromium or Chrome here. Install one, on Debian: {missing}")


if __name__ == "__main__":
    main()
