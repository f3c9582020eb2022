"""The JSON API: what the commands print, with its schema; errors that say what there is instead."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from tests.builders.commands import Run
from tests.builders.serving import ask, get

from datasette_msmap import server
from datasette_msmap.api import endpoints
from datasette_msmap.web.served import Served, TakesLong, serving

API = "/api/v1"
FORM = "application/x-www-form-urlencoded"
SCHEMAS = f"http://localhost{API}/schemas"


@pytest.fixture(scope="module")
def site(database: Path) -> Datasette:
    return server.site(database)


@pytest.fixture(scope="module")
def past(history: Path) -> Datasette:
    """A site that knows three MindSpore releases."""
    return server.site(history)


@pytest.mark.parametrize(
    ("path", "schema", "command"),
    [
        ("/lookup/nn.Dropout", "lookup", "lookup nn.Dropout -v"),
        ("/lookup/mindspore.nn.GELU", "lookup", "lookup mindspore.nn.GELU"),
        ("/reverse/mindspore.nn.GELU", "lookup", "lookup mindspore.nn.GELU"),
        ("/search?q=随机", "search", "search 随机"),
        ("/search?q=torch&limit=2", "search", "search torch --limit 2"),
        ("/list", "list", "list"),
        ("/list?namespace=torch.nn&device=CPU", "list", "list --namespace torch.nn --device CPU"),
        ("/list?category=behaviour_differs", "list", "list --category behaviour_differs"),
        ("/evidence/torch.cat", "evidence-show", "evidence show torch.cat"),
        ("/guides", "guide", "guide -v"),
        ("/guides/training", "guide", "guide training -v"),
        ("/claims", "claims", "claims"),
        ("/claims?verdict=refuted", "claims", "claims --verdict refuted"),
        ("/stats", "stats", "stats"),
        ("/port?code=torch.cat(a, 1)", "port", "port 'torch.cat(a, 1)'"),
    ],
)
def test_the_api_answers_what_the_command_prints(
    site: Datasette,
    run: Run,
    path: str,
    schema: str,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Outside of a checkout: there `evidence show` reads its data instead."""
    monkeypatch.chdir(tmp_path)
    answer = get(site, API + path)
    data = answer.json()
    assert (answer.status_code, data.pop("$schema")) == (200, f"{SCHEMAS}/{schema}.json")
    printed = run(*shlex.split(command), "--format", "json").out
    assert data == json.loads(printed)


def error(status: int, message: str, *nearest: str, known: str | None = None) -> dict[str, Any]:
    return {
        "$schema": f"{SCHEMAS}/error.json",
        "schema_version": 6,
        "status": status,
        "message": message,
        "nearest": list(nearest),
        "known": known,
        "guides": [],
    }


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("/guides/trainin", error(404, '"trainin" is not known', "training")),
        ("/search", error(400, "q is missing: Words in English or Chinese, or names.")),
        ("/search?q=", error(400, "q is missing: Words in English or Chinese, or names.")),
        ("/search?q=a&limit=0", error(400, "limit: a number from 1 to 200")),
        ("/search?q=a&limit=x", error(400, "limit: a number from 1 to 200")),
        ("/search?q=" + "a" * 501, error(400, "q: more than 500 characters")),
        ("/list?device=TPU", error(400, 'device "tpu": one of ascend, gpu, cpu', "gpu", "cpu")),
        ("/list?mindspore=1.9", error(400, 'MindSpore release "1.9": one of 2.10.0')),
        ("/list?devise=CPU", error(
            400,
            'argument "devise": one of category, device, fields, limit, mindspore, namespace,'
            " offset, verification",
            "device",
        )),
        ("/stats?x=1", error(400, 'argument "x": one of none', "none")),
        ("/claims?topic=mode", error(400, "topic mode: not known", "modes")),
        ("/claims?verdict=false", error(
            400, 'verdict "false": one of holds, partly, refuted, held_until, not_',
            "holds", "partly", "refuted", "held_until", "not_testable",
        )),
        ("/port?code=f(", error(400, "not Python: line 1: '(' was never closed")),
        ("/port?code=%00", error(400, "not Python: source code string cannot contain null bytes")),
        ("/port?code=" + "-" * 9000 + "1", error(400, "the code is nested too deeply")),
        ("/stats?" + "&".join("abc"), error(400, 'argument "a": one of none', "none")),
        ("/stats?" + "&".join("a" * 60), error(400, "more than 50 arguments")),
        ("/stats?" + "a" * 20_001, error(414, "the query is too long")),
        ("/look", error(
            404, "no such address; /api/v1/openapi.json has all", "/api/v1/lookup", "/api/v1/port",
            "/api/v1/list",
        )),
        ("/schemas/recrd.json", error(404, "schema recrd: one of claims", "record", "record-line")),
    ],
)  # fmt: skip
def test_errors_are_json_too(site: Datasette, path: str, wanted: dict[str, Any]) -> None:
    answer = get(site, API + path)
    found = answer.json()
    found["message"] = found["message"][: len(wanted["message"])]
    assert found == wanted
    assert answer.status_code == wanted["status"]
    assert answer.headers["content-type"] == "application/json; charset=utf-8"


