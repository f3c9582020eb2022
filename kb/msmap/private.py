"""Private names of PyTorch: what is said of them by rule, as no record can promise anything."""

from __future__ import annotations

from msmap import names

# Runs one operation on each tensor of some lists.
_EACH = "_foreach_"
_ANY = (
    "{0} is private to PyTorch: any release may change it, and no record promises anything of it;"
    " call the public name that stands for it",
    "{0} 是 PyTorch 的私有名称：任何版本都可能改变它，没有记录对它作出保证；请改用对应的公开名称",
)
_FOR_EACH = (
    "{0} is private to PyTorch: it runs {1} on each tensor of a list. Write it for each, {2}, and"
    " port that",
    "{0} 是 PyTorch 的私有名称：对列表中的每个张量执行 {1}。请逐个书写 {2}，再转写",
)


def is_private(name: str) -> bool:
    """Whether a name is one of PyTorch's with a private part.

    >>> is_private("torch._C._nn.gelu"), is_private("torch.Tensor.__add__")
    (True, False)
    """
    return names.is_torch_spelling(name) and any(
        part.startswith("_") and not part.endswith("__") for part in name.split(".")
    )


def public(name: str) -> tuple[str, ...]:
    """The public names that a private one may stand for.

    >>> public("torch._foreach_add_")
    ('torch.Tensor.add_', 'torch.add_')
    """
    operation = _operation(name)
    found = (f"torch.{operation}", f"torch.Tensor.{operation}")
    return found[::-1] if operation.endswith("_") else found


def said(name: str) -> tuple[str, str] | None:
    """Why a private name has no record, and what to do, in English and Chinese; else None."""
    if not is_private(name):
        return None
    texts, told = _ANY, [name]
    if name.rpartition(".")[2].startswith(_EACH):
        operation = _operation(name)
        each = f"[torch.{operation}(x, ...) for x in tensors]"
        if operation.endswith("_"):
            each = f"for x in tensors: x.{operation}(...)"
        texts, told = _FOR_EACH, [name, operation, each]
    en, zh = texts
    return en.format(*told), zh.format(*told)


def _operation(name: str) -> str:
    return name.rpartition(".")[2].removeprefix(_EACH).lstrip("_")
