"""Hostile names and outputs: nothing of them comes alive in any format, and all of them stay recognisable."""

from __future__ import annotations

import json
import unicodedata
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.report import html, json_view, junit, markdown, terminal
from assay.report.page import Case, Column, Fact, Facts, Line, Table, View

ANY_TEXT = st.text(st.characters(codec=None), max_size=40)

ESCAPES = [
    "case-1\x1b[2J\x1b[1;1H",
    "\x1b]0;title\x07\x1b]8;;http://127.0.0.1/\x1b\\link",
    "case-2\rMET case-2",
    "\x9b31m c1",
    "case-\u202e21",
    "a\x08\x08b",
]
MARKUP = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    'case"onmouseover="alert(3)',
    "<!-- <svg/onload=alert(4)> -->",
    "&lt;b&gt; stays as typed; ${alert(5)} {{7*7}}",
    "<iframe src=//x>",
    "]]> & <b> \"q\" 'p'",
]
CONTROLS = ["\x1b[31mboom\x1b[0m", "nul \x00 boom \x08\x0b\x0c", 'boom ]]> & <b> "q" \ufffe \uffff \ud800']


def page(*texts):
    """A view that holds the texts in every place a text can be in."""
    return View(
        "probe",
        Line(texts[0], "bad"),
        (
            Line(texts[-1], "faint", 1),
            Facts(tuple(Fact(text, text, "bad", text, text) for text in texts)),
            Table((Column("name"), Column(texts[0], folds=True)), tuple((text, text) for text in texts)),
        ),
        {"texts": list(texts)},
        tuple(Case(text, text, "failed", text, text) for text in texts),
    )


