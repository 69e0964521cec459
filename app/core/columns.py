"""Column types shared by the tables, and one term of queries."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Enum, any_, literal
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import InstrumentedAttribute


def text_enum(kind: type[StrEnum]) -> Enum:
    """A closed set kept as short text.

    No enum type of the server, so a new word needs no migration.
    """
    return Enum(
        kind,
        native_enum=False,
        create_constraint=False,
        length=20,
        values_callable=lambda members: [member.value for member in members],
    )


def among(column: InstrumentedAttribute[Any], values: Iterable[object]) -> ColumnElement[bool]:
    """`in_` for as many values as there are people.

    They go as one array: a statement takes 65,535 parameters, and `in_` uses one for each.
    """
    return column == any_(literal([*values], ARRAY(column.type)))
