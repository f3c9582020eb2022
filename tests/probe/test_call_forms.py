"""A call as people write it otherwise."""

from __future__ import annotations

from typing import Any

import pytest

np = pytest.importorskip("numpy")

from msmap.probe.samples import forms  # noqa: E402
from msmap.probe.samples.call import Call, Known  # noqa: E402
from msmap.signatures.files import Api  # noqa: E402

SUM = Known.of(Api("torch.sum", "function", ("(input, dim=None, keepdim=False, *, dtype=None)",)))
X = np.zeros((2, 3))


def written(*args: Any, **kwargs: Any) -> dict[str, tuple[tuple[Any, ...], dict[str, Any]]]:
    call = Call("torch.sum", "function", args, kwargs, label="op-0")
    found = forms.others(call, SUM)
    return {c.label.removeprefix("op-0-"): (c.args, dict(c.kwargs)) for c in found}


def test_by_keyword_and_by_position() -> None:
    assert written(X, 1, dtype=None) == {
        "keyword": ((), {"input": X, "dim": 1, "dtype": None}),
        "end": ((X, -2 + 1), {"dtype": None}),
    }
    assert written(X, dim=0, keepdim=True) == {
        "keyword": ((), {"input": X, "dim": 0, "keepdim": True}),
        "position": ((X, 0, True), {}),
        "end": ((X,), {"dim": -2, "keepdim": True}),
    }


def test_all_axes_of_several_are_counted_from_the_end() -> None:
    assert written(X, dim=(0, 1))["end"] == ((X,), {"dim": (-2, -1)})


def test_an_unknown_signature_has_no_names() -> None:
    known = Known.of(Api("torch.sum", "function", ("(input)",)))
    call = Call("torch.sum", "function", (X, 1), {}, label="op-0")
    assert list(forms.others(call, known)) == []


def test_what_raises_is_left_as_it_is() -> None:
    call = Call("torch.sum", "function", (X, 9), {}, label="error-0", raises=True)
    assert list(forms.others(call, SUM)) == []
