"""Shared builders: names of small made-up releases, and records written as YAML."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

from msmap import model
from msmap.assemble import content, records
from msmap.assemble.base import Base
from msmap.assemble.content import Content
from msmap.curated import load
from msmap.evidence import files as evidence
from msmap.model import Check, Port
from msmap.port import rewrite
from msmap.signatures import files
from msmap.signatures.files import Api
from msmap.signatures.release import Signatures
from msmap.verify.plan.variants import GENERATION

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"


def function(name: str, *signatures: str) -> Api:
    """A function with its overloads."""
    return Api(name, "function", signatures)


def method(name: str, *signatures: str) -> Api:
    """A method with its overloads, written without ``self``."""
    return Api(name, "method", signatures)


def layer(name: str, *signatures: str, call: str = "") -> Api:
    """A class; ``call`` is the signature with which its instances are called."""
    return Api(name, "class", signatures, (call,) if call else ())


def named(name: str, kind: str) -> Api:
    """A name without a signature: a property, a dtype, a constant or a module."""
    return Api(name, kind)


def signatures(framework: str, apis: Iterable[Api]) -> Signatures:
    """One release of one framework that has these names."""
    return Signatures(framework, "1.0", {api.name: api for api in apis})


def read(directory: Path, mindspore: str | None = None) -> Content:
    """Everything below a data directory, joined for one release."""
    return content.read(directory, mindspore, generation=GENERATION)


def read_all(directory: Path) -> Content:
    """Everything below a data directory, joined for every release."""
    return content.read_all(directory, generation=GENERATION)


def yaml(name: str, body: str) -> str:
    """A record's file: the name and a summary, then ``body``."""
    return f"torch: {name}\nsummary: {{en: Does it., zh: 完成运算。}}\n{dedent(body)}"


def base(
    folder: Path, torch: Iterable[Api], mindspore: Iterable[Api], *written: tuple[str, str]
) -> Base:
    """Records, as pairs of a PyTorch name and the YAML below its summary, joined with names."""
    loaded = []
    for number, (name, body) in enumerate(written):
        path = folder / f"{number}.yaml"
        path.write_text(yaml(name, body), encoding="utf-8")
        loaded.append(load.read_record(path).item)
    return records.join(
        signatures("torch", torch), signatures("mindspore", mindspore), loaded, [], GENERATION
    )


def ported(folder: Path, torch: Api, mindspore: Api, body: str, code: str) -> Port:
    """The port of ``code`` where ``body`` is the record of the only PyTorch name."""
    return rewrite.rewrite(code, base(folder, [torch], [mindspore], (torch.name, body)))


def outcome(port: Port) -> str:
    """The ported code, or, line by line, why some of it was refused."""
    return port.whole if port.whole is not None else "\n".join(r.reason.en for r in port.refusals)


WORLD_TORCH = [
    function("torch.abs", "(input: Tensor, *, out: Tensor | None = None)"),
    function("torch.softmax", "(input: Tensor, dim: int, *, dtype: dtype | None = None)"),
    function(
        "torch.max",
        "(input: Tensor)",
        "(input: Tensor, other: Tensor)",
        "(input: Tensor, dim: int, keepdim: bool = False)",
    ),
    function("torch.cat", "(tensors: Sequence[Tensor], dim: int = 0) -> Tensor"),
    Api("torch.concat", "function", ("(tensors: Sequence[Tensor])",), alias_of="torch.cat"),
    method("torch.Tensor.permute", "(dims: Sequence[int])", "(*dims: int)"),
    method("torch.Tensor.size", "(dim: None = None)", "(dim: int)"),
    method("torch.Tensor.cuda", "(device=None)"),
    method("torch.Tensor.relu", "()"),
    method("torch.Tensor.sqrt", "()"),
    layer("torch.no_grad", "()"),
    layer(
        "torch.nn.Linear",
        "(in_features, out_features, bias=True, device=None)",
        call="(input)",
    ),
    layer("torch.nn.Sequential", "(*args)", call="(input)"),
    layer("torch.nn.Module", "()"),
    named("torch.float32", "dtype"),
    named("torch.float64", "dtype"),
]
WORLD_MINDSPORE = [
    function("mindspore.ops.abs", "(input)"),
    function("mindspore.ops.softmax", "(input, axis, *, dtype=None)"),
    function("mindspore.ops.max", "(input, axis=None, keepdims=False)"),
    function("mindspore.ops.maximum", "(input, other)"),
    function("mindspore.ops.permute", "(input, axis)"),
    named("mindspore.Tensor.shape", "property"),
    layer(
        "mindspore.nn.Dense",
        "(in_channels, out_channels, weight_init=None, has_bias=True)",
        call="(x)",
    ),
    layer("mindspore.nn.SequentialCell", "(*args)", call="(input)"),
    layer("mindspore.nn.Cell", "()"),
    named("mindspore.float32", "dtype"),
]


