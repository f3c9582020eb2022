"""Names as they are pasted: calls, methods, quotes, imports, wrong case, and errors about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from keyword import iskeyword

from msmap import foreign
from msmap import names as spelt
from msmap.foreign import Foreign
from msmap.query.base.asked import Asked
from msmap.query.search import messages

_DOTTED = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"
_CALL = re.compile(rf"(?:[A-Za-z_][\w., ]*=\s*)?@?(\.?{_DOTTED})(?:[(\[].*)?", re.S)
_CALLED = re.compile(r"([A-Za-z_][\w.]*)\s*\(")
# PyTorch's module of the same name.
_TWIN = re.compile(r"^mindspore(?:\.mint)?\b")
# What stands before the call of a statement.
_HEAD = re.compile(r"(?:for\s[\w\s,()]+\sin|with|return|await|yield)\s+(?=[A-Za-z_])")
_IMPORT = re.compile(rf"import\s+({_DOTTED})(?:\s+as\s+\w+)?")
_FROM = re.compile(rf"from\s+({_DOTTED})\s+import\s+\(?([\w, \n]+)\)?")
# What names of the two frameworks begin with.
_OURS = frozenset(("torch", "mindspore", *spelt.TORCH_PREFIXES, *spelt.MINDSPORE_PREFIXES))
_HEADS = "|".join(sorted(_OURS))
_MENTION = re.compile(
    rf"(?<![\w./'\[])((?:{_HEADS})(?:\.[A-Za-z_]\w*)+|{_DOTTED}\.(?!__)\w+(?=\())"
)
_ATTRIBUTE = re.compile(r"'([\w.]+)' object has no attribute '(\w+)'")
_MEMBER = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")
_IMPORTED = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
_NO_MODULE = re.compile(r"No module named '((?:mindspore|torch)(?:\.\w+)+)'")
# As a name may stand in a sentence: x.shape.
_WRITTEN = re.compile(rf"(?<![\w./'\[])({_DOTTED}\.[A-Za-z_]\w*)(?![\w/]|\.\w)")
# What MindSpore's operators have beside the name of the function.
_BESIDE = re.compile(r"^Inplace|(?:Ext|View|Grad|V\d|Impl|D)+$")
_CAPITAL = re.compile(r"(?<=[a-z])[A-Z]")
# Of `__init__` alone nobody knows whose it is.
_KEYWORD = re.compile(
    r"\b(?!__)(\w+)(?:\.__init__|\.construct)?\(\) got an unexpected keyword argument"
)

# What an object is, told by how it is usually called; a tensor may have any name.
_OWNERS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"(?i)(.*_)?(model|net|network|module|self|layer|cell|encoder|decoder|backbone)\d?$"),
     ("torch.nn.Module",)),
    (re.compile(r"(?i)(.*_)?optim(izer)?(_.*)?$|opt$"), ("torch.optim.Optimizer",)),
    (re.compile(r"(?i).*sched(uler)?$"), ("torch.optim.lr_scheduler.LRScheduler",)),
    (re.compile(r"(?i)(.*_)?shape$"), ("torch.Size",)),
    (re.compile(r"(?i)(.*_)?dtype$"), ("torch.dtype",)),
    (re.compile(r"(?i)(.*_)?(device|dev)$"), ("torch.device",)),
    (re.compile(r"(?i)(.*_)?(data)?loader$"), ("torch.utils.data.DataLoader",)),
    (re.compile(r"(?i)(.*_)?(generator|rng)$"), ("torch.Generator",)),
    (re.compile(r"(?i)(.*_)?scaler$"), ("torch.amp.GradScaler",)),
    (re.compile(r"(?i)(.*_)?(dist|distribution)$"),
     ("torch.distributions.Distribution", "torch.distributed")),
    (re.compile(r"ctx$"), ("torch.autograd.function.FunctionCtx", "torch.autograd.Function")),
)  # fmt: skip
_ANY = ("torch.Tensor", "torch.nn.Module", "torch.optim.Optimizer")
# Where what MindSpore lacks may stand in PyTorch.
_HOMES = {
    "mindspore": ("torch", "torch.nn"),
    "mindspore.ops": ("torch", "torch.nn.functional"),
    "mindspore.mint": ("torch", "torch.nn.functional"),
    "mindspore.mint.nn": ("torch.nn",),
    "mindspore.mint.nn.functional": ("torch.nn.functional", "torch"),
    "mindspore.nn": (
        "torch.nn",
        "torch.optim",
        "torch.optim.lr_scheduler",
        "torch.nn.functional",
    ),
    "mindspore.dataset": ("torch.utils.data",),
    "mindspore.amp": ("torch.amp", "torch.cuda.amp", "torch"),
    "mindspore.mint.optim": ("torch.optim",),
    "mindspore.mint.linalg": ("torch.linalg",),
    "mindspore.mint.special": ("torch.special",),
    "mindspore.mint.distributed": ("torch.distributed",),
    "mindspore.communication": ("torch.distributed",),
    "mindspore.common.initializer": ("torch.nn.init",),
    "mindspore.experimental.optim": ("torch.optim",),
    "mindspore.experimental.optim.lr_scheduler": ("torch.optim.lr_scheduler",),
}


def calls(code: str) -> list[str]:
    """What is called in code, as it is spelled there; of code that can't be parsed too."""
    return [name for name in _CALLED.findall(code) if not iskeyword(name)]


