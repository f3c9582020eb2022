"""Public names of the installed MindSpore and their signatures."""

from __future__ import annotations

import importlib
import re
import types
from collections.abc import Iterator

from msmap.signatures.files import CALLABLE_KINDS, Api
from msmap.signatures.readers import aliases, docstrings, forwarding, objects
from msmap.signatures.readers import texts as render
from msmap.signatures.readers.objects import Named, attribute

# The order decides which of an object's names is the canonical one.
NAMESPACES = (
    "mindspore.amp",
    "mindspore.train",
    "mindspore.nn",
    "mindspore.nn.learning_rate_schedule",
    "mindspore.nn.dynamic_lr",
    "mindspore.nn.utils",
    "mindspore.ops",
    "mindspore.mint.nn.functional",
    "mindspore.mint.nn",
    "mindspore.mint.optim",
    "mindspore.mint.linalg",
    "mindspore.mint.special",
    "mindspore.mint.distributed",
    "mindspore.mint",
    "mindspore.common.initializer",
    "mindspore.experimental.optim",
    "mindspore.experimental.optim.lr_scheduler",
    "mindspore.communication",
    "mindspore.communication.comm_func",
    "mindspore.communication.management",
    "mindspore.parallel",
    "mindspore.parallel.auto_parallel",
    "mindspore.parallel.distributed",
    "mindspore.parallel.nn",
    "mindspore.parallel.strategy",
    "mindspore.runtime",
    "mindspore.mindrecord",
    "mindspore.profiler",
    "mindspore.boost",
    "mindspore.rewrite",
    "mindspore.safeguard",
    "mindspore.utils",
    "mindspore.utils.dlpack",
    "mindspore",
    "mindspore.common",
    "mindspore.context",
    "mindspore.device_context.ascend.device",
    "mindspore.device_context.ascend.op_debug",
    "mindspore.device_context.ascend.op_precision",
    "mindspore.device_context.ascend.op_tuning",
    "mindspore.device_context.cpu.op_tuning",
    "mindspore.device_context.gpu.op_precision",
    "mindspore.device_context.gpu.op_tuning",
    "mindspore.device_context",
    "mindspore.device_context.ascend",
    "mindspore.device_context.cpu",
    "mindspore.device_context.gpu",
    "mindspore.hal",
    "mindspore.nn.probability",
    "mindspore.nn.probability.bijector",
    "mindspore.nn.probability.bnn_layers",
    "mindspore.nn.probability.distribution",
    "mindspore.numpy",
    "mindspore.scipy",
    "mindspore.scipy.linalg",
    "mindspore.scipy.optimize",
    "mindspore.dataset.transforms",
    "mindspore.dataset.vision",
    "mindspore.dataset.text",
    "mindspore.dataset.audio",
    "mindspore.dataset",
    "mindspore.multiprocessing",
)
MEMBERS = (
    "mindspore.Tensor",
    "mindspore.Parameter",
    "mindspore.ParameterTuple",
    "mindspore.Generator",
    "mindspore.nn.Cell",
    "mindspore.nn.CellDict",
    "mindspore.nn.CellList",
    "mindspore.nn.SequentialCell",
    "mindspore.nn.Optimizer",
    "mindspore.ops.Primitive",
    "mindspore.experimental.optim.Optimizer",
    "mindspore.experimental.optim.lr_scheduler.LRScheduler",
    "mindspore.mint.optim.AdamW",
    "mindspore.amp.LossScaler",
    "mindspore.amp.DynamicLossScaler",
    "mindspore.amp.StaticLossScaler",
    "mindspore.dataset.Dataset",
    "mindspore.dataset.GeneratorDataset",
    "mindspore.nn.probability.distribution.Distribution",
    "mindspore.runtime.Event",
    "mindspore.runtime.Stream",
    "mindspore.train.Model",
)
# What a name ends with when a namespace imports it for its own use.
_INTERNAL = re.compile(r"_(?:ext|op|impl|func|register|unsupported)$|^constexpr$")


def names() -> Iterator[Named]:
    """Every public name of the installed MindSpore, with its value."""
    from mindspore.common import dtype

    for namespace in NAMESPACES:
        module = imported(namespace)
        if module is None:
            continue
        yield Named(namespace, module, "module")
        for key in _public(module):
            value = getattr(module, key)
            if not isinstance(value, types.ModuleType):
                kind = objects.kind_of(value, dtype.Type)
                yield Named(f"{namespace}.{key}", value, kind)
    classes = [(name, found) for name in MEMBERS if (found := _class(name)) is not None]
    seen: set[int] = set()
    for name, value in classes:
        for named in objects.members(value, name, [other for _, other in classes]):
            # Parameter and Tensor share a builtin base, so one method can appear in both.
            if named.kind == "constant" or id(named.value) not in seen:
                yield named
            seen.add(id(named.value))


def imported(name: str) -> types.ModuleType | None:
    """A module of MindSpore, or None where this release doesn't have it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        # Anything else that is missing is a broken installation, which must not shorten the file.
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        return None


def _class(name: str) -> type | None:
    """A public class of MindSpore, or None where this release doesn't have it."""
    home, _, last = name.rpartition(".")
    value = getattr(imported(home), last, None)
    return value if isinstance(value, type) else None


def _public(module: types.ModuleType) -> list[str]:
    names = [key for key in dir(module) if not key.startswith("_")]
    return [key for key in names if _own(module, key)]