def world() -> Base:
    """The records under tests/fixtures/records, joined with the names above."""
    found = [load.read_record(path).item for path in sorted((FIXTURES / "records").glob("*.yaml"))]
    return records.join(
        signatures("torch", WORLD_TORCH),
        signatures("mindspore", WORLD_MINDSPORE),
        found,
        [],
        GENERATION,
    )


RELU = """\
torch: torch.relu
summary: {en: Cuts off what is negative., zh: 将负值截为零。}
targets:
  - api: mindspore.ops.relu
    parameters:
      - {mindspore: inplace, relation: target_only_keep_default}
caveats:
  - id: slow
    impact: silent
    mindspore: "<2.10"
    text: {en: It drops the sign of zero., zh: 零的符号会丢失。}
    shown_by: [zero]
checks:
  - id: plain
    torch: torch.relu(x)
  - id: zero
    torch: torch.relu(x * -0.0)
    expect: differs
inputs:
  x: float32[2, 3]
"""


def write_releases(directory: Path) -> None:
    """MindSpore 2.8.0 and 2.9.0 beside the 2.10.0 of a data directory.

    `mindspore.mint.cat` came with 2.10.0, `mindspore.ops.relu` with 2.9.0; `mindspore.ops.gone`
    left with 2.9.0, which gave `mindspore.nn.Dropout` a dtype; 2.10.0 deprecates
    `mindspore.nn.Flatten`. There is a record of `torch.relu`, and no evidence of 2.8.0; all that
    ran elsewhere is verified, but for the last line of `torch.cat` with 2.9.0.
    """
    folder = directory / "signatures"
    newest = files.load(folder / "mindspore-2.10.0.jsonl")
    flatten, dropout = newest["mindspore.nn.Flatten"], newest["mindspore.nn.Dropout"]
    now = newest | {flatten.name: replace(flatten, deprecated="Deprecated from version 2.10.0.")}
    before = {name: api for name, api in newest.items() if name != "mindspore.mint.cat"}
    first = {name: api for name, api in before.items() if name != "mindspore.ops.relu"}
    first["mindspore.ops.gone"] = function("mindspore.ops.gone", "(x)")
    first[dropout.name] = replace(dropout, signatures=("(keep_prob=0.5, p=None)",))
    for release, apis in (("2.8.0", first), ("2.9.0", before), ("2.10.0", now)):
        files.write(apis.values(), folder / f"mindspore-{release}.jsonl")
    (directory / "records" / "torch" / "relu.yaml").write_text(RELU, encoding="utf-8")
    for release in ("2.9.0", "2.10.0"):
        base = read(directory, release).base
        owned = model.owned(base.records.values(), base.guides.values()).items()
        evidence.write(
            directory / "evidence" / f"{ENVIRONMENT.format(release)}.jsonl",
            [_line(owner, check, release) for owner, checks in owned for check in checks],
        )


ENVIRONMENT = "torch-2.13.0_mindspore-{}_cpu_linux-x86_64"


def _line(owner: str, check: Check, release: str) -> evidence.Line:
    if (owner, check.id, release) == ("torch.cat", "last", "2.9.0"):
        return evidence.Line(owner, check.id, check.hash, "refuted", message="1 of 2 differ")
    gradient = "none" if release == "2.9.0" else ""
    return evidence.Line(owner, check.id, check.hash, "verified", gradient=gradient)
