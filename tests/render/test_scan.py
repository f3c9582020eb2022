"""A scan's report in each form, whatever stands in the files that it is about."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from typing import Any

import jsonschema
import pytest

from msmap import render
from msmap.model import Text, Unread
from msmap.render import View
from msmap.scan import score
from msmap.scan.report import Report, Site, Told, Unused

HOSTILE = '</script><img src=x onerror="alert(1)">\n%0A::error::,`|'
BITES = Told("bites", "call", "silent", Text("Look out.", "注意。"), False)
MENDED = Told("mended", "by_hand", "silent", Text("A default differs.", "默认值不同。"), True)
SITES = (
    Site("a b/é.py", 2, 4, 3, 9, None, "certain", "care", "silent-caveat", ("torch.f",),
         "torch.f(\n1)", "mindspore.f(1)", "mindspore.f", None, (), (BITES, MENDED), False, "f1",
         (5, 10)),
    Site("n.ipynb", 1, 0, 1, 8, 3, "certain", "missing", "missing", ("torch.g",), HOSTILE, "", "",
         Text(f"none: {HOSTILE}", f"没有：{HOSTILE}"), (), (), False, "f2", (0, 8)),
    Site("a b/é.py", 5, 0, 5, 8, None, "possible", "unclear", "possible",
         ("torch.Tensor.view", "torch.x.view"), "=x.view()", "", "",
         Text("Who knows?", "未知。"), (), (), True, "f3", (0, 8)),
    Site("a b/é.py", 6, 0, 6, 8, None, "certain", "ready", "", ("torch.f",), "torch.f()",
         "mindspore.f()", "mindspore.f", None, (), (), False, "f4", (0, 8)),
    Site("a b/é.py", 7, 0, 7, 8, None, "certain", "care", "note", ("torch.f",), "torch.f()",
         "mindspore.f()", "mindspore.f", None, (Text("Dropped.", "已删除。"),), (), False, "f5",
         (0, 8), "ignored"),
)  # fmt: skip
REPORT = Report(
    "0.1.0",
    {"torch": "2.13.0", "mindspore": "2.10.0"},
    "Ascend",
    3,
    score.counts(SITES),
    score.apis(SITES),
    score.files(SITES),
    SITES,
    (Unread("<b>.py", "not_python", Text("not Python: <", "不是 Python：<"), 4),),
    (Unused("a b/é.py", 9, None, ("caveat",)),),
    ("gone",),
)
TEXT = """\
3 file(s), 4 places that use PyTorch or may
  1 no counterpart (25 %)
  1 needs care (25 %)
  1 not understood (25 %)
  1 ports as is (25 %)
  of them certain 3, possible 1, unknown 0

needs care
  1     torch.f  [silent-caveat]
        Look out.
        a b/é.py:2:5

not understood
  1     .view  [possible]
        Who knows?
        a b/é.py:5:1

1 not read
  <b>.py:4: not Python: <

Comments that ignore nothing
  a b/é.py:9: caveat
