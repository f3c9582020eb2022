"""What becomes of everything around calls, by the records under fixtures/records."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import support
from tests.builders.support import outcome

from msmap.assemble.base import Base
from msmap.model import Edit, Port, Refusal, Text
from msmap.port import rewrite


@pytest.fixture(scope="module")
def world() -> Base:
    return support.world()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.softmax(torch.abs(x), 1)", "mindspore.ops.softmax(mindspore.ops.abs(x), 1)"),
        ("torch.max(x)", "mindspore.ops.amax(x)"),
        ("torch.max(x, other=y)", "mindspore.ops.maximum(x, other=y)"),
        ("torch.max(x, 1, True)", "mindspore.ops.max(x, 1, True)"),
        ("torch.max(x, dim=1).values", "mindspore.ops.max(x, axis=1)[0]"),
        ("torch.max(x, dim=1)[0]", "mindspore.ops.max(x, axis=1)[0]"),
        ("x.permute(0, 2, 1)", "mindspore.ops.permute(x, (0, 2, 1))"),
        ("x.permute((0, 2, 1))", "mindspore.ops.permute(x, (0, 2, 1))"),
        ("x.permute([0, 2, 1])", "mindspore.ops.permute(x, [0, 2, 1])"),
        ("x.permute(*dims)", "mindspore.ops.permute(x, dims)"),
        ("x.permute(dims=d)", "mindspore.ops.permute(x, axis=d)"),
        ("x.size()", "x.shape"),
        ("x.size(0)", "x.shape[0]"),
        ("x.size(dim=-1)", "x.shape[-1]"),
        (
            "nn.Linear(3, out_features=4, device='cuda')",
            "mindspore.nn.Dense(3, out_channels=4)",
        ),
        ("nn.Linear(3, 4, False)", "mindspore.nn.Dense(3, 4, has_bias=False)"),
        ("nn.Linear(3, 4)(input=x)", "mindspore.nn.Dense(3, 4)(x=x)"),
        (
            "nn.Sequential(nn.Linear(3, 4), block)",
            "mindspore.nn.SequentialCell(mindspore.nn.Dense(3, 4), block)",
        ),
        ("nn.Sequential(*layers)", "mindspore.nn.SequentialCell(*layers)"),
        (
            "nn.Sequential(*[nn.Linear(n, n) for n in sizes])",
            "mindspore.nn.SequentialCell(*[mindspore.nn.Dense(n, n) for n in sizes])",
        ),
        ("x.to(torch.float32)", "x.to(mindspore.float32)"),
        ("torch.softmax(x, 1, dtype=torch.float32)",
         "mindspore.ops.softmax(x, 1, dtype=mindspore.float32)"),
        ("map(torch.abs, xs)", "map(mindspore.ops.abs, xs)"),
        ("f = torch.abs", "f = mindspore.ops.abs"),
        ("lambda x, f=torch.abs: f(torch.abs(x))",
         "lambda x, f=mindspore.ops.abs: f(mindspore.ops.abs(x))"),
        ("{torch.abs(k): torch.abs(v) for k, v in d}",
         "{mindspore.ops.abs(k): mindspore.ops.abs(v) for k, v in d}"),
        ("{**a, 'k': torch.abs(x)}", "{**a, 'k': mindspore.ops.abs(x)}"),
        ("x[torch.abs(i):, ::torch.abs(j)]", "x[mindspore.ops.abs(i):, ::mindspore.ops.abs(j)]"),
        ("f'{x} {y:>{width}}' + str(torch.abs(x))",
         "f'{x} {y:>{width}}' + str(mindspore.ops.abs(x))"),
        ("model(torch.abs(x))(torch.abs(y))", "model(mindspore.ops.abs(x))(mindspore.ops.abs(y))"),
        ("model(x)", "model(x)"),
        ("", ""),
    ],
)  # fmt: skip
def test_calls_and_names_are_ported_wherever_they_stand(
    world: Base, code: str, expected: str
) -> None:
    assert outcome(rewrite.rewrite(code, world)) == expected


@pytest.mark.parametrize(
    "code",
    [
        "x = [1,2 ,3]  # torch.abs(x) in a comment",
        "text = 'torch.abs(x)'",
        "if a :\n\tb( c,\n\t   d )\n\n\nelse: pass",
        "é = 学习率 ** 2",
        "torchvision.ops.nms(x)",
        "F = 3",
        "self.relu(x)",
        "import math\nmath.sqrt(2)",
        "import numpy as np\nnp.sqrt(x)",
        "import numpy\nnumpy.max(x)",
        "from os import path\npath.relu(1)",
        "x = y.shape",
        "super().__init__()",
        "def f(x, /, y: int = 1, *z, w=2, **k) -> int: ...",
        "@cached\n@wraps( f )\ndef g(): ...",
        "async def f():\n    async with a as b, c: await d",
        "x = 1;  y = 2",
        "a \\\n  = b",
        "print(f'{x!r:>{n}}' '}' \"{\")",
    ],
)
def test_code_without_pytorch_stays_byte_for_byte(world: Base, code: str) -> None:
    assert rewrite.rewrite(code, world) == Port(code, code, (), (), ())


@pytest.mark.parametrize(
    "path", sorted(Path(rewrite.__file__).parent.glob("*.py")), ids=lambda p: p.name
)
def test_a_base_that_knows_nothing_changes_nothing(tmp_path: Path, path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert rewrite.rewrite(source, support.base(tmp_path, [], [])).code == source


MODULE = """\
# 残差块 ✓
import torch
from torch import nn


