"""Signatures of the installed PyTorch's public names."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from pathlib import Path

from msmap.signatures.files import CALLABLE_KINDS, Api
from msmap.signatures.readers import aliases, docstrings, forwarding, objects, stubs
from msmap.signatures.readers import texts as render
from msmap.signatures.readers.objects import Named, attribute
from msmap.signatures.readers.torch_names import MEMBERS, NAMESPACES, at, unimported


def resolve(name: str) -> str | None:
    """The public spelling of a name used as a default in a stub or docstring."""
    import torch

    last = name.removeprefix("torch.")
    if name == last and not isinstance(getattr(torch, last, None), torch.dtype):
        return f"torch.{last}" if last in _CONSTANTS and hasattr(torch, last) else None
    value: object = torch
    for part in last.split("."):
        value = getattr(value, part, None)
    return None if value is None else f"torch.{last}"


# The default of losses written in C, by their stubs and in fact: without it nothing is reduced.
_MEAN, _AS_PARSED = "reduction: int = 1", "reduction: int = 0"
_CONSTANTS = frozenset(
    {"strided", "contiguous_format", "preserve_format", "channels_last", "inf", "nan", "pi"}
)


class Reader:
    """Turns names into APIs; knows every public object's canonical name."""

    def __init__(self, found: list[Named]) -> None:
        import torch

        self.same = aliases.identical(found, NAMESPACES)
        self.public = objects.public_names(found, self.same, "torch")
        self.names = {named.name for named in found}
        self.listed = {at(name): name for name in reversed(MEMBERS)}
        self.root = Path(inspect.getfile(torch)).parent
        self.module = torch.nn.Module
        self.init = attribute(torch.nn.Module, "__init__")

    def api(self, named: Named) -> Api:
        """Everything known about one name."""
        doc = objects.documentation(named.value)
        texts, source = self.signatures(named, doc)
        return Api(
            name=named.name,
            kind=named.kind,
            signatures=texts,
            call=self.call(named),
            source=source if texts else "",
            defined=objects.defined(named),
            alias_of=self.same.get(named.name, ""),
            deprecated=objects.deprecation(named, doc),
            base=self.base(named),
            members=self.members(named),
            # Of what is written in C, documentation is made of docstrings alone.
            undocumented=not doc and isinstance(named.value, types.BuiltinFunctionType),
        )

    def base(self, named: Named) -> str:
        """The nearest class above one whose members are names."""
        return next((self.listed[c] for c in self.lines(named)[1:] if c in self.listed), "")

    def members(self, named: Named) -> tuple[str, ...]:
        """What objects of a class have besides the members that are names."""
        lines = self.lines(named)
        own = [c for c in lines if c is named.value or c not in self.listed]
        found = {leaf for c in own if c.__module__ != "builtins" for leaf in objects.held(c)}
        # What one has from above in its own way is told there.
        homes = [named.name, *(self.listed[c] for c in lines if c in self.listed)]
        told = {leaf for leaf in found for home in homes if f"{home}.{leaf}" in self.names}
        return tuple(sorted(found - told))

    def lines(self, named: Named) -> tuple[type, ...]:
        """A class and those above it; none of an alias, and of what is made in C++.

        Those are the compiler's, and tensors and storages of one dtype, which have a tensor's.
        """
        value = named.value
        if not isinstance(value, type) or named.name in self.same:
            return ()
        made = type(value).__name__ in ("pybind11_type", "tensortype")
        return () if made else inspect.getmro(value)

    def signatures(self, named: Named, doc: str) -> tuple[tuple[str, ...], str]:
        """The signatures and where they are from."""
        if named.kind not in CALLABLE_KINDS:
            return (), ""
        if path := unimported(named.name):
            return self.from_source(named, self.root / path), "source"
        text = self.inspected(named)
        if text is not None and not render.useless(text):
            return (text,), "inspect"
        written = self.documented(named, doc)
        stub = self.stubbed(named)
        if len(stub) == 1:
            # The stub of torch.tensor forgets that all but the data is keyword-only.
            stub = (render.starred(stub[0], written),)
        stub = tuple(render.filled(found, written) for found in stub)
        kept = self.kept(named)
        order = [(written, "docstring"), (kept, "source"), (stub, "stub")]
        builtin = text is None and not isinstance(named.value, types.FunctionType)
        for found, source in reversed(order) if builtin else order:
            if found:
                return found, source
        described = render.written(docstrings.arguments(doc), resolve)
        if described and text is None and named.kind == "function":
            return (described,), "docstring"
        return ((text,), "inspect") if text is not None else ((), "")

    def from_source(self, named: Named, path: Path) -> tuple[str, ...]:
        """What the source says of something that can't be imported."""
        if named.owner is None:
            return stubs.constructors(path, named.name.rpartition(".")[2], resolve)
        qualname = ".".join(named.name.split(".")[-2:])
        return stubs.signatures(path, qualname, resolve, bound=True)

    def kept(self, named: Named) -> tuple[str, ...]:
        """The signature that a decorator or a base class has instead."""
        value = named.value
        if not isinstance(value, type):
            text = objects.unwrapped(value, self.public)
        elif issubclass(value, self.module) and attribute(value, "__init__") is self.init:
            # Module.__init__ accepts anything only to refuse it.
            text = "()"
        else:
            text = forwarding.constructor(value, self.public, resolve)
        return () if text is None or render.useless(text) else (text,)

    def inspected(self, named: Named) -> str | None:
        return objects.signature(named, self.public)

    def documented(self, named: Named, doc: str) -> tuple[str, ...]:
        last = named.name.rpartition(".")[2]
        own = str(attribute(named.value, "__name__"))
        names = {last, own, "__init__"} if named.kind == "class" else {last, own}
        texts = docstrings.signatures(doc, names)
        if isinstance(named.value, type):
            texts += docstrings.constructors(
                objects.documentation(attribute(named.value, "__init__"))
            )
        found = (render.written(text, resolve) for text in texts)
        return tuple(dict.fromkeys(text for text in found if text is not None))

    def stubbed(self, named: Named) -> tuple[str, ...]:
        value = named.value
        home = str(attribute(value, "__module__") or "torch._C")
        qualname = str(attribute(value, "__qualname__"))
        for path, key in self.places(named, home, qualname):
            if isinstance(value, type):
                found = stubs.constructors(path, key, resolve)
            else:
                bound = named.owner is not None
                found = stubs.signatures(path, key, resolve, bound=bound)
                # The parser of arguments knows numbers alone: it reads at::Reduction::Mean as 0.
                found = tuple(text.replace(_MEAN, _AS_PARSED) for text in found)
            if found:
                return found
        return ()

    def places(self, named: Named, home: str, qualname: str) -> Iterator[tuple[Path, str]]:
        """The stub files and qualified names under which an object may be declared."""
        last = named.name.rpartition(".")[2]
        variable = self.root / "_C" / "_VariableFunctions.pyi"
        if qualname.startswith("_VariableFunctionsClass."):
            yield variable, qualname.partition(".")[2]
        # torch.linalg.det and torch.det differ: only what is torch's own is looked up there.
        own = ["torch._C"] if home in ("torch", "torch._C", "torch._tensor") else []
        for module in (home, named.home, *own):
            base = self.root.joinpath(*module.split(".")[1:])
            for path in (base.with_suffix(".pyi"), base / "__init__.pyi"):
                yield path, qualname
                if named.owner is None:
                    yield path, last
        if own:
            yield variable, last

    def call(self, named: Named) -> tuple[str, ...]:
        """The signature of a layer's `forward`."""
        value = named.value
        if not isinstance(value, type) or not issubclass(value, self.module):
            return ()
        forward = attribute(value, "forward")
        if attribute(forward, "__name__") != "forward":
            return ()
        text = objects.inspected(forward, self.public, bound=True)
        return () if text is None else (text,)
