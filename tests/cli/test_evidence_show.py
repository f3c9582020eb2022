"""`msmap evidence show`: every run of a record's checks, and scripts that repeat one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from tests.builders.commands import Done, Run

from msmap.query.knowledge_base import KnowledgeBase
from msmap.verify import script as snippet
from msmap.verify.plan import job, variants

GELU = """\
torch.nn.GELU  torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64
mindspore.nn.GELU
  exact                             verified                gradients agree
    import-only                     agrees
    graph                           agrees
    float16                         agrees
    bfloat16                        forward agrees
    float64                         MindSpore raises        TypeError: unsupported dtype
    int32                           PyTorch takes none
    int64                           PyTorch takes none
    bool                            PyTorch takes none
mindspore.mint.nn.GELU
  mint                              untestable here         Unsupported op [Gelu] on CPU
msmap evidence show torch.nn.GELU CHECK/VARIANT > run.py; python run.py
"""
DROPOUT = """\
torch.nn.Dropout  torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64
mindspore.nn.Dropout
  training                          仅验证前向
  position                          差异与记录一致          True | False
msmap evidence show torch.nn.Dropout CHECK/VARIANT > run.py; python run.py
"""
EMPTY_CACHE = """\
torch.cuda.empty_cache
msmap evidence show torch.cuda.empty_cache CHECK/VARIANT > run.py; python run.py
"""
CAT = """\
## torch.cat

| check | variant | outcome | |
|---|---|---|---|
| `last` |  | verified | gradients agree |
| `last` | positional | agrees |  |
| `last` | keyword | agrees |  |
| `last` | shuffled | agrees |  |
| `last` | defaults | agrees |  |
| `last` | import-only | agrees |  |
| `last` | graph | agrees |  |
| `last` | float16 | agrees |  |
| `last` | bool | no kernel here |  |
| `axis` |  | verified | gradients agree |
"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory without data: what is installed is shown."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (["nn.GELU"], GELU),
        (["nn.GELU", "--environment", "mindspore-2.10"], GELU),
        (["torch.nn.Dropout", "--lang", "zh"], DROPOUT),
        (["torch.cat", "--format", "markdown"], CAT),
        (["torch.cuda.empty_cache"], EMPTY_CACHE),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_prints_check_by_check_and_variant_by_variant(
    arguments: list[str], out: str, run: Run
) -> None:
    assert run("evidence", "show", *arguments) == Done(0, out, "")


def test_nothing_is_known_of_an_environment_where_nothing_ran(run: Run) -> None:
    assert run("evidence", "show", "torch.Tensor.size", "--environment", "macos") == Done(
        0,
        "torch.Tensor.size\n"
        "  all                               unverified\n"
        "  first                             unverified\n"
        "msmap evidence show torch.Tensor.size CHECK/VARIANT > run.py; python run.py\n",
        "",
    )


@pytest.mark.parametrize(("form", "load"), [("json", json.loads), ("yaml", yaml.safe_load)])
def test_as_data_it_is_the_checks_of_the_record(
    form: str, load: Callable[[str], Any], run: Run
) -> None:
    found = load(run("evidence", "show", "nn.GELU", "--format", form).out)
    whole = json.loads(run("lookup", "nn.GELU", "-v", "--format", "json").out)
    assert found["torch"] == "torch.nn.GELU"
    assert found["checks"] == whole["answers"][0]["record"]["checks"]
    jsonschema.validate(found, json.loads(run("schema", "evidence-show").out))


@pytest.mark.parametrize(
    ("place", "language", "told"),
    [
        ("exact", "en", "# verified\n"),
        ("exact", "zh", "# 已验证\n"),
        ("exact/float16", "en", "# agrees\n"),
        ("exact/float64", "en", "# MindSpore raises\n# TypeError: unsupported dtype\n"),
        ("exact/zeros", "en", "# unverified\n"),
        ("mint", "en", "# untestable here\n# Unsupported op [Gelu] on CPU\n"),
    ],
)
def test_one_run_is_what_is_known_of_it_and_a_script(
    place: str, language: str, told: str, run: Run, kb: KnowledgeBase
) -> None:
    record = kb.lookup("nn.GELU")
    name, _, variant = place.partition("/")
    made = job.make(record.torch, next(c for c in record.checks if c.id == name))
    if variant:
        found = variants.of(record, kb)[name]
        made = made.variant(variants.plain(next(v for v in found if v.name == variant)))
    assert run("evidence", "show", "nn.GELU", place, "--lang", language) == Done(
        0, told + snippet.script(made, variant), ""
    )


EXACT = (
    "import-only, graph, float16, bfloat16, float64, int32, int64, bool, zero-d, empty, size-1, "
    "non-contiguous, zeros, nonfinite, overflow"
)


@pytest.mark.parametrize(
    ("arguments", "err"),
    [
        (["nn.GELU", "odd"], "torch.nn.GELU has no check `odd`; it has exact, mint"),
        (["nn.GELU", "exact/odd"], f"`exact` has no variant `odd`; it has {EXACT}"),
        (["nn.GELU", "exact/in-place"], f"`exact` has no variant `in-place`; it has {EXACT}"),
        (["nn.Dropout", "position/graph"], "`position` has no variant `graph`; it has none"),
    ],
)
def test_what_is_not_there_names_what_is(arguments: list[str], err: str, run: Run) -> None:
    assert run("evidence", "show", *arguments) == Done(1, "", f"msmap: {err}\n")


def test_an_unknown_name_is_answered_as_everywhere(run: Run) -> None:
    done = run("evidence", "show", "nn.Dropot")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(
        'msmap: "nn.Dropot" is not a name of PyTorch or MindSpore\nnearest: torch.nn.Dropout, '
    )


def test_a_checkout_shows_its_own_data(checkout: Path, run: Run) -> None:
    """The evidence of a check that was changed is stale, whatever the installed database says."""
    path = checkout / "records/torch/nn/GELU.yaml"
    installed = run("evidence", "show", "nn.GELU", "--data", "nowhere")
    assert run("evidence", "show", "nn.GELU") == installed
    text = path.read_text(encoding="utf-8")
    assert text.count("torch.nn.GELU()(x)") == 1
    path.write_text(text.replace("torch.nn.GELU()(x)", "torch.nn.GELU()(x + 1)"), encoding="utf-8")
    found = json.loads(run("evidence", "show", "nn.GELU", "--format", "json").out)
    outcomes = {c["id"]: c["evidence"][0]["outcome"] for c in found["checks"]}
    assert outcomes == {"exact": "stale", "mint": "untestable"}
    assert "(x + 1)" in run("evidence", "show", "nn.GELU", "exact").out
    assert run("evidence", "show", "torch.relu") == Done(
        1, "", "msmap: no record of torch.relu below data\n"
    )


def test_one_run_as_data_has_its_script(run: Run) -> None:
    found = json.loads(run("evidence", "show", "nn.GELU", "exact/float16", "-f", "json").out)
    jsonschema.validate(found, json.loads(run("schema", "evidence-run").out))
    told = run("evidence", "show", "nn.GELU", "exact/float16").out
    assert (found["check"], found["variant"], found["finding"]["outcome"]) == (
        "exact", "float16", "agrees"
    )  # fmt: skip
    assert told == f"# agrees\n{found['script']}"
