"""Every tool, asked for in plain words on WhatsApp: a scripted model, the real runner, the card."""

from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet

from app.core.actor import Role
from tests.contracts.catalogue import REGISTRY
from tests.floor import Gym, Phone, call
from tests.requests.request import Request, all_requests
from tests.stories.conftest import bare
from tools.kit.models import QuestionState


def played() -> Iterator[ParameterSet]:
    """Of each router a request of each kind in every run; the rest with the longest tests."""
    known = set[tuple[object, ...]]()
    for one in all_requests():
        tool = REGISTRY[one.tool]
        kind = tool.router, tool.effect, tool.ask
        marks = (pytest.mark.long,) if kind in known else ()
        known.add(kind)
        yield pytest.param(one, id=one.tool, marks=marks)


@pytest.mark.parametrize("request_", tuple(played()))
def test_a_sentence_becomes_the_tools_card_on_the_phone(
    request_: Request, gym: Gym, phones: dict[Role, Phone]
) -> None:
    phone = phones[request_.role]
    given = request_.given(gym.studio)
    gym.says((request_.says, [call(request_.tool, **given), {"say": "That is it."}]))

    heard = phone.says(request_.says)
    if gym.questions(QuestionState.OPEN):
        heard = phone.says(request_.answer)

    text = bare("\n".join(heard))
    assert not gym.questions(QuestionState.OPEN), text
    for piece in (*request_.shows, "That is it."):
        assert piece in text, text
