"""Spellings of names: what people write, and the canonical name behind it."""

from __future__ import annotations

# From typing it would cost a tenth of a cold start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable

# How the usual imports shorten PyTorch's and MindSpore's modules.
TORCH_PREFIXES: dict[str, str] = {
    "F": "torch.nn.functional",
    "functional": "torch.nn.functional",
    "nn": "torch.nn",
    "init": "torch.nn.init",
    "optim": "torch.optim",
    "lr_scheduler": "torch.optim.lr_scheduler",
    "autograd": "torch.autograd",
    "linalg": "torch.linalg",
    "cuda": "torch.cuda",
    "Tensor": "torch.Tensor",
    "th": "torch",
}
MINDSPORE_PREFIXES: dict[str, str] = {
    "ms": "mindspore",
    "msnn": "mindspore.nn",
    "mint": "mindspore.mint",
    "ops": "mindspore.ops",
    "nn": "mindspore.nn",
    "Tensor": "mindspore.Tensor",
    "ds": "mindspore.dataset",
    "mnp": "mindspore.numpy",
}


# Of other packages, though modules or methods of a framework are called so: NumPy's numpy.sum.
_ELSEWHERE = ("numpy.", "scipy.", "random.seed")


def clean(text: str) -> str:
    """A text from outside as SQLite can take it: no NUL, nothing that isn't Unicode."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "?").strip()


def is_torch_spelling(text: str) -> bool:
    """Whether the text starts like a name of PyTorch: ``torch.`` or a usual short form."""
    head, dot, _ = text.partition(".")
    return bool(dot) and (head == "torch" or head in TORCH_PREFIXES)


def may_be_elsewhere(text: str) -> bool:
    """Whether a text may name something of another package: F is torchvision's as well.

    >>> may_be_elsewhere("torch.abs"), may_be_elsewhere("np.abs"), may_be_elsewhere("F.resize")
    (False, True, True)
    """
    head = text.partition(".")[0]
    ours = ("torch", "mindspore", *TORCH_PREFIXES, *MINDSPORE_PREFIXES)
    return head == "F" or head not in ours


def spellings(text: str, prefixes: dict[str, str], root: str) -> list[str]:
    """The full names that a spelling may stand for, likeliest first.

    >>> spellings("F.dropout", TORCH_PREFIXES, "torch")
    ['torch.nn.functional.dropout']
    >>> spellings("Dropout", TORCH_PREFIXES, "torch")
    ['torch.Dropout', 'torch.nn.Dropout', 'torch.Tensor.Dropout', 'torch.nn.functional.Dropout']
    >>> spellings("torch.torch.abs", TORCH_PREFIXES, "torch")
    ['torch.abs']
    """
    text = clean(text).removesuffix("()")
    while text.startswith(f"{root}.{root}."):
        text = text.removeprefix(f"{root}.")
    head, dot, rest = text.partition(".")
    if head == root or text.startswith(_ELSEWHERE):
        return [text]
    if dot and head in prefixes:
        return [f"{prefixes[head]}.{rest}"]
    homes = [root, f"{root}.nn", f"{root}.Tensor", f"{root}.nn.functional"]
    if root == "mindspore":
        homes = [root, "mindspore.nn", "mindspore.ops", "mindspore.mint", "mindspore.Tensor"]
    return [f"{home}.{text}" for home in homes]


def heads(text: str) -> list[str]:
    """What a name of PyTorch's stands in, the nearest first: of a module's dictionary the module.

    >>> heads("torch.optim.__dict__.items"), heads("torch.__version__.split")
    (['torch.optim'], ['torch.__version__'])
    """
    parts = spellings(text, TORCH_PREFIXES, "torch")[0].split(".")
    for place, part in enumerate(parts):
        if part in ("__dict__", "__all__"):
            return [".".join(parts[:place])]
    return [".".join(parts[:end]) for end in range(len(parts) - 1, 1, -1)]


def mindspore_dtypes(name: str) -> tuple[str, str]:
    """What a PyTorch dtype may be called in MindSpore: torch.bool is mindspore.bool_."""
    same = name.replace("torch.", "mindspore.", 1)
    return same, f"{same}_"


def torch_spellings(text: str) -> list[str]:
    """The PyTorch names that a spelling may stand for, likeliest first.

    Code and operators stand for the method of a tensor that they call.

    >>> torch_spellings("x += 2")[:2], torch_spellings("len")[0]
    (['torch.Tensor.__iadd__', 'torch.Tensor.__add__'], 'torch.Tensor.__len__')
    """
    text = clean(text)
    found = spellings(text, TORCH_PREFIXES, "torch")
    if text.removesuffix("()").replace(".", "").isidentifier() and text not in _WORDS:
        return found
    from msmap import syntax

    return [*(f"torch.Tensor.{method}" for method in syntax.methods(text)), *found]


# Of Python, and none of PyTorch's.
_WORDS = ("for", "format", "if", "in", "iter", "len", "not", "reversed", "while")


def mindspore_spellings(text: str) -> list[str]:
    """The MindSpore names that a spelling may stand for, likeliest first."""
    return spellings(text, MINDSPORE_PREFIXES, "mindspore")


def in_place(name: str) -> bool:
    """Whether a name is of what changes its object, or its first argument, and gives it back."""
    return name.endswith("_") and not name.endswith("__")


def stem(name: str) -> str:
    """What the names of a function, its method, its in-place form and its layer have in common.

    >>> {stem(n) for n in ("torch.nn.L1Loss", "torch.nn.functional.l1_loss")}
    {'l1'}
    >>> {stem(n) for n in ("torch.nn.ReLU", "torch.relu_", "torch.Tensor.relu")}
    {'relu'}
    """
    leaf = name.rpartition(".")[2].lower().replace("_", "")
    return leaf.removesuffix("loss") or leaf


def siblings(name: str, known: Iterable[str], curated: Container[str]) -> list[str]:
    """Those of the known names that share the stem of one: those with a record first.

    Then come those of the same framework, of the same spelling, and shorter ones.
    """
    own, framework = stem(name), name.partition(".")[0]
    leaf = name.rpartition(".")[2]
    found = {other for other in known if other != name and stem(other) == own}
    return sorted(
        found,
        key=lambda other: (
            other not in curated, other.partition(".")[0] != framework,
            other.rpartition(".")[2] != leaf, len(other), other,
        ),
    )  # fmt: skip
