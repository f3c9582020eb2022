"""The OpenAPI document says what the server does: each route answers, each answer validates."""

from __future__ import annotations

import ast
import json
import re
import shlex
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import jsonschema
import pytest
from datasette.app import Datasette
from tests.builders.serving import ask, get

from datasette_msmap import server
from datasette_msmap.api.posted import FORM
from datasette_msmap.api.routes import ROUTES
from datasette_msmap.api.table import Route

# Examples that only the shipped data has an answer for.
HERE = {"/api/v1/guides/dropout": "/api/v1/guides/training", "=model-and-cell-zh": "=manual",
        "topic=dropout": "topic=modes", "from=2.9": "from=2.10"}  # fmt: skip


@pytest.fixture(scope="module")
def site(database: Path) -> Datasette:
    return server.site(database)


@pytest.fixture(scope="module")
def document(site: Datasette) -> dict[str, Any]:
    found: dict[str, Any] = get(site, "/api/v1/openapi.json").json()
    return found


def resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """A schema of the document that stands alone."""
    return {**schema, "components": document["components"]}


def address(path: str, parameters: list[dict[str, Any]], *, optional: bool) -> str:
    """The address that the examples make, with what may be left out or without."""
    query = []
    for parameter in parameters:
        example = parameter["example"]
        told = ",".join(example) if isinstance(example, list) else str(example)
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", told)
        elif parameter["required"] or optional:
            query.append(f"{parameter['name']}={told}")
    made = "?".join([path, "&".join(query)]) if query else path
    for old, new in HERE.items():
        made = made.replace(old, new)
    return made


@pytest.mark.parametrize("path", [route.path for route in ROUTES])
@pytest.mark.parametrize("optional", [False, True])
def test_a_route_answers_its_example_as_it_says(
    site: Datasette, document: dict[str, Any], path: str, optional: bool
) -> None:
    told = document["paths"][f"/api/v1{path}"]["get"]
    answer = get(site, address(f"/api/v1{path}", told["parameters"], optional=optional))
    assert answer.status_code == 200, answer.text
    (kind, content), *_ = told["responses"]["200"]["content"].items()
    assert answer.headers["content-type"].partition(";")[0] == kind
    schema = resolved(document, content["schema"])
    lines = answer.text.splitlines() if kind == "application/x-ndjson" else [answer.text]
    assert lines
    for line in lines:
        jsonschema.validate(json.loads(line), schema)


@pytest.mark.parametrize("path", [route.path for route in ROUTES])
def test_an_answer_validates_by_the_schema_that_it_names(
    site: Datasette, document: dict[str, Any], path: str
) -> None:
    told = document["paths"][f"/api/v1{path}"]["get"]
    answer = get(site, address(f"/api/v1{path}", told["parameters"], optional=False))
    named = re.match(r'<([^>]+)>; rel="describedby"', answer.headers["link"])
    assert named is not None
    schema = get(site, named[1].removeprefix("http://localhost")).json()
    jsonschema.Draft202012Validator.check_schema(schema)
    for line in answer.text.splitlines():
        jsonschema.validate(json.loads(line), schema)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_errors_are_as_the_document_says(
    site: Datasette, document: dict[str, Any], route: Route
) -> None:
    told = document["paths"][f"/api/v1{route.path}"]["get"]
    schema = resolved(document, {"$ref": "#/components/schemas/error"})
    filled = re.sub(r"{\w+}", "no.such.name", f"/api/v1{route.path}")
    met = {
        str(answer.status_code): answer.json()
        for answer in (
            get(site, f"{filled}?no=such"),
            get(site, f"{filled}?{'x' * 20_001}"),
            *([get(site, filled)] if route.misses else []),
        )
    }
    assert set(met) == set(told["responses"]) - {"200"}
    for status, found in met.items():
        jsonschema.validate(found, schema)
        assert str(found["status"]) == status


@pytest.mark.parametrize("path", [route.path for route in ROUTES if route.posts])
@pytest.mark.parametrize("kind", ["application/json", FORM, "text/plain"])
def test_what_is_posted_is_described(
    site: Datasette, document: dict[str, Any], path: str, kind: str
) -> None:
    """The example of each type is taken, fits its schema, and gives the same answer."""
    told = document["paths"][f"/api/v1{path}"]["post"]
    content = told["requestBody"]["content"]
    example = content[kind]["example"]
    jsonschema.validate(example, resolved(document, content[kind]["schema"]))
    body = {
        "application/json": json.dumps,
        FORM: lambda found: urlencode(found, doseq=True),
        "text/plain": str,
    }[kind](example)
    answer = ask(
        site, "POST", f"/api/v1{path}", content=body, headers={"content-type": kind}
    )  # fmt: skip
    assert answer.status_code == 200, answer.text
    ok = told["responses"]["200"]["content"]["application/json"]["schema"]
    jsonschema.validate(answer.json(), resolved(document, ok))
    same = ask(site, "POST", f"/api/v1{path}", json=content["application/json"]["example"])
    assert answer.json() == same.json()