def test_a_miss_has_the_nearest_names(site: Datasette) -> None:
    found = get(site, f"{API}/lookup/nn.Dropot").json()
    assert (found["status"], found["nearest"][0]) == (404, "torch.nn.Dropout")
    known = get(site, f"{API}/lookup/nn.Softmax")
    assert known.status_code == 404
    assert known.json()["known"] == "torch.nn.Softmax"
    assert known.json()["message"] == "torch.nn.Softmax is known, but not curated yet"


def test_answers_are_as_of_a_release(past: Datasette) -> None:
    old = get(past, f"{API}/lookup/nn.Dropout?mindspore=2.8").json()
    assert old["releases"]["mindspore"] == "2.8.0"
    signature = old["answers"][0]["record"]["targets"][0]["signatures"]
    assert signature == ["(keep_prob=0.5, p=None)"]
    gone = get(past, f"{API}/reverse/mindspore.ops.relu?mindspore=2.8")
    assert gone.status_code == 404
    assert gone.json()["message"] == ("MindSpore has mindspore.ops.relu only since 2.9.0")
    evidence = get(past, f"{API}/evidence/torch.cat?mindspore=2.9&environment=2.9.0").json()
    outcomes = {c["id"]: [e["outcome"] for e in c["evidence"]] for c in evidence["checks"]}
    assert outcomes == {"axis": ["verified"], "last": ["refuted"]}
    elsewhere = get(past, f"{API}/evidence/torch.cat?environment=windows").json()
    assert [c["evidence"] for c in elsewhere["checks"]] == [[], []]


def test_code_is_posted_as_json_or_as_it_is(site: Datasette) -> None:
    code = "y = torch.cat([a, b], dim=1)"
    wanted = get(site, f"{API}/port", params={"code": code}).json()
    assert wanted["port"]["code"] == "y = mindspore.mint.cat([a, b], dim=1)"
    for options in (
        {"json": {"code": code}},
        {"content": code},
        {"content": code, "headers": {"content-type": "text/plain; charset=utf-8"}},
    ):
        answer = ask(site, "POST", f"{API}/port", **options)
        assert (answer.status_code, answer.json()) == (200, wanted)
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        ({"json": ["code"]}, 400, 'the body is not an object such as {"code": ...}'),
        ({"json": {"code": {}}}, 400, "code: a string"),
        ({"json": {"code": "x", "lang": "zh"}}, 400,
         'argument "lang": one of code, device, mindspore'),
        ({"json": {}}, 400, "code is missing: PyTorch code: a call, or a whole source."),
        ({"content": b""}, 400, "code is missing: PyTorch code: a call, or a whole source."),
        ({"content": b"\xff"}, 400, "the body is not UTF-8"),
        ({"content": b"{", "headers": {"content-type": "application/json"}}, 400,
         "the body is not JSON"),
        ({"content": b"[" * 90_000, "headers": {"content-type": "application/json"}}, 400,
         "the body is not JSON"),
        ({"content": b'{"code": "x"', "headers": {"content-type": FORM}}, 400,
         "the body is not JSON"),
        ({"content": b'{"code": "\\ud800"}', "headers": {"content-type": "application/json"}}, 400,
         "not Python: 'utf-8' codec can't encode"),
        ({"content": b"<x/>", "headers": {"content-type": "text/xml"}}, 415,
         'content type "text/xml": one of application/json, application/x-www-form-urlencoded'),
        ({"content": b"x" * 50_001}, 400, "code: more than 50000 characters"),
        ({"content": b"x" * 100_001}, 413, "more than 100000 bytes"),
    ],
)  # fmt: skip
def test_what_cannot_be_posted(
    site: Datasette, options: dict[str, Any], status: int, message: str
) -> None:
    answer = ask(site, "POST", f"{API}/port", **options)
    found = answer.json()
    found["message"] = found["message"][: len(message)]
    assert (answer.status_code, found["status"], found["message"]) == (status, status, message)


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("list", {"records": [], "probes": []}),
        ("names", {"names": []}),
        (
            "coverage",
            {
                "namespaces": [],
                "total": {
                    "namespace": "", "names": 0, "curated": 0, "verified": 0, "probed": 0,
                    "known": 0,
                },
            },
        ),
    ],
)  # fmt: skip
def test_a_namespace_that_there_is_not_has_nothing(
    site: Datasette, asked: str, wanted: dict[str, Any]
) -> None:
    answer = get(site, f"{API}/{asked}?namespace=torch.nothing")
    found = {key: value for key, value in answer.json().items() if key in wanted}
    assert (answer.status_code, found) == (200, wanted)


