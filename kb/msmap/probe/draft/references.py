"""Pages of both frameworks' documentation, by the addresses that they have."""

from __future__ import annotations

import re
from collections.abc import Iterable

_TORCH = "https://pytorch.org/docs/stable/generated/{name}.html"
_MINDSPORE = "https://www.mindspore.cn/docs/en/master/api_python/{folder}/{name}.html"
# The folder of a name's page, by what it begins with; the first that fits.
_FOLDERS = (
    ("mindspore.Tensor.", "mindspore/Tensor"),
    ("mindspore.mint.", "mint"),
    ("mindspore.ops.", "ops"),
    ("mindspore.nn.", "nn"),
    ("mindspore.numpy.", "numpy"),
    ("mindspore.scipy.", "scipy"),
    ("mindspore.experimental.optim.", "experimental/optim"),
)


def pages(name: str, targets: Iterable[str]) -> list[dict[str, str]]:
    """The references of a record: the page of the name, then those of what its targets write."""
    urls = [_TORCH.format(name=name)]
    for target in dict.fromkeys(targets):
        folder = next((f for start, f in _FOLDERS if target.startswith(start)), "")
        if not folder and re.fullmatch(r"mindspore\.\w+", target):
            folder = "mindspore"
        if folder:
            urls.append(_MINDSPORE.format(folder=folder, name=target))
    return [{"kind": "doc", "url": url} for url in urls]
