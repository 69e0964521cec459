"""Markdown as lines for a phone: one walk over the parsed tree, in the marks of a dialect."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from bot.render.text.marks import isolates_are_whole

# Raw HTML stays what it is, text: no channel of ours shows any.
_PARSER: Final = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_INDENT: Final = "  "
_MARKDOWN_FENCES: Final = frozenset({"markdown", "md"})


@dataclass(frozen=True, slots=True)
class Dialect:
    """The marks of one medium; an empty mark means that the medium has none."""

    strong: str = ""
    em: str = ""
    strike: str = ""
    code: str = ""
    fence: str = ""
    quote: str = ""
    literal: Callable[[str], str] = str
    """Make words harmless that could be taken for marks."""
    code_literal: Callable[[str], str] = str


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of a line; `mark` goes round it where its neighbours allow it."""

    text: str
    mark: str = ""
    star: bool = False
    """Written as *so*, which inside a word is more often a product than emphasis."""
    bare: str = ""
    """What stands there without the mark, where that is more than the text."""


def convert(markdown: str, dialect: Dialect) -> str:
    """Convert a whole document; paragraphs are parted by an empty line."""
    return _Walk(dialect).document(markdown)


@dataclass(frozen=True, slots=True)
class _Walk:
    dialect: Dialect

    def document(self, markdown: str) -> str:
        tree = SyntaxTreeNode(_PARSER.parse(markdown))
        return self._blocks(tree.children, "\n\n")

    def _blocks(self, nodes: Sequence[SyntaxTreeNode], between: str) -> str:
        return between.join(text for node in nodes if (text := self._block(node)))

    def _block(self, node: SyntaxTreeNode) -> str:
        match node.type:
            case "heading":
                return self._inline(node, frozenset({self.dialect.strong}), self.dialect.strong)
            case "bullet_list" | "ordered_list":
                return "\n".join(self._items(node))
            case "blockquote":
                return self._quote(node)
            case "fence" | "code_block":
                return self._code_block(node)
            case "table":
                return "\n".join(self._rows(node))
            case "hr":
                return ""
            case _:
                return self._inline(node, frozenset())

    def _inline(self, node: SyntaxTreeNode, active: frozenset[str], mark: str = "") -> str:
        text = self._joined(
            [piece for child in node.children for piece in self._spans(child, active)]
        )
        return _marked(text.strip(), mark)

    def _spans(self, node: SyntaxTreeNode, active: frozenset[str]) -> Iterator[_Piece]:
        match node.type:
            case "inline":
                for child in node.children:
                    yield from self._spans(child, active)
            case "softbreak" | "hardbreak":
                yield _Piece("\n")
            case "code_inline":
                code = self.dialect.code_literal(node.content)
                yield _Piece(code, self.dialect.code, bare=self.dialect.literal(node.content))
            case "strong" | "em" | "s":
                yield self._emphasis(node, active)
            case "link":
                yield _Piece(self._link(node, active))
            case _:  # text, and an image's description
                yield _Piece(self.dialect.literal(node.content))

    def _emphasis(self, node: SyntaxTreeNode, active: frozenset[str]) -> _Piece:
        marks = {"strong": self.dialect.strong, "em": self.dialect.em, "s": self.dialect.strike}
        mark = marks[node.type]
        pieces = [piece for child in node.children for piece in self._spans(child, active | {mark})]
        text = self._joined(pieces)
        # A mark beside an address would become part of it; twice the same mark cancels itself.
        mark = "" if mark in active or "://" in text else mark
        return _Piece(text, mark, star=node.markup == "*")

    def _link(self, node: SyntaxTreeNode, active: frozenset[str]) -> str:
        address = str(node.attrs.get("href", "")).removeprefix("mailto:")
        if "://" not in address:
            address = self.dialect.literal(address)
        pieces = [piece for child in node.children for piece in self._spans(child, active)]
        label = self._joined(pieces)
        plain = "".join(child.content for child in node.walk() if child.type == "text")
        if not label or plain in {address, address.partition("://")[2]}:
            return address
        return f"{label}: {address}" if address else label

    def _joined(self, pieces: Sequence[_Piece]) -> str:
        """Join a line; marks only where the medium would see them: not inside a word."""
        text = ""
        filled = [piece for piece in pieces if piece.text]
        for piece, after in pairwise([*filled, _Piece(" ")]):
            before_word = after.text[0].isalnum() and not after.mark
            inside_word = text[-1:].isalnum() or before_word
            if inside_word and piece.star:
                text += self._starred(text[-1:], piece.text, after.text[0])
            elif inside_word or not piece.mark or not isolates_are_whole(piece.text):
                text += piece.bare or piece.text
            else:
                text += _marked(piece.text, piece.mark)
        return text

    def _starred(self, before: str, text: str, after: str) -> str:
        """Give back the stars of '3*10*60', which Markdown takes for emphasis."""
        start = self.dialect.literal(f"{before or ' '}*{text[0]}")[1:-1]
        end = self.dialect.literal(f"{text[-1]}*{after}")[1:-1]
        return f"{start}{text}{end}"

    def _items(self, node: SyntaxTreeNode) -> Iterator[str]:
        number = int(node.attrs.get("start", 1))
        for index, item in enumerate(node.children):
            bullet = f"{number + index}. " if node.type == "ordered_list" else "- "
            lines = self._blocks(item.children, "\n").split("\n")
            yield "\n".join([bullet + lines[0], *(_INDENT + line for line in lines[1:])])

    def _quote(self, node: SyntaxTreeNode) -> str:
        lines = self._blocks(node.children, "\n").split("\n")
        if not self.dialect.quote:
            return "\n".join(lines)
        return "\n".join(
            self.dialect.quote + line.removeprefix(self.dialect.quote) for line in lines
        )

    def _code_block(self, node: SyntaxTreeNode) -> str:
        if node.info.strip().lower() in _MARKDOWN_FENCES:
            return self.document(node.content)
        code = self.dialect.code_literal(node.content.strip("\n"))
        fence = self.dialect.fence
        return f"{fence}\n{code}\n{fence}" if fence and code else code

    def _rows(self, table: SyntaxTreeNode) -> Iterator[str]:
        """Each row as one line, its cells named by the header: a phone has no columns."""
        rows = [row for part in table.children for row in part.children]
        cells = [[self._inline(cell, frozenset()) for cell in row.children] for row in rows]
        header, *body = cells
        if not body:
            yield " · ".join(cell for cell in header if cell)
        for row in body:
            yield "- " + _row(header, row)


def _row(header: Sequence[str], row: Sequence[str]) -> str:
    first, *others = row
    if len(row) == len(("name", "value")):
        return f"{first}: {others[0]}" if others[0] else first
    named = (
        f"{name}: {cell}" if name else cell
        for name, cell in zip(header[1:], others, strict=True)
        if cell
    )
    return " · ".join(part for part in (first, *named) if part)


def _marked(text: str, mark: str) -> str:
    """Put the mark round each line of the text, tight on its words."""
    if not mark or "\n" in text:
        return "\n".join(_marked(line, mark) for line in text.split("\n")) if mark else text
    words = text.strip()
    if not words or not isolates_are_whole(words):
        return text
    before, _, after = text.partition(words)
    return f"{before}{mark}{words}{mark}{after}"