1 more are ignored by comments
1 of the baseline are gone; write it again to leave them out
"""


def told(form: str, report: Report = REPORT, **view: Any) -> str:
    """The report in a form."""
    pieces = render.tell(report, form, View(**view))
    return "".join(piece if isinstance(piece, str) else f"{piece.text}\n" for piece in pieces)


def test_text_tells_the_worst_first() -> None:
    kept = score.counts([s for s in SITES if s.rule != "missing"])
    assert kept.status["missing"] == 0
    lines = [line for line in told("text").splitlines() if "torch.g" not in line]
    first = lines.index("no counterpart")
    assert "\n".join([*lines[:first], *lines[lines.index("needs care") :]]) + "\n" == TEXT


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("places", [None, 1])
@pytest.mark.parametrize("form", ["text", "markdown", "csv", "github", "sarif", "html"])
def test_every_form_speaks_both_languages(form: str, language: str, places: int | None) -> None:
    said = {"en": "Look out", "zh": "注意"}
    assert said[language] in told(form, language=language, places=places)


def test_a_spreadsheet_gets_a_place_a_line_and_runs_none_of_it() -> None:
    rows = list(csv.DictReader(io.StringIO(told("csv"), newline="")))
    assert [
        (r["path"], r["cell"], r["line"], r["column"], r["rule"], r["state"]) for r in rows
    ] == [
        ("a b/é.py", "", "2", "5", "silent-caveat", ""),
        ("n.ipynb", "3", "1", "1", "missing", ""),
        ("a b/é.py", "", "5", "1", "possible", ""),
        ("a b/é.py", "", "6", "1", "", ""),
        ("a b/é.py", "", "7", "1", "note", "ignored"),
    ]
    assert (rows[1]["source"], rows[2]["source"]) == (HOSTILE, "'=x.view()")


def test_workflow_commands_stay_on_their_lines() -> None:
    escaped = HOSTILE.replace("%", "%25").replace("\n", "%0A")
    assert told("github").splitlines() == [
        f"::error file=n.ipynb,title=msmap%3A missing::cell 3, line 1: none: {escaped}",
        "::warning file=a b/é.py,line=2,endLine=3,title=msmap%3A silent-caveat::Look out.",
        "::notice file=a b/é.py,line=5,endLine=5,col=1,endColumn=8,title=msmap%3A possible"
        "::Who knows?",
        "::error file=<b>.py,line=4,title=msmap%3A unread::not Python: <",
        "::warning file=a b/é.py,line=9,title=msmap%3A unused-ignore"
        "::a comment that ignores nothing",
    ]


# Of the schema of SARIF 2.1.0 (OASIS), section by section, what a report here uses; in it nothing
# else may stand.
def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object", "required": required, "properties": properties,
        "additionalProperties": False,
    }  # fmt: skip


_TEXT: dict[str, Any] = {"type": "string"}
_MESSAGE = _object(["text"], text=_TEXT)
_LEVEL = {"enum": ["none", "note", "warning", "error"]}
_FROM_1 = {"type": "integer", "minimum": 1}
_ARTIFACT = _object(["uri"], uri={**_TEXT, "format": "uri-reference"}, uriBaseId=_TEXT)
_REGION = _object(
    ["startLine"], startLine=_FROM_1, startColumn=_FROM_1, endLine=_FROM_1, endColumn=_FROM_1
)
_RESULT = _object(
    ["message"],
    ruleId=_TEXT,
    ruleIndex={"type": "integer", "minimum": -1},
    level=_LEVEL,
    message=_MESSAGE,
    locations={
        "type": "array",
        "items": _object(
            [], physicalLocation=_object([], artifactLocation=_ARTIFACT, region=_REGION)
        ),
    },
    partialFingerprints={"type": "object", "additionalProperties": _TEXT},
    suppressions={
        "type": "array",
        "items": _object(["kind"], kind={"enum": ["inSource", "external"]}),
    },
    properties={"type": "object"},
)
_RULE = _object(
    ["id"],
    id=_TEXT,
    name=_TEXT,
    shortDescription=_MESSAGE,
    fullDescription=_MESSAGE,
    defaultConfiguration=_object([], level=_LEVEL),
)
_DRIVER = _object(
    ["name"],
    name=_TEXT,
    semanticVersion=_TEXT,
    rules={"type": "array", "items": _RULE, "uniqueItems": True},
    properties={"type": "object"},
)
_RUN = _object(
    ["tool"],
    tool=_object(["driver"], driver=_DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    originalUriBaseIds={
        "type": "object",
        "additionalProperties": _object([], uri=_TEXT, description=_MESSAGE),
    },
    results={"type": "array", "items": _RESULT},
    properties={"type": "object"},
)
SARIF = {
    **_object(
        ["version", "runs"], version={"const": "2.1.0"}, runs={"type": "array", "items": _RUN}
    ),
}
SARIF["properties"]["$schema"] = {**_TEXT, "format": "uri"}


def test_sarif_is_valid_and_has_places_in_utf16() -> None:
    made = json.loads(told("sarif"))
    jsonschema.validate(made, SARIF, format_checker=jsonschema.FormatChecker())
    run = made["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["silent-caveat", "note", "unread", "unused-ignore", "missing", "possible"]
    results = run["results"]
    assert [rules[result["ruleIndex"]] for result in results] == [r["ruleId"] for r in results]
    assert [r["ruleId"] for r in results] == [
        "missing", "silent-caveat", "possible", "unread", "unused-ignore", "note",
    ]  # fmt: skip
    assert [r.get("suppressions") for r in results] == [*[None] * 5, [{"kind": "inSource"}]]
    assert results[1]["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b/%C3%A9.py", "uriBaseId": "SRCROOT"},
        "region": {"startLine": 2, "startColumn": 6, "endLine": 3, "endColumn": 11},
    }
    assert results[1]["partialFingerprints"] == {"msmapPlace/v1": "f1"}
    assert "region" not in results[0]["locations"][0]["physicalLocation"]


class _Page(HTMLParser):
    """The tags of a page, and the text of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.scripts: list[str] = []
        self.inside = False
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.inside = tag == "script"
        self.addresses += [str(v) for k, v in attrs if k in ("src", "href", "style", "onerror")]

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.scripts.append(data)


def test_a_page_loads_nothing_and_takes_nothing_of_files_for_markup() -> None:
    text = told("html")
    page = _Page(text)
    assert (page.addresses, "img" in page.tags, page.tags.count("script")) == ([], False, 2)
    data = json.loads(page.scripts[0])
    assert [site["source"] for site in data["sites"]] == [
        HOSTILE, "torch.f(\n1)", "torch.f()", "=x.view()", "torch.f()",
    ]  # fmt: skip
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src &#x27;none&#x27;; style-src &#x27;sha256-")


def test_markdown_shows_names_letter_by_letter() -> None:
    text = told("markdown")
    assert "- `torch.g` (missing): 1" in text
    assert "\\</script\\>\\<img src=x" in text
    assert "<img" not in text.replace("\\<img", "")
