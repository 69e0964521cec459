"""Starts that find the folder, the port or the machine not as they would like them."""

import os
import pwd
import socket
from pathlib import Path

import psycopg
import pytest
import redis as vendor
from redis import Redis

from bot.playground.servers import Servers, ServersError, shared_servers
from bot.playground.servers.place import Place, read_json, write_json
from tests.bot.playground.servers.visiting import connect, nothing_runs, visit

pytestmark = pytest.mark.long

STRANGER = pwd.getpwnam("nobody").pw_uid


def test_a_stale_pid_file_that_names_a_living_stranger_is_no_hindrance(place: Place) -> None:
    with shared_servers(place.root, fast=True):
        lines = (place.postgres / "postmaster.pid").read_text().splitlines()
    stale = "\n".join([str(os.getpid()), *lines[1:]])
    (place.postgres / "postmaster.pid").write_text(stale)

    with shared_servers(place.root, fast=True) as servers, connect(servers.database_url) as again:
        assert again.execute("SELECT 1").fetchone() == (1,)


def test_a_first_start_that_was_killed_half_way_is_begun_anew(place: Place) -> None:
    draft = place.postgres.with_suffix(".new")
    draft.mkdir()
    (draft / "PG_VERSION").write_text("18\n")

    with shared_servers(place.root, fast=True) as servers, connect(servers.database_url) as again:
        assert again.execute("SELECT 1").fetchone() == (1,)


def test_a_port_that_a_stranger_has_taken_is_given_up(place: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        taken = stranger.getsockname()[1]
        write_json(place.ports, {"postgres": taken, "redis": taken})

        with shared_servers(place.root, fast=True) as servers:
            assert taken not in read_json(servers.place.ports).values()


def test_a_start_that_fails_says_what_the_server_said(place: Place) -> None:
    place.postgres.mkdir()
    (place.postgres / "PG_VERSION").write_text("9.6\n")

    with pytest.raises(ServersError, match="postgresql"), shared_servers(place.root):
        pytest.fail("it can't have started")
    assert nothing_runs(place)


def test_a_wrong_password_opens_neither_server(running: Servers) -> None:
    password = running.place.password()

    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        connect(running.database_url.replace(password, "wrong"))
    with (
        Redis.from_url(running.redis_url.replace(password, "wrong")) as redis,
        pytest.raises(vendor.AuthenticationError),
    ):
        redis.ping()


def test_the_password_is_shown_by_nothing(running: Servers) -> None:
    password = running.place.password()

    assert password not in repr(running)
    assert running.place.own.stat().st_mode & 0o077 == 0
    assert not any(password in line for line in command_lines())


def test_the_database_has_what_the_migrations_need(running: Servers) -> None:
    with connect(running.database_url) as connection:
        for extension in ("vector", "pg_trgm", "unaccent"):
            connection.execute(f"CREATE EXTENSION {extension}")
        row = connection.execute("SELECT unaccent('Ёлка'), '[1,2]'::vector <-> '[1,2]'").fetchone()

    assert row == ("Елка", 0)


def test_letters_are_letters_whatever_the_locale_of_who_starts_it(place: Place) -> None:
    visitor = visit(place.root, env={"LC_ALL": "C", "LANG": "C"})

    with connect(visitor.addresses()["database"]) as connection:
        connection.execute("CREATE EXTENSION pg_trgm")
        query = "SELECT lower('ПРИВЕТ'), 'Приседания' ~* 'присед', similarity('אימון', 'אימון')"
        assert connection.execute(query).fetchone() == ("привет", True, 1)
    visitor.leave()


def test_an_ordinary_account_can_run_it(place: Place) -> None:
    if os.geteuid() != 0:
        with shared_servers(place.root, fast=True):
            return
    home = place.root / "home"
    home.mkdir()
    os.chown(home, STRANGER, STRANGER)
    theirs = Place(home / "servers")

    visitor = visit(theirs.root, user=STRANGER)
    with connect(visitor.addresses()["database"]) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert theirs.postgres.stat().st_uid == STRANGER
    assert visitor.leave() == 0
    assert nothing_runs(theirs)


def command_lines() -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_text(errors="replace"))
        except OSError:
            continue
    return found
