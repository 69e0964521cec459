"""Row-level security in DDL: what a migration runs for each table it makes."""

from collections.abc import Callable

from sqlalchemy import Connection, text

from app.core.db import APP_ROLE, ERASER_ROLE, PLATFORM_ROLE

_ORG = "nullif(current_setting('app.org_id', true), '')::uuid"


def org_table(
    connection: Connection, table: str, *, column: str = "org_id", platform_reads: bool = False
) -> None:
    """Wall a table in: the app sees the rows of its org; FORCE binds the owner as well.

    `platform_reads` lets the platform role list rows of every org (the org directory, what a
    reaper must find).
    """
    run = _runner(connection)
    run(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    run(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    run(
        f"CREATE POLICY {table}_org ON {table} TO {APP_ROLE} "
        f"USING ({column} = {_ORG}) WITH CHECK ({column} = {_ORG})"
    )
    run(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {APP_ROLE}")
    if platform_reads:
        run(f"CREATE POLICY {table}_platform ON {table} FOR SELECT TO {PLATFORM_ROLE} USING (true)")
        run(f"GRANT SELECT ON {table} TO {PLATFORM_ROLE}")


def append_only(connection: Connection, table: str) -> None:
    """Take the right to change or delete rows from the app: a ledger or a log."""
    _runner(connection)(f"REVOKE UPDATE, DELETE ON {table} FROM {APP_ROLE}")


def provider_table(connection: Connection, table: str) -> None:
    """A table of an org that the app may only read: what a provider tells, the platform writes."""
    org_table(connection, table)
    run = _runner(connection)
    run(f"REVOKE INSERT, UPDATE, DELETE ON {table} FROM {APP_ROLE}")
    run(f"CREATE POLICY {table}_platform ON {table} TO {PLATFORM_ROLE} USING (true)")
    run(f"GRANT SELECT, INSERT, UPDATE ON {table} TO {PLATFORM_ROLE}")


def platform_table(connection: Connection, table: str, *, app_may: str = "") -> None:
    """A table for the platform role alone.

    `app_may` grants the app what it needs of it, as 'SELECT'.
    """
    run = _runner(connection)
    run(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {PLATFORM_ROLE}")
    if app_may:
        run(f"GRANT {app_may} ON {table} TO {APP_ROLE}")


def erasable(connection: Connection, table: str, *columns: str) -> None:
    """Let the eraser write over these columns of an org's table that only grows."""
    run = _runner(connection)
    run(f"CREATE POLICY {table}_eraser ON {table} TO {ERASER_ROLE} USING (org_id = {_ORG})")
    run(f"GRANT SELECT, UPDATE ({', '.join((*columns, 'version'))}) ON {table} TO {ERASER_ROLE}")


def no_longer_erasable(connection: Connection, table: str) -> None:
    run = _runner(connection)
    run(f"DROP POLICY {table}_eraser ON {table}")
    run(f"REVOKE ALL ON {table} FROM {ERASER_ROLE}")


def create_roles(
    connection: Connection, roles: tuple[str, ...] = (APP_ROLE, PLATFORM_ROLE)
) -> None:
    """Make these roles and let the login step down to them.

    They belong to the cluster, so they may be there.
    """
    run = _runner(connection)
    for role in roles:
        run(
            f"DO $$ BEGIN CREATE ROLE {role} NOLOGIN; "
            "EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
        )
        run(f"GRANT {role} TO CURRENT_USER")
        run(f"GRANT USAGE ON SCHEMA public TO {role}")


def _runner(connection: Connection) -> Callable[[str], object]:
    return lambda statement: connection.execute(text(statement))
