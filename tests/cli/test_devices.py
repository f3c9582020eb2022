"""Answers for a device: `--device` and `$MSMAP_DEVICE`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.builders.commands import Done, Run

from msmap.store import build as store

CAVEATS = """\
caveats:
  - id: only-seen
    impact: silent
    device: [CPU]
    text: {en: "The kernel rounds.", zh: "内核会舍入。"}
    shown_by: [exact]
  - id: everywhere
    impact: note
    text: {en: "Another default.", zh: "默认值不同。"}
    shown_by: [exact]
checks:
"""
ALL = """\
torch.nn.GELU -> mindspore.nn.GELU
The Gaussian error linear unit.
behaviour differs · verified

  PyTorch    torch.nn.GELU()(x)
  MindSpore  mindspore.nn.GELU(approximate=False)(x)

[silent] seen on CPU: The kernel rounds.
[note] Another default.

"""
ASCEND = """\
torch.nn.GELU -> mindspore.mint.nn.GELU
The Gaussian error linear unit.
behaviour differs · untestable here (CPU)

  PyTorch    torch.nn.GELU()(x)
  MindSpore  mindspore.mint.nn.GELU()(x)

[note] Another default.

Targets
  1 mindspore.mint.nn.GELU  Ascend                      behaviour differs  untestable here (the\
 operator has no kernel on this device) (CPU)
      Closer to PyTorch.
      1 untestable here
  2 mindspore.nn.GELU       Ascend GPU CPU, ran on CPU  behaviour differs  verified (CPU)
"""
FOLDED = {
    "en": "seen on CPU, not known on Ascend\n  [silent] The kernel rounds.\nEvidence  ",
    "zh": "仅在 CPU 上观察到，Ascend 上未知\n  [静默] 内核会舍入。\n证据  ",
}
MARKDOWN = """\
- **note**: Another default.

<details><summary>seen on CPU, not known on Ascend</summary>

- **silent** (seen on CPU): The kernel rounds.

</details>
"""


@pytest.fixture(scope="module")
def devices(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database whose GELU has a caveat that was seen on CPU alone."""
    directory = tmp_path_factory.mktemp("devices")
    shutil.copytree(data, directory / "data")
    path = directory / "data/records/torch/nn/GELU.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("checks:\n", CAVEATS, 1), encoding="utf-8")
    store.build(directory / "data", directory / "msmap.db")
    return directory / "msmap.db"


@pytest.fixture(autouse=True)
def base(devices: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command reads that database."""
    monkeypatch.setenv("MSMAP_DB", str(devices))


def test_without_a_device_a_caveat_tells_where_it_was_seen(run: Run) -> None:
    assert run("lookup", "nn.GELU", "-v").out.startswith(ALL)


@pytest.mark.parametrize("options", [[], ["-v"]])
def test_chinese_is_punctuated_as_chinese(options: list[str], run: Run) -> None:
    out = run("lookup", "nn.GELU", "--lang", "zh", *options).out
    assert "见于 CPU：" in out
    assert "见于 CPU:" not in out


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_best_target_there_comes_first_and_what_is_not_known_there_last(
    language: str, run: Run
) -> None:
    out = run("lookup", "nn.GELU", "-v", "--device", "ascend", "--lang", language).out
    assert out.startswith(ASCEND) or language == "zh"
    assert FOLDED[language] in out


def test_where_it_was_seen_nothing_is_folded(run: Run) -> None:
    done = run("lookup", "nn.GELU", "-v", "--device", "CPU")
    assert done.out.startswith(ALL)
    assert "not known on" not in done.out


def test_markdown_folds_what_is_not_known_there(run: Run) -> None:
    assert MARKDOWN in run("lookup", "nn.GELU", "--device", "ascend", "-v", "-f", "markdown").out


def test_data_is_in_the_order_for_the_device(run: Run) -> None:
    done = run("lookup", "nn.GELU", "--device", "ASCEND", "--format", "json")
    record = json.loads(done.out)["answers"][0]["record"]
    assert [(t["api"], t["runs_on"], t["ran_on"]) for t in record["targets"]] == [
        ("mindspore.mint.nn.GELU", ["Ascend"], []),
        ("mindspore.nn.GELU", ["Ascend", "GPU", "CPU"], ["CPU"]),
    ]
    assert [(c["id"], c["device"]) for c in record["caveats"]] == [
        ("everywhere", []), ("only-seen", ["CPU"]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [["lookup", "nn.GELU"], ["lookup", "nn.GELU", "-f", "json"], ["port", "torch.nn.GELU()"]],
    ids=" ".join,
)
def test_the_variable_is_the_option(arguments: list[str], run: Run) -> None:
    """Also where stored pages would be printed; the option decides before it."""
    asked = run(*arguments, "--device", "ascend")
    assert asked != run(*arguments, "--device", "cpu")
    assert run(*arguments, MSMAP_DEVICE="Ascend") == asked
    assert run(*arguments, "--device", "ascend", MSMAP_DEVICE="cpu") == asked


def test_code_is_written_for_the_device(run: Run) -> None:
    ported = Done(0, "mindspore.mint.nn.GELU()\n", "")
    assert run("port", "torch.nn.GELU()", "-d", "ascend") == ported


def test_a_list_shows_the_best_there_and_filters_by_the_option_alone(run: Run) -> None:
    named = ["list", "--namespace", "torch.nn"]
    told = {line.split("\t")[0]: line.split("\t")[1] for line in run(*named).out.splitlines()}
    assert told["torch.nn.GELU"] == "mindspore.nn.GELU"
    there = "torch.nn.GELU\tmindspore.mint.nn.GELU\tbehaviour_differs\tuntestable\tAscend\t-\n"
    assert there in run(*named, "--device", "Ascend").out
    shown = run(*named, MSMAP_DEVICE="ascend").out
    assert there in shown
    assert [line.split("\t")[0] for line in shown.splitlines()] == list(told)


@pytest.mark.parametrize("arguments", [["lookup", "cat"], ["port", "x"], ["list"]], ids=" ".join)
def test_no_device_of_that_name_is_wrong_usage(arguments: list[str], run: Run) -> None:
    done = run(*arguments, MSMAP_DEVICE="tpu")
    assert (done.status, done.out) == (2, "")
    assert all(name in done.err for name in ("tpu", "ascend", "gpu", "cpu"))