class Elements(HTMLParser):
    """Collects every element and attribute of a page, and its text."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text = set(), set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.text.append(data)


def elements(text):
    parser = Elements()
    parser.feed(text)
    parser.close()
    return parser


def test_no_control_reaches_the_terminal_and_names_stay_recognisable():
    text = terminal.render(page(*ESCAPES))

    unsafe = {char for char in text if unicodedata.category(char) in ("Cc", "Cf")} - {"\n"}
    assert unsafe == set()
    for part in ("case-1\\x1b[2J", "case-2\\rMET case-2", "case-\\u202e21", "a\\x08\\x08b", "\\x9b31m c1"):
        assert part in text


@pytest.mark.parametrize("texts", [ESCAPES, MARKUP, CONTROLS])
def test_html_shows_texts_literally(texts):
    found = elements(html.render(page(*texts)))

    own = {"html", "head", "meta", "title", "style", "body", "h1", "p", "dl", "dt", "dd", "code", "table"}
    assert found.tags <= own | {"tr", "th", "td"}
    assert found.attributes <= {"lang", "charset", "http-equiv", "content", "name", "class"}


def test_html_keeps_every_character_of_markup():
    text = "".join(elements(html.render(page(*MARKUP))).text)

    assert all(text.count(markup) >= 4 for markup in MARKUP)


def test_html_forbids_scripts_and_loads_nothing():
    text = html.render(page("plain"))

    assert "default-src 'none'" in text
    assert "<script" not in text and "src=" not in text and "href=" not in text


def test_junit_is_well_formed_and_keeps_the_text():
    root = ElementTree.fromstring(junit.render(page(*CONTROLS)).encode("utf-8"))

    cases = root.findall(".//testcase")
    assert len(cases) == 3
    assert all("boom" in case.find("failure").text for case in cases)
    assert {case.find("failure").get("message") for case in cases} == {
        "\\x1b[31mboom\\x1b[0m",
        "nul \\x00 boom \\x08\\x0b\\x0c",
        'boom ]]> & <b> "q" \\ufffe \\uffff \\ud800',
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("a|b `c` *d* _e_ ~f~", "a\\|b \\`c\\` \\*d\\* \\_e\\_ \\~f\\~"),
        ("[x](http://evil)", "\\[x\\](http&#58;//evil)"),
        ("ping @team about #12", "ping &#64;team about \\#12"),
        ("www.example.com", "www&#46;example.com"),
        ("1. first", "&#49;. first"),
        ("- item", "&#45; item"),
        ("-", "&#45;"),
        ("--- ", "&#45;-- "),
        ("=====", "&#61;===="),
        ("plain words, 0.833 of 6", "plain words, 0.833 of 6"),
        ("0.833", "0.833"),
        ("-0.50", "-0.50"),
    ],
)
def test_markdown_shows_texts_literally(text, expected):
    assert markdown.escaped(text) == expected


def test_a_row_of_markdown_keeps_its_cells():
    text = markdown.render(View("x", Line("x"), (Table((Column("a"), Column("b", "right")), (("1|2", "3\n4"),)),)))

    assert text == "**x**\n\n| a | b |\n| --- | ---: |\n| 1\\|2 | 3\\\\n4 |\n"


def test_json_gives_every_text_back_and_holds_only_ascii():
    text = json_view.as_json(page(*ESCAPES, *MARKUP, "\x7f"))

    assert text.isascii() and text.replace("\n", "").isprintable()
    assert json.loads(text)["texts"] == [*ESCAPES, *MARKUP, "\x7f"]


def test_json_refuses_what_is_no_number():
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_view.as_json(float("nan"))


def test_a_plain_value_is_spelled_too():
    assert json_view.as_json(["b", "a"]) == '[\n  "b",\n  "a"\n]\n'


def test_colour_is_added_only_on_request_and_changes_no_text():
    view = page("plain")

    coloured = terminal.render(view, colour=True)

    assert "\x1b[" in coloured and "\x1b[" not in terminal.render(view)
    assert _without_colour(coloured) == terminal.render(view)


@pytest.mark.parametrize(
    ("is_terminal", "environment", "expected"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_colour_wants_a_terminal_and_no_no_color(is_terminal, environment, expected):
    assert terminal.wants_colour(is_terminal=is_terminal, environment=environment) is expected


def test_wide_characters_keep_columns_aligned():
    text = terminal.render(View("x", Line("x"), (Table((Column(""), Column("")), (("日本", "a"), ("ab", "b"))),)))

    assert text == "x\n 日本  a\n ab    b\n"


def test_a_long_word_is_never_broken():
    digest = "sha256:" + "a" * 90

    assert digest in terminal.render(View("x", Line(f"see {digest} there")))


WORDS = st.lists(st.text("abc019.,:-é日", min_size=1, max_size=9), min_size=1, max_size=14).map(" ".join)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS, WORDS), min_size=1, max_size=4))
def test_nothing_is_lost_and_nothing_is_wider_than_the_terminal(rows):
    columns = (Column("one"), Column("two", "right"), Column("three", folds=True), Column("four"))
    facts = Facts(tuple(Fact(a[:9].strip() or "x", b, todo=c[:30]) for a, b, c, _ in rows))
    view = View("x", Line("x"), (Table(columns, tuple(rows)), facts, *(Line(row[0], indent=4) for row in rows)))

    text = terminal.render(view)

    assert max(terminal.cells(line) for line in text.split("\n")) <= 80
    shown = text.split()
    assert all(word in shown for row in rows for cell in row for word in cell.split())


@given(st.lists(ANY_TEXT, min_size=1, max_size=4))
def test_no_text_whatever_breaks_a_format(texts):
    view = page(*texts)

    for text in (terminal.render(view), markdown.render(view), html.render(view), junit.render(view)):
        text.encode("utf-8")
        assert {char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Cs")} <= {"\n"}
    ElementTree.fromstring(junit.render(view).encode("utf-8"))
    assert json.loads(json_view.as_json(view))["texts"] == list(texts)


@given(ANY_TEXT.filter(bool))
def test_html_never_gains_an_element(text):
    assert elements(html.render(page(text))).tags == elements(html.render(page("plain"))).tags


def _without_colour(text):
    parts = text.split("\x1b[")
    return parts[0] + "".join(part.partition("m")[2] for part in parts[1:])
