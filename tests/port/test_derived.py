"""Own classes of PyTorch's layers: what they hand to constructors is what MindSpore's take."""

from __future__ import annotations

from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase

START = "import torch\nfrom torch import nn\n"
PORTED = {
    "its own constructor": (
        """
        class B(nn.Conv1d):
            def __init__(self, a, b, k=3):
                super().__init__(a, b, k, bias=False)
        net = B(1, 2, k=3)
        """,
        """
        class B(nn.Conv1d):
            def __init__(self, a, b, k=3):
                super().__init__(a, b, k, pad_mode='valid', has_bias=False)
        net = B(1, 2, k=3)
        """,
    ),
    "super with arguments, and over several classes": (
        """
        class A(nn.Conv2d):
            def forward(self, x):
                return super().forward(x) * 2
        class B(A):
            def __init__(self, a):
                super(B, self).__init__(a, a, 1)
        class C(B):
            def __init__(self):
                super().__init__(3)
        """,
        """
        class A(nn.Conv2d):
            def construct(self, x):
                return super().construct(x) * 2
        class B(A):
            def __init__(self, a):
                super(B, self).__init__(a, a, 1, pad_mode='valid', has_bias=True)
        class C(B):
            def __init__(self):
                super().__init__(3)
        """,
    ),
    "the base by its name": (
        """
        class B(nn.LayerNorm):
            def __init__(self, n):
                nn.LayerNorm.__init__(self, [n], eps=1e-6)
        class C(nn.Linear):
            def __init__(self, n):
                nn.Linear.__init__(self, n, n, bias=False)
        """,
        """
        class B(nn.LayerNorm):
            def __init__(self, n):
                nn.LayerNorm.__init__(self, [n], epsilon=1e-6)
        class C(mint.nn.Linear):
            def __init__(self, n):
                mint.nn.Linear.__init__(self, n, n, bias=False)
        """,
    ),
    "no constructor": (
        """
        class Conv(nn.Conv2d):
            pass
        class Deep(Conv):
            pass
        def make(n):
            yield Conv(n, n, 3, padding=1)
            yield Deep(n, n, 1)
        """,
        """
        class Conv(nn.Conv2d):
            pass
        class Deep(Conv):
            pass
        def make(n):
            yield Conv(n, n, 3, pad_mode='pad', padding=1, has_bias=True)
            yield Deep(n, n, 1, pad_mode='valid', has_bias=True)
        """,
    ),
    "a constructor that hands on all": (
        """
        class Conv(nn.Conv2d):
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                self.scale = 2
        net = Conv(3, 3, 3, stride=2)
        """,
        """
        class Conv(nn.Conv2d):
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                self.scale = 2
        net = Conv(3, 3, 3, stride=2, pad_mode='valid', has_bias=True)
        """,
    ),
    "what the layer gives": (
        """
        class A(nn.Conv1d):
            def forward(self, x):
                y = super().forward(x)
                return super().forward(y.transpose(1, 2)).transpose(1, 2)
        """,
        """
        class A(nn.Conv1d):
            def construct(self, x):
                y = super().construct(x)
                return super().construct(y.swapaxes(1, 2)).swapaxes(1, 2)
        """,
    ),
    "inputs by their names": (
        """
        class E(nn.TransformerEncoderLayer):
            def forward(self, src, mask=None):
                return super().forward(src, src_mask=mask)
        class C(nn.Conv1d):
            def reset_parameters(self):
                print(3)
            def __init__(self):
                super().__init__(1, 1, 1)
                self.reset_parameters()
            def forward(self, x):
                return super().forward(input=x)
        """,
        """
        class E(nn.TransformerEncoderLayer):
            def construct(self, src, mask=None):
                return super().construct(src, src_mask=mask)
        class C(nn.Conv1d):
            def reset_parameters(self):
                print(3)
            def __init__(self):
                super().__init__(1, 1, 1, pad_mode='valid', has_bias=True)
                self.reset_parameters()
            def construct(self, x):
                return super().construct(x=x)
        """,
    ),
    "arguments that are the same": (
        """
        class L(nn.Linear):
            def __init__(self, n, **kwargs):
                super().__init__(n, n, **kwargs)
        class S(nn.Sequential):
            def __init__(self, n):
                super().__init__(L(n), nn.ReLU())
        kinds = [L, S]
        """,
        """
        class L(mint.nn.Linear):
            def __init__(self, n, **kwargs):
                super().__init__(n, n, **kwargs)
        class S(nn.SequentialCell):
            def __init__(self, n):
                super().__init__(L(n), nn.ReLU())
        kinds = [L, S]
        """,
    ),
}  # fmt: skip
LEFT = {
    "what ** gives": (
        """
        class B(nn.Conv1d):
            def __init__(self, a, **kwargs):
                super().__init__(a, a, 1, **kwargs)
        """,
        "super().__init__: which parameters ** fills can't be told",
    ),
    "a constructor that looks at what it gets": (
        """
        class B(nn.Conv1d):
            def __init__(self, *args, **kwargs):
                self.k = args[2]
                super().__init__(*args, **kwargs)
        """,
        "super().__init__: which parameters ** fills can't be told",
    ),
    "what another call stands for": (
        """
        class B(nn.Conv2d):
            def __init__(self, a):
                super().__init__(a, a, 3, padding_mode="reflect")
        """,
        "super().__init__ gets torch.nn.Conv2d's arguments, and the base is mindspore.nn.Conv2d"
        " now, which takes others: ",
    ),
    "a base that nothing proves": (
        """
        from mixins import Mixin
        class B(Mixin, nn.Conv2d):
            def __init__(self, a):
                super().__init__(a, a, 3)
        """,
        "B may get another constructor than torch.nn.Conv2d's",
    ),
    "what an optimizer of one's own does": (
        """
        class Lion(torch.optim.Optimizer):
            def step(self, closure=None):
                pass
        """,
        "Lion.step: MindSpore calls construct(self, gradients) instead",
    ),
    "what an optimizer does in another way": (
        """
        class Own(torch.optim.SGD):
            def step(self):
                return 3
        """,
        "Own.step: MindSpore calls construct(self, gradients) instead",
    ),
    "what PyTorch's constructor calls": (
        """
        class E(nn.Embedding):
            def reset_parameters(self):
                print(3)
        """,
        "E.reset_parameters: torch.nn.Embedding calls it when it is made, MindSpore's layer",
    ),
    "a class that is passed around": (
        """
        class B(nn.BatchNorm2d):
            pass
        make(norm=B)
        """,
        "B without a call: it takes the arguments of torch.nn.BatchNorm2d",
    ),
}


@pytest.mark.parametrize("name", PORTED)
def test_the_layer_gets_what_it_takes(name: str, facts: KnowledgeBase) -> None:
    code, becomes = (dedent(text) for text in PORTED[name])
    done = facts.port(START + code)
    assert done.refusals == ()
    assert facts.port(START + code).code == done.code
    assert body(done.code or "") == becomes
    assert facts.port(done.code or "").code == done.code


def body(code: str) -> str:
    """The code without its imports, with short names."""
    return "\n" + code[code.index("class ") :].replace("mindspore.", "")


@pytest.mark.parametrize("name", LEFT)
def test_what_it_gets_may_stay_pytorchs_and_is_told(name: str, facts: KnowledgeBase) -> None:
    code, why = LEFT[name]
    done = facts.port(START + dedent(code))
    (refusal,) = done.refusals
    assert refusal.reason.en.startswith(why)
