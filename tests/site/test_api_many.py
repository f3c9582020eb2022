"""Many names at once, parts of answers, pages of lists, and what is posted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from tests.builders.serving import ask, get

from datasette_msmap import server
from msmap import contracts
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.query.names import brief as briefly

API = "/api/v1"


@pytest.fixture(scope="module")
def site(probed: Path) -> Datasette:
    return server.site(probed)


def posted(site: Datasette, path: str, body: str, kind: str = "") -> Any:
    headers = {"content-type": kind or "application/x-www-form-urlencoded"}
    return ask(site, "POST", API + path, content=body, headers=headers)


def test_many_names_are_answered_in_a_line_each(site: Datasette, probed: Path) -> None:
    names = ["nn.Dropout", "mindspore.mint.cat", "torch.relu", "no.such", "Tensor.view"]
    answer = ask(site, "POST", f"{API}/lookup", json={"names": names})
    with KnowledgeBase(probed) as kb:
        found = answers.Briefs(kb.releases(), tuple(briefly.briefly(kb, names)))
    told = answer.json()
    assert told.pop("$schema") == "http://localhost/api/v1/schemas/lookup-summary.json"
    assert told == contracts.json_value(found)
    assert [
        (a["query"], a["basis"], (a["brief"] or {}).get("kind"), a["nearest"][:1])
        for a in told["answers"]
    ] == [
        ("nn.Dropout", "curated", "record", []),
        ("mindspore.mint.cat", "curated", "reverse", []),
        ("torch.relu", "probed", "probe", []),
        ("no.such", None, None, ["torch.Tensor.size"]),
        ("Tensor.view", "known", "probe", []),
    ]
    record = told["answers"][0]["brief"]
    assert (record["name"], record["mindspore"], record["impacts"]) == (
        "torch.nn.Dropout", ["mindspore.nn.Dropout"], {"silent": 1},
    )  # fmt: skip


def test_whole_answers_are_those_of_one_name_each(site: Datasette) -> None:
    names = ["nn.Dropout", "mindspore.mint.cat", "torch.relu"]
    whole = ask(site, "POST", f"{API}/lookup", json={"names": names, "view": "full"}).json()
    single = [get(site, f"{API}/lookup/{name}").json()["answers"][0] for name in names]
    assert whole["answers"] == single


def test_a_thousand_names_and_no_more(site: Datasette) -> None:
    for count, status in ((1000, 200), (1001, 400)):
        answer = ask(site, "POST", f"{API}/lookup", json={"names": ["torch.cat"] * count})
        assert answer.status_code == status
    assert answer.json()["message"] == "names: more than 1,000 of them"


def test_what_is_too_much_in_all_is_refused(site: Datasette) -> None:
    asked = {"names": ["nn.Dropout"] * 1000, "view": "full"}
    answer = ask(site, "POST", f"{API}/lookup", json=asked)
    assert answer.status_code == 400
    assert answer.json()["message"].startswith("the answer would have more than 4,000,000 bytes")
    few = ask(site, "POST", f"{API}/lookup", json={**asked, "fields": ["torch", "kind"]})
    assert few.json()["answers"][-1]["record"] == {"torch": "torch.nn.Dropout", "kind": "class"}


def test_a_summary_and_some_fields_of_a_record(site: Datasette) -> None:
    brief = get(site, f"{API}/lookup/nn.Dropout?view=summary&fields=name,category").json()
    assert brief["answers"][0]["brief"] == {
        "name": "torch.nn.Dropout",
        "category": "source_more_params",
    }
    cut = get(site, f"{API}/lookup/nn.Dropout?fields=kind").json()
    assert cut["answers"][0]["record"] == {"kind": "class"}
    missed = get(site, f"{API}/lookup/nn.Dropot?view=summary")
    assert (missed.status_code, missed.json()["nearest"][0]) == (404, "torch.nn.Dropout")
    wrong = get(site, f"{API}/lookup/nn.Dropout?fields=kynd")
    assert (wrong.status_code, wrong.json()["nearest"][0]) == (400, "kind")


@pytest.mark.parametrize(
    ("asked", "named"),
    [("fields=caveats&view=summary", "caveats"), ("fields=kind,names", "names"),
     ("fields=mindspore&view=full", "mindspore")],
)  # fmt: skip
def test_a_field_of_another_view_is_none(site: Datasette, asked: str, named: str) -> None:
    """It isn't left out without a word."""
    for path in (f"{API}/lookup/nn.Dropout?{asked}", f"{API}/lookup?names=nn.Dropout&{asked}"):
        answer = get(site, path)
        assert answer.status_code == 400, path
        assert answer.json()["message"].startswith(f'fields "{named}": one of ')


def test_a_list_comes_in_pages(site: Datasette) -> None:
    whole = [r["torch"] for r in get(site, f"{API}/list").json()["records"]]
    path, found = f"{API}/list?limit=4&fields=torch", []
    while path:
        answer = get(site, path)
        found += [r["torch"] for r in answer.json()["records"]]
        assert answer.headers["x-total-count"] == str(len(whole))
        links = dict(reversed(link.split("; rel=")) for link in answer.headers["link"].split(", "))
        path = links.get('"next"', "")[1:-1].removeprefix("http://localhost")
    assert found == whole
    assert links['"prev"'] == f"<http://localhost{API}/list?limit=4&fields=torch&offset=0>"
    past = get(site, f"{API}/list?limit=4&fields=torch&offset=5000").headers["link"]
    assert f'<http://localhost{API}/list?limit=4&fields=torch&offset=4>; rel="prev"' in past
    for wrong in ("limit=0", "limit=x", "offset=-1"):
        assert get(site, f"{API}/list?{wrong}").status_code == 400