@pytest.mark.parametrize("path", [route.path for route in ROUTES if route.posts])
def test_what_cannot_be_posted_is_described(
    site: Datasette, document: dict[str, Any], path: str
) -> None:
    told = document["paths"][f"/api/v1{path}"]["post"]
    for options in (
        {"content": b"x" * 100_001}, {"content": b"<x/>", "headers": {"content-type": "text/xml"}},
        {"json": {}},
    ):  # fmt: skip
        answer = ask(site, "POST", f"/api/v1{path}", **options)
        assert str(answer.status_code) in told["responses"]
        jsonschema.validate(
            answer.json(), resolved(document, {"$ref": "#/components/schemas/error"})
        )


@pytest.mark.parametrize("path", [route.path for route in ROUTES])
@pytest.mark.parametrize("method", ["get", "post"])
def test_requests_to_copy_are_of_every_language(
    document: dict[str, Any], path: str, method: str
) -> None:
    told = document["paths"][f"/api/v1{path}"].get(method)
    if told is None:
        return
    samples = {sample["lang"]: sample["source"] for sample in told["x-codeSamples"]}
    assert list(samples) == ["Shell", "Python", "JavaScript"]
    ast.parse(samples["Python"])
    words = shlex.split(samples["Shell"].replace("\\\n", " "))
    assert (words[0], words[1].startswith("http://localhost/api/v1/")) == ("curl", True)


def test_the_document_has_all_routes_once(document: dict[str, Any]) -> None:
    assert list(document["paths"]) == [f"/api/v1{route.path}" for route in ROUTES]
    operations = [o["operationId"] for path in document["paths"].values() for o in path.values()]
    posting = [route for route in ROUTES if route.posts]
    assert len(operations) == len(set(operations)) == len(ROUTES) + len(posting)


def test_the_document_stands_alone(document: dict[str, Any]) -> None:
    """Every reference leads to something in it, and every schema in it is one."""
    found = set(re.findall(r'"\$ref": "([^"]+)"', json.dumps(document)))
    schemas = document["components"]["schemas"]
    assert {ref.removeprefix("#/components/schemas/") for ref in found} <= set(schemas)
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(resolved(document, schema))


def test_the_document_speaks_chinese(site: Datasette, document: dict[str, Any]) -> None:
    other = get(site, "/api/v1/openapi.json?lang=zh").json()
    assert other["paths"]["/api/v1/guides"]["get"]["summary"] == "全部指南。"
    assert list(other["paths"]) == list(document["paths"])
    assert get(site, "/api/v1/openapi.json?lang=de").status_code == 400


def test_the_server_is_where_the_request_went(site: Datasette) -> None:
    answer = get(site, "/api/v1/openapi.json", headers={"host": "msmap.example:8080"})
    assert answer.json()["servers"] == [{"url": "http://msmap.example:8080"}]
    forged = get(site, "/api/v1/openapi.json", headers={"host": 'x"><script>'})
    assert (forged.status_code, "script" in forged.text) == (400, False)


def test_the_manual_names_every_route() -> None:
    manual = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    written = re.findall(r"`/api/v1(/[^`?]*)", manual)
    shown = [re.sub(r"{(\w+)}", lambda name: name[1].upper(), route.path) for route in ROUTES]
    assert set(shown) <= set(written)


@pytest.mark.parametrize("place", ["/api", "/zh/api", "/api.md", "/zh/api.md"])
def test_the_reference_has_every_route_with_requests(site: Datasette, place: str) -> None:
    """As a page and as Markdown; what it has to copy is what the document has."""
    document = get(site, "/api/v1/openapi.json").json()
    # Without the elements that colour code and let it break.
    text = unescape(re.sub(r"</?(?:i|span|mark|wbr)\b[^>]*>", "", get(site, place).text))
    for path, operations in document["paths"].items():
        assert path in text
        for told in operations.values():
            shown = told["x-codeSamples"][: 1 if place.endswith(".md") else 3]
            assert [s["lang"] for s in shown if s["source"] not in text] == []
    assert bool(re.search("[\u4e00-\u9fff]", text.partition("<main")[2] or text)) == (
        place.startswith("/zh")
    )


def test_links_of_the_reference_lead_somewhere(site: Datasette) -> None:
    text = get(site, "/api").text
    found = [unescape(link) for link in re.findall(r'<a href="(/api/v1/[^"]+)"', text)]
    known = [link for link in found if not any(old in link for old in HERE)]
    assert len(known) > 40
    missing = [link for link in dict.fromkeys(known) if get(site, link).status_code != 200]
    assert missing == []
