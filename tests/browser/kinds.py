"""One address of every kind of page; those with most in them, where there is a choice."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle, product

import pytest

from datasette_msmap.pages import PAGES

KINDS = {
    **{page.name: page.path for page in PAGES},
    "record": "/torch.nn.LayerNorm",
    "record of many targets": "/torch.nn.Dropout",
    "checks": "/torch.nn.LayerNorm/checks",
    "record with state": "/torch.nn.BatchNorm2d",
    "record of something missing": "/torch.Tensor.backward",
    "record as of an earlier release": "/torch.nn.Dropout?mindspore=2.7.0",
    "record for a device": "/torch.optim.SGD?device=ascend",
    "MindSpore name": "/mindspore.nn.Dropout",
    "browse filtered": "/browse?namespace=torch.nn.functional&impact=silent",
    "browse, none left": "/browse?namespace=torch.nn&category=missing&impact=speed",
    "guide": "/guides/dropout",
    "claims on a topic": "/claims?topic=graph-mode",
    "claims refuted": "/claims?verdict=refuted",
    "search": "/search?q=dropout",
    "search without results": "/search?q=qwxyzzy",
    "rewriter with a refusal": "/port?code=torch.jit.script(f)%0Ann.Linear(3,+4)",
    "missing": "/torch.nn.Dropot",
}
LANGUAGES = ("en", "zh")


def place(path: str, language: str) -> str:
    """The same page in a language."""
    return path if language == "en" else "/zh" + path.removesuffix("/")


def _cases(kinds: Iterable[tuple[str, str]]) -> pytest.MarkDecorator:
    """Run a test on kinds of pages in languages, as ``path`` and ``language``."""
    cases = [
        pytest.param(place(KINDS[kind], language), language, id=f"{kind}-{language}")
        for kind, language in kinds
    ]
    return pytest.mark.parametrize(("path", "language"), cases)


each_kind = _cases(product(KINDS, LANGUAGES))
# Where a template matters more than its words, and a look takes long: each language has its turn.
each_kind_once = _cases(zip(KINDS, cycle(LANGUAGES), strict=False))
