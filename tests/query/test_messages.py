"""Errors: what is the same of one whenever it is given, and which are alike."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.search import messages


@pytest.mark.parametrize(
    ("text", "general"),
    [
        (
            "ValueError: For 'Tile', shape (2, 3) at 0x7f3a is wrong in /home/me/a.py\nC++ stack",
            "ValueError: For 'Tile', shape (#) at … is wrong in …",
        ),
        (
            "TypeError: For primitive[Conv2D], but got Tensor[Float64].",
            "TypeError: For primitive[Conv2D], but got Tensor[Float64].",
        ),
        ("RuntimeError: The kernel OneHotExt unregistered.",
         "RuntimeError: The kernel OneHotExt unregistered."),
        ("ValueError:   got 1e-5  and -2", "ValueError: got # and #"),
        ("", ""),
    ],
)  # fmt: skip
def test_what_differs_from_run_to_run_is_taken_out(text: str, general: str) -> None:
    assert messages.general(text) == general


TRACEBACK = """Traceback (most recent call last):
  File "train.py", line 3, in <module>
KeyError: 'a'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "train.py", line 5, in <module>
    raise errors.ValueError("no")
mindspore.errors.ValueError: For 'Tile', it is wrong.

----------------------------------------------------
- C++ Call Stack: (For framework developers)
"""


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (TRACEBACK, "ValueError: For 'Tile', it is wrong."),
        ("  The kernel Add unregistered.\n", "The kernel Add unregistered."),
        ("'Tensor' object has no attribute 'cuda'", "'Tensor' object has no attribute 'cuda'"),
        ("learning rate", None),
        ("", None),
    ],
)
def test_the_error_that_a_text_ends_with(text: str, error: str | None) -> None:
    assert messages.error(text) == error


KNOWN = [
    ("norm", "RuntimeError: The kernel LinalgVectorNorm unregistered."),
    ("pad", "ValueError: For 'Conv2D', the 'pad' must be zero when 'pad_mode' is not 'pad'."),
    ("exp", "TypeError: For primitive[Exp], the input argument[input] must be a type of {Float32}"),
    *(
        (name, f"RuntimeError: The kernel {name} unregistered.")
        for name in ("Arange", "DiagExt", "FillScalar", "InplaceZero", "L1LossExt")
    ),
    *(
        (name, f"TypeError: For primitive[{name}], the input argument[input] must be a type of")
        for name in ("Sin", "Cos", "Tan", "Tanh")
    ),
]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("RuntimeError: The kernel LinalgVectorNorm unregistered.", ["norm"]),
        ("kernel LinalgVectorNorm unregistered", ["norm"]),
        ("RuntimeError: The kernel OneHotExt unregistered.", []),
        ("the 'pad' must be zero when 'pad_mode' is not 'pad', but got 'pad': 1", ["pad"]),
        ("TypeError: For primitive[Log], the input argument[input] must be a type of {Float32}",
         []),
        ("something else", []),
        ("", []),
    ],
)  # fmt: skip
def test_the_rarest_words_decide_what_is_alike(asked: str, found: list[str]) -> None:
    assert list(messages.alike(asked, KNOWN)) == found


def test_an_error_of_a_check_leads_to_its_record(kb: KnowledgeBase) -> None:
    assert kb.rows("SELECT owner, slug, text FROM message") == [
        ("torch.nn.GELU", "exact", "TypeError: unsupported dtype")
    ]
    (hit,) = kb.search("TypeError: unsupported dtype", 1)
    assert (hit.name, hit.by) == ("torch.nn.GELU", "message")


def test_errors_of_different_arguments_are_not_alike() -> None:
    said = "TypeError: Linear.__init__() got an unexpected keyword argument '{}'"
    known = [("a", said.format("generator")), ("b", said.format("inplace"))]
    assert set(messages.alike(said.format("inplace"), known)) == {"b"}
    missing = "AttributeError: 'Tensor' object has no attribute '{}'"
    known = [("a", missing.format("cuda")), ("b", missing.format("numpy"))]
    assert set(messages.alike(missing.format("cuda"), known)) == {"a"}
