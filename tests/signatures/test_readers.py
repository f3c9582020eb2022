"""Signature files: how signatures are read and written."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Sequence
from pathlib import Path

import pytest

from msmap.errors import FrameworkMissing, SignatureFileError
from msmap.signatures import files
from msmap.signatures.files import Api
from msmap.signatures.readers import collect, docstrings, mindspore_api, stubs
from msmap.signatures.readers import texts as render

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
        (
            '{"name": "a", "kind": "class", "undocumented": false}',
            "undocumented is not true; leave it out",
        ),
        ('{"name": "torch.a", "kind": "dtype"}', "torch.a is listed twice"),
    ],
)
def test_a_broken_line_is_reported_with_its_place(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "torch-1.0.jsonl"
    path.write_text(f'{{"name": "torch.a", "kind": "dtype"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(SignatureFileError) as caught:
        files.load(path)
    assert str(caught.value).startswith(f"{path}:2: {reason}")


def test_a_missing_framework_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(FrameworkMissing, match="run `pip install mindspore`"):
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
