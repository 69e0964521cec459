"""Arguments of the tools for the workouts of a class."""

from pydantic import Field

from app.programs.service import daily
from app.programs.service.attaching import Attachment
from tools.catalog._args import SessionId
from tools.catalog._daily_args import PublishAt
from tools.catalog._program_args import WorkoutId
from tools.kit.declare import Args, Context


class OneAttached(Args):
    class_session_id: SessionId
    workout_id: WorkoutId


class Attaching(OneAttached):
    position: int | None = Field(
        default=None, ge=1, le=6, description="Among the class's own workouts; else the last."
    )
    visible_from: PublishAt

    def attachment(self, context: Context) -> Attachment:
        local = self.visible_from
        at = (
            None
            if local is None
            else daily.publish_time(context.session, context.actor, local, now=context.now)
        )
        return Attachment(self.class_session_id, self.workout_id, self.position, at)
