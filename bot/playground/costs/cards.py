"""Results as long as the trace says, in the shape that real ones have."""

from uuid import UUID

from tools.kit.cards import Table, TableRow
from tools.kit.values import Line, Name

_ROW = 110
"""Characters of one thing in a list as the model reads it."""
_FRAME = 58


def result(characters: int, seed: int) -> Table:
    """A list whose text, as the model is told it, has about so many characters."""
    rows = max(1, characters // _ROW)
    wide = max(1, characters // rows - _FRAME)
    name = Name(text=("Dana Levi, " * (wide // 11 + 1))[:wide])
    things = range(seed * 1000, seed * 1000 + rows)
    return Table(
        title=Line(key="label.member"),
        columns=("label.member",),
        rows=tuple(TableRow(id=str(UUID(int=one)), cells=(name,)) for one in things),
        total=rows,
    )
