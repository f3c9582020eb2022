"""What the site says of names without a record that a machine has tried."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest
from datasette.app import Datasette
from tests.builders.serving import get

from datasette_msmap import server
from msmap import contracts
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import lookup as understood


@pytest.fixture(scope="module")
def site(probed: Path) -> Datasette:
    return server.site(probed)


def words(text: str) -> str:
    """What a page says, each run of spaces as one."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text.partition("<main")[2])).split())


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (
            "/torch.relu",
            [
                "torch.relu → mindspore.ops.relu", "not curated: found by running",
                "43 of 48 samples agree", "gradients of 12 of 12 agree",
                "1 of 2 samples that PyTorch refuses are refused", "documented for Ascend GPU CPU",
                "torch.relu (input: Tensor) -> Tensor",
                "mindspore.ops.relu (input, inplace = False )", "By dtype int8 0 / 4 bool 0 / 1",
                "results differ 4 samples · int8 · plain, 0-d",
                "# gave [-128, 0, 1]", "input: int8 [-128, 0, 1]; other: float32[2, 3]",
                "mindspore.nn.ReLU 40 / 48 10 / 12 Ascend GPU CPU another form of the name",
                "PyTorch's samples of operators 48", "a dtype that NumPy lacks 3",
            ],
        ),
        (
            "/zh/torch.nn.Softmax",
            ["torch.nn.Softmax → mindspore.nn.Softmax", "未经人工整理：由运行得出",
             "8 个样例中有 8 个一致", "dim=None axis=-1 参数名不同"],
        ),
        ("/torch.tanh", ["torch.tanh → nothing that agrees", "0 of 6 samples agree"]),
        (
            "/torch.nn.functional.dropout",
            ["not curated, and not run: no inputs are known that it takes",
             "Candidates, by name alone", "Same name torch.nn.Dropout curated"],
        ),
        ("/zh/torch.Tensor.view", ["未经人工整理，也未运行：MindSpore 中没有名称相近的 API"]),
    ],
)  # fmt: skip
def test_a_page_says_what_was_found_and_that_nobody_wrote_it(
    path: str, said: list[str], site: Datasette
) -> None:
    answer = get(site, path)
    assert answer.status_code == 200
    told = words(answer.text)
    assert [line for line in said if line not in told] == []


@pytest.mark.parametrize(
    ("path", "indexed"), [("/torch.relu", True), ("/torch.nn.functional.dropout", False)]
)
def test_a_search_engine_is_told_of_what_was_run(path: str, indexed: bool, site: Datasette) -> None:
    """In the map of the site too, which lists no reasons."""
    assert ('<meta name="robots" content="noindex">' in get(site, path).text) is not indexed
    assert (f"{path}</loc>" in get(site, "/sitemap.xml").text) is indexed


def test_another_spelling_leads_to_the_page(site: Datasette) -> None:
    answer = get(site, "/zh/nn.Softmax")
    assert (answer.status_code, answer.headers["location"]) == (301, "/zh/torch.nn.Softmax")


def test_a_device_puts_first_what_is_documented_for_it(site: Datasette) -> None:
    told = words(get(site, "/torch.relu?device=ascend").text)
    order = [told.rindex(name) for name in ("mindspore.nn.GELU", "{input} *")]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/port?code=torch.relu(x)&probed=1", "mindspore.ops.relu(x)"),
        ("/zh/port?code=torch.relu(x)&probed=1", "由运行得出，未经人工整理"),
        ("/port?code=torch.relu(x)", "torch.relu is known, but has no record yet"),
    ],
)
def test_the_rewriter_needs_no_script_for_that(path: str, said: str, site: Datasette) -> None:
    assert said in words(get(site, path).text)


def test_names_that_were_tried_are_found_but_not_browsed(site: Datasette) -> None:
    assert words(get(site, "/search?q=softmax").text).count("found by running: 8/8 samples") == 1
    assert "torch.nn.functional.dropout" in get(site, "/search?q=torch.nn.functional.dropou").text
    suggested = json.loads(get(site, "/suggest?q=rel").text)["suggestions"]
    assert [(s["name"], s["kind"], s["url"]) for s in suggested] == [
        ("torch.relu", "probe", "/torch.relu")
    ]
    assert "torch.relu" not in get(site, "/browse").text


