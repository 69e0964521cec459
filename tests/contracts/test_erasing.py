"""Every table that knows a member says what erasing them does to it, down to each text."""

from importlib import import_module
from pkgutil import walk_packages
from typing import ClassVar

import pytest
from sqlalchemy import JSON, Column, Enum, ForeignKey, MetaData, String, Table, Uuid
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import configure_mappers

import app
from app.core.db import Base, OrgRow
from app.core.erasing import Erasure, blanked, deleted, kept, within
from tools.kit import rows

OF_ITS_OWN = {"member"}
"""The member's own row: a rule of app.people."""

Models = dict[Table, object]
"""What says it, by table."""


def models() -> Models:
    for found in walk_packages(app.__path__, "app."):
        if found.name.endswith(".models"):
            import_module(found.name)
    configure_mappers()
    mapped = (mapper.class_ for mapper in Base.registry.mappers)
    return {rows.table_of(one): one for one in mapped if issubclass(one, OrgRow)}


def test_every_table_that_knows_a_member_says_what_erasing_does_to_it() -> None:
    assert {"booking", "member_note", "credit_ledger"} <= {table.name for table in models()}
    assert silent(models()) == []


def test_every_text_beside_a_member_is_blanked_or_said_to_tell_nothing() -> None:
    assert unsaid(models()) == []


def test_what_is_said_names_columns_that_are_there() -> None:
    assert misnamed(models()) == []


class Says:
    __erase__: ClassVar[Erasure]

    def __init__(self, said: Erasure | None) -> None:
        if said is not None:
            self.__erase__ = said  # type: ignore[misc] # a model is a class, this stands for one


def tables() -> tuple[Table, Table, Table]:
    """A member, a diary of theirs, and its pages, which know them only through it."""
    meta = MetaData()
    member = Table("member", meta, Column("id", Uuid(), primary_key=True))
    diary = Table(
        "diary",
        meta,
        Column("id", Uuid(), primary_key=True),
        Column("member_id", ForeignKey("member.id")),
        Column("words", String()),
    )
    page = Table("page", meta, Column("diary_id", ForeignKey("diary.id")), Column("body", JSON()))
    return member, diary, page


@pytest.mark.parametrize(
    ("of_diary", "of_page", "found"),
    [
        (None, None, ["diary"]),
        (deleted(), None, ["page"]),
        (deleted(), deleted(within("diary_id")), []),
        (kept(), deleted(within("diary_id")), ["diary.words"]),
        (kept("words"), kept(where=within("diary_id")), ["page.body"]),
        (blanked(words=""), kept("body", where=within("diary_id")), []),
        (blanked(word=""), deleted(within("diary_id")), ["diary.words", "diary.word"]),
    ],
)
def test_a_table_that_says_too_little_is_found(
    of_diary: Erasure | None, of_page: Erasure | None, found: list[str]
) -> None:
    member, diary, page = tables()
    said: Models = {member: Says(None), diary: Says(of_diary), page: Says(of_page)}
    assert silent(said) + unsaid(said) + misnamed(said) == found


def silent(said: Models) -> list[str]:
    """Tables with a member in them, or below one that says something, which say nothing."""
    speaking = {table for table, model in said.items() if erasure(model) is not None}
    return sorted(
        table.name
        for table in said.keys() - speaking
        if table.name not in OF_ITS_OWN and knows_a_member(table, speaking)
    )


def knows_a_member(table: Table, speaking: set[Table]) -> bool:
    referred = {key.column.table for key in table.foreign_keys}
    named = any(one.name in {"member_id", "member_ids"} for one in table.c)
    return named or bool(referred & speaking) or any(one.name == "member" for one in referred)


def unsaid(said: Models) -> list[str]:
    """Texts of tables whose rows stay that are neither blanked nor said to stay."""
    return [
        f"{table.name}.{column.name}"
        for table, model in said.items()
        if (what := erasure(model)) is not None and not what.deletes
        for column in table.c
        if is_text(column) and column.name not in {*what.blank, *what.keeps}
    ]


def misnamed(said: Models) -> list[str]:
    return [
        f"{table.name}.{name}"
        for table, model in said.items()
        if (what := erasure(model)) is not None
        for name in (*what.blank, *what.keeps)
        if name not in table.c
    ]


def erasure(model: object) -> Erasure | None:
    return getattr(model, "__erase__", None)


def is_text(column: Column[object]) -> bool:
    """Words, or JSON that may hold some; not the words of a closed set."""
    kind = column.type.item_type if isinstance(column.type, ARRAY) else column.type
    return isinstance(kind, String | JSON) and not isinstance(kind, Enum)
