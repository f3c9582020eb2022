"""What is PyTorch's, and would come out wrong if its counterpart were only written in its place."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from tests.builders.support import base, function, layer, method, named

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite

TORCH = [
    layer("torch.nn.Module", "()"),
    layer("torch.nn.Loss", "(size_average=None, reduce=None)", call="(input, target)"),
    layer("torch.nn.BatchNorm", "(n)", call="(input)"),
    layer("torch.nn.Norm", "(n)", call="(input)"),
    layer("torch.nn.Linear", "(a, b)", call="(input)"),
    layer("torch.optim.SGD", "(params)"),
    layer("torch.LongTensor", "(data: Sequence)", "(*size: int)"),
    method("torch.nn.Module.parameters", "() -> Iterator[Parameter]"),
    method("torch.optim.Optimizer.step", "()"),
    method("torch.Tensor.any", "() -> Tensor"),
    method("torch.Tensor.bool", "() -> Tensor"),
    method("torch.Tensor.real", "() -> Tensor"),
    named("torch.Tensor.imag", "property"),
    function("torch.zeros", "(n) -> Tensor"),
    function("torch.max", "(input: Tensor, other: Tensor) -> Tensor",
             "(input: Tensor, dim: int) -> return_types.max"),
    function("torch.norm", "(input, bias=None) -> Tensor"),
    function("torch.save", "(obj, f)"),
    function("torch.accelerator.current_accelerator", "() -> device"),
]  # fmt: skip
MINDSPORE = [
    layer("mindspore.nn.Cell", "()"),
    layer("mindspore.nn.Loss", "()", call="(logits, labels)"),
    layer("mindspore.nn.BatchNorm", "(n)", call="(x)"),
    layer("mindspore.nn.Norm", "(n)", call="(x)"),
    layer("mindspore.nn.Linear", "(a, b)", call="(x)"),
    layer("mindspore.nn.SGD", "(params)"),
    method("mindspore.nn.Cell.get_parameters", "()"),
    method("mindspore.Tensor.bool", "()"),
    function("mindspore.zeros", "(n)"),
    function("mindspore.save", "(obj, f)"),
]
RECORDS = [
    ("torch.nn.Module", "targets: [{api: mindspore.nn.Cell, members: {forward: construct}}]\n"),
    ("torch.nn.Loss", "targets:\n  - api: mindspore.nn.Loss\n    inputs:\n"
     "      - {torch: input, mindspore: logits, relation: renamed}\n"
     "      - {torch: target, mindspore: labels, relation: value_transformed,"
     " value: 'mindspore.i({target})'}\n"),
    ("torch.nn.BatchNorm", "targets: [{api: mindspore.nn.BatchNorm,"
     " state: [{torch: weight, mindspore: gamma}]}]\n"),
    ("torch.nn.Norm", "targets: [{api: mindspore.nn.Norm,"
     " state: [{torch: weight, mindspore: scale}]}]\n"),
    ("torch.nn.Linear", "targets: [{api: mindspore.nn.Linear}]\n"),
    ("torch.optim.SGD", "targets: [{api: mindspore.nn.SGD}]\n"),
    ("torch.LongTensor", "overloads: ['(data: Sequence)', '(*size: int)']\ntargets:\n"
     "  - {expression: 'mindspore.tensor({data})', id: data, given: [data]}\n"
     "  - {expression: 'mindspore.empty({size})', id: size, absent: [data]}\n"),
    ("torch.nn.Module.parameters", "targets: [{api: mindspore.nn.Cell.get_parameters}]\n"),
    ("torch.optim.Optimizer.step", "targets: [{expression: '{self}(grads)', id: it}]\n"),
    ("torch.Tensor.any", "targets: [{expression: '{self}.bool().any()', id: it}]\n"),
    ("torch.Tensor.bool", "targets: [{api: mindspore.Tensor.bool}]\n"),
    ("torch.zeros", "targets: [{api: mindspore.zeros}]\n"),
    ("torch.max", "targets:\n  - {expression: 'mindspore.maximum({input}, {other})', id: two,"
     " given: [other]}\n  - {expression: 'mindspore.max({input}, {dim})', id: one,"
     " given: [dim]}\n"),
    ("torch.norm", "targets:\n  - expression: 'mindspore.norm({input}, {bias})'\n    id: it\n"
     "    parameters:\n      - torch: bias\n        mindspore: bias\n"
     "        relation: value_transformed\n        cases:\n"
     "          - {when: none, set: {bias: 'mindspore.zeros(1)'}}\n"
     "          - {when: any, set: {bias: '{bias}'}}\n"),
    ("torch.save", "targets: [{api: mindspore.save}]\n"),
    ("torch.accelerator.current_accelerator",
     "targets: [{expression: mindspore.device, id: it}]\n"),
]  # fmt: skip


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return base(tmp_path_factory.mktemp("meant"), TORCH, MINDSPORE, *RECORDS)


def last(code: str, facts: Base) -> str:
    """The last line of the port, or why that was refused."""
    done = rewrite("import torch\n" + dedent(code), facts, imports=False)
    assert done.code is not None
    line = done.code.rstrip().count("\n") + 1
    said = [r.reason.en for r in done.refusals if r.line == line]
    return said[0] if said else done.code.rstrip().rpartition("\n")[2].strip()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # Parameters of layers.
        ("m = torch.nn.BatchNorm(3)\nm.weight", "m.gamma"),
        ("def f(m):\n    if isinstance(m, torch.nn.BatchNorm):\n        m.weight = 1",
         "m.gamma = 1"),
        ("def f(m):\n    if isinstance(m, (torch.nn.BatchNorm, torch.nn.Norm)):\n        m.weight",
         'getattr(m, next(name for name in ("gamma", "scale") if hasattr(m, name)))'),
        ("class B(torch.nn.BatchNorm):\n    def f(self):\n        return self.weight",
         "return self.gamma"),
        ("class B(torch.nn.BatchNorm):\n    def f(self):\n        self.weight = torch.zeros(3)",
         "self.gamma = mindspore.zeros(3)"),
        ("a, b = torch.nn.BatchNorm(3), torch.nn.Linear(1, 2)\na.weight = b.weight",
         "a.gamma = b.weight"),
        # What losses are called with.
        ("loss = torch.nn.Loss()\nloss(x, y)", "loss(x, mindspore.i(y))"),
        ("loss = torch.nn.Loss()\nloss(target=y, input=x)",
         "loss(logits=x, labels=mindspore.i(y))"),
        ("class A:\n    def __init__(self):\n        self.loss = torch.nn.Loss()\n"
         "    def f(self, x, y):\n        return self.loss(x, y)",
         "return self.loss(x, mindspore.i(y))"),
        ("def f(loss: torch.nn.Loss, x, y):\n    return loss(x, y)",
         "return loss(x, mindspore.i(y))"),
        ("class A:\n    def __init__(self):\n        self.setup()\n    def setup(self):\n"
         "        self.loss = torch.nn.Loss()\n"
         "def f(a: A, x, y):\n    return a.loss(x, y)", "return a.loss(x, mindspore.i(y))"),
        ("torch.nn.Loss()(x, y)", "mindspore.nn.Loss()(x, mindspore.i(y))"),
        ("torch.nn.Loss(size_average=False)",
         "torch.nn.Loss: `size_average=False`: write reduction= instead"),
        ("torch.nn.Loss(reduce=False)", "torch.nn.Loss: `reduce=False`: write reduction= instead"),
        ("torch.nn.Loss(reduce=None)", "mindspore.nn.Loss()"),
        # Properties and methods without a record.
        ("x = torch.zeros(3)\nx.imag", "torch.Tensor.imag is known, but has no record yet"),
        ("x = torch.zeros(3)\nx.real()", "torch.Tensor.real is known, but has no record yet"),
        ("x = torch.zeros(3)\nx.imag = y", "torch.Tensor.imag is known, but has no record yet"),
        # What an argument is.
        ("torch.LongTensor(n)", "torch.LongTensor: nothing proves whether `n` is data or a size;"
         " write torch.tensor or torch.empty"),
        ("n = 3\ntorch.LongTensor(n)", "mindspore.empty((n,))"),
        ("torch.LongTensor([n])", "mindspore.tensor([n])"),
        ("x = torch.zeros(3)\ntorch.LongTensor(x)", "mindspore.tensor(x)"),
        ("x = torch.zeros(3)\ntorch.max(x, x)", "mindspore.maximum(x, x)"),
        ("def f(x: torch.Tensor, n: int):\n    return torch.max(x, n)",
         "return mindspore.max(x, n)"),
        ("def f(x, b):\n    return torch.norm(x, b)",
         "return mindspore.norm(x, (mindspore.zeros(1) if b is None else b))"),
        ("b = torch.zeros(3)\ntorch.norm(x, b)", "mindspore.norm(x, b)"),
        ("torch.norm(x, None)", "mindspore.norm(x, mindspore.zeros(1))"),
        ("with open(p, 'wb') as f:\n    torch.save(x, f)",
         "torch.save: an open file is passed; MindSpore takes a path"),
        ("import io\nb = io.BytesIO()\ntorch.save(x, b)",
         "torch.save: an open file is passed; MindSpore takes a path"),
        ("from io import BytesIO\ntorch.save(x, BytesIO())",
         "torch.save: an open file is passed; MindSpore takes a path"),
        ("torch.save(x, 'a.ckpt')", "mindspore.save(x, 'a.ckpt')"),
        # What a result is.
        ("m = torch.nn.Linear(1, 2)\nnext(m.parameters())", "next(iter(m.get_parameters()))"),
        ("m = torch.nn.Linear(1, 2)\nlist(m.parameters())", "list(m.get_parameters())"),
        ("torch.accelerator.current_accelerator().type",
         "{'CPU': 'cpu', 'GPU': 'cuda', 'Ascend': 'npu'}[mindspore.get_context('device_target')]"),
        ("d = torch.accelerator.current_accelerator()\nd.type == 'cuda'",
         "mindspore.get_context('device_target') == 'GPU'"),
        # What the code must have.
        ("opt = torch.optim.SGD(p)\nopt.step()",
         "torch.optim.Optimizer.step: `grads` is needed, and nothing in the code makes it"),
        ("opt = torch.optim.SGD(p)\ngrads = f(x)\nopt.step()", "opt(grads)"),
        # What was ported before.
        ("x = torch.zeros(3)\nx.any()", "x.bool().any()"),
        ("x = torch.zeros(3)\nx.bool().any()", "x.bool().any()"),
        # Own modules over own modules.
        ("class A(torch.nn.Module): ...\nclass B(A):\n    def forward(self, x): ...",
         "def construct(self, x): ..."),
        ("class A(torch.nn.Module):\n    def _run(self, x): ...\n    forward = _run",
         "construct = _run"),
        ("class A(torch.nn.Module):\n    def forward(self, x): ...\nclass B(A):\n"
         "    def go(self, x):\n        return super().forward(x) + self.forward(x)",
         "return super().construct(x) + self.construct(x)"),
        ("class A(torch.nn.Module):\n    async def forward(self, x): ...",
         "async def construct(self, x): ..."),
        ("class A(torch.nn.Linear):\n    def forward(self, x):\n        return super().forward(x)",
         "return super().construct(x)"),
        ("m = torch.nn.Linear(1, 2)\nm.forward(x)", "m.construct(x)"),
        ("class A:\n    def forward(self, x):\n        return self.forward(x)",
         "return self.forward(x)"),
    ],
)  # fmt: skip
def test_what_is_meant_is_written(code: str, expected: str, facts: Base) -> None:
    assert last(code, facts) == expected


def test_what_is_refused_costs_one_call(facts: Base) -> None:
    code = "x = torch.zeros(torch.dog(torch.zeros(1)))\ny = torch.zeros(2)\n"
    done = rewrite(code, facts, imports=False)
    assert (done.code, done.whole, [(r.kind, r.source) for r in done.refusals]) == (
        "x = mindspore.zeros(torch.dog(mindspore.zeros(1)))\ny = mindspore.zeros(2)\n",
        None,
        [("unknown_name", "torch.dog(torch.zeros(1))")],
    )


def test_what_is_refused_in_an_argument_that_is_left_out_is_none(tmp_path: Path) -> None:
    torch = [function("torch.f", "(x, *, device=None)"), function("torch.d", "(n)")]
    facts = base(tmp_path, torch, [function("mindspore.f", "(x)")],
                 ("torch.f", "targets: [{api: mindspore.f}]\n"))  # fmt: skip
    assert rewrite("torch.f(x, device=torch.d(1))", facts).whole == "mindspore.f(x)"


def test_what_is_called_may_be_made_further_down(facts: Base) -> None:
    code = """
    def f(loss, x, y):
        return loss(x, y), x.imag

    def g(x, y):
        return f(torch.nn.Loss(), x, y)
    """
    done = rewrite("import torch\n" + dedent(code), facts, imports=False)
    assert done.code is not None
    assert "return loss(x, mindspore.i(y)), x.imag" in done.code
    assert "return f(mindspore.nn.Loss(), x, y)" in done.code
