"""What differs of a target as a caveat: what many records have in common is said already."""

from __future__ import annotations

from typing import Any

import pytest

from msmap.probe.draft import caveats, stock
from msmap.probe.draft.caveats import Group, Never
from msmap.probe.sample import Sample
from msmap.vocabulary import UNSTEADY

NEVER = Never(frozenset({"bool"}), frozenset({"bool", "float64"}), frozenset({"alpha"}))
LOWER = "values at ['x'], by less than 0.001 of the largest"
REDUCE = "no kernel: RuntimeError: Reduce does not support this kernel data type"


def group(outcome: str, message: str, *kinds: str, dtype: str = "float32", **changes: Any) -> Group:
    spec = {"shape": [2], "dtype": dtype}
    code = {"name": "torch.f", "torch": "torch.f(x)"} | changes
    sample = Sample(id="op-0", origin="op", inputs={"x": spec}, dtype=dtype, kinds=kinds, **code)
    return Group(outcome, message, (sample,))


# what differs -> the id of its caveat, "" where a person has to write what it says
CAVEATS: dict[str, tuple[Group, str]] = {
    "a dtype": (group("no_kernel", "TypeError: no", dtype="bool"), "no-bool-on-cpu"),
    "nothing in it": (group("raises", "ValueError: no", "empty"), "empty-raises"),
    "no axes": (group("raises", "ValueError: no", "0-d"), "zero-d-raises"),
    "a parameter": (
        group("raises", "ValueError: no", torch="torch.f(x, alpha=2)"), "alpha-raises",
    ),
    "another parameter": (
        group("raises", "ValueError: no", torch="torch.f(x, beta=2)"), "raises",
    ),
    "a gradient of nothing": (
        group("gradient_raises", "RuntimeError: no", "empty"), "empty-gradient-raises",
    ),
    "the gradient of a dtype": (
        group("gradient_raises", "TypeError: no", dtype="float64"), "no-float64-gradient-on-cpu",
    ),
    "the gradient of bfloat16 that is broadcast": (
        group("gradient_raises", REDUCE, dtype="bfloat16"), "no-gradient-of-broadcast-bfloat16",
    ),
    "float64 as float32": (group("differs", LOWER, dtype="float64"), "float64-is-rounded"),
    "float64 as float32 in both modes": (
        group("differs", f"train: {LOWER}; eval: {LOWER}", dtype="float64"), "float64-is-rounded",
    ),
    "float64 gradients as float32": (
        group("gradient_differs", f"{LOWER}; {LOWER}", dtype="float64"),
        "float64-gradient-is-rounded",
    ),
    "float64 and more": (
        group("differs", f"shape () and (1,); {LOWER}", dtype="float64"), "differs-float64",
    ),
    "nan": (group("differs", "1 of 2 values", "nonfinite"), "nan-and-inf"),
    "the gradient of nan": (
        group("gradient_differs", "1 of 2 values", "nonfinite"), "gradient-of-nan-and-inf",
    ),
    "memory": (group("differs", UNSTEADY, "empty"), "of-nothing-is-arbitrary"),
    "a view that keeps its values": (
        group("in_place", "x: 1 of 2 values", "non-contiguous"),
        "slices-and-transposed-keep-their-values",
    ),
    "an input that is left": (group("in_place", "x: 1 of 2 values"), "not-in-place"),
    "values": (group("differs", "1 of 2 values, by about 1"), ""),
}  # fmt: skip


@pytest.mark.parametrize("name", CAVEATS)
def test_what_many_records_say_needs_no_person(name: str) -> None:
    found, wanted = CAVEATS[name]
    told = caveats.told([found], [found], NEVER, found.members[0], set(), set())
    said = told.caveat["text"] != stock.TEXTS
    assert (told.caveat["id"] if said else "") == wanted


@pytest.mark.parametrize(
    ("kinds", "told"),
    [
        (("broadcasting", "empty"), ["empty"]),
        (("non-contiguous", "broadcasting"), ["non-contiguous"]),
        (("broadcasting",), ["broadcasting"]),
        (("plain",), None),
    ],
)
def test_samples_are_told_by_what_explains_most(
    kinds: tuple[str, ...], told: list[str] | None
) -> None:
    found = group("raises", "ValueError: no", *kinds)
    made = caveats.told([found], [found], NEVER, found.members[0], set(), set())
    assert made.caveat["samples"][0].get("kinds") == told


@pytest.mark.parametrize(
    ("outcome", "message", "told"),
    [
        ("differs", "dtype float32 and float64", "dtype"),
        ("gradient_differs", LOWER, "less than 0.001"),
        ("differs", "1 of 2 values", None),
        ("raises", "TypeError: dtype", None),
    ],
)
def test_samples_that_differ_in_a_small_way_are_told_by_it(
    outcome: str, message: str, told: str | None
) -> None:
    """Else the caveat would tell of results that are wrong, too."""
    found = group(outcome, message)
    made = caveats.told([found], [found], NEVER, found.members[0], set(), set())
    assert made.caveat["samples"][0].get("message") == told