def test_hits_come_in_pages(site: Datasette) -> None:
    whole = [hit["name"] for hit in get(site, f"{API}/search?q=nn").json()["hits"]]
    first = get(site, f"{API}/search?q=nn&limit=2")
    second = get(site, f"{API}/search?q=nn&limit=2&offset=2")
    assert [hit["name"] for a in (first, second) for hit in a.json()["hits"]] == whole[:4]
    assert 'offset=2>; rel="next"' in first.headers["link"]


def test_names_without_a_record(site: Datasette) -> None:
    found = get(site, f"{API}/names?basis=probed").json()["names"]
    assert [(n["torch"], n["basis"]) for n in found][:2] == [
        ("torch.nn.Softmax", "probed"), ("torch.relu", "probed"),
    ]  # fmt: skip
    every = get(site, f"{API}/names").headers["x-total-count"]
    below = get(site, f"{API}/names?namespace=torch.nn").json()["names"]
    assert {n["torch"].rpartition(".")[0] for n in below} <= {"torch.nn", "torch.nn.functional"}
    assert len(below) < int(every)


def test_coverage_counts_every_name_once(site: Datasette) -> None:
    found = get(site, f"{API}/coverage").json()
    keys = ("names", "curated", "verified", "probed", "known")
    sums = {key: sum(n[key] for n in found["namespaces"]) for key in keys}
    assert sums == {key: found["total"][key] for key in keys}
    part = get(site, f"{API}/coverage?namespace=torch.nn").json()["namespaces"]
    assert {n["namespace"] for n in part} == {"torch.nn", "torch.nn.functional"}


def test_a_port_says_what_bites_at_which_call(site: Datasette) -> None:
    code = "import torch\nm = torch.nn.Dropout()\ny = torch.cat([a, b])\n"
    found = get(site, f"{API}/port", params={"code": code}).json()
    assert [(e["line"], e["column"]) for e in found["port"]["edits"]][1:] == [(2, 4), (3, 4)]
    (dropout, cat) = (c for c in found["calls"] if c["apis"][0] != "torch")
    assert (dropout["line"], dropout["source"], dropout["port"]) == (
        2, "torch.nn.Dropout()", "mindspore.nn.Dropout(p=0.5)",
    )  # fmt: skip
    assert [(c["id"], c["impact"], c["mended"]) for c in dropout["caveats"]] == [
        ("position-is-kept", "silent", True)
    ]
    assert cat["caveats"] == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ('{"code": "torch.cat([a, b]) + 1"}', "torch.cat([a, b]) + 1"),
        ("code=torch.cat%28%5Ba%2C+b%5D%29+%2B+1", "torch.cat([a, b]) + 1"),
        ("code=torch.cat(%5Ba%2C%20b%5D)%20%2B%201", "torch.cat([a, b]) + 1"),
        ("code=torch.cat([a, b]) + 1", "torch.cat([a, b]) + 1"),
        ("code=torch.cat([a,b])&probed=1", "torch.cat([a,b])"),
        ("torch.cat([a, b]) + 1", "torch.cat([a, b]) + 1"),
        ("x = torch.cat([a & b])", "x = torch.cat([a & b])"),
        ("y = {}\ntorch.cat(y)", "y = {}\ntorch.cat(y)"),
    ],
)
def test_what_curl_posts_is_understood(site: Datasette, body: str, code: str) -> None:
    """`curl -d` says that all it sends is a form."""
    answer = posted(site, "/port", body)
    assert (answer.status_code, answer.json()["port"]["source"]) == (200, code)


@pytest.mark.parametrize(
    "body",
    [
        "names=torch.cat&names=nn.Dropout", "names=torch.cat,nn.Dropout", "torch.cat\nnn.Dropout",
        json.dumps({"names": ["torch.cat", "nn.Dropout"], "device": None}),
    ],
)  # fmt: skip
def test_names_are_posted_in_any_form(site: Datasette, body: str) -> None:
    told = posted(site, "/lookup", body).json()["answers"]
    assert [answer["brief"]["name"] for answer in told] == ["torch.cat", "torch.nn.Dropout"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"names": "torch.cat", "view": "short"}, 'view "short": one of summary, full'),
        ({"names": []}, "names is missing: Names in any usual spelling."),
        ({"names": [1]}, "names: a list of strings"),
        ({"names": ["x" * 301]}, "names: more than 300 characters"),
        ({"names": ["torch.cat"], "device": ["cpu", "gpu"]}, "device: a string"),
        ({"name": "torch.cat"}, 'argument "name": one of device, fields, mindspore, names, view'),
    ],
)
def test_what_is_no_list_of_names(site: Datasette, body: dict[str, Any], message: str) -> None:
    answer = ask(site, "POST", f"{API}/lookup", json=body)
    assert (answer.status_code, answer.json()["message"]) == (400, message)
