"""Signature files: how signatures are read, written and looked up."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from msmap.signatures import collect, docstrings, files, mindspore_api, render, stubs
from msmap.signatures.files import Api

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data" / "signatures"
FILES = {"torch": DATA / "torch-2.13.0.jsonl", "mindspore": DATA / "mindspore-2.10.0.jsonl"}

STUB = """
from typing import overload

class TensorBase:
    def numel(self) -> _int: ...
    @staticmethod
    def make(size: _size = ...) -> "torch.Tensor": ...

@overload
def pool(input: Tensor, size: _int | _size, *, layout: _layout | None = strided) -> Tensor: ...
@overload
def pool(input: torch.Tensor, dim: builtins.int = -1, /, *sizes: _int) -> Tensor: ...
def pool(*args, **kwargs): ...

class Event:
    def __new__(cls, device: DeviceLikeType | None = None, *, timing: _bool = False) -> Self: ...
"""

MINT_MAX = """
max(input) -> Tensor

Return the maximum value of the input tensor.

Supported Platforms:
    ``CPU`` ``Ascend``

.. function:: max(input, dim, keepdim=False) -> tuple(Tensor)
    :noindex:

.. function:: maximum(input, other) -> Tensor

.. method:: Tensor.max(axis=None, keepdims=False, *, initial=None,
                       where=True) -> (Tensor, LongTensor)
