"""Answers for a device: what bites there first, and an address that says which device it is."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from datasette.app import Datasette
from tests.builders.serving import get

from datasette_msmap import server
from msmap.store import build as store

CAVEATS = """\
caveats:
  - id: no-kernel
    impact: error
    device: [CPU]
    text: {en: It has no kernel., zh: 没有内核实现。}
    unverified: {en: It is made up., zh: 虚构的例子。}
  - id: everywhere
    impact: note
    text: {en: It copies., zh: 会复制数据。}
    unverified: {en: It is made up., zh: 虚构的例子。}
"""


@pytest.fixture(scope="module")
def site(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Datasette:
    """The small database, with a caveat that was seen on CPU alone and one that always holds."""
    folder = tmp_path_factory.mktemp("devices")
    shutil.copytree(data, folder / "data")
    record = folder / "data/records/torch/cat.yaml"
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace("caveats:\n", CAVEATS), encoding="utf-8")
    store.build(folder / "data", folder / "msmap.db")
    return server.site(folder / "msmap.db")


CALLOUT = '<div class="callout.*?</div>'
CAVEAT = '<li id="caveat-.*?</div>'
FOLDED = '<details class="folded">.*?</summary>'


def told(page: str) -> list[str]:
    """The callout, the caveats and what is folded, each as its words, in their order."""
    parts = re.findall(f"{CALLOUT}|{CAVEAT}|{FOLDED}", page, re.S)
    return [" ".join(re.sub(r"<[^>]*>", " ", part).split()) for part in parts]


EVERYWHERE = "note It copies. not verified: It is made up. #"
CPU = "error Seen on CPU: It has no kernel. not verified: It is made up. #"


def test_without_a_device_a_caveat_says_where_it_was_seen(site: Datasette) -> None:
    callout, *caveats = told(get(site, "/torch.cat").text)
    assert callout.startswith("Raises an error It has no kernel.")
    assert caveats[:2] == [CPU, EVERYWHERE]
    assert len(caveats) == 3


@pytest.mark.parametrize(
    ("language", "said"),
    [("", "Seen on CPU, not known on Ascend 1"), ("/zh", "在 CPU 上观察到，Ascend 上情况未知 1")],
)
def test_what_was_seen_elsewhere_alone_is_folded(site: Datasette, language: str, said: str) -> None:
    """It neither alarms nor counts among those that hold."""
    page = get(site, f"{language}/torch.cat?device=ascend").text
    parts = told(page)
    assert len(parts) == 4
    assert parts[2] == said
    assert 'class="callout' not in page
    assert page.index('id="caveat-everywhere"') < page.index('id="caveat-no-kernel"')


def test_where_it_was_seen_it_comes_first(site: Datasette) -> None:
    callout, *caveats = told(get(site, "/torch.cat?device=cpu").text)
    assert callout.startswith("Raises an error It has no kernel.")
    assert caveats[:2] == [CPU, EVERYWHERE]
    assert "folded" not in get(site, "/torch.cat?device=cpu").text


def test_the_device_is_kept_in_links_and_forms(site: Datasette) -> None:
    """Nothing but the address says which device is meant: neither a cookie nor the server does."""
    page = get(site, "/torch.cat?device=ascend").text
    places = re.findall(r'<a href="(/[^"#]*)', page.partition("</header>")[0])
    assert places != []
    assert [place for place in places if "device=ascend" not in place] == []
    assert page.count('<input type="hidden" name="device" value="ascend">') == 2
    assert '<link rel="canonical" href="http://localhost/torch.cat">' in page
    assert "msmap lookup torch.cat --device ascend" in page
    plain = get(site, "/torch.cat").text
    assert "device=" not in re.sub(r'<nav class="devices".*?</nav>', "", plain)
    assert "set-cookie" not in get(site, "/torch.cat?device=ascend").headers


def test_the_switch(site: Datasette) -> None:
    """It keeps the release, and tells which device is shown."""
    page = get(site, "/zh/torch.cat?device=GPU").text
    switch, _ = re.findall(r'<nav class="devices".*?</nav>', page, re.S)
    assert re.findall(r'href="([^"]*)"', switch) == [
        "/zh/torch.cat",
        "/zh/torch.cat?device=ascend",
        "/zh/torch.cat?device=gpu",
        "/zh/torch.cat?device=cpu",
    ]
    assert re.findall(r'aria-current="true"[^>]*>(\w+)<', switch) == ["GPU"]


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ("/cat?device=ascend", "/torch.cat?device=ascend"),
        ("/torch.cat?device=tpu", "/torch.cat"),
        ("/zh/torch.cat?device=tpu&mindspore=2.10", "/zh/torch.cat?mindspore=2.10"),
    ],
)
def test_a_device_leads_on(site: Datasette, asked: str, place: str) -> None:
    """Another spelling keeps it; one that is none leads to the answer for all."""
    assert get(site, asked).headers["location"] == place


def test_a_filter_counts_the_records_that_it_leaves(site: Datasette) -> None:
    """Also those that are documented for a device and ran there too."""
    page = get(site, "/browse").text.partition('<select name="device">')[2].partition("</s")[0]
    offered = re.findall(r"<option value=\"(Ascend|GPU|CPU)\">\1 \((\d+)\)", page)
    assert [device for device, _ in offered] == ["Ascend", "GPU", "CPU"]
    for device, count in offered:
        left = get(site, f"/browse?device={device}").text
        assert left.partition("<tbody>")[2].count("<tr>") == int(count), device


def test_browsing_is_for_the_device_in_any_spelling(site: Datasette) -> None:
    assert get(site, "/browse?device=ascend").text.count("<tr>") == get(
        site, "/browse?device=Ascend"
    ).text.count("<tr>")
    assert get(site, "/browse?device=tpu").text.count("<tr>") == 0


GELU = "torch.nn.GELU"
NN, MINT = "mindspore.nn.GELU", "mindspore.mint.nn.GELU"


@pytest.mark.parametrize(
    ("device", "targets", "call"),
    [
        ("", [NN, MINT], f"{NN}(approximate=False)"),
        ("ascend", [MINT, NN], f"{MINT}()"),
        ("CPU", [NN, MINT], f"{NN}(approximate=False)"),
    ],
)
def test_the_best_target_of_a_device_comes_first(
    site: Datasette, device: str, targets: list[str], call: str
) -> None:
    """On the page, in the card, in the API, and in what is ported."""
    asked = f"?device={device}"
    page = get(site, f"/{GELU}{asked}").text
    assert re.findall(r'<li id="target-([^"]*)"', page) == targets
    first = page[: page.index('class="toc"')]
    assert first.count(targets[0]) >= 2
    assert f"{call}(x)" in get(site, f"/embed/{GELU}{asked}").text
    answer = get(site, f"/api/v1/lookup/{GELU}{asked}").json()["answers"][0]["record"]
    assert [target["key"] for target in answer["targets"]] == targets
    code = f"torch.nn.GELU()&device={device}"
    assert get(site, f"/api/v1/port?code={code}").json()["port"]["code"] == call
    assert f"\n{call}\n" in re.sub("<[^>]*>", "", get(site, f"/port?code={code}").text)


def test_documented_for_and_ran_on_are_told_apart(site: Datasette) -> None:
    """Of a target that is documented for Ascend alone nothing says that it ran anywhere."""
    page = get(site, f"/{GELU}").text
    places = re.findall(
        r"(?:documented for [\w ]+|CPU: verified|not run)", page[page.index('id="targets"') :]
    )
    assert places == [
        "CPU: verified", "documented for Ascend GPU CPU", "not run", "documented for Ascend",
    ]  # fmt: skip


def test_a_list_is_of_what_runs_there(site: Datasette) -> None:
    """Each record under the target that is best there."""
    listed = get(site, "/api/v1/list?device=ascend&namespace=torch.nn").json()["records"]
    assert {found["torch"]: found["mindspore"] for found in listed}[GELU] == MINT
    assert get(site, "/api/v1/list?device=Ascend&namespace=torch.nn").json()["records"] == listed


def test_a_card_is_for_the_device(site: Datasette) -> None:
    """It leaves out what was seen elsewhere alone, and leads to the page for the device."""
    card = get(site, "/embed/torch.cat?device=ascend").text
    assert "It has no kernel." not in card
    assert 'href="http://localhost/torch.cat?device=ascend"' in card
    assert "Seen on CPU:" in get(site, "/embed/torch.cat").text
    moved = get(site, "/embed/cat?device=ascend&lang=zh").headers["location"]
    assert moved == "/embed/torch.cat?lang=zh&device=ascend"
    assert get(site, "/embed/torch.cat?device=tpu").status_code == 400


def test_oembed_is_for_the_device_of_the_page(site: Datasette) -> None:
    page = get(site, f"/{GELU}?device=ascend").text
    (place,) = re.findall(r'type="application/json\+oembed" href="([^"]*)"', page)
    answer = get(site, place.removeprefix("http://localhost")).json()
    assert f'src="http://localhost/embed/{GELU}?device=ascend"' in answer["html"]