def test_statistics_count_what_answers_rest_on(site: Datasette) -> None:
    told = words(get(site, "/stats").text)
    assert "Names of PyTorch by what answers rest on" in told
    assert "found by running: 3 3" in told
    assert "known by name alone: 5 5" in told


def test_coverage_counts_what_answers_rest_on(site: Datasette) -> None:
    told = words(get(site, "/coverage").text)
    assert "torch.nn 5 2 2 1 2" in told
    assert "all 14 6 4 3 5" in told
    one = words(get(site, "/coverage?namespace=torch.nn").text)
    assert "torch.nn 5 2 2 1 2" in one
    assert "all 14 6 4 3 5" not in one
    assert "torch.nn.Softmax found by running" in one


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("torch.relu", ["torch.relu → mindspore.ops.relu", "not curated: found by running",
                        "43 of 48 samples agree", "results differ 4 samples · int8 · plain, 0-d"]),
        ("torch.tanh?lang=zh", ["未经人工整理：由运行得出", "6 个样例中有 0 个一致"]),
        ("torch.Tensor.view", ["not curated, and not run: nothing in MindSpore has such a name"]),
    ],
)  # fmt: skip
def test_a_card_marks_a_probe(path: str, said: list[str], site: Datasette) -> None:
    answer = get(site, f"/embed/{path}")
    assert answer.status_code == 200
    told = " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())
    assert [line for line in said if line not in told] == []


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("torch.relu.svg", "torch.relu: found by running · 43/48"),
        ("torch.relu.svg?lang=zh", "torch.relu: 由运行得出 · 43/48"),
        ("torch.Tensor.view.svg", "torch.Tensor.view: nothing in MindSpore has such a name"),
    ],
)
def test_a_badge_says_how_far_it_agreed(path: str, said: str, site: Datasette) -> None:
    answer = get(site, f"/badge/{path}")
    assert answer.status_code == 200
    assert f"<title>{said}</title>" in answer.text


def test_oembed_shows_the_card_of_a_probe(site: Datasette) -> None:
    told = get(site, "/oembed?url=http://localhost/torch.relu").json()
    assert told["title"] == "torch.relu: found by running · 43/48"
    assert "/embed/torch.relu" in told["html"]


@pytest.mark.parametrize("name", ["torch.relu", "torch.cat", "F.dropout", "torch.Tensor.view"])
def test_the_api_answers_as_the_library_does(name: str, site: Datasette, probed: Path) -> None:
    answer = get(site, f"/api/v1/lookup/{name}")
    told = {key: value for key, value in answer.json().items() if key != "$schema"}
    with KnowledgeBase.open(probed) as kb:
        expected = contracts.json_value(understood.lookup(kb, [name]))
    assert (answer.status_code, told) == (200, expected)


def test_the_api_lists_records_alone(site: Datasette) -> None:
    told = get(site, "/api/v1/list").json()
    assert (len(told["records"]), told["probes"]) == (6, [])


def test_a_name_that_nobody_has_tried_is_no_answer(site: Datasette) -> None:
    assert get(site, "/torch.nn.ReLU").status_code == 404
    told = get(site, "/api/v1/lookup/torch.nn.ReLU")
    assert told.status_code == 404
    assert told.json()["message"] == "torch.nn.ReLU is known, but not curated yet"


@pytest.mark.parametrize(
    ("probed_", "code", "kinds"),
    [("1", "mindspore.ops.relu(x)", []), ("0", "torch.relu(x)", ["no_record"])],
)
def test_port_uses_a_probe_when_asked(
    probed_: str, code: str, kinds: list[str], site: Datasette
) -> None:
    told = get(site, f"/api/v1/port?code=torch.relu(x)&probed={probed_}").json()["port"]
    assert (told["code"], [r["kind"] for r in told["refusals"]]) == (code, kinds)
    assert told["basis"] == ({} if kinds else {"torch.relu": "probed"})
    assert ("probed, not curated" in str(told["notes"])) is not bool(kinds)