class Block(nn.Module):
    '''用 torch.abs'''

    @property
    def width(self): return self._width   # kept

    def __init__(self, 宽度 = 3 ):
        super().__init__()
        self.层 = nn.Sequential(nn.Linear(宽度, 4),   # first
            nn.Linear(4,4))

    def forward(self, x):
        "返回"; y = torch.softmax( x ,  dim = 1 ) ; z = torch.abs(y)
        return self.层(z) if x.size(0) > 1 else torch.abs(x)  # 完
"""
CELL = """\
# 残差块 ✓
from mindspore import nn, ops


class Block(nn.Cell):
    '''用 torch.abs'''

    @property
    def width(self): return self._width   # kept

    def __init__(self, 宽度 = 3 ):
        super().__init__()
        self.层 = nn.SequentialCell(nn.Dense(宽度, 4),   # first
            nn.Dense(4, 4))

    def construct(self, x):
        "返回"; y = ops.softmax(x, axis=1) ; z = ops.abs(y)
        return self.层(z) if x.shape[0] > 1 else ops.abs(x)  # 完
"""


def test_a_module_is_ported_call_by_call_and_everything_else_is_kept(world: Base) -> None:
    port = rewrite.rewrite(MODULE, world)
    assert outcome(port) == CELL
    assert (port.source, port.notes, port.refusals) == (MODULE, (), ())
    assert sorted(port.records) == [
        "torch.Tensor.size",
        "torch.abs",
        "torch.nn.Linear",
        "torch.nn.Module",
        "torch.nn.Sequential",
        "torch.softmax",
    ]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "@register\nclass Net( nn.Module , Base, key = 1 ): pass",
            "@register\nclass Net( mindspore.nn.Cell , Base, key = 1 ): pass",
        ),
        ("class Net(Base): pass", "class Net(Base): pass"),
        (
            "class Net(torch.nn.Module):\n    def helper(self): return torch.abs(self)",
            "class Net(mindspore.nn.Cell):\n    def helper(self): return mindspore.ops.abs(self)",
        ),
        (
            "class Net(torch.nn.Module):\n    @cached\n    def forward(self, forward):"
            " return forward",
            "class Net(mindspore.nn.Cell):\n    @cached\n    def construct(self, forward):"
            " return forward",
        ),
        (
            "class Net:\n    def forward(self): return torch.abs(self)",
            "class Net:\n    def forward(self): return mindspore.ops.abs(self)",
        ),
        (
            "class Net(torch.no_grad): pass",
            "torch.no_grad has no counterpart: take gradients with mindspore.grad only.",
        ),
    ],
)
def test_bases_of_classes_are_renamed_and_with_them_the_methods_they_call(
    world: Base, code: str, expected: str
) -> None:
    assert outcome(rewrite.rewrite(code, world)) == expected


@pytest.mark.parametrize(
    ("code", "kind", "reason"),
    [
        (
            "torch.nothing(x)",
            "unknown_name",
            "torch.nothing is no name of PyTorch that msmap knows",
        ),
        (
            "y = torch.nothing",
            "unknown_name",
            "torch.nothing is no name of PyTorch that msmap knows",
        ),
        ("torch.cat([x, y])", "no_record", "torch.cat is known, but has no record yet"),
        ("torch.concat([x, y])", "no_record", "torch.cat is known, but has no record yet"),
        ("x.relu()", "no_record", "torch.Tensor.relu is known, but has no record yet"),
        ("x.to(torch.float64)", "no_record", "torch.float64 is known, but has no record yet"),
        (
            "torch.no_grad()",
            "missing",
            "torch.no_grad has no counterpart: take gradients with mindspore.grad only.",
        ),
        (
            "x.cuda()",
            "removable",
            "torch.Tensor.cuda: delete this call; MindSpore needs nothing in its place",
        ),
        (
            "map(torch.softmax, xs)",
            "value",
            "torch.softmax without a call: its arguments differ in MindSpore",
        ),
        (
            "torch.max(x, y)",
            "ambiguous",
            "torch.max: an argument may be `other` or `dim`; write it as a keyword",
        ),
        (
            "torch.softmax(x, **options)",
            "unpacked",
            "torch.softmax: which parameters ** fills can't be told from the code; write them one"
            ' by one, as name=options["name"]',
        ),
        (
            "nn.Linear(*sizes)",
            "unpacked",
            "torch.nn.Linear: which parameters *sizes fills can't be told from the code",
        ),
        ("nn.Linear(3)", "no_overload", "torch.nn.Linear: needs `out_features`"),
        ("torch.abs(x, 1)", "no_overload", "torch.abs: takes at most 1 positional arguments"),
        (
            "f'{torch.abs(x)=}'",
            "f_string",
            "torch.abs inside an f-string: move it out of the string",
        ),
        ("torch.cat([x])(y)", "no_record", "torch.cat is known, but has no record yet"),
        (
            "f'{x.size(0)=} rows'",
            "f_string",
            "x.size inside an f-string: move it out of the string",
        ),
    ],
)
def test_what_cannot_be_ported_is_refused_with_its_kind_and_reason(
    world: Base, code: str, kind: str, reason: str
) -> None:
    port = rewrite.rewrite(code, world)
    assert (port.code, port.whole) == (code, None)
    assert [(r.kind, r.reason.en) for r in port.refusals] == [(kind, reason)]


@pytest.mark.parametrize(
    "code",
    [
        "from torch import abs\ny = abs(x)",
        "from torch.nn import Linear as Dense\nlayer = Dense(3, 4)",
        "import torch as t\ny = t.abs(x)",
        "from torch import nn\ny = nn.Unknown(x)",
        "import torch.nn.functional as fn\ny = fn.relu(x)",
    ],
)
def test_what_was_imported_from_pytorch_under_any_name_is_ported_or_refused(
    world: Base, code: str
) -> None:
    last = code.splitlines()[-1]
    assert last not in (rewrite.rewrite(code, world).whole or "")


def test_refusals_come_in_the_order_of_their_places(world: Base) -> None:
    code = """\
