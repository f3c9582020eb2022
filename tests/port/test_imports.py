"""Imports of a file: what it needs of MindSpore comes, what nothing uses of PyTorch goes."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent

import pytest
from tests.builders import marked

from msmap.assemble.base import Base
from msmap.infer.modules import Modules
from msmap.port.rewrite import rewrite


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("imports"))


# What a file is, and what becomes of it.
FILES = {
    "the whole name": (
        """
        import torch
        torch.zeros(3)
        """,
        """
        import mindspore
        mindspore.zeros(3)
        """,
    ),
    "a short name": (
        """
        import torch
        import torch.nn as nn
        nn.Linear(1, 2), torch.zeros(3)
        """,
        """
        import mindspore
        from mindspore import nn
        nn.Linear(1, 2), mindspore.zeros(3)
        """,
    ),
    "a short name alone": (
        """
        from torch import nn
        nn.Linear(1, 2)
        """,
        """
        from mindspore import nn
        nn.Linear(1, 2)
        """,
    ),
    "another short name": (
        """
        import torch.nn as layers
        layers.Linear(1, 2)
        """,
        """
        from mindspore import nn
        nn.Linear(1, 2)
        """,
    ),
    "whole names stay whole": (
        """
        import torch
        import torch.nn
        torch.nn.Linear(1, 2)
        """,
        """
        import mindspore
        mindspore.nn.Linear(1, 2)
        """,
    ),
    "a name of PyTorch's that means the same here": (
        """
        from torch import Tensor, zeros
        from torch.nn import Parameter
        def f(x: Tensor) -> Tensor:
            return Parameter(zeros(3))
        """,
        """
        import mindspore
        from mindspore import Parameter, Tensor
        def f(x: Tensor) -> Tensor:
            return Parameter(mindspore.zeros(3))
        """,
    ),
    "nn still means PyTorch's": (
        """
        import torch
        import torch.nn as nn
        nn.Linear(1, 2), nn.Strange(), torch.zeros(3)
        """,
        """
        import mindspore
        import torch.nn as nn
        mindspore.nn.Linear(1, 2), nn.Strange(), mindspore.zeros(3)
        """,
    ),
    "nn is another's": (
        """
        import torch.nn.functional as F
        from torch.nn import Linear
        def f(nn):
            return F.relu(Linear(1, 2)(nn))
        """,
        """
        import mindspore
        def f(nn):
            return mindspore.relu(mindspore.nn.Linear(1, 2)(nn))
        """,
    ),
    "a name in a comment, a text, a keyword or after a dot": (
        '''
        """Uses torch and nn."""
        import torch
        from torch import nn
        nn.Linear(1, 2)  # torch, nn
        a.torch, a.nn, "torch", f"{{torch}} torch {x}", '\\'' + 'torch', torch_geometric
        ''',
        '''
        """Uses torch and nn."""
        from mindspore import nn
        nn.Linear(1, 2)  # torch, nn
        a.torch, a.nn, "torch", f"{{torch}} torch {x}", '\\'' + 'torch', torch_geometric
        ''',
    ),
    "a name in an f-string": (
        """
        import torch
        torch.zeros(3)
        f"{torch.strange()}"
        """,
        """
        import mindspore
        import torch
        mindspore.zeros(3)
        f"{torch.strange()}"
        """,
    ),
    "some names stay": (
        """
        from torch.nn import Linear, Strange, ReLU
        Linear(1, 2), Strange(), ReLU()
        """,
        """
        from mindspore import nn
        from torch.nn import Strange
        nn.Linear(1, 2), Strange(), nn.ReLU()
        """,
    ),
    "the last name stays": (
        """
        from torch.nn import Linear, Strange
        Linear(1, 2), Strange()
        """,
        """
        from mindspore import nn
        from torch.nn import Strange
        nn.Linear(1, 2), Strange()
        """,
    ),
    "the first name stays": (
        """
        from torch.nn import Strange, Linear, \\
            ReLU
        Linear(1, 2), Strange(), ReLU()
        """,
        """
        from mindspore import nn
        from torch.nn import Strange
        nn.Linear(1, 2), Strange(), nn.ReLU()
        """,
    ),
    "lines in brackets": (
        """
        from torch.nn import (
            Linear,  # dense
            Strange,
            ReLU,
            Embedding  # a table
        )
        Linear(1, 2), Strange(), ReLU(), Embedding(1, 2)
        """,
        """
        from mindspore import nn
        from torch.nn import (
              # dense
            Strange,
              # a table
        )
        nn.Linear(1, 2), Strange(), nn.ReLU(), nn.Embedding(1, 2)
        """,
    ),
    "comments of what goes": (
        """
        import torch  # first
        from torch import (
            nn,  # second
        )
        import torch.optim  # noqa
        torch.zeros(3)
        """,
        """
        import mindspore  # first
        # second
        # noqa
        mindspore.zeros(3)
        """,
    ),
    "together with others": (
        """
        import os, torch, sys
        import torch.nn as nn, numpy
        torch.zeros(3), nn.Linear(1, 2)
        """,
        """
        import mindspore
        from mindspore import nn
        import os, sys
        import numpy
        mindspore.zeros(3), nn.Linear(1, 2)
        """,
    ),
    "more statements on a line": (
        """
        import os; import torch; import torch.nn as nn; x = 3
        import sys; import torch.optim
        if x: import torch.nn.functional
        torch.zeros(3), nn.Linear(1, 2)
        """,
        """
        import os; import mindspore; from mindspore import nn; x = 3
        import sys
        if x: pass
        mindspore.zeros(3), nn.Linear(1, 2)
        """,
    ),
    "one blank line stays of two": (
        """
        import os

        import torch.nn as nn
        import torch.optim

        import sys
        x = 3
        """,
        """
        import os

        import sys
        x = 3
        """,
    ),
    "docstring and future": (
        '''
        """What it does."""

        from __future__ import annotations
        x = f()
        def g():
            return torch.zeros(3)
        x = g(g)
        import torch
        ''',
        '''
        """What it does."""

        from __future__ import annotations
        import mindspore
        x = f()
        def g():
            return mindspore.zeros(3)
        x = g(g)
        ''',
    ),
    "for types only": (
        """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from torch import Tensor
        def f(x: Tensor):
            return 3
        """,
        """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from mindspore import Tensor
        def f(x: Tensor):
            return 3
        """,
    ),
    "nothing but imports": (
        '''
        """Names for others."""
        import torch
        from torch import nn
        ''',
        '''
        """Names for others."""
        import torch
        from torch import nn
        ''',
    ),
    "MindSpore is there": (
        """
        import mindspore
        import torch
        torch.zeros(3)
        """,
        """
        import mindspore
        mindspore.zeros(3)
        """,
    ),
    "a part that importing MindSpore leaves out": (
        """
        import torch
        torch.linalg.eigh(torch.zeros(3))
        """,
        """
        import mindspore
        import mindspore.scipy
        mindspore.scipy.linalg.eigh(mindspore.zeros(3))
        """,
    ),
    "that part is there": (
        """
        import mindspore.scipy.linalg
        import torch
        torch.linalg.eigh(torch.zeros(3))
        """,
        """
        import mindspore.scipy.linalg
        mindspore.scipy.linalg.eigh(mindspore.zeros(3))
        """,
    ),
    "all names": (
        """
        from torch import *
        zeros(3)
        """,
        """
        import mindspore
        from torch import *
        mindspore.zeros(3)
        """,
    ),
    "no import": ("x = 3\ntorch.zeros(3)\n", "x = 3\nmindspore.zeros(3)\n"),
}


@pytest.mark.parametrize("name", FILES)
def test_imports_are_those_that_a_file_needs(name: str, facts: Base) -> None:
    source, expected = (dedent(text).lstrip("\n") for text in FILES[name])
    assert rewrite(source, facts).code == expected
    ast.parse(expected)
    assert rewrite(expected, facts).code == expected


def test_lines_end_as_they_did_and_the_mark_stays(facts: Base) -> None:
    source = "\ufeffimport torch\r\nimport torch.nn as nn\r\n\r\ntorch.zeros(3), nn.ReLU()\r\n"
    assert rewrite(source, facts).code == (
        "\ufeffimport mindspore\r\nfrom mindspore import nn\r\n\r\n"
        "mindspore.zeros(3), nn.ReLU()\r\n"
    )


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            "from torch import *\nzeros(3)\n",
            "from torch import *: nothing tells which names it brings; import them by name",
        ),
        (
            "import torch\ntorch = None\n",
            "the import stays: `torch` may be used otherwise too",
        ),
    ],
)
def test_an_import_that_stays_is_told(source: str, reason: str, facts: Base) -> None:
    assert [(r.kind, r.reason.en) for r in rewrite(source, facts).refusals] == [("import", reason)]


def test_what_is_refused_tells_of_its_import(facts: Base) -> None:
    done = rewrite("import torch\ntorch.zeros(3), torch.strange()\n", facts)
    assert [r.kind for r in done.refusals] == ["unknown_name"]


def test_a_part_of_a_file_keeps_whole_names(facts: Base) -> None:
    source = "from torch import nn\nnn.Linear(1, 2)\n"
    done = rewrite(source, facts, imports=False)
    assert done.code == "from torch import nn\nmindspore.nn.Linear(1, 2)\n"


def test_names_of_other_files_need_an_import_too(tmp_path: Path, facts: Base) -> None:
    common, use = tmp_path / "common.py", tmp_path / "use.py"
    common.write_text("from torch import nn\n", encoding="utf-8")
    use.write_text('"""Doc."""\nfrom common import nn\nnn.Linear(1, 2)\n', encoding="utf-8")
    modules = Modules([common, use], facts)
    done = [rewrite(at.text, facts, place=at).code for at in map(modules.at, (common, use))]
    assert done == [
        "from torch import nn\n",
        '"""Doc."""\nimport mindspore\nfrom common import nn\nmindspore.nn.Linear(1, 2)\n',
    ]


def test_a_package_keeps_what_others_may_import_from_it(tmp_path: Path, facts: Base) -> None:
    package = tmp_path / "package" / "__init__.py"
    package.parent.mkdir()
    package.write_text("from torch import nn\nx = nn.ReLU()\n", encoding="utf-8")
    place = Modules([package], facts).at(package)
    assert rewrite(place.text, facts, place=place).code == (
        "import mindspore\nfrom torch import nn\nx = mindspore.nn.ReLU()\n"
    )