def test_a_cookie_does_not_keep_anyone_from_posting(site: Datasette) -> None:
    """Datasette would want a token against forgery; nothing here can be forged."""
    answer = ask(
        site, "POST", f"{API}/port", json={"code": "torch.cat(a)"}, headers={"cookie": "a=b"}
    )
    assert answer.status_code == 200


def test_headers_of_an_answer(site: Datasette) -> None:
    headers = get(site, f"{API}/lookup/nn.Dropout").headers
    wanted = {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "public, max-age=300",
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "Accept-Ranges, Content-Range, ETag, Link, X-Total-Count",
        "cross-origin-resource-policy": "cross-origin",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "link": f'<{SCHEMAS}/lookup.json>; rel="describedby"',
    }
    assert {name: headers.get(name) for name in wanted} == wanted


def test_a_browser_may_ask_first(site: Datasette) -> None:
    answer = ask(site, "OPTIONS", f"{API}/port")
    wanted = {
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, HEAD, POST",
        "access-control-allow-headers": "Content-Type, If-None-Match, Range",
        "allow": "GET, HEAD, POST, OPTIONS",
    }
    assert (answer.status_code, answer.content) == (204, b"")
    assert {name: answer.headers[name] for name in wanted} == wanted


def test_other_methods_are_refused(site: Datasette) -> None:
    answer = ask(site, "DELETE", f"{API}/stats")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
    assert answer.json() == error(405, "only GET, HEAD")
    assert ask(site, "POST", f"{API}/stats", json={}).status_code == 405


def test_an_unchanged_answer_is_not_sent_again(site: Datasette) -> None:
    path = f"{API}/lookup/nn.GELU"
    tag = get(site, path).headers["etag"]
    again = get(site, path, headers={"if-none-match": f'W/"x", {tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert again.headers["access-control-allow-origin"] == "*"
    assert get(site, path + "?mindspore=2.10").headers["etag"] != tag
    assert get(site, path, headers={"host": "example.org"}).headers["etag"] != tag


def test_a_header_comes_without_the_body(site: Datasette) -> None:
    plain = {"accept-encoding": "identity"}
    full, head = (ask(site, m, f"{API}/stats", headers=plain) for m in ("GET", "HEAD"))
    assert head.status_code == 200
    assert head.headers["etag"] == full.headers["etag"]
    assert head.headers["content-length"] == str(len(full.content))


def test_what_goes_wrong_inside_is_logged_not_shown(
    site: Datasette, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(endpoints.answers, "Proof", fail)
    answer = get(site, f"{API}/evidence/torch.nn.GELU")
    assert answer.json() == error(500, "this could not be answered; the server's log says why")
    assert "a secret" in caplog.text


def test_the_database_is_known_by_its_schema(site: Datasette) -> None:
    answer = get(site, f"{API}/schemas/lookup.json")
    assert answer.headers["content-type"] == "application/schema+json; charset=utf-8"
    found = answer.json()
    assert found["$id"] == f"{SCHEMAS}/lookup.json"
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_spellings_of_a_release_open_the_database_once(past: Datasette) -> None:
    served = Served("msmap", serving(past).path)
    assert served.as_of(" 2.8.0 ") is served.as_of("2.8")


def test_an_earlier_release_is_read_elsewhere(past: Datasette) -> None:
    """To read what held then takes longer than others should wait."""
    served = Served("msmap", serving(past).path)
    served.quick = True
    assert served.as_of("2.10").releases()["mindspore"] == "2.10.0"
    with pytest.raises(TakesLong):
        served.as_of("2.8")
