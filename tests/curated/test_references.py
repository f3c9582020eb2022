"""The pages that a record refers to, which follow from its names."""

from __future__ import annotations

import pytest

from msmap.curated.references import derived, needed, whole

TORCH = "https://pytorch.org/docs/stable/"
FOLDER = "https://www.mindspore.cn/docs/en/master/api_python/"


def doc(*urls: str) -> list[dict[str, str]]:
    return [{"kind": "doc", "url": url} for url in urls]


@pytest.mark.parametrize(
    ("name", "targets", "pages"),
    [
        (
            "torch.log10",
            [{"api": "mindspore.ops.log10"}, {"api": "mindspore.ops.log10"}],
            [f"{TORCH}generated/torch.log10.html", f"{FOLDER}ops/mindspore.ops.log10.html"],
        ),
        (
            "torch.from_numpy",
            [{"api": "mindspore.from_numpy"}],
            [
                f"{TORCH}generated/torch.from_numpy.html",
                f"{FOLDER}mindspore/mindspore.from_numpy.html",
            ],
        ),
        # What the first composition calls, but for dtypes, where no target is an API.
        (
            "torch.Tensor.half_",
            [{"expression": "{self}.copy_(mindspore.ops.cast({self}, mindspore.float16))"}],
            [
                f"{TORCH}generated/torch.Tensor.half_.html",
                f"{FOLDER}ops/mindspore.ops.cast.html",
            ],
        ),
        ("torch.abs_", [], [f"{TORCH}generated/torch.Tensor.abs_.html"]),
        (
            "torch.nn.Module.train",
            [],
            [f"{TORCH}generated/torch.nn.Module.html", f"{FOLDER}nn/mindspore.nn.Cell.html"],
        ),
        ("torch.distributed.rpc.shutdown", [], [f"{TORCH}rpc.html"]),
        ("torch.special.zeta", [], [f"{TORCH}special.html#torch.special.zeta"]),
        ("torch.nn.modules.utils._pair", [], []),
    ],
)
def test_pages_follow_from_names(
    name: str, targets: list[dict[str, str]], pages: list[str]
) -> None:
    assert derived(name, targets) == doc(*pages)


def test_what_is_written_of_a_framework_stands_for_what_follows() -> None:
    targets = [{"api": "mindspore.ops.abs"}]
    own = doc(f"{FOLDER}mint/mindspore.mint.abs.html")
    code = [{"kind": "code", "url": "https://github.com/pytorch/pytorch"}]
    assert whole("torch.abs", targets, [*code, *own]) == [
        *doc(f"{TORCH}generated/torch.abs.html"), *own, *code,
    ]  # fmt: skip


def test_of_a_framework_all_or_none_is_needed() -> None:
    targets = [{"api": "mindspore.ops.abs"}]
    pages = derived("torch.abs", targets)
    more = doc(f"{FOLDER}mint/mindspore.mint.abs.html")
    assert needed("torch.abs", targets, pages) == []
    assert needed("torch.abs", targets, [*pages, *more]) == [pages[1], *more]
