"""What a database that is closed leaves behind: nothing."""

from app.core.clock import Clock
from app.core.db import Database


def test_a_connection_at_work_is_closed_when_it_comes_back(database_url: str) -> None:
    database = Database(database_url, Clock())
    working, resting = database.engine.connect(), database.engine.connect()
    at_work, at_rest = working.connection.driver_connection, resting.connection.driver_connection
    assert at_work is not None
    assert at_rest is not None
    resting.close()

    database.close()
    assert (at_rest.closed, at_work.closed) == (True, False)

    working.close()
    assert at_work.closed