@pytest.mark.parametrize(
    ("name", "when"),
    [("nan", "inputs"), ("float64 as float32", "inputs"), ("a view that keeps its values", "view"),
     ("an input that is left", None), ("values", None), ("no axes", None)],
)  # fmt: skip
def test_what_is_said_already_says_which_calls_it_bites(name: str, when: str | None) -> None:
    found, _ = CAVEATS[name]
    made = caveats.told([found], [found], NEVER, found.members[0], set(), set())
    assert made.caveat.get("when") == when


@pytest.mark.parametrize(
    ("name", "own"), [("an input that is left", True), ("nan", None), ("values", None)]
)
def test_what_is_not_changed_in_place_is_asked_of_no_sibling(name: str, own: bool | None) -> None:
    found, _ = CAVEATS[name]
    made = caveats.told([found], [found], NEVER, found.members[0], set(), set())
    assert made.caveat.get("own") == own


def test_what_is_said_alike_is_one_caveat() -> None:
    one = group("raises", "ValueError: no", "0-d")
    other = group("raises", "TypeError: never", "0-d", dtype="int64")
    apart = [group("differs", "1 of 2 values"), group("differs", "2 of 2 values")]
    found = [one, apart[0], other, apart[1]]
    assert caveats.together(found, NEVER) == [[one, other], [apart[0]], [apart[1]]]
    made = caveats.told([one, other], found, NEVER, one.members[0], set(), set())
    assert (made.caveat["id"], made.caveat["samples"], len(made.checks)) == (
        "zero-d-raises",
        [
            {"outcomes": ["raises"], "dtypes": ["float32"], "kinds": ["0-d"], "message": "no"},
            {"outcomes": ["raises"], "dtypes": ["int64"], "kinds": ["0-d"], "message": "never"},
        ],
        1,
    )


@pytest.mark.parametrize(
    ("dtypes", "named", "left"),
    [
        (["bfloat16", "int8", "int64"], {"int64"}, ["bfloat16"]),
        (["int8", "int64"], {"int32"}, []),
        (["complex64"], {"zeros", "float16"}, ["complex64"]),
        # Where float32 is taken at times, what raises isn't the dtype's doing.
        (["float32", "int64"], {"int64"}, ["float32", "int64"]),
    ],
)
def test_dtypes_that_a_siblings_caveat_names_are_not_told_again(
    dtypes: list[str], named: set[str], left: list[str]
) -> None:
    members = tuple(group("raises", "", dtype=d).members[0] for d in dtypes)
    never = Never(frozenset({"bfloat16", "int8", "int64", "complex64"}), frozenset())
    found = caveats.left(Group("raises", "TypeError: no", members), never, named)
    assert ([s.dtype for s in found.members] if found else []) == left


def test_what_lies_in_memory_is_not_shown_by_a_check() -> None:
    found = group("differs", UNSTEADY, "empty")
    told = caveats.told([found], [found], NEVER, found.members[0], set(), set())
    assert (told.checks, told.caveat["unverified"]["en"]) == (
        [], "What lies in memory that nobody wrote to differs from run to run.",
    )  # fmt: skip


def test_what_changes_its_input_changes_no_leaf() -> None:
    (sample,) = group("gradient_differs", "", name="torch.Tensor.f_", torch="x.f_()").members
    assert caveats.gradient(sample) == (
        "t = x.clone().requires_grad_()\nmade = t * 1\nmade.f_()\n"
        "torch.autograd.grad(made.sum(), t)[0]",
        "def run(t):\n    made = t * 1\n    {{ made.f_() }}\n    return made.sum()\n"
        "mindspore.grad(run)(x)",
    )


@pytest.mark.parametrize(
    ("code", "dtype", "wanted"),
    [
        ("x.f_(2)", "int64",
         ("grid[:, 1].f_(2)\ngrid", "t = grid[:, 1]\n{{ t.f_(2) }}\ngrid", [[1, 2], [3, 4]])),
        ("x.f_(2)", "bool", None),
        ("torch.f_(x)", "float32", None),
    ],
)  # fmt: skip
def test_that_a_view_keeps_its_values_is_shown_by_a_column(
    code: str, dtype: str, wanted: tuple[str, str, list[list[int]]] | None
) -> None:
    found = group("in_place", "x: 1 of 2", "non-contiguous", dtype=dtype, torch=code)
    told = caveats.told([found], [found], NEVER, None, set(), set())
    made = [(c["torch"], c["mindspore"], c["inputs"]["grid"]["values"]) for c in told.checks]
    assert made == ([wanted] if wanted else [])
    assert told.caveat.get("shown_by") == (["view"] if wanted else None)
    assert ("variants" in told.caveat) is (wanted is None)
