"""The pages that a draft refers to."""

from __future__ import annotations

from msmap.probe.draft.references import pages


def test_each_name_has_its_page_once() -> None:
    names = ["mindspore.from_numpy", "mindspore.ops.log10", "mindspore.ops.log10"]
    folder = "https://www.mindspore.cn/docs/en/master/api_python"
    assert [page["url"] for page in pages("torch.f", names)] == [
        "https://pytorch.org/docs/stable/generated/torch.f.html",
        f"{folder}/mindspore/mindspore.from_numpy.html",
        f"{folder}/ops/mindspore.ops.log10.html",
    ]
