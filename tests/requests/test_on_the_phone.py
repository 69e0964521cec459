"""Every tool, asked for in plain words on WhatsApp: a scripted model, the real runner, the card."""

import pytest

from app.core.actor import Role
from tests.floor import Gym, Phone, call
from tests.requests.request import Request, all_requests
from tests.stories.conftest import bare
from tools.kit.models import QuestionState


@pytest.mark.parametrize("request_", all_requests(), ids=lambda one: one.tool)
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
