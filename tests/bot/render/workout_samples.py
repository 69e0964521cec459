"""A workout with everything in it that a workout can say."""

from typing import Any

from app.workouts.structure import Unread
from tools.kit.cards import ShownMovement, ShownSection, WorkoutCard
from tools.kit.values import Line, Name, Weight


def _movement(exercise: str | None, **dose: Any) -> ShownMovement:  # noqa: ANN401 - as a movement
    return ShownMovement.model_validate({"exercise": exercise, **dose})


def _section(type_: str, *movements: ShownMovement, **more: Any) -> ShownSection:  # noqa: ANN401 - as a section and its scheme
    own = {key: more.pop(key) for key in ("label", "kind", "title", "notes") if key in more}
    scheme = {"type": type_, **more}
    return ShownSection.model_validate({**own, "scheme": scheme, "movements": movements})


def strength() -> ShownSection:
    share = {"type": "percent", "value": [70, 75], "of": "1rm", "lift": "back_squat"}
    weights = (Weight(grams=72_500), Weight(grams=77_500))
    trained = {"type": "percent", "value": 95, "of": "training_max", "lift": "deadlift"}
    return _section(
        "sets",
        _movement("back_squat", reps=[5, 3], load=share, weights=weights, tempo="30X1"),
        _movement("deadlift", reps="1+", load=trained),
        _movement("bench_press", reps={"min": 8, "max": 10}, load={"type": "rpe", "value": [7, 8]}),
        _movement("pull_up", load={"type": "bodyweight_multiple", "value": 0.5}),
        _movement("snatch", reps=1, load={"type": "build_to", "target": "1rm"}),
        label="A",
        kind="strength",
        sets=5,
        rest_between_sets_s=150,
    )


def metcon() -> ShownSection:
    rx = {"type": "absolute", "unit": "kg", "rx_m": 22.5, "rx_f": 15, "implements": 2}
    scaled = {"level": "scaled", "exercise": "ring_row", "reps": 8}
    return _section(
        "for_time",
        _movement("row", calories={"rx_m": 20, "rx_f": 15}, phase="buy_in"),
        _movement("dumbbell_thruster", reps=12, load=rx, equipment="dumbbell", alternating=True),
        _movement("box_jump", reps=9, height={"unit": "in", "rx_m": 24, "rx_f": 20}),
        _movement("pull_up", reps="max", scaling=(scaled,), notes="unbroken"),
        _movement(None, name="flurbs *fast*", duration_s=40, per_side=True),
        _movement("run", distance_m=1_609, phase="cash_out"),
        label="B",
        title="Engine",
        rep_scheme=[21, 15, 9],
        time_cap_s=840,
        vest={"type": "absolute", "unit": "lb", "value": 20},
        partner={"size": 2, "mode": "you_go_i_go"},
        partition="movements 1-3",
        notes="go hard",
    )


def intervals() -> ShownSection:
    parts = [{"exercise": "clean", "reps": 2}, {"exercise": "split_jerk", "reps": 1}]
    return _section(
        "interval_amrap",
        _movement("complex", parts=parts, slots=[1, 3]),
        _movement("run", distance_m="max"),
        _movement("row", calories="max"),
        rounds=4,
        work_s=180,
        rest_s=60,
        carry_over=True,
        score_rule="total_reps",
        ladder={"start": 2, "step": 2},
    )


def workout() -> WorkoutCard:
    build = Line(key="workout.build_without_target")
    miles = Line(key="workout.miles", values={"number": 1, "metres": 1_609})
    return WorkoutCard(
        heading=Line(key="workouts.get.title", values={"workout": Name(text="Fran")}),
        title="Fran",
        sections=(strength(), metcon(), intervals()),
        assumptions=(miles,),
        ambiguities=(build,),
        unread=(Unread(line=7, text="flurbs"),),
        resolved=True,
    )
