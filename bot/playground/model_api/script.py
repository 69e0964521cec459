"""A brain that plays a script: which step is due is read from the request, so nothing is kept."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from bot.playground.model_api.answer import Answer, Call, Piece, Say
from bot.playground.model_api.errors import invalid
from bot.playground.model_api.faults import Fault, FaultKind
from bot.playground.model_api.reading import Turn, latest, turns
from bot.playground.model_api.request import MessagesRequest


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ScriptedCall(_Part):
    name: str
    input: dict[str, Any] = {}


class Step(_Part):
    """One assistant message: words, calls or both, with the faults that strike it.

    Anywhere in it `{"$result": ["tool", "key", 0, ...]}` stands for a value out of the latest
    result of that tool, read as JSON; `say` may be a list whose parts are joined.
    """

    say: str | list[Any] = ""
    calls: tuple[ScriptedCall, ...] = ()
    fault: Fault | FaultKind | None = None
    faults: tuple[Fault | FaultKind, ...] = ()
    stop_reason: str | None = None

    @property
    def all_faults(self) -> tuple[Fault, ...]:
        named = (*self.faults, *((self.fault,) if self.fault else ()))
        return tuple(each if isinstance(each, Fault) else Fault(kind=each) for each in named)

    @property
    def ends_turn(self) -> bool:
        """Only calls lead to another message in the same turn, and a pause, which is resumed."""
        return not self.calls and FaultKind.PAUSE_TURN not in {f.kind for f in self.all_faults}


class Scene(_Part):
    """Steps for the conversations it fits, in order; a step without calls ends a turn.

    `when` is a part of what the person said: the latest such text begins the scene, and ends
    those begun by an earlier one. `model` is a part of the model's id, `offers` a tool that the
    request must list.
    """

    when: str = ""
    model: str = ""
    offers: str = ""
    steps: Annotated[tuple[Step, ...], Field(min_length=1)]

    def fits(self, request: MessagesRequest) -> bool:
        offered = not self.offers or self.offers in request.tool_by_name
        return offered and self.model in request.model

    def begins(self, conversation: tuple[Turn, ...]) -> int | None:
        """The turn it begins with; None where nobody has said `when`."""
        if not self.when:
            return 0
        part = self.when.casefold()
        begun = [n for n, turn in enumerate(conversation) if part in turn.text.casefold()]
        return begun[-1] if begun else None

    def step(self, turn: int, message: int) -> Step | None:
        """The step for a turn of the scene and a message in it, None where it has run out."""
        acts = self._acts()
        within = turn < len(acts) and message < len(acts[turn])
        return acts[turn][message] if within else None

    def _acts(self) -> list[list[Step]]:
        acts: list[list[Step]] = [[]]
        for step in self.steps:
            acts[-1].append(step)
            if step.ends_turn:
                acts.append([])
        return [act for act in acts if act]


class Script(_Part):
    """Scenes, the first that fits and has a step due is played."""

    scenes: tuple[Scene, ...]

    @model_validator(mode="before")
    @classmethod
    def _from_list(cls, given: Any) -> Any:  # noqa: ANN401 - JSON before its shape is known
        """A bare list is one scene's steps, or scenes."""
        if not isinstance(given, list | tuple):
            return given
        are_scenes = all("steps" in each for each in given)
        return {"scenes": given if are_scenes else [{"steps": given}]}


class ScriptBrain:
    """Plays scripts; the script can be changed while it serves."""

    def __init__(self, script: Any = ()) -> None:  # noqa: ANN401 - JSON in any accepted form
        self.script = Script(scenes=())
        self.load(script)

    @classmethod
    def from_file(cls, path: Path) -> Self:
        return cls(json.loads(path.read_text(encoding="utf-8")))

    def load(self, script: Any) -> None:  # noqa: ANN401 - JSON in any accepted form
        empty = isinstance(script, list | tuple) and not script
        self.script = Script(scenes=()) if empty else TypeAdapter(Script).validate_python(script)

    def answer(self, request: MessagesRequest) -> Answer:
        conversation = turns(request)
        step = _due(self.script.scenes, conversation, request) if conversation else None
        if step is not None:
            return _played(step, request)
        last = conversation[-1] if conversation else None
        raise invalid(
            f"The stand-in's script has no step for turn {len(conversation)},"
            f" message {last.replies + 1 if last else 1}: {last.text[:80] if last else ''!r}"
        )


def _due(
    scenes: Sequence[Scene], conversation: tuple[Turn, ...], request: MessagesRequest
) -> Step | None:
    fitting = [
        (scene, begun)
        for scene in scenes
        if scene.fits(request) and (begun := scene.begins(conversation)) is not None
    ]
    latest_begun = max((begun for _, begun in fitting), default=0)
    for scene, begun in fitting:
        over = scene.when and begun < latest_begun
        step = scene.step(len(conversation) - 1 - begun, conversation[-1].replies)
        if step is not None and not over:
            return step
    return None


def _played(step: Step, request: MessagesRequest) -> Answer:
    said = _filled(step.say, request)
    text = "".join(map(str, said)) if isinstance(said, list) else said
    pieces: list[Piece] = [Say(text)] if text else []
    pieces += [Call(call.name, _filled(call.input, request)) for call in step.calls]
    return Answer(tuple(pieces), step.stop_reason, step.all_faults)


def _filled(value: Any, request: MessagesRequest) -> Any:  # noqa: ANN401 - any JSON, there and back
    match value:
        case {"$result": [str(tool), *path], **rest} if not rest:
            return _looked_up(request, tool, path)
        case dict():
            return {key: _filled(each, request) for key, each in value.items()}
        case list():
            return [_filled(each, request) for each in value]
        case _:
            return value


def _looked_up(request: MessagesRequest, tool: str, path: list[Any]) -> Any:  # noqa: ANN401 - any JSON
    try:
        value = latest(request, tool)
        for key in path:
            value = value[key]
    except (LookupError, TypeError) as error:
        raise invalid(f"The stand-in's script finds no {path} in a result of {tool}.") from error
    return value
