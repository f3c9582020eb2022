"""The signature files that ship: well-formed, complete, and what the frameworks give."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from msmap.signatures import files
from msmap.signatures.files import Api

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data" / "signatures"
FILES = {"torch": DATA / "torch-2.13.0.jsonl", "mindspore": DATA / "mindspore-2.10.0.jsonl"}

RELEASES = ("2.10.0", "2.7.0", "2.7.1", "2.7.2", "2.8.0", "2.9.0")


def loaded(framework: str) -> dict[str, Api]:
    return files.load(FILES[framework])


def test_both_frameworks_are_available() -> None:
    assert files.available(DATA) == [
        *(("mindspore", release, DATA / f"mindspore-{release}.jsonl") for release in RELEASES),
        ("torch", "2.13.0", FILES["torch"]),
    ]


@pytest.mark.parametrize(
    "path", [FILES["torch"], *(DATA / f"mindspore-{r}.jsonl" for r in RELEASES)], ids=str
)
def test_every_committed_signature_is_python_and_every_alias_is_listed(path: Path) -> None:
    apis = files.load(path)
    assert list(apis) == sorted(apis)
    for api in apis.values():
        for text in (*api.signatures, *api.call):
            ast.parse(f"def f{text}: ...")
        if api.alias_of:
            assert apis[api.alias_of].alias_of == "", api.name


MEMBERS = [
    ("torch.nn.Linear", "torch.nn.Module",
     ("bias", "in_features", "out_features", "reset_parameters", "weight")),
    ("torch.optim.SGD", "torch.optim.Optimizer", ()),
    ("torch.optim.Optimizer", "", ("defaults", "state")),
    ("torch.device", "", ("index", "type")),
    ("torch.FloatTensor", "", ()),
]  # fmt: skip


@pytest.mark.parametrize(("name", "base", "members"), MEMBERS)
def test_what_objects_of_a_class_have_that_is_no_name(
    name: str, base: str, members: tuple[str, ...]
) -> None:
    """Without what the class above has too, which is told there."""
    api = loaded("torch")[name]
    assert (api.base, api.members) == (base, members)


@pytest.mark.parametrize(
    ("name", "undocumented"),
    [
        ("torch.dropout", True),
        ("torch.layer_norm", True),
        ("torch.lstm", True),
        ("torch.clamp_", True),
        ("torch.nn.functional.dropout", False),
        ("torch.clamp", False),
        ("torch.nn.Dropout", False),
        # What is written in Python may be documented without a docstring, by its class.
        ("torch.nn.Module.forward", False),
    ],
)
def test_what_no_documentation_has(name: str, undocumented: bool) -> None:
    assert loaded("torch")[name].undocumented is undocumented


REDUCED = sorted(
    name
    for name, api in loaded("torch").items()
    if name.count(".") == 1 and "reduction: int =" in "".join(api.signatures)
)


@pytest.mark.frameworks
def test_losses_written_in_c_reduce_nothing_by_default() -> None:
    """Their stub says 1, the mean."""
    torch = pytest.importorskip("torch")
    assert [
        name for name in REDUCED if "reduction: int = 0" not in loaded("torch")[name].signatures[0]
    ] == []
    ones = torch.ones(3)
    assert torch.kl_div(ones, ones).shape == torch.hinge_embedding_loss(ones, ones).shape == (3,)


KNOWN = [
    Api("torch.Size.count", "method", ("(value, /)",), source="inspect"),
    Api("torch.nn.modules.utils._pair", "function", ("(x)",), source="inspect"),
    Api("torch.optim.lr_scheduler.ReduceLROnPlateau.num_bad_epochs", "property"),
    Api(
        "torch.utils.tensorboard.SummaryWriter.add_scalars",
        "method",
        ("(main_tag, tag_scalar_dict, global_step=None, walltime=None) -> None",),
        source="source",
    ),
    Api(
        "torch.Tensor.__iadd__",
        "method",
        signatures=("(other: Tensor | Number | complex) -> Tensor",),
        source="stub",
    ),
    Api(
        "torch.Tensor.__neg__",
        "method",
        signatures=("() -> Tensor",),
        source="stub",
        alias_of="torch.Tensor.neg",
    ),
    Api(
        "torch.nn.Dropout",
        "class",
        signatures=("(p: float = 0.5, inplace: bool = False)",),
        call=("(input: Tensor) -> Tensor",),
        source="inspect",
        defined="torch.nn.modules.dropout.Dropout",
        base="torch.nn.Module",
        members=("inplace", "p"),
    ),
    Api(
        "torch.max",
        "function",
        signatures=(
            "(input: Tensor, *, out: Tensor | None = None) -> Tensor",
            "(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor",
            (
                "(input: Tensor, dim: int, keepdim: bool = False, *, out: Tensor | "
                "tuple[Tensor, ...] | list[Tensor] | None = None) -> return_types.max"
            ),
        ),
        source="stub",
        defined="torch._VariableFunctionsClass.max",
    ),
    Api(
        "torch.Tensor.view",
        "method",
        signatures=(
            "(dtype: dtype) -> Tensor",
            "(size: Sequence[int | SymInt]) -> Tensor",
            "(*size: int | SymInt) -> Tensor",
        ),
        source="stub",
    ),
    Api(
        "torch.nn.LSTM",
        "class",
        signatures=(
            (
                "(input_size, hidden_size, num_layers=1, bias=True, batch_first=False, "
                "dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None)"
            ),
        ),
        call=("(input, hx=None)",),
        source="docstring",
        defined="torch.nn.modules.rnn.LSTM",
        base="torch.nn.Module",
        members=(
            "all_weights",
            "batch_first",
            "bias",
            "bidirectional",
            "check_forward_args",
            "check_hidden_size",
            "check_input",
            "dropout",
            "flatten_parameters",
            "get_expected_cell_size",
            "get_expected_hidden_size",
            "hidden_size",
            "input_size",
            "mode",
            "num_layers",
            "permute_hidden",
            "proj_size",
            "reset_parameters",
        ),
    ),
    Api(
        "torch.absolute",
        "function",
        signatures=("(input: Tensor, *, out: Tensor | None = None) -> Tensor",),
        source="stub",
        defined="torch._VariableFunctionsClass.absolute",
        alias_of="torch.abs",
    ),
    Api(
        "torch.float",
        "dtype",
        alias_of="torch.float32",
    ),
    Api(
        "torch.linalg.svd",
        "function",
        signatures=(
            "(A, full_matrices=True, *, driver=None, out=None) -> (Tensor, Tensor, Tensor)",
        ),
        source="docstring",
        defined="torch._C._linalg.linalg_svd",
    ),
    Api(
        "torch.tensor",
        "function",
        signatures=(
            (
                "(data: Any, *, dtype: dtype | None = None, device: DeviceLikeType | "
                "None = None, requires_grad: bool = False, pin_memory: bool = False) -> "
                "Tensor"
            ),
        ),
        source="stub",
        defined="torch._VariableFunctionsClass.tensor",
    ),
    Api(
        "torch.unique",
        "function",
        signatures=(
            "(input, sorted=True, return_inverse=False, return_counts=False, dim=None) "
            "-> tuple[Tensor, Tensor, Tensor]",
        ),
        source="docstring",
    ),
    Api("torch.strided", "constant"),
    Api(
        "torch.nn.functional.gelu",
        "function",
        signatures=("(input: Tensor, approximate: str = 'none') -> Tensor",),
        source="stub",
        defined="torch._C._nn.gelu",
    ),
    Api(
        "torch.nn.functional.max_pool2d",
        "function",
        signatures=(
            (
                "(input, kernel_size, stride=None, padding=0, dilation=1, "
                "ceil_mode=False, return_indices=False)"
            ),
        ),
        source="docstring",
    ),
    Api(
        "mindspore.mint.max",
        "function",
        signatures=(
            "(input) -> Tensor",
            "(input, dim, keepdim=False) -> tuple(Tensor)",
            "(input, other) -> Tensor",
        ),
        source="docstring",
        defined="mindspore.ops.functional_overload.max",
        platforms=(
            "Ascend",
            "GPU",
            "CPU",
        ),
    ),
    Api(
        "mindspore.nn.Dropout",
        "class",
        signatures=("(keep_prob=0.5, p=None, dtype=mindspore.float32)",),
        call=("(x)",),
        source="inspect",
        defined="mindspore.nn.layer.basic.Dropout",
        platforms=(
            "Ascend",
            "GPU",
            "CPU",
        ),
    ),
    Api(
        "mindspore.nn.LSTM",
        "class",
        signatures=(
            (
                "(input_size, hidden_size, num_layers=1, has_bias=True, "
                "batch_first=False, dropout=0.0, bidirectional=False, "
                "dtype=mindspore.float32)"
            ),
        ),
        call=("(x, hx=None, seq_length=None)",),
        source="source",
        defined="mindspore.nn.layer.rnns.LSTM",
        platforms=(
            "Ascend",
            "GPU",
            "CPU",
        ),
    ),
    Api(
        "mindspore.nn.RNN",
        "class",
        signatures=(
            (
                "(input_size, hidden_size, num_layers=1, has_bias=True, "
                "batch_first=False, dropout=0.0, bidirectional=False, "
                "dtype=mindspore.float32, *, nonlinearity='tanh')"
            ),
        ),
        call=("(x, hx=None, seq_length=None)",),
        source="source",
        defined="mindspore.nn.layer.rnns.RNN",
        platforms=(
            "Ascend",
            "GPU",
            "CPU",
        ),
    ),
    Api(
        "mindspore.Tensor.add_",
        "method",
        signatures=("(other, *, alpha=1) -> Tensor",),
        source="docstring",
    ),
    Api(
        "mindspore.nn.Adam",
        "class",
        signatures=(
            (
                "(params, learning_rate=0.001, beta1=0.9, beta2=0.999, eps=1e-08, "
                "use_locking=False, use_nesterov=False, weight_decay=0.0, "
                "loss_scale=1.0, use_amsgrad=False, **kwargs)"
            ),
        ),
        call=("(gradients)",),
        source="source",
        defined="mindspore.nn.optim.adam.Adam",
        platforms=(
            "Ascend",
            "GPU",
            "CPU",
        ),
    ),
    Api(
        "mindspore.ops.Eps",
        "class",
        signatures=("()",),
        call=("(x)",),
        source="inspect",
        defined="mindspore.ops.operations.math_ops.Eps",
        deprecated=(
            "mindspore.ops.Eps is deprecated from version 2.10.0 and will be removed in "
            "a future version."
        ),
    ),
    Api(
        "mindspore.mint.nn.functional.relu",
        "function",
        signatures=("(input, inplace=False)",),
        source="inspect",
        defined="mindspore.ops.function.nn_func.relu",
        alias_of="mindspore.ops.relu",
        platforms=(
            "Ascend",
            "GPU",
            "CPU",
        ),
    ),
    Api(
        "mindspore.float_",
        "dtype",
    ),
]


@pytest.mark.parametrize("known", KNOWN, ids=lambda api: api.name)
def test_well_known_entries(known: Api) -> None:
    assert loaded(known.name.partition(".")[0])[known.name] == known


@pytest.mark.frameworks
@pytest.mark.moving(1)
@pytest.mark.parametrize("framework", FILES)
def test_the_committed_file_is_what_the_installed_framework_gives(
    framework: str, tmp_path: Path
) -> None:
    if importlib.util.find_spec(framework) is None:
        pytest.skip(f"{framework} is not installed")
    code = (
        "import pathlib, sys; from msmap.signatures.readers import collect; "
        "print(collect.run(sys.argv[1], pathlib.Path(sys.argv[2])).path.name)"
    )
    search = os.pathsep.join([str(ROOT / "kb"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", code, framework, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": search},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    name = done.stdout.splitlines()[-1]
    if name != FILES[framework].name:
        pytest.skip(f"the installed {framework} is not the version of the committed file")
    assert (tmp_path / name).read_bytes() == FILES[framework].read_bytes()