def names(text: str) -> list[str]:
    """The spellings that a text may stand for, likeliest first; none if it is no name.

    >>> names("x.view(-1, 10)")
    ['x.view', 'torch.Tensor.view', 'torch.nn.Module.view', 'torch.optim.Optimizer.view']
    """
    bare = _bare(text)
    if (taken := imported(bare)) or (blamed := list(_blamed(text))):
        return taken or list(dict.fromkeys([*blamed, *_mentioned(text)]))
    if (found := _CALL.fullmatch(bare)) is not None:
        return list(dict.fromkeys(_owned(found[1])))
    # In a traceback most names have nothing to do with the error.
    written = () if messages.error(text) else _WRITTEN.findall(text)
    others = (owned for name in written for owned in _owned(name))
    return list(dict.fromkeys([*_mentioned(text), *others]))


def other(text: str) -> Foreign | None:
    """What is said of a text that is about something of another package; None of any other text.

    It may be a name, an import, a call, code that names nothing of either framework, or an error.
    """
    found = next(_others(spelt.clean(text)[:_LONGEST]), None)
    return None if found is None else foreign.told(found)


# What is read of a text.
_LONGEST = 4000
# einops is recognised by its patterns, however it was imported.
_EINOPS = re.compile(r"(?<![\w.])(rearrange|reduce|repeat)\([^'\"]*['\"][^'\"]*->", re.S)
_PATTERN = re.compile(r"(?=.*[*?])[\w.*?]+")
_ABSENT = re.compile(r"No module named '([\w.]+)'")


def _others(text: str) -> Iterator[str]:
    """The full names of other packages that a text is about."""
    if taken := imported(text):
        others = [name for name in taken if foreign.is_module(name)]
        yield from others if len(others) == len(taken) else ()
    elif messages.error(text) is not None:
        blamed = [f"{home}.{leaf}" for home, leaf in members(text)]
        yield from filter(foreign.is_module, (*blamed, *_ABSENT.findall(text)))
    elif _PATTERN.fullmatch(text):
        # Of a pattern the module: np.s* is about numpy.
        found = foreign.full(re.sub(r"[*?].*", "x", text))
        yield from (found.rpartition(".")[0],) if found else ()
    elif (einops := _EINOPS.search(text)) is not None:
        yield f"einops.{einops[1]}"
    else:
        named = {name: foreign.full(name) for name in _written(text)}
        ours = (name for name in named if name.partition(".")[0] in _OURS)
        if all(named[name] for name in ours):
            yield from filter(None, named.values())


def _bare(text: str) -> str:
    """A text without what stands around a name or a call."""
    return _HEAD.sub("", text.strip().removeprefix(">>>").strip()).strip("\"'`;,").strip()


def _written(text: str) -> list[str]:
    """The dotted names that a text is about: what it calls, or of several lines all in them."""
    bare = _bare(text)
    if "\n" not in bare and (found := _CALL.fullmatch(bare)) is not None:
        return [found[1]]
    return list(dict.fromkeys([*_MENTION.findall(text), *_WRITTEN.findall(text)]))