def _own(module: types.ModuleType, key: str) -> bool:
    listed = getattr(module, "__all__", None)
    if listed is not None and key in listed:
        return True
    value = getattr(module, key)
    home = str(attribute(value, "__module__"))
    if not callable(value) or _INTERNAL.search(key) or not home.startswith("mindspore."):
        return False
    if listed is None:
        return home.startswith(module.__name__)
    # mint.nn.Dropout is nn.DropoutExt: what is imported under a new name is meant to be public.
    renamed = module.__name__.startswith("mindspore.mint") and attribute(value, "__name__") != key
    borrowed = isinstance(value, type) or not home.startswith("mindspore.ops.")
    if borrowed and not renamed and not home.startswith(module.__name__):
        return False
    return (
        re.search(r"^ *(?:Args|Supported Platforms|Examples):", value.__doc__ or "", re.M)
        is not None
    )


def resolve(name: str) -> str | None:
    """The public spelling of a name used as a default in a docstring or source."""
    import mindspore

    home, _, last = name.rpartition(".")
    if home in ("", "mstype", "ms", "mindspore", "mindspore.dtype", "mindspore.common.dtype"):
        value = getattr(mindspore, last, None)
        if isinstance(value, mindspore.common.dtype.Type):
            return f"mindspore.{last}"
    return None


class Reader:
    """Turns names into APIs; knows every public object's canonical name."""

    def __init__(self, found: list[Named]) -> None:
        from mindspore import nn, ops

        self.same = aliases.identical(found, NAMESPACES)
        self.public = objects.public_names(found, self.same, "mindspore")
        self.cell = nn.Cell
        self.construct = attribute(nn.Cell, "construct")
        self.primitive = ops.Primitive

    def api(self, named: Named) -> Api:
        """Everything known about one name."""
        doc = objects.documentation(named.value)
        texts, source = self.signatures(named, doc)
        return Api(
            name=named.name,
            kind=named.kind,
            signatures=texts,
            call=self.call(named, doc),
            source=source if texts else "",
            defined=objects.defined(named),
            alias_of=self.same.get(named.name, ""),
            platforms=docstrings.platforms(doc),
            deprecated=objects.deprecation(named, doc) or decorated(named.value),
        )

    def signatures(self, named: Named, doc: str) -> tuple[tuple[str, ...], str]:
        """The signatures and where they are from."""
        if named.kind not in CALLABLE_KINDS:
            return (), ""
        text = self.inspected(named)
        if text is not None and not render.useless(text):
            return (text,), "inspect"
        for found, source in ((self.kept(named), "source"), (documented(named, doc), "docstring")):
            if found:
                return found, source
        described = render.written(docstrings.arguments(doc), resolve)
        if described and (text is None or named.kind == "function"):
            return (described,), "docstring"
        return ((text,), "inspect") if text is not None else ((), "")

    def inspected(self, named: Named) -> str | None:
        """What `inspect` says."""
        return objects.signature(named, self.public)

    def kept(self, named: Named) -> tuple[str, ...]:
        """The signature that a decorator or a base class has instead."""
        value = named.value
        if isinstance(value, type):
            text = objects.unwrapped(attribute(value, "__init__"), self.public, bound=True)
            if text is None or render.useless(text):
                text = forwarding.constructor(value, self.public, resolve)
        else:
            bound = named.owner is not None and not isinstance(value, staticmethod)
            text = objects.unwrapped(value, self.public, bound=bound)
        return () if text is None or render.useless(text) else (text,)

    def call(self, named: Named, doc: str) -> tuple[str, ...]:
        """The signature of a layer's `construct` or a primitive's `__call__`."""
        value = named.value
        if not isinstance(value, type):
            return ()
        text: str | None = None
        construct = attribute(value, "construct")
        if issubclass(value, self.cell) and construct is not self.construct:
            text = self.method(construct)
        elif issubclass(value, self.primitive):
            own = value.__call__ is not self.primitive.__call__
            text = self.method(value.__call__) if own else docstrings.inputs(doc) or None
        return (text,) if text and render.parses(text) else ()

    def method(self, function: object) -> str | None:
        """A method's signature, also when a decorator hides it."""
        text = objects.inspected(function, self.public, bound=True)
        if text is None or render.useless(text):
            text = objects.unwrapped(function, self.public, bound=True)
        return None if text is None or render.useless(text) else text


def documented(named: Named, doc: str) -> tuple[str, ...]:
    """The signatures a docstring gives."""
    last = named.name.rpartition(".")[2]
    own = str(attribute(named.value, "__name__"))
    texts = docstrings.signatures(doc, {last, own, f"{last}_ext"})
    if isinstance(named.value, type):
        texts += docstrings.constructors(objects.documentation(attribute(named.value, "__init__")))
    found = (render.written(text, resolve) for text in texts)
    return tuple(dict.fromkeys(text for text in found if text is not None))


def decorated(value: object) -> str:
    """The note of MindSpore's own `deprecated` decorator, "" without it."""
    function = attribute(value, "__init__") if isinstance(value, type) else value
    code = attribute(function, "__code__")
    names = code.co_freevars if isinstance(code, types.CodeType) else ()
    if "substitute" not in names or "version" not in names:
        return ""
    cells = getattr(function, "__closure__", ())
    kept = {name: cell.cell_contents for name, cell in zip(names, cells, strict=True)}
    instead = f", use {kept['substitute']} instead" if kept["substitute"] else ""
    return docstrings.note(f"Deprecated from version {kept['version']}{instead}.")
