"""Letters go to a mail server, and what it says decides whether they are tried again."""

import email
from collections.abc import Iterator
from email.policy import default

import pytest

from bot.channels.email.sending import Letter, Mailer, Posted
from tests.bot.channels.email.post_office import PostOffice, post_office

LETTER = Letter("1f", "gym@example.com", "dana@example.com", "היי דנה\nמתגעגעים")


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with post_office() as opened:
        yield opened


def test_a_letter_arrives_whole_under_an_id_of_its_own(office: PostOffice) -> None:
    assert Mailer(office.url).send(LETTER) is Posted.TAKEN
    (taken,) = office.taken
    got = email.message_from_bytes(taken, policy=default)
    assert (got["To"], got["Subject"]) == ("dana@example.com", "היי דנה")
    assert got["Message-ID"] == "<1f@example.com>"
    assert got.get_content().strip() == LETTER.body


@pytest.mark.parametrize(
    ("says", "then"),
    [("550 unknown", Posted.REFUSED), ("451 later", Posted.BUSY)],
)
def test_what_the_server_says_decides(office: PostOffice, says: str, then: Posted) -> None:
    office.recipient = says
    assert Mailer(office.url).send(LETTER) is then
    assert office.taken == []


def test_a_line_that_breaks_after_the_letter_leaves_it_unknown(office: PostOffice) -> None:
    office.hangs_up = True
    assert Mailer(office.url).send(LETTER) is Posted.UNKNOWN


def test_a_server_that_is_away_is_tried_later() -> None:
    assert Mailer("smtp://127.0.0.1:9").send(LETTER) is Posted.BUSY


def test_a_long_first_line_is_cut_for_the_subject() -> None:
    long = Letter("1f", "a@example.com", "b@example.com", "word " * 40)
    assert len(long.subject) <= 78
    assert long.subject.endswith("…")