"""


class Home:
    """Stands for an object that a framework names."""


def public(value: object) -> str | None:
    return "mindspore.nn.Home" if value is Home else None


def resolve(name: str) -> str | None:
    return {"strided": "torch.strided", "mstype.float32": "mindspore.float32"}.get(name)


def loaded(framework: str) -> dict[str, Api]:
    return files.load(FILES[framework])


@pytest.fixture
def stub(tmp_path: Path) -> Path:
    path = tmp_path / "torch.pyi"
    path.write_text(STUB, encoding="utf-8")
    return path


def test_a_stub_gives_every_overload_with_short_annotations(stub: Path) -> None:
    assert stubs.signatures(stub, "pool", resolve) == (
        "(input: Tensor, size: int | Sequence[int], *, "
        "layout: layout | None = torch.strided) -> Tensor",
        "(input: Tensor, dim: int = -1, /, *sizes: int) -> Tensor",
    )


def test_a_stub_method_has_no_self(stub: Path) -> None:
    assert stubs.signatures(stub, "TensorBase.numel", resolve, bound=True) == ("() -> int",)
    assert stubs.signatures(stub, "TensorBase.make", resolve, bound=True) == (
        "(size: Sequence[int] = ...) -> Tensor",
    )


def test_a_stub_class_is_created_as_its_new_says(stub: Path) -> None:
    assert stubs.constructors(stub, "Event", resolve) == (
        "(device: DeviceLikeType | None = None, *, timing: bool = False)",
    )


def test_what_a_stub_does_not_declare_has_no_signatures(stub: Path) -> None:
    assert stubs.signatures(stub, "missing", resolve) == ()
    assert stubs.constructors(stub.with_name("none.pyi"), "Event", resolve) == ()


def test_a_docstring_gives_its_first_line_and_its_directives() -> None:
    assert docstrings.signatures(MINT_MAX, {"max"}) == (
        "(input) -> Tensor",
        "(input, dim, keepdim=False) -> tuple(Tensor)",
        "(axis=None, keepdims=False, *, initial=None, where=True) -> (Tensor, LongTensor)",
    )


@pytest.mark.parametrize(
    ("doc", "signatures"),
    [
        ("eigh(A, UPLO='L', *, out=None) -> (Tensor, Tensor)", ("(A, UPLO='L', *, out=None)",)),
        ("linalg.eigh(A, b=(1, 2)) -> list of Tensors\n\nText", ("(A, b=(1, 2))",)),
        ("eigh(A,\n     b=')')\n\nText", ("(A, b=')')",)),
        ("eigh(start=0, end, step=1)", ("(end, step=1)", "(start, end, step=1)")),
        ("eigh(A, b", ()),
        ("Computes eigh(A) of a matrix.", ()),
        ("", ()),
    ],
)
def test_first_lines_of_docstrings(doc: str, signatures: tuple[str, ...]) -> None:
    found = docstrings.signatures(doc, {"eigh"})
    assert tuple(text.partition(" -> ")[0] for text in found) == signatures


def test_generated_constructors_are_read_from_their_docstring() -> None:
    doc = (
        "__init__(*args, **kwargs)\nOverloaded function.\n\n"
        "1. __init__(self: torch._C.Store) -> None\n\n"
        "2. __init__(self: torch._C.Store, arg0: int, name: str = 'a') -> None\n"
    )
    assert docstrings.constructors(doc) == ("()", "(arg0: int, name: str = 'a')")


def test_documented_arguments_make_a_signature() -> None:
    doc = """Finds the k-th value.

    Args:
        input (Tensor): The input,
            on two lines.
        k (int): Which one.
        dim (int, optional): Along it. Default: ``-1`` .

    Keyword Args:
        out (Tensor, optional): The result.

    Returns:
        Tensor
    """
    assert docstrings.arguments(doc) == "(input, k, dim=-1, *, out=...)"
    assert docstrings.arguments("Nothing to see.") == ""


def test_listed_inputs_make_a_call() -> None:
    doc = """A primitive.

    Inputs:
        - **x** (Tensor) - The input.
        - **mask** (Tensor, optional) - The mask.

    Outputs:
        Tensor
    """
    assert docstrings.inputs(doc) == "(x, mask=None)"
    assert docstrings.inputs(doc.replace("- **x**", "- x")) == ""


def test_platforms_are_always_in_one_order() -> None:
    assert docstrings.platforms(MINT_MAX) == ("Ascend", "CPU")
    assert docstrings.platforms("No platforms.") == ()


@pytest.mark.parametrize(
    ("doc", "note"),
    [
        ("Does.\n\n.. warning::\n    This API is deprecated. Use x.", "This API is deprecated."),
        (
            ".. deprecated:: 2.5\n    Please use :func:`~torch.compile`.",
            "2.5 Please use torch.compile.",
        ),
        ("Does.\n\nArgs:\n    reduce (bool): Deprecated (see `reduction`).", ""),
        ("The parameter `p` is deprecated.", ""),
        ("It will be removed " + 50 * "soon ", "It will be removed " + 27 * "soon " + "soo..."),
        (
            "Note:\n    - This interface is deprecated.\n    - Only on CPU.",
            "This interface is deprecated.",
        ),
        ("After version 2.9.0, `pad_mode` will be removed.", ""),
        ("All is well.", ""),
    ],
)
def test_deprecation_is_one_short_sentence_about_the_whole_api(doc: str, note: str) -> None:
    assert docstrings.deprecation(doc) == note


@pytest.mark.parametrize(
    ("doc", "target"),
    [
        ("Alias for :func:`torch.abs`.", "torch.abs"),
        ("absolute() -> Tensor\n\nAlias for :meth:`~Tensor.abs`", "Tensor.abs"),
        ("Returns the size. Alias for :attr:`size`.", ""),
    ],
)
def test_an_alias_is_declared_by_the_first_sentence(doc: str, target: str) -> None:
    assert docstrings.alias(doc) == target


def test_defaults_are_source_text_or_three_dots() -> None:
    values: list[object] = [
        None,
        1e-05,
        float("inf"),
        "a'b",
        (1,),
        [(2, 3)],
        {"k": True},
        {3, 1},
        frozenset(),
        Home,
        int,
        object(),
    ]
    assert [render.default(value, public) for value in values] == [
        "None",
        "1e-05",
        "float('inf')",
        '"a\'b"',
        "(1,)",
        "[(2, 3)]",
        "{'k': True}",
        "{1, 3}",
        "frozenset()",
        "mindspore.nn.Home",
        "int",
        "...",
    ]


def test_an_inspected_signature_keeps_every_kind_of_parameter() -> None:
    def function(
        a: int, /, b: Sequence[int] = (), *, c: Home | None = None, d: object = Home, **rest: int
    ) -> None: ...

    assert render.signature(inspect.signature(function), public) == (
        "(a: int, /, b: Sequence[int] = (), *, c: Home | None = None, "
        "d: object = mindspore.nn.Home, **rest: int) -> None"
    )


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("(x,dim = 0)", "(x, dim=0)"),
        ("(A, *, bool pivot=True)", "(A, *, pivot=True)"),
        ("(*size, *, dtype=None)", "(*size, dtype=None)"),
        ("(x, dtype=mstype.float32, mode=unknown)", "(x, dtype=mindspore.float32, mode=...)"),
        ("(x: 'Optional[torch.Tensor]')", "(x: Optional[Tensor])"),
        ("(x: Literal['a', 'b'] = 'a')", "(x: Literal['a', 'b'] = 'a')"),
        ("(x, dim)) ->", None),
    ],
)
def test_written_signatures_get_one_spelling(text: str, canonical: str | None) -> None:
    assert render.written(text, resolve) == canonical


def test_another_spelling_tells_unknown_defaults() -> None:
    assert render.filled("(a: str = ..., b=...)", ["(a='none', c=1)"]) == "(a: str = 'none', b=...)"


def test_another_spelling_tells_keyword_only_parameters() -> None:
    assert render.starred("(data: Any, dtype: dtype | None = None)", ["(data, *, dtype=None)"]) == (
        "(data: Any, *, dtype: dtype | None = None)"
    )
    assert render.starred("(input, dim=1)", ["(input, dim=1)"]) == "(input, dim=1)"


def test_a_line_leaves_out_what_is_empty() -> None:
    api = Api("torch.abs", "function", ("(input)",), source="stub", platforms=("CPU",))
    text = (
        '{"name": "torch.abs", "kind": "function", "signatures": ["(input)"], '
        '"source": "stub", "platforms": ["CPU"]}'
    )
    assert files.line(api) == text
    assert files.parse(text) == api


def test_a_file_is_sorted_and_loaded_by_name(tmp_path: Path) -> None:
    path = tmp_path / "new" / "torch-1.0.jsonl"
    second, first = Api("torch.b", "constant"), Api("torch.a", "dtype")
    files.write([second, first], path)
    assert path.read_text(encoding="utf-8").splitlines() == [files.line(first), files.line(second)]
    assert files.load(path) == {"torch.a": first, "torch.b": second}
    assert files.available(path.parent) == [("torch", "1.0", path)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "Expecting property name"),
        ("[]", "not an object"),
        ('{"name": "a"}', "needs a name and a known kind"),
        ('{"name": "a", "kind": "thing"}', "needs a name and a known kind"),
        ('{"name": "a", "kind": "class", "size": "1"}', "unknown key 'size'"),
        ('{"name": "a", "kind": "class", "call": "()"}', "call is not a list of texts"),
        ('{"name": "a", "kind": "class", "source": "rumour"}', "unknown source 'rumour'"),
        ('{"name": "torch.a", "kind": "dtype"}', "torch.a is listed twice"),
    ],
)
def test_a_broken_line_is_reported_with_its_place(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "torch-1.0.jsonl"
    path.write_text(f'{{"name": "torch.a", "kind": "dtype"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(files.SignatureFileError) as caught:
        files.load(path)
    assert str(caught.value).startswith(f"{path}:2: {reason}")


def test_a_missing_framework_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(collect.FrameworkMissing, match="run `pip install mindspore`"):
        collect.run("mindspore", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["msmap_nothing", "msmap.nothing", "msmap.nothing.below"])
def test_a_module_that_a_release_lacks_is_left_out(name: str) -> None:
    assert mindspore_api.imported(name) is None


def test_a_module_that_lacks_something_else_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken installation must not pass for a release with fewer names."""
    (tmp_path / "msmap_broken.py").write_text("import msmap_nothing", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="msmap_nothing"):
        mindspore_api.imported("msmap_broken")


def test_only_known_frameworks_are_collected(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown framework 'jax'"):
        collect.run("jax", tmp_path)


RELEASES = ("2.10.0", "2.7.0", "2.7.1", "2.7.2", "2.8.0", "2.9.0")


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


KNOWN = [
    Api(
        "torch.nn.Dropout",
        "class",
        signatures=("(p: float = 0.5, inplace: bool = False)",),
        call=("(input: Tensor) -> Tensor",),
        source="inspect",
        defined="torch.nn.modules.dropout.Dropout",
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
@pytest.mark.parametrize("framework", FILES)
def test_the_committed_file_is_what_the_installed_framework_gives(
    framework: str, tmp_path: Path
) -> None:
    if importlib.util.find_spec(framework) is None:
        pytest.skip(f"{framework} is not installed")
    code = (
        "import pathlib, sys; from msmap.signatures import collect; "
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
