"""The dashboard's conversation: what its routes do, each in a transaction of its own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from redis import Redis
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import Database, after_commit, now_of
from app.core.errors import NotAllowed, NotFound, StudioError
from bot.channels.web import lookup
from bot.channels.web.agui import settled
from bot.channels.web.views import PersonViews
from bot.conversation import accept, answering, playbooks, reading, stopping, typed
from bot.conversation.models import Conversation, Surface
from bot.conversation.queue import Enqueue
from bot.render.reader import Reader
from bot.render.speech import Speech
from bot.stream import PATIENCE, Patience, Person, publish_person
from bot.turn.events import Answered, Event
from i18n import Language, answers
from tools.kit import failures, questions, receipts
from tools.kit.binding import Standing
from tools.kit.calls import Outcome
from tools.kit.models import Question, QuestionState
from tools.kit.registry import Registry
from tools.kit.undo import undo, undo_in
from tools.playbooks import playbook

WHERE = "web"


@dataclass(frozen=True, slots=True)
class Watched:
    """A turn whose stream is opened."""

    turn_id: UUID
    conversation_id: UUID
    views: PersonViews


@dataclass(frozen=True, slots=True)
class Chat:
    db: Database
    redis: Redis
    enqueue: Enqueue
    registry: Registry
    standing: Standing
    zone_of: Callable[[Session, UUID], str]
    patience: Patience = PATIENCE

    def say(
        self, actor: Actor, conversation_id: UUID | None, text: str, beside: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Words of a person. A bare answer to the card that is open here is that answer.

        Returns {conversation_id, turn_id}, or {conversation_id, settled} for an answer, or
        {conversation_id, undone} for UNDO and its number, {conversation_id, ideas} for what is
        worth a look, or {conversation_id, text} where it can't be told which is meant. Raises
        NotFound, BadInput.
        """
        with self.db.transaction(actor.org_id) as session:
            conversation = self._conversation(session, actor, conversation_id)
            known = {"conversation_id": str(conversation.id)}
            told = self._typed(session, actor, conversation, text)
            told = told or self._taken_back(session, actor, conversation, text)
            told = told or self._ideas(session, actor, text, beside)
            if told:
                return {**known, **told}
            book = playbooks.named(text, actor.role)
            started = {} if book is None else {"playbook": book.name}
            return self._begin(session, actor, conversation, text, {**beside, **started})

    def start(
        self, actor: Actor, conversation_id: UUID | None, name: str, beside: Mapping[str, Any]
    ) -> dict[str, Any]:
        """A turn from a playbook, under its name. Raises NotFound for one that isn't theirs."""
        book = playbook(name)
        if book is None or not actor.role.at_least(book.role):
            raise NotFound
        with self.db.transaction(actor.org_id) as session:
            conversation = self._conversation(session, actor, conversation_id)
            text, started = playbooks.begun(book, self.views(session, actor).reader.language)
            return self._begin(session, actor, conversation, text, {**beside, **started})

    def _begin(
        self,
        session: Session,
        actor: Actor,
        conversation: Conversation,
        text: str,
        beside: Mapping[str, Any],
    ) -> dict[str, Any]:
        accepted = accept.say(
            session, actor, conversation.id, text, enqueue=self.enqueue, beside=dict(beside)
        )
        begun = {"conversation_id": str(conversation.id), "turn_id": str(accepted.turn_id)}
        self.tell(session, actor, "turn_begun", begun)
        return begun

    def answer(self, actor: Actor, question_id: UUID, choice: questions.Choice) -> dict[str, Any]:
        """{settled} once it is closed, by this answer or an earlier one; {text} where it isn't."""
        with self.db.transaction(actor.org_id) as session:
            result = answering.answer(
                session, actor, question_id, choice, where=WHERE, enqueue=self.enqueue
            )
            return self._told(session, actor, result)

    def stop(self, actor: Actor, turn_id: UUID) -> bool:
        with self.db.transaction(actor.org_id) as session:
            return stopping.stop(session, actor, turn_id, enqueue=self.enqueue)

    def undo(self, actor: Actor, call_id: UUID) -> dict[str, Any]:
        """The card of what was taken back. Raises NotFound, and the reasons why it can't be."""
        outcome = undo(self.db, self.registry, actor, call_id, standing=self.standing)
        with self.db.transaction(actor.org_id) as session:
            return {"view": self.views(session, actor).card(outcome.card), "ok": outcome.ok}

    def watch(self, actor: Actor, turn_id: UUID) -> Watched:
        """Raises NotFound for a turn of somebody else."""
        with self.db.transaction(actor.org_id) as session:
            turn = reading.turn(session, actor, turn_id)
            return Watched(turn.id, turn.conversation_id, self.views(session, actor))

    def stands(self, actor: Actor) -> bool:
        """Whether they still are who they were, with no less of a role; False if nobody can say."""
        try:
            with self.db.transaction(actor.org_id) as session:
                return self.standing(session, actor).role is actor.role
        except (NotAllowed, OperationalError):
            return False

    def table(self, org_id: UUID, turn_id: UUID, first: int) -> Sequence[Event]:
        """The stored events of a turn from a seq on, for a stream that has a hole."""
        with self.db.transaction(org_id) as session:
            return [event for _, event in reading.stored(session, turn_id, start=first)]

    def until(self, org_id: UUID, question_id: UUID) -> Any:  # noqa: ANN401 - a datetime or None
        with self.db.transaction(org_id) as session:
            row = session.get(Question, question_id)
            return row.expires_at if row else None

    def views(self, session: Session, actor: Actor) -> PersonViews:
        zone = self.zone_of(session, actor.org_id)
        reader = Reader(Language.of(actor.language), zone, now_of(session))
        return PersonViews(reader, self.registry)

    def tell(self, session: Session, actor: Actor, name: str, value: Mapping[str, Any]) -> None:
        """To all pages of a person, once this is committed."""
        person = Person(actor.org_id, actor.user_id)
        after_commit(session, lambda: publish_person(self.redis, person, name, value))

    def _conversation(
        self, session: Session, actor: Actor, conversation_id: UUID | None
    ) -> Conversation:
        if conversation_id is None:
            return accept.open_conversation(session, actor, Surface.WEB)
        return reading.conversation(session, actor, conversation_id)

    def _typed(
        self, session: Session, actor: Actor, conversation: Conversation, text: str
    ) -> dict[str, Any] | None:
        question = lookup.open_question(session, conversation.id)
        if question is None:
            return None
        choice = typed.read(questions.card_of(question), text)
        match choice:
            case None:
                return None
            case answers.Unclear():
                reader = self.views(session, actor).reader
                return {"text": Speech(reader).unclear()}
            case _:
                result = answering.answer(
                    session, actor, question.id, choice, where=WHERE, enqueue=self.enqueue
                )
                return self._told(session, actor, result)

    def _taken_back(
        self, session: Session, actor: Actor, conversation: Conversation, text: str
    ) -> dict[str, Any] | None:
        """UNDO, or UNDO 12, as on a phone; None for any other text."""
        for command in answers.commands(answers.read_answer(text)):
            if isinstance(command, answers.Undo):
                known, outcome = self._undo_meant(session, actor, conversation, command.number)
                view = self.views(session, actor).card(outcome.card)
                return {"undone": {"call_id": known, "view": view, "ok": outcome.ok}}
        return None

    def _ideas(
        self, session: Session, actor: Actor, text: str, beside: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """IDEAS, as on a phone; None for any other text."""
        if answers.Ideas() not in answers.read_answer(text):
            return None
        language = self.views(session, actor).reader.language
        return {"ideas": playbooks.offered(actor.role, language, str(beside.get("page") or ""))}

    def _undo_meant(
        self, session: Session, actor: Actor, conversation: Conversation, number: int | None
    ) -> tuple[str | None, Outcome]:
        here = reading.line(session, conversation)
        try:
            call = receipts.meant(session, actor, number, here)
        except StudioError as error:
            return None, Outcome(card=failures.failed(error), ok=False)
        standing = self.standing
        outcome = undo_in(session, self.registry, actor, call.id, where="word", standing=standing)
        return str(call.id), outcome

    def _told(self, session: Session, actor: Actor, result: questions.Result) -> dict[str, Any]:
        views = self.views(session, actor)
        question = result.question
        if isinstance(result, questions.NeedsSignIn):
            return {"text": ""}
        value = settled(closed_by(question), question.kind, views)
        if isinstance(result, questions.Decided):
            self.tell(session, actor, "card_settled", value)
        return {"settled": value}


def closed_by(question: Question) -> Answered:
    """A closed question's row as the event that closed it; one past its time counts as expired."""
    decided = question.state in {QuestionState.APPROVED, QuestionState.DECLINED}
    superseded = question.state is QuestionState.SUPERSEDED
    return Answered(
        question_id=question.id,
        outcome="decided" if decided else "superseded" if superseded else "expired",
        decisions=questions.decisions_of(question),
        where=question.decided_where or "",
        at=question.decided_at,
    )
