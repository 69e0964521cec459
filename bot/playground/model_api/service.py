"""What the API does with a request, apart from HTTP."""

from dataclasses import dataclass

from bot.playground.model_api.answer import Brain
from bot.playground.model_api.events import Reply, draw, new_id
from bot.playground.model_api.request import MessagesRequest


@dataclass(frozen=True, slots=True)
class Service:
    brain: Brain

    def reply(self, request: MessagesRequest) -> Reply:
        answer = self.brain.answer(request)
        return Reply(
            message_id=new_id("msg_01"),
            model=request.model,
            blocks=draw(answer),
            stop_reason=answer.stops_for,
            usage={"input_tokens": 1},
        )
