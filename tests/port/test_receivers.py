"""Which record a bare method means where several have its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders.support import base, function, layer, method, named, outcome

from msmap.assemble.base import Base
from msmap.port import rewrite
from msmap.signatures.files import Api

TORCH = [
    method("torch.Tensor.half", "()"),
    method("torch.nn.Module.half", "()"),
    Api("torch.Tensor.to_half", "method", ("()",), alias_of="torch.Tensor.half"),
    method("torch.Tensor.cpu", "()"),
    method("torch.nn.Module.cpu", "()"),
    method("torch.nn.Module.state_dict", "()"),
    method("torch.optim.Optimizer.state_dict", "()"),
    method("torch.optim.Optimizer.step", "()"),
    method("torch.optim.lr_scheduler.LRScheduler.step", "()"),
    method("torch.nn.ParameterDict.get", "(key)"),
    layer("torch.nn.Linear", "(n)", call="(input)"),
    layer("torch.nn.Module", "()"),
    layer("torch.optim.SGD", "(params)"),
    layer("torch.optim.lr_scheduler.StepLR", "(optimizer)"),
    function("torch.zeros", "(n) -> Tensor"),
]
MINDSPORE = [
    function("mindspore.zeros", "(n)"),
    layer("mindspore.nn.Dense", "(n)", call="(x)"),
    layer("mindspore.nn.Cell", "()"),
    layer("mindspore.nn.SGD", "(params)"),
    layer("mindspore.nn.StepLR", "(optimizer)"),
]


def to(expression: str) -> str:
    """The body of a record that writes an expression."""
    return f'targets:\n  - {{expression: "{expression}", id: it}}\n'


RECORDS = [
    ("torch.Tensor.half", to("{self}.tensor_half()")),
    ("torch.nn.Module.half", to("{self}.cell_half()")),
    ("torch.Tensor.cpu", to("{self}")),
    ("torch.nn.Module.cpu", to("{self}")),
    ("torch.nn.Module.state_dict", to("{self}.of_cell()")),
    ("torch.optim.Optimizer.state_dict", to("{self}.of_optimizer()")),
    ("torch.optim.Optimizer.step", to("{self}(grads)")),
    ("torch.optim.lr_scheduler.LRScheduler.step", to("{self}.next()")),
    ("torch.nn.Linear", "targets: [{api: mindspore.nn.Dense}]\n"),
    ("torch.nn.Module", "targets: [{api: mindspore.nn.Cell}]\n"),
    ("torch.optim.SGD", "targets: [{api: mindspore.nn.SGD}]\n"),
    ("torch.optim.lr_scheduler.StepLR", "targets: [{api: mindspore.nn.StepLR}]\n"),
    ("torch.zeros", "targets: [{api: mindspore.zeros}]\n"),
]


@pytest.fixture
def facts(tmp_path: Path) -> Base:
    """Methods of one name on tensors, modules, optimizers and schedulers."""
    return base(tmp_path, TORCH, MINDSPORE, *RECORDS)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # By how it is made.
        ("torch.zeros(2).half()", "mindspore.zeros(2).tensor_half()"),
        ("torch.nn.Linear(2).half()", "mindspore.nn.Dense(2).cell_half()"),
        ("torch.nn.Linear(2)(u).half()", "mindspore.nn.Dense(2)(u).tensor_half()"),
        ("u = torch.nn.Linear(2)\nu.half()", "u = mindspore.nn.Dense(2)\nu.cell_half()"),
        ("s = torch.optim.SGD(p)\ns.state_dict()", "s = mindspore.nn.SGD(p)\ns.of_optimizer()"),
        (
            "s = torch.optim.lr_scheduler.StepLR(u)\ns.step()",
            "s = mindspore.nn.StepLR(u)\ns.next()",
        ),
        (
            "class Net(torch.nn.Module):\n    pass\nu = Net()\nu.state_dict()",
            "class Net(mindspore.nn.Cell):\n    pass\nu = Net()\nu.of_cell()",
        ),
        ("(a + b).half()", "(a + b).tensor_half()"),
        (
            "u, s = torch.nn.Linear(2), torch.optim.SGD(p)\ns.state_dict()",
            "u, s = mindspore.nn.Dense(2), mindspore.nn.SGD(p)\ns.of_optimizer()",
        ),
        # By what it is called.
        ("model.state_dict()", "model.of_cell()"),
        ("self.encoder.half()", "self.encoder.cell_half()"),
        ("optimizer_G.state_dict()", "optimizer_G.of_optimizer()"),
        ("opt.step()", "opt(grads)"),
        ("lr_scheduler.step()", "lr_scheduler.next()"),
        ("images.half()", "images.tensor_half()"),
        # By another name of the method.
        ("torch.zeros(2).to_half()", "mindspore.zeros(2).tensor_half()"),
        ("images.to_half()", "images.tensor_half()"),
        ("u.to_half()", ".to_half() may be torch.Tensor.half: nothing proves what u is"),
        # None of PyTorch's.
        ("{}.state_dict()", "{}.state_dict()"),
        ("'a b'.half()", "'a b'.half()"),
        ("u = np.zeros(2)\nu.half()", "u = np.zeros(2)\nu.half()"),
        ("u = dict(a=1)\nu.get('a')", "u = dict(a=1)\nu.get('a')"),
        ("u.get('a')", "u.get('a')"),
        # Nothing tells.
        ("u.cpu()", ".cpu() may be torch.Tensor.cpu or torch.nn.Module.cpu: nothing proves"
         " what u is"),
        ("u.state_dict()",
         ".state_dict() may be torch.nn.Module.state_dict or torch.optim.Optimizer.state_dict:"
         " nothing proves what u is"),
    ],
)  # fmt: skip
def test_the_receiver_tells_which_method_is_meant(code: str, expected: str, facts: Base) -> None:
    assert outcome(rewrite.rewrite(code, facts)) == expected


def test_in_one_line_a_usual_name_is_taken_for_a_tensor_and_said_so(facts: Base) -> None:
    port = rewrite.rewrite("images.half()", facts)
    assert (port.code, [note.en for note in port.notes]) == (
        "images.tensor_half()",
        ["images is taken for a tensor: .half() is torch.Tensor.half"],
    )


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("torch.nn.Module.state_dict", "u.of_cell()"),
        ("torch.optim.Optimizer.state_dict", "u.of_optimizer()"),
    ],
)
def test_in_a_record_of_a_method_its_bare_name_means_that_record(
    own: str, expected: str, facts: Base
) -> None:
    assert rewrite.rewrite("u.state_dict()", facts, own=own).code == expected


def test_a_target_is_pinned_for_the_calls_of_its_record_wherever_they_stand(tmp_path: Path) -> None:
    """Not for the outermost call of the last line, which may be none."""
    body = (
        'targets:\n  - {expression: "{self}.one()", id: one}\n'
        '  - {expression: "{self}.two()", id: two}\n'
    )
    facts = base(tmp_path, [method("torch.Tensor.fill", "()")], [], ("torch.Tensor.fill", body))
    port = rewrite.rewrite("x.fill()\nx", facts, "two", "torch.Tensor.fill")
    assert port.code == "x.two()\nx"


def test_a_target_stays_pinned_where_what_is_done_with_the_result_is_a_guess(
    tmp_path: Path,
) -> None:
    """Both readings of .half() port what it is called on: that call is still the only one."""
    body = (
        'targets:\n  - {expression: "{self}.one()", id: one}\n'
        '  - {expression: "{self}.two()", id: two}\n'
    )
    names = ("torch.Tensor.fill", "torch.Tensor.half", "torch.nn.Module.half")
    halves = [(name, f'targets: [{{expression: "{{self}}.{n}()", id: half}}]\n')
              for n, name in (("tensor", names[1]), ("cell", names[2]))]  # fmt: skip
    facts = base(tmp_path, [method(n, "()") for n in names], [], (names[0], body), *halves)
    port = rewrite.rewrite("x.fill().half()", facts, "two", "torch.Tensor.fill")
    assert port.code == "x.two().tensor()"


def test_the_target_of_a_record_is_for_its_own_calls_alone(tmp_path: Path) -> None:
    body = "targets: [{api: mindspore.f}, {api: mindspore.g}]\n"
    torch = [function("torch.f", "(x)"), function("torch.h", "(x)")]
    mindspore = [function(f"mindspore.{name}", "(x)") for name in "fgh"]
    other = ("torch.h", "targets: [{api: mindspore.h}]\n")
    facts = base(tmp_path, torch, mindspore, ("torch.f", body), other)
    port = rewrite.rewrite("torch.h(torch.f(x))", facts, "mindspore.g", "torch.f")
    assert port.code == "mindspore.h(mindspore.g(x))"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("isinstance(u, torch.nn.Linear)", "isinstance(u, mindspore.nn.Dense)"),
        (
            "issubclass(u, (torch.nn.Linear, torch.nn.Module))",
            "issubclass(u, (mindspore.nn.Dense, mindspore.nn.Cell))",
        ),
        (
            "def f(u: torch.nn.Module) -> torch.nn.Linear:\n    v: torch.nn.Module = u",
            "def f(u: mindspore.nn.Cell) -> mindspore.nn.Dense:\n    v: mindspore.nn.Cell = u",
        ),
        ("f(torch.nn.Linear)", "torch.nn.Linear without a call: its arguments differ in MindSpore"),
    ],
)
def test_a_class_stands_for_its_counterpart_where_a_type_is_named(
    code: str, expected: str, tmp_path: Path
) -> None:
    """Even if it is made otherwise there."""
    linear = (
        "targets:\n  - api: mindspore.nn.Dense\n    parameters:\n"
        "      - {mindspore: m, relation: target_only_must_set, value: '1'}\n"
    )
    torch = [layer("torch.nn.Linear", "(n)"), layer("torch.nn.Module", "()")]
    mindspore = [layer("mindspore.nn.Dense", "(m, n)"), layer("mindspore.nn.Cell", "()")]
    cell = ("torch.nn.Module", "targets: [{api: mindspore.nn.Cell}]\n")
    facts = base(tmp_path, torch, mindspore, ("torch.nn.Linear", linear), cell)
    assert outcome(rewrite.rewrite(code, facts)) == expected


def test_what_is_dropped_is_not_ported(tmp_path: Path) -> None:
    torch = [method("torch.Tensor.clone", "(*, memory_format=None)"), function("torch.odd", "()")]
    facts = base(
        tmp_path, torch, [method("mindspore.Tensor.copy", "()")],
        ("torch.Tensor.clone", "targets: [{api: mindspore.Tensor.copy}]\n"),
    )  # fmt: skip
    assert outcome(rewrite.rewrite("x.clone(memory_format=torch.odd)", facts)) == "x.copy()"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.version", "mindspore.release"),
        ("torch.version.split('.')[0]", "mindspore.release.split('.')[0]"),
        ("f(torch.version)", "f(mindspore.release)"),
        ("torch.verzion.split('.')", "torch.verzion.split is no name of PyTorch that msmap knows"),
    ],
)
def test_a_constant_may_be_an_expression_and_has_methods(
    code: str, expected: str, tmp_path: Path
) -> None:
    record = ("torch.version", to("mindspore.release"))
    facts = base(tmp_path, [named("torch.version", "constant")], [], record)
    assert outcome(rewrite.rewrite(code, facts)) == expected


def test_of_several_calls_of_a_record_each_takes_the_target_that_fits(tmp_path: Path) -> None:
    body = """
    targets:
      - {api: mindspore.g, absent: [dim]}
      - {api: mindspore.h, given: [dim]}
    """
    torch = [function("torch.f", "(x, dim=None)")]
    mindspore = [function("mindspore.g", "(x)"), function("mindspore.h", "(x, dim)")]
    facts = base(tmp_path, torch, mindspore, ("torch.f", body))
    port = rewrite.rewrite("torch.f(x), torch.f(x, 1)", facts, "mindspore.g", "torch.f")
    assert port.code == "mindspore.g(x), mindspore.h(x, 1)"
