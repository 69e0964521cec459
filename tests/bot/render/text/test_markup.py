"""Markdown as phones show it: WhatsApp's marks, or none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.text.marks import spans
from bot.render.text.plain import to_plain
from bot.render.text.whatsapp import harmless, to_whatsapp

TABLE = """| Class | Time | Spots |
| --- | --- | --- |
| Open gym | 13:00 | 3 |
| WOD | | 4 |
"""


@pytest.mark.parametrize(
    ("markdown", "whatsapp", "plain"),
    [
        ("**bold** and *it*", "*bold* and _it_", "bold and it"),
        ("***both***", "_*both*_", "both"),
        ("**_x_**", "*_x_*", "x"),
        ("~~gone~~ `T2B`", "~gone~ `T2B`", "gone T2B"),
        ("# Plan **for** today", "*Plan for today*", "Plan for today"),
        ("**two\nlines**", "*two*\n*lines*", "two\nlines"),
        ("line\nline", "line\nline", "line\nline"),
        ("one\n\ntwo", "one\n\ntwo", "one\n\ntwo"),
        ("* one\n* two", "- one\n- two", "- one\n- two"),
        ("3. a\n4. b", "3. a\n4. b", "3. a\n4. b"),
        ("- a\n  - b\n\n    c", "- a\n  - b\n    c", "- a\n  - b\n    c"),
        ("> said *so*\n> twice", "> said _so_\n> twice", "said so\ntwice"),
        ("> a\n>\n> > b", "> a\n> b", "a\nb"),
        ("```python\nx  =  1\n```", "```\nx  =  1\n```", "x  =  1"),
        ("```markdown\n# hi\n```", "*hi*", "hi"),
        ("[Open it](https://x.io/a_b)", "Open it: https://x.io/a_b", "Open it: https://x.io/a_b"),
        ("[https://x.io](https://x.io)", "https://x.io", "https://x.io"),
        ("<https://x.io/*a*>", "https://x.io/*a*", "https://x.io/*a*"),
        ("**[Open](https://x.io)**", "Open: https://x.io", "Open: https://x.io"),
        ("[mail](mailto:a@b.io)", "mail: a@b.io", "mail: a@b.io"),
        ("![a chart](https://evil.io/?q=1)", "a chart", "a chart"),
        ("a\n\n---\n\nb", "a\n\nb", "a\n\nb"),
        ("<b>x</b>", "<b>x</b>", "<b>x</b>"),
        (TABLE, *["- Open gym · Time: 13:00 · Spots: 3\n- WOD · Spots: 4"] * 2),
        ("| a | b |\n|-|-|\n| Dana | 3 |", *["- Dana: 3"] * 2),
        ("", "", ""),
        # words of the gym that Markdown or WhatsApp could take for marks
        ("3*10*60", "3×10×60", "3*10*60"),
        ("5*3 and 10*3", "5×3 and 10×3", "5*3 and 10*3"),
        ("snake_case_name", "snake_case_name", "snake_case_name"),
        (r"\*so\* \_so\_ ~10", "∗so∗ ＿so＿ ∼10", "*so* _so_ ~10"),
        ("in**tra**word", "intraword", "intraword"),
        ("**כותרת** ו-*AMRAP*", "*כותרת* ו-_AMRAP_", "כותרת ו-AMRAP"),
    ],
)
def test_markdown_becomes_what_a_phone_shows(markdown: str, whatsapp: str, plain: str) -> None:
    assert to_whatsapp(markdown) == whatsapp
    assert to_plain(markdown) == plain


def test_an_address_in_the_words_stays_whole() -> None:
    assert harmless("see https://x.io/_a_*b* and *c*") == "see https://x.io/_a_*b* and ∗c∗"


MARKDOWN = st.text() | st.text(alphabet="ab1 \n*_~`#>-|[](!)\\.:/h\u2068\u2069שж")


@given(MARKDOWN)
def test_every_mark_in_whatsapp_s_text_has_its_partner(markdown: str) -> None:
    text = to_whatsapp(markdown)

    outside = list(text)
    for span in spans(text):
        whole = span.opening in {"", "`", "```"}
        edges = range(span.start, span.end) if whole else (span.start, span.end - 1)
        for at in edges:
            outside[at] = " "
    for at, mark in enumerate(outside):
        if mark == "_":
            assert text[at - 1].isalnum()
            assert text[at + 1].isalnum()
        assert mark not in {"*", "~", "`"}, text


@given(MARKDOWN)
def test_letters_and_digits_survive_conversion(markdown: str) -> None:
    words = "".join(filter(str.isalnum, markdown))

    assert words in to_plain(f"start **{words}** end")
    assert words in to_whatsapp(f"- start _{words}_ end")