def canonical(kb: Asked, spelling: str) -> str | None:
    """The canonical name of a spelling, in whatever case; None if no framework has it."""
    name = kb.mindspore_name(spelling) if kb.is_mindspore(spelling) else kb.torch_name(spelling)
    if name is not None:
        return name
    if same := kb.namesakes(spelling):
        return kb.torch_name(same[0])
    wanted = {_folded(s) for text in (spelling, spelling.lower()) for s in _spellings(text)}
    marks = ", ".join("?" * len(wanted))
    rows = kb.rows(
        f"SELECT name FROM spelling WHERE replace(lower(name), '_', '') IN ({marks})"
        " ORDER BY framework = 'mindspore', NOT curated, length(name), name LIMIT 1",
        sorted(wanted),
    )
    return rows[0][0] if rows else None


def _spellings(text: str) -> list[str]:
    return [*spelt.torch_spellings(text), *spelt.mindspore_spellings(text)]


def _folded(name: str) -> str:
    return name.lower().replace("_", "")


def _owned(name: str) -> Iterator[str]:
    """A dotted name, and what it is if it is a method of something."""
    head, _, rest = name.partition(".")
    if head:
        yield name
    leaf = name.rpartition(".")[2]
    # A class is in a module: T.Resize is no method of a tensor.
    if not rest or head in _OURS or _is_class(leaf) or foreign.full(name) is not None:
        return
    owner = name.rpartition(".")[0].rpartition(".")[2]
    told = next((owners for pattern, owners in _OWNERS if owner and pattern.match(owner)), ())
    for home in dict.fromkeys((*told, *_ANY)):
        yield f"{home}.{leaf}"


def _is_class(leaf: str) -> bool:
    return leaf[0].isupper() and not leaf.isupper()


def imported(text: str) -> list[str]:
    """The names that a line of Python imports; none if it is no import."""
    text = text.strip()
    if (found := _FROM.fullmatch(text)) is not None:
        taken = (name.split() for name in found[2].split(","))
        return [f"{found[1]}.{words[0]}" for words in taken if words]
    found = _IMPORT.fullmatch(text)
    return [found[1]] if found is not None else []


def _blamed(text: str) -> Iterator[str]:
    """What an error says is missing, where PyTorch has it."""
    for owner, leaf in members(text):
        yield from at_home(owner, leaf)
        # What another package lacks is none of PyTorch's.
        if owner.partition(".")[0] in ("mindspore", "torch"):
            yield leaf
    for module in _NO_MODULE.findall(text):
        yield _TWIN.sub("torch", module)
    for owner, leaf in _ATTRIBUTE.findall(text):
        if owner in ("Tensor", "Parameter"):
            yield from _at(("torch.Tensor", "mindspore.Tensor"), leaf)
        elif owner != "module":
            # Who mixes both asks a module of PyTorch's for what a Cell has.
            yield from _at(("torch.nn.Module", "torch.optim.Optimizer", "mindspore.nn.Cell"), leaf)
    yield from _KEYWORD.findall(text)
    yield from operators(text)


def members(text: str) -> list[tuple[str, str]]:
    """The modules that an error is about, each with what it says that the module lacks."""
    imported_ = ((owner, leaf) for leaf, owner in _IMPORTED.findall(text))
    return [*_MEMBER.findall(text), *imported_]


def operators(text: str) -> list[str]:
    """The operators of MindSpore's that an error is about, as PyTorch would spell their names.

    >>> operators("The kernel OneHotExt unregistered.")
    ['one_hot']
    """
    bare = (_BESIDE.sub("", operator) for operator in messages.operators(text))
    return [_CAPITAL.sub(r"_\g<0>", name).lower() for name in bare]


def at_home(module: str, leaf: str) -> Iterator[str]:
    """The names of PyTorch's that something missing in a module of MindSpore's may be."""
    homes = _HOMES.get(module, ()) if module.startswith("mindspore") else (module,)
    yield from _at(dict.fromkeys((*homes, _TWIN.sub("torch", module))), leaf)


def _at(homes: Iterable[str], leaf: str) -> Iterator[str]:
    return (f"{home}.{leaf}" for home in homes)


def _mentioned(text: str) -> Iterator[str]:
    for name in _MENTION.findall(text):
        yield from _owned(name)
