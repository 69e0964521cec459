"""Cards of results and exercises: what was scored, what is lifted, what there is to do."""

from uuid import UUID

from app.people import queries as people
from app.studio.paging import Cut
from app.workouts import queries
from app.workouts.finding import Found
from app.workouts.library.shelf import Known
from app.workouts.queries.results import Board
from app.workouts.service.results import Logged
from app.workouts.views import RecordView, ResultView
from tools.catalog import _workouts
from tools.catalog._cards import listing
from tools.catalog._workout_args import MemberResults, Results, SearchExercises
from tools.kit.cards import Done, Facts, Ref, Table, TableRow
from tools.kit.declare import Context
from tools.kit.values import Code, Day, Line, Name, Names, Quote, Term, Weight

RESULT_COLUMNS = (
    "label.place",
    "label.member",
    "label.score",
    "label.division",
    "label.record",
    "label.date",
    "label.section",
    "label.notes",
)
_OWN_COLUMNS = (
    "label.workout",
    "label.score",
    "label.division",
    "label.record",
    "label.date",
    "label.notes",
)
_RECORD_COLUMNS = ("label.lift", "label.reps", "label.load", "label.date")
_EXERCISE_COLUMNS = ("label.exercise", "label.slug_name", "label.match", "label.equipment")


def logged(context: Context, made: Logged) -> Done:
    one = made.result
    record = Line(key="workouts.log_result.record")
    if made.exercise is not None:
        lift = Name(text=_workouts.name_of(context, made.exercise))
        record = Line(
            key="workouts.log_result.lift", values={"exercise": lift, "reps": made.reps or 1}
        )
    return Done(
        of="workouts.log_result",
        values={
            "member": Name(text=one.member),
            "workout": Name(text=one.workout),
            "score": Code(text=one.text),
            "division": Term(key=f"division.{one.division}"),
            "date": Day(date=one.performed_on),
        },
        notes=(record,) if one.is_pr else (),
        ref=Ref(entity="result", id=one.id, version=one.version),
    )


def leaderboard(context: Context, args: Results) -> Table:
    view = queries.workout(context.session, context.actor, args.workout_id)
    board = Board(args.workout_id, args.date, args.class_session_id, args.division)
    found = queries.leaderboard(context.session, board, cut=args.cut)
    places = {one.id: args.cut.offset + at for at, one in enumerate(found.rows, 1)}
    title = Line(key="workouts.list_results.title", values=_workouts.values(view.brief))
    return listing(title, RESULT_COLUMNS, found, lambda one: _result_row(one, places[one.id]))


def _result_row(one: ResultView, place: int) -> TableRow:
    cells = (
        place,
        Name(text=one.member),
        Code(text=one.text),
        Term(key=f"division.{one.division}"),
        one.is_pr,
        Day(date=one.performed_on),
        Name(text=one.section) if one.section else None,
        Quote(text=one.notes) if one.notes else None,
    )
    return TableRow(id=str(one.id), cells=cells)


def member_results(context: Context, args: MemberResults) -> Facts:
    """A member's scores, and the heaviest that they lifted."""
    member = people.member(context.session, args.member_id)
    if args.workout_id is not None:
        queries.workout(context.session, context.actor, args.workout_id)
    if args.exercise is not None:
        queries.check_known(context.session, [args.exercise])
    cut = Cut(args.limit)
    found = queries.member_results(
        context.session,
        args.member_id,
        exercise=args.exercise,
        workout_id=args.workout_id,
        since=args.since,
        cut=cut,
    )
    best = queries.records(context.session, args.member_id, exercise=args.exercise, cut=cut)
    scores = listing(Line(key="read.get_member_results.scores"), _OWN_COLUMNS, found, _own_row)
    title = Line(key="read.get_member_results.records")
    records = listing(title, _RECORD_COLUMNS, best, lambda one: _record_row(context, one))
    return Facts(
        title=Line(key="read.get_member_results.title", values={"member": Name(text=member.name)}),
        tables=(scores, records) if args.workout_id is None else (scores,),
        ref=Ref(entity="member", id=member.id),
    )


def _own_row(one: ResultView) -> TableRow:
    cells = (
        Name(text=one.workout),
        Code(text=one.text),
        Term(key=f"division.{one.division}"),
        one.is_pr,
        Day(date=one.performed_on),
        Quote(text=one.notes) if one.notes else None,
    )
    return TableRow(id=str(one.id), cells=cells)


def _record_row(context: Context, one: RecordView) -> TableRow:
    cells = (
        Name(text=_workouts.name_of(context, one.exercise)),
        one.rep_max,
        Weight(grams=one.grams, unit=one.unit.value),
        Day(date=one.achieved_on),
    )
    return TableRow(id=f"{one.exercise}:{one.rep_max}", cells=cells)


# ---- exercises -----------------------------------------------------------------------------------


def exercise_added(context: Context, id_: UUID, known: Known) -> Done:
    return Done(
        of="workouts.create_exercise",
        values={
            "exercise": Name(text=known.name(context.actor.language)),
            "slug": Code(text=known.slug),
            "aliases": Names(all=known.aliases),
        },
        ref=Ref(entity="exercise", id=id_),
    )


def exercises(context: Context, args: SearchExercises) -> Table:
    found = queries.find_exercises(context.session, args.q, equipment=args.equipment, cut=args.cut)
    title = Line(key="read.search_exercises.title", values={"q": Name(text=args.q)})
    return listing(title, _EXERCISE_COLUMNS, found, lambda one: _exercise_row(context, one))


def _exercise_row(context: Context, found: Found) -> TableRow:
    one = found.exercise
    cells = (
        Name(text=one.name(context.actor.language)),
        Code(text=one.slug),
        Term(key="match.exact" if found.exact else "match.close"),
        Names(all=tuple(each.replace("_", " ") for each in one.equipment))
        if one.equipment
        else None,
    )
    return TableRow(id=one.slug, cells=cells)
