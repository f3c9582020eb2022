"""What MindSpore needs nothing for goes, where nothing needs it."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders import support
from tests.builders.support import function, layer, method, named

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite

GONE = "targets: [{remove: true, note: {en: Delete it., zh: 删除。}}]"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return support.base(
        tmp_path_factory.mktemp("removals"),
        [
            layer("torch.no_grad", "()"),
            function("torch.cuda.set_device", "(device)"),
            function("torch.zeros", "(*size) -> Tensor"),
            layer("torch.nn.Module", "()", call="(input)"),
            method("torch.Tensor.backward", "()"),
            layer("torch.utils.data.Dataset", "()"),
            named("torch.nn", "module"),
            named("torch.utils", "module"),
            named("torch.utils.data", "module"),
            named("torch.cuda", "module"),
        ],
        [layer("mindspore.nn.Cell", "()"), function("mindspore.zeros", "(*size)")],
        ("torch.no_grad", GONE),
        ("torch.cuda.set_device", GONE),
        ("torch.utils.data.Dataset", GONE),
        ("torch.zeros", "targets: [{api: mindspore.zeros}]"),
        (
            "torch.nn.Module",
            "targets: [{api: mindspore.nn.Cell, members: {forward: construct}}]",
        ),
    )


# What a file is, and what becomes of it; the same where a person has to see to it.
CASES = {
    "a block": (
        """
        import torch
        def test():
            # before
            with torch.no_grad():
                # inside
                x = torch.zeros(3)

                print(x)
            return x
        """,
        """
        import mindspore
        def test():
            # before
            # inside
            x = mindspore.zeros(3)

            print(x)
            return x
        """,
    ),
    "texts and calls of several lines": (
        '''
        import torch
        with torch.no_grad():  # none here
            text = """
            stays
            """
            x = torch.zeros(
                3,  # of them
            )
        ''',
        '''
        import mindspore
        # none here
        text = """
            stays
            """
        x = mindspore.zeros(
            3,  # of them
        )
        ''',
    ),
    "on one line": (
        """
        import torch
        with torch.no_grad(): x = torch.zeros(3)
        """,
        """
        import mindspore
        x = mindspore.zeros(3)
        """,
    ),
    "one of several": (
        """
        import torch
        with torch.no_grad(), open(p) as f:
            pass
        with open(p) as f, torch.no_grad():
            pass
        """,
        """
        with open(p) as f:
            pass
        with open(p) as f:
            pass
        """,
    ),
    "all of a block": (
        """
        import torch
        if flag:
            torch.cuda.set_device(0)
            torch.cuda.set_device(1)
        for i in range(3):
            torch.cuda.set_device(0)
            import torch.nn as nn
        try:
            import torch.nn as nn
            import torch.nn.functional as F
            torch.cuda.set_device(0)
        except RuntimeError:
            torch.cuda.set_device(1); torch.cuda.set_device(2)
        """,
        """
        if flag:
            pass
        for i in range(3):
            pass
        try:
            pass
        except RuntimeError:
            pass; pass
        """,
    ),
    "blocks in blocks": (
        """
        import torch
        with torch.no_grad():
            if x:
                with torch.no_grad():
                    torch.zeros(3)
        """,
        """
        import mindspore
        if x:
            mindspore.zeros(3)
        """,
    ),
    "a decorator": (
        """
        import torch
        class A:
            @torch.no_grad()  # none here
            @other
            def f(self):
                return torch.zeros(3)
            @torch.no_grad()
            def g(self): ...
        """,
        """
        import mindspore
        class A:
            # none here
            @other
            def f(self):
                return mindspore.zeros(3)
            def g(self): ...
        """,
    ),
    "a statement": (
        """
        import torch
        x = 3
        torch.cuda.set_device(0)
        if x:
            torch.cuda.set_device(x)
        """,
        """
        x = 3
        if x:
            pass
        """,
    ),
    "beside a loop that trains": (
        """
        import torch
        def fit(net, loader):
            for epoch in range(3):
                for x, y in loader:
                    loss = net(x, y)
                    loss.backward()
                with torch.no_grad():
                    for x, y in loader:
                        print(net(x, y))
        """,
        """
        def fit(net, loader):
            for epoch in range(3):
                for x, y in loader:
                    loss = net(x, y)
                    loss.backward()
                for x, y in loader:
                    print(net(x, y))
        """,
    ),
    "a method that forward doesn't use": (
        """
        import torch
        class Net(torch.nn.Module):
            def forward(self, x):
                return x
            @torch.no_grad()
            def generate(self, x):
                return self(x)
        """,
        """
        import mindspore
        class Net(mindspore.nn.Cell):
            def construct(self, x):
                return x
            def generate(self, x):
                return self(x)
        """,
    ),
}
# Bases of classes, alone and among others.
BASES = {
    "Dataset": "",
    "Dataset,": "",
    "\n    Dataset\n": "",
    "Dataset, Other": "(Other)",
    "Other, Dataset": "(Other)",
    "Other, Dataset, Third": "(Other, Third)",
    "Dataset, metaclass=Meta": "(metaclass=Meta)",
    "Other, Dataset, metaclass=Meta": "(Other, metaclass=Meta)",
}
# Where gradients may flow through what is computed.
STAYS = {
    "in forward": """
        import torch
        class Net({base}):
            def {forward}(self, x):
                with torch.no_grad():
                    y = x + 1
                    change(x)
                return y
        """,
    "in what forward calls": """
        import torch
        class Net({base}):
            @torch.no_grad()
            def half(self, x):
                self.mean.mul_(0.9).add_(x)
                return x
            def {forward}(self, x):
                return self.half(x)
        """,
    "a method that changes something": """
        import torch
        class Net({base}):
            def keep(self, x):
                self.kept = x
            def {forward}(self, x):
                with torch.no_grad():
                    self.keep(x)
                return x + self.kept
        """,
    "a function within": """
        import torch
        class Net({base}):
            def {forward}(self, x):
                with torch.no_grad():
                    def f(y):
                        return x + y
                    z = f(x)
                return z
        """,
    "a name that an expression binds": """
        import torch
        class Net({base}):
            def {forward}(self, x):
                with torch.no_grad():
                    n = len(y := x + 1)
                return y
        """,
    "before a gradient": """
        import torch
        def step(net, x):
            if x:
                with torch.no_grad():
                    y = net(x)
            loss = net(x, y)
            loss.backward()
        """,
    "beside a gradient": """
        import torch
        def step(net, x):
            loss = net(x)
            with torch.no_grad():
                print(loss)
            loss.backward()
        """,
}


@pytest.mark.parametrize("name", CASES)
def test_what_nothing_needs_goes(name: str, facts: Base) -> None:
    source, expected = (dedent(text).lstrip("\n") for text in CASES[name])
    assert rewrite(source, facts).code == expected
    assert rewrite(expected, facts).code == expected


@pytest.mark.parametrize("bases", BASES)
def test_a_base_that_nothing_needs_goes(bases: str, facts: Base) -> None:
    source = f"from torch.utils.data import Dataset\nclass Rows({bases}):\n    pass\n"
    assert rewrite(source, facts).code == f"class Rows{BASES[bases]}:\n    pass\n"


@pytest.mark.parametrize("bases", ["Dataset,  # of rows\n", "Dataset[int]"])
def test_a_base_is_left_where_more_is_said_beside_it(bases: str, facts: Base) -> None:
    source = f"from torch.utils.data import Dataset\nclass Rows({bases}):\n    pass\n"
    done = rewrite(source, facts)
    assert (done.code, len(done.refusals)) == (source, 1)


def test_a_class_that_nothing_needs_is_left_where_it_stands_for_itself(facts: Base) -> None:
    source = "from torch.utils.data import Dataset\nis_rows = isinstance(x, Dataset)\n"
    done = rewrite(source, facts)
    assert done.code == source
    assert [refusal.reason.en for refusal in done.refusals] == [
        "torch.utils.data.Dataset: leave it out; MindSpore needs nothing in its place"
    ]


@pytest.mark.parametrize("name", STAYS)
def test_where_gradients_may_flow_a_person_sees_to_it(name: str, facts: Base) -> None:
    text = dedent(STAYS[name]).lstrip("\n")
    source = text.format(base="torch.nn.Module", forward="forward")
    code = text.format(base="mindspore.nn.Cell", forward="construct")
    if "{base}" in text:
        code = code.replace("import torch\n", "import mindspore\nimport torch\n")
    done = rewrite(source, facts)
    assert done.code == code
    assert "torch.no_grad: gradients may flow through here" in done.refusals[0].reason.en
    assert rewrite(code, facts).code == code
