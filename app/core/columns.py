"""Column types shared by the tables."""

from enum import StrEnum

from sqlalchemy import Enum


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
