"""Alembic's entry: runs over the connection it is given, against the tables of every package."""

from importlib import import_module
from pkgutil import walk_packages

from alembic import context

import app
import bot
import tools
from app.core.db import Base

for package in (app, tools, bot):
    for found in walk_packages(package.__path__, f"{package.__name__}."):
        if found.name.rpartition(".")[2] in {"models", "outbox"}:
            import_module(found.name)

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=Base.metadata, compare_type=True)
with context.begin_transaction():
    context.run_migrations()
