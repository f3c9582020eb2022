"""The arrays that both sides start from: the same on every run, and what edges make of them."""

from __future__ import annotations

from typing import Any

import pytest

np = pytest.importorskip("numpy")

from msmap.verify.trial import inputs, shown  # noqa: E402


def array(**spec: Any) -> Any:
    shape = {} if "values" in spec else {"shape": [2, 3]}
    return inputs.array("x", shape | {"dtype": "float32"} | spec)


PLAIN = "[[-0.907, -0.428, -1.08], [0.941, 1.16, 1.43]]"


def test_an_array_depends_on_its_name_and_nothing_else() -> None:
    np.random.seed(1)
    assert shown.one(array()) == PLAIN
    assert shown.one(inputs.array("y", {"shape": [2, 3], "dtype": "float32"})) != PLAIN


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [("float16", "float16"), ("float64", "float64"), ("bfloat16", "float32"), ("int64", "int64"),
     ("bool", "bool"), ("complex64", "complex64"), ("uint8", "uint8")],
)  # fmt: skip
def test_an_array_has_the_dtype_that_numpy_has_for_it(dtype: str, kind: str) -> None:
    made = array(dtype=dtype)
    assert (str(made.dtype), made.shape) == (kind, (2, 3))


def test_another_float_dtype_has_the_same_values_rounded() -> None:
    assert array(dtype="float16").tolist() == array().astype("float16").tolist()


@pytest.mark.parametrize(
    ("spec", "low", "high"),
    [
        ({"dtype": "int32"}, 0, 9),
        ({"dtype": "int32", "low": -5, "high": 6}, -5, 5),
        ({"dtype": "int32", "low": 3, "high": 3}, 3, 3),
        ({"low": 2.0, "high": 3.0}, 2.0, 3.0),
        ({"high": 3.0}, 0.0, 3.0),
        ({"dtype": "bool"}, 0, 1),
    ],
)
def test_values_lie_between_bounds(spec: dict[str, Any], low: float, high: float) -> None:
    """Over many values, both ends nearly reached."""
    made = array(shape=[2000], **spec).astype("float64")
    assert (round(made.min(), 1), round(made.max(), 1)) == (low, high)


def test_values_that_are_given_are_taken() -> None:
    made = array(values=[[1, float("nan")]], dtype="float16")
    assert (str(made.dtype), str(made.tolist())) == ("float16", "[[1.0, nan]]")


def test_values_that_json_lacks_are_text() -> None:
    made = array(shape=[2, 2], values=["(1+2j)", "nan", "-inf", "0.5"], dtype="complex64")
    assert str(made.tolist()) == "[[(1+2j), (nan+0j)], [(-inf+0j), (0.5+0j)]]"
    assert str(array(shape=[2], values=[0.5, "nan"]).tolist()) == "[0.5, nan]"


# edge -> the input, and what becomes of it
EDGES: dict[str, tuple[dict[str, Any], Any]] = {
    "zero-d": ({"values": [[5, 6], [7, 8]]}, 5),
    "zero-d of nothing": ({"shape": [0, 3], "values": []}, []),
    "empty": ({"values": [[5, 6], [7, 8]]}, []),
    "empty of a scalar": ({"values": 5}, 5),
    "size-1": ({"values": [[5, 6], [7, 8]]}, [[5, 6]]),
    "size-1 of a scalar": ({"values": 5}, 5),
    "zeros": ({"values": [[5, 6], [7, 8]]}, [[0, 0], [0, 0]]),
    "nonfinite": ({"values": [[1, 2, 3], [4, 5, 6]]}, [["nan", "inf", 3], ["-inf", "-0", 6]]),
    "nonfinite of few": ({"values": [1, 2]}, ["nan", "inf"]),
    "nonfinite of a scalar": ({"values": 5}, "nan"),
    "overflow": (
        {"values": [1, 2, 3, 4, 5], "dtype": "int32"},
        [2**31 - 1, -(2**31), 2**31 - 2, -1, 2**31 - 1],
    ),
    "overflow of another width": (
        {"values": [[1, 2]], "dtype": "int64"}, [[2**63 - 1, -(2**63)]],
    ),
    "non-contiguous": ({"values": [[5, 6], [7, 8]]}, [[5, 6], [7, 8]]),
}  # fmt: skip


def told(value: Any) -> Any:
    """Numbers that lists don't compare, as text."""
    if isinstance(value, list):
        return [told(item) for item in value]
    if isinstance(value, float) and (not np.isfinite(value) or str(value) == "-0.0"):
        return str(value).removesuffix(".0")
    return value


@pytest.mark.parametrize("name", EDGES)
def test_an_edge_is_made_of_the_plain_array(name: str) -> None:
    spec, expected = EDGES[name]
    made = array(**spec, edge=name.split(" of ", maxsplit=1)[0])
    assert (told(made.tolist()), str(made.dtype)) == (expected, spec.get("dtype", "float32"))


def test_an_edge_keeps_the_rest_of_the_shape() -> None:
    edges = ("zero-d", "empty", "size-1", "zeros", "nonfinite", "non-contiguous")
    assert {edge: array(shape=[4, 2, 3], edge=edge).shape for edge in edges} == {
        "zero-d": (), "empty": (0, 2, 3), "size-1": (1, 2, 3), "zeros": (4, 2, 3),
        "nonfinite": (4, 2, 3), "non-contiguous": (4, 2, 3),
    }  # fmt: skip