class Net(torch.nn.Module):
    def __init__(self): self.a = torch.cat([])
    def forward(self, x): return torch.cat(x)
    def other(self, x): return torch.cat(x)
"""
    assert [r.line for r in rewrite.rewrite(code, world).refusals] == [2, 3, 4]


def test_every_refusal_has_its_place_kind_source_and_reason_in_both_languages(world: Base) -> None:
    """Columns count characters, whatever their bytes."""
    code = "值 = torch.cat([x])\nif 值: 值2 = f(torch.abs(y)) + 值.cuda()\n"
    assert rewrite.rewrite(code, world) == Port(
        code,
        code.replace("torch.abs", "mindspore.ops.abs"),
        (Text("MindSpore moves it.", "由 MindSpore 移动。"),),
        (
            Refusal(
                1,
                4,
                1,
                18,
                "no_record",
                "torch.cat([x])",
                Text("torch.cat is known, but has no record yet", "torch.cat 已知，但尚无记录"),
            ),
            Refusal(
                2,
                29,
                2,
                37,
                "removable",
                "值.cuda()",
                Text(
                    "torch.Tensor.cuda: delete this call; MindSpore needs nothing in its place",
                    "torch.Tensor.cuda：删除此调用即可，MindSpore 无需任何替代",
                ),
            ),
        ),
        ("torch.abs", "torch.Tensor.cuda"),
        (("torch.abs", "mindspore.ops.abs"), ("torch.Tensor.cuda", "remove")),
        (Edit(2, 13, 2, 25, "mindspore.ops.abs(y)"),),
        {"torch.abs": "curated", "torch.Tensor.cuda": "curated"},
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.abs(x)\n", "mindspore.ops.abs(x)\n"),
        ("\n\n  torch.abs(x)  \n\n", "\n\n  mindspore.ops.abs(x)  \n\n"),
        ("\r\n\ttorch.abs(x)", "\r\n\tmindspore.ops.abs(x)"),
        ("\u3000torch.abs(x)\u3000", "\u3000mindspore.ops.abs(x)\u3000"),
        ("\n \n", "\n \n"),
    ],
)
def test_what_is_around_the_code_stays(world: Base, code: str, expected: str) -> None:
    assert outcome(rewrite.rewrite(code, world)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.abs(x)", [((1, 0), (1, 12), "mindspore.ops.abs(x)")]),
        (
            "\n\n  y = torch.abs(x)\nz = torch.abs(y)\n",
            [((3, 6), (3, 18), "mindspore.ops.abs(x)"), ((4, 4), (4, 16), "mindspore.ops.abs(y)")],
        ),
        ("f(torch.abs(\n  值))", [((1, 2), (2, 4), "mindspore.ops.abs(\n  值)")]),
        ("'😀', torch.abs(x), '值'", [((1, 5), (1, 17), "mindspore.ops.abs(x)")]),
        ("torch.abs(torch.abs(x))", [((1, 0), (1, 23), "mindspore.ops.abs(mindspore.ops.abs(x))")]),
        (
            "@d\nclass N(torch.nn.Module):\n  @e\n  def  forward(self, x): return torch.abs(x)",
            [
                ((2, 8), (2, 23), "mindspore.nn.Cell"),
                ((4, 7), (4, 14), "construct"),
                ((4, 32), (4, 44), "mindspore.ops.abs(x)"),
            ],
        ),
        ("x.to(y)\nz", []),
        (
            "torch.cat([torch.abs(x)])\ntorch.abs(y)",
            [
                ((1, 11), (1, 23), "mindspore.ops.abs(x)"),
                ((2, 0), (2, 12), "mindspore.ops.abs(y)"),
            ],
        ),
    ],
)  # fmt: skip
def test_a_port_tells_its_edits_one_by_one(
    world: Base, code: str, expected: list[tuple[tuple[int, int], tuple[int, int], str]]
) -> None:
    """What stays the same is no edit; beside a refusal there may still be some."""
    assert [
        ((e.line, e.column), (e.end_line, e.end_column), e.text)
        for e in rewrite.rewrite(code, world).edits
    ] == expected


def test_a_result_whose_fields_stay_is_left_as_it_is_written(world: Base) -> None:
    code = "y = (a.run(torch.abs(x))  # why\n  .values)"
    assert outcome(rewrite.rewrite(code, world)) == code.replace("torch", "mindspore.ops")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.max(x, 1)\nrun(y).values", "mindspore.ops.max(x, 1)\nrun(y).values"),
        ("torch.max(x, 1)\na.run(y).values", "mindspore.ops.max(x, 1)\na.run(y).values"),
        ("a.run(torch.max(x, 1)).values", "a.run(mindspore.ops.max(x, 1)).values"),
    ],
)
def test_fields_are_replaced_only_on_results_of_the_record(
    world: Base, code: str, expected: str
) -> None:
    assert outcome(rewrite.rewrite(code, world)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "x = torch.abs(a)\r\ny = torch.abs(b)",
            "x = mindspore.ops.abs(a)\r\ny = mindspore.ops.abs(b)",
        ),
        ("'''\f'''\nx = torch.abs(a)", "'''\f'''\nx = mindspore.ops.abs(a)"),
        ("'\u2028'\nx = torch.abs(a)", "'\u2028'\nx = mindspore.ops.abs(a)"),
        ("变量 = '😀'; y = torch.abs(变量)", "变量 = '😀'; y = mindspore.ops.abs(变量)"),
        ("torch.abs(f(a,  # why\n  b))", "mindspore.ops.abs(f(a,  # why\n  b))"),
        ("torch.abs(a\n  + b)", "mindspore.ops.abs(a\n  + b)"),
    ],
)
def test_lines_and_characters_of_all_kinds_keep_their_places(
    world: Base, code: str, expected: str
) -> None:
    assert outcome(rewrite.rewrite(code, world)) == expected


def test_what_is_not_python_is_a_syntax_error(world: Base) -> None:
    with pytest.raises(SyntaxError):
        rewrite.rewrite("torch.abs(", world)
