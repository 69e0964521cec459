"""Reading what lies in several domains: who owes, who is here, what happened, what is called so."""

from app.desk.queries.mentions import mentions
from app.desk.queries.owing import owed
from app.desk.queries.roster import RosterFilter, RosterRow, Sort, plan_name, roster
from app.desk.queries.searching import Hit, Thing, called, shown
from app.desk.queries.timeline import Happened, Kind, Told, timeline

__all__ = [
    "Happened",
    "Hit",
    "Kind",
    "RosterFilter",
    "RosterRow",
    "Sort",
    "Thing",
    "Told",
    "called",
    "mentions",
    "owed",
    "plan_name",
    "roster",
    "shown",
    "timeline",
]
