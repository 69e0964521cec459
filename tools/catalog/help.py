"""Help: how to use Spotter itself."""

from pydantic import Field

from app.help import queries
from app.help.queries import Article
from i18n import N_, Language
from tools.kit.cards import Notice, Table, TableRow
from tools.kit.declare import Args, Context, Effect, tool
from tools.kit.values import Code, Line, Name, Quote, Value


class Asked(Args):
    q: str = Field(min_length=2, max_length=200, description="What they want to know, in words.")
    language: Language | None = Field(default=None, description="Of the articles; else theirs.")
    limit: int = Field(default=5, ge=1, le=20, description="Articles wanted.")


class OneArticle(Args):
    slug: str = Field(max_length=60, pattern="^[a-z-]+$", description="From help.search.")
    language: Language | None = Field(default=None, description="Else theirs.")


@tool(Effect.READ, "GET /help/search", label=N_("Search the help"), quick=True, core=True)
def search(context: Context, args: Asked) -> Table:
    """Search help articles on how to use Spotter and what it can do."""
    language = args.language or Language(context.actor.language)
    found = queries.search(args.q, language, limit=args.limit)
    title = Line(key="help.search.title", values={"q": Name(text=args.q)})
    columns = ("label.article", "label.about", "label.slug")
    return Table(title=title, columns=columns, rows=tuple(map(_row, found)), total=len(found))


@tool(
    Effect.READ,
    "GET /help/articles/{slug}",
    label=N_("Show a help article"),
    quick=True,
    core=True,
)
def get_article(context: Context, args: OneArticle) -> Notice:
    """Show one help article whole."""
    one = queries.article(args.slug, args.language or Language(context.actor.language))
    values: dict[str, Value] = {"title": Name(text=one.title), "body": Quote(text=one.body)}
    return Notice(lines=(Line(key="help.get_article.text", values=values),))


def _row(one: Article) -> TableRow:
    cells = (Name(text=one.title), Name(text=one.beginning), Code(text=one.slug))
    return TableRow(id=one.slug, cells=cells)
