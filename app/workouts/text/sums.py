"""From the tree of an amount to the amount."""

from typing import Final

from lark import Token, Transformer

from app.workouts.text.amounts import Amount, Figure, Joint

_JOINTS: Final[dict[str, Joint]] = {"SLASH": "/", "DASH": "-", "TO": "-", "LIST": ",", "JOIN": "+"}
_MINUTE: Final = 60
_MOST: Final = 60
"""Numbers of one series."""

Joined = tuple[Joint, Figure]
Part = Figure | Joined | list[Joined] | Token


class Sums(Transformer[Token, Amount]):
    """Each method is the rule of its name."""

    def quantity(self, parts: list[Part]) -> Amount:
        figures: list[Figure] = []
        joint: Joint = ""
        goes_on = False
        for part in parts:
            match part:
                case Figure():
                    figures.append(part)
                case list():
                    goes_on = not part
                    figures = _filled(figures, part)
                case Token():
                    goes_on = True
                case (sign, figure):
                    joint = joint or sign
                    figures.append(figure)
        return Amount(tuple(figures), joint, open=goes_on)

    def joined(self, parts: list[Token | Figure]) -> Joined:
        sign, figure = parts
        assert isinstance(sign, Token)  # noqa: S101 - by the grammar
        assert isinstance(figure, Figure)  # noqa: S101 - the same
        return _JOINTS[sign.type], figure

    def trail(self, parts: list[Token | Joined]) -> list[Joined]:
        """What comes behind the dots, if they lead somewhere."""
        return [part for part in parts if not isinstance(part, Token)]

    def figure(self, parts: list[Token]) -> Figure:
        first, *rest = parts
        unit = next((part.type for part in rest), "")
        match first.type:
            case "CLOCK":
                return Figure(first.value, "SECOND")
            case "OPENSET":
                return Figure(first.value, unit, at_least=True)
            case _:
                return Figure(first.value, unit)

    def unit(self, parts: list[Token]) -> Token:
        return parts[0]

    def pounds(self, parts: list[Token]) -> Figure:
        return Figure(parts[1].value, "LB")

    def mixed(self, parts: list[Token]) -> Figure:
        minutes, seconds = (part.value for part in parts if part.type == "NUM")
        return Figure(_MINUTE * minutes + seconds, "SECOND")

    def and_half(self, parts: list[Token]) -> Figure:
        return Figure(_MINUTE * parts[0].value + _MINUTE / 2, "SECOND")

    def half_minute(self, _: list[Token]) -> Figure:
        return Figure(_MINUTE / 2, "SECOND")

    def minute_and_half(self, _: list[Token]) -> Figure:
        return Figure(_MINUTE * 1.5, "SECOND")

    def half_mile(self, _: list[Token]) -> Figure:
        return Figure(0.5, "MILE")


def _filled(figures: list[Figure], goal: list[Joined]) -> list[Figure]:
    """10-9-8-...-1: the dots are the numbers between, by the step before them."""
    if not goal or len(figures) < 2:  # noqa: PLR2004 - a step takes two
        return [*figures, *(figure for _, figure in goal)]
    last, target = figures[-1].value, goal[0][1]
    step = last - figures[-2].value
    count = round((target.value - last) / step) if step else 0
    if not 0 < count <= _MOST or last + count * step != target.value:
        return [*figures, target]
    return [*figures, *(Figure(last + n * step, target.unit) for n in range(1, count + 1))]
