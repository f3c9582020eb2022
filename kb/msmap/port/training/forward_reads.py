"""Which layers and parameters a module's methods read: in each step, in some, or in none."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from msmap.code.tree import children
from msmap.infer.values.lattice import Class, Entry, Function

# Attributes by the names of which each is reached: ``("encoder", "layers")``.
Path = tuple[str, ...]
_LOOPS = (ast.For, ast.AsyncFor)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_LEAVING = (ast.Return, ast.Continue, ast.Break)
FORWARD = "forward"


@dataclass
class Reads:
    """What some code reads of its module.

    ``always`` is read whenever the code runs, ``configured`` where a setting of the module says so,
    which is the same in all steps, ``sometimes`` on any other condition.
    """

    always: set[Path] = field(default_factory=set)
    configured: set[Path] = field(default_factory=set)
    sometimes: set[Path] = field(default_factory=set)

    def add(self, other: Reads) -> None:
        """Both run."""
        self.always |= other.always
        self.configured |= other.configured
        self.sometimes |= other.sometimes

    def under(self, prefix: Path) -> Reads:
        """The same of a module that is an attribute of another."""
        kinds = (self.always, self.configured, self.sometimes)
        return Reads(*({prefix + path for path in kind} for kind in kinds))

    @property
    def every(self) -> set[Path]:
        """All that is read at all."""
        return self.always | self.configured | self.sometimes


class Reader:
    """What the methods of modules read; each is read once."""

    def __init__(self) -> None:
        self._known: dict[tuple[Entry, str], Reads] = {}

    def method(self, entry: Entry, name: str, above: bool = False) -> Reads:
        """What a method of a class reads; ``above`` asks for that of its bases."""
        key = (entry, f"super.{name}" if above else name)
        if key not in self._known:
            self._known[key] = Reads()
            owners = entry.lineage[1:] if above else entry.lineage
            made = next((one.members[name] for one in owners if name in one.members), None)
            if isinstance(made, Function) and not isinstance(made.node, ast.Lambda):
                spec = made.node.args
                first = [*spec.posonlyargs, *spec.args][:1]
                if first and made.kind != "static":
                    of = _Body(self, entry, first[0].arg)
                    self._known[key] = of.block(made.node.body)
        return self._known[key]


class _Body:
    """One method, whose object goes by a name."""

    def __init__(self, reader: Reader, entry: Entry, myself: str) -> None:
        self.reader, self.entry, self.myself = reader, entry, myself
        # The names that loops bind, by which lists of layers are gone through.
        self.counting: set[str] = set()

    def block(self, nodes: Sequence[ast.stmt]) -> Reads:
        found = Reads()
        for index, node in enumerate(nodes):
            if isinstance(node, ast.If):
                found.add(self.choice(node, nodes[index + 1 :]))
                if _leaves(node.body) or _leaves(node.orelse):
                    return found
            elif isinstance(node, ast.Try):
                found.add(self.block([*node.body, *node.orelse, *node.finalbody]))
                for handler in node.handlers:
                    found.sometimes |= self.block(handler.body).every
            elif isinstance(node, (*_LOOPS, ast.While)):
                found.add(self.loop(node))
            elif isinstance(node, ast.With | ast.AsyncWith):
                for item in node.items:
                    found.add(self.expression(item.context_expr))
                found.add(self.block(node.body))
            elif isinstance(node, ast.FunctionDef):
                # It is defined to be called here, as what a checkpoint runs.
                found.add(self.block(node.body))
            elif isinstance(node, ast.Match):
                found.add(self.expression(node.subject))
                for case in node.cases:
                    found.sometimes |= self.block(case.body).every
            else:
                found.add(self.expression(node))
        return found

    def loop(self, node: ast.For | ast.AsyncFor | ast.While) -> Reads:
        if isinstance(node, ast.While):
            found = self.expression(node.test)
        else:
            found = self.expression(node.iter)
            self.counting |= _names(node.target)
        found.add(self.block([*node.body, *node.orelse]))
        # A pass that is left out leaves out a layer of the list, too.
        if not isinstance(node, ast.While) and (
            _skips(node.body) or not self.uses(node.body, _names(node.target))
        ):
            of = self.expression(node.iter).always
            found.always -= of
            found.sometimes |= of
        return found

    def uses(self, block: Sequence[ast.stmt], names: set[str]) -> bool:
        """Whether each pass of a loop reads one of the names that it binds."""
        for node in block:
            if isinstance(node, ast.If) and not self.is_setting(node.test):
                if self.uses(node.body, names) and self.uses(node.orelse, names):
                    return True
            elif any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node)):
                return True
        return False

    def choice(self, node: ast.If, rest: Sequence[ast.stmt]) -> Reads:
        """What an ``if`` reads, with all behind it where one of its branches leaves the block."""
        leaves, otherwise = _leaves(node.body), _leaves(node.orelse)
        first = [*node.body] if leaves else [*node.body, *(rest if otherwise else ())]
        second = [*node.orelse] if otherwise else [*node.orelse, *(rest if leaves else ())]
        found = self.expression(node.test)
        training = self.training(node.test)
        if training is not None:
            found.add(self.block(first if training else second))
            return found
        if _raises(first) or _raises(second):
            found.add(self.block(second if _raises(first) else first))
            return found
        one, two = self.block(first), self.block(second)
        found.add(self.either(node.test, one, two))
        return found

    def either(self, test: ast.expr, one: Reads, two: Reads) -> Reads:
        """What is read where a condition decides between two."""
        both = one.always & two.always
        only = (one.always | two.always) - both
        found = Reads(both, one.configured | two.configured, one.sometimes | two.sometimes)
        if self.is_setting(test):
            found.configured |= only
        else:
            found.sometimes |= only
        return found

    def training(self, test: ast.expr) -> bool | None:
        """What a condition is in training, if it asks for the mode and nothing else."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            found = self.training(test.operand)
            return None if found is None else not found
        return True if self.path(test) == ("training",) else None

    def is_setting(self, test: ast.expr) -> bool:
        """Whether a condition asks for nothing but attributes that only the constructor sets."""
        if self.path(test) is not None:
            return not _is_set_later(self.entry, self.path(test) or ())
        if isinstance(test, ast.Call):
            name = getattr(test.func, "id", "")
            return name in _ASKING and all(map(self.is_setting, test.args))
        if isinstance(test, ast.Name):
            return test.id.isupper()
        kinds = (ast.BoolOp, ast.UnaryOp, ast.Compare, ast.Constant, ast.Tuple, ast.List)
        if not isinstance(test, kinds):
            return False
        inner = (one for one in children(test) if isinstance(one, ast.expr))
        return all(map(self.is_setting, inner))

    def expression(self, node: ast.AST) -> Reads:
        found = Reads()
        if isinstance(node, ast.IfExp):
            found.add(self.expression(node.test))
            one, two = self.expression(node.body), self.expression(node.orelse)
            found.add(self.either(node.test, one, two))
            return found
        if isinstance(node, ast.Call) and (called := self.called(node)) is not None:
            found.add(called)
            for given in (*node.args, *node.keywords):
                found.add(self.expression(given))
            return found
        if isinstance(node, _COMPREHENSIONS):
            for walk in node.generators:
                self.counting |= _names(walk.target)
        if isinstance(node, ast.Attribute | ast.Subscript) and (path := self.path(node)):
            (found.sometimes if "?" in path else found.always).add(path)
            return found
        for child in children(node):
            found.add(self.expression(child))
        return found

    def called(self, node: ast.Call) -> Reads | None:
        """What a call reads of the module: of a method, or of a module that it holds."""
        function = node.func
        if isinstance(function, ast.Name) and function.id == "getattr" and node.args:
            on = self.path(node.args[0])
            return None if on is None else Reads(always={on})
        if isinstance(function, ast.Attribute) and _is_super(function.value):
            return self.reader.method(self.entry, function.attr, above=True)
        path = self.path(function)
        if path == ():
            return self.reader.method(self.entry, FORWARD)
        if path is None:
            return None
        entry: Entry | None = self.entry
        for index, name in enumerate(path):
            assert entry is not None
            last = index == len(path) - 1
            if last and isinstance(entry.member(name), Function):
                return self.reader.method(entry, name).under(path[:index])
            entry = held(entry, name)
            if entry is None:
                return None
        found = self.reader.method(entry, FORWARD).under(path) if entry else None
        return found if found is not None and found.every else None

    def path(self, node: ast.AST) -> Path | None:
        """The names by which something is reached from the object; () is itself."""
        if isinstance(node, ast.Name):
            return () if node.id == self.myself else None
        if isinstance(node, ast.Attribute):
            on = self.path(node.value)
            return None if on is None else (*on, node.attr)
        if isinstance(node, ast.Subscript):
            on = self.path(node.value)
            if not on:
                return None
            return (*on, *self.index(node.slice)) if _is_list(self.entry, on[0]) else on
        return None

    def index(self, node: ast.expr) -> Path:
        """What a list of layers is asked for: all of it by ``()``, "?" where that varies."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
            return (f"[-{node.operand.value!r}]",)
        if isinstance(node, ast.Constant):
            return (f"[{node.value!r}]",)
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        return () if isinstance(node, ast.Slice) or names & self.counting else ("?",)


_ASKING = ("isinstance", "hasattr", "len", "bool", "callable")


def held(entry: Entry, name: str) -> Entry | None:
    """The class of the module that an attribute always holds, if it is one of the source's."""
    values = [
        value for one, _, value, _ in assigned(entry)
        if one == name and not (isinstance(value, ast.Constant) and value.value is None)
    ]  # fmt: skip
    made = {entry.home.objects.get(value) for value in values}
    only = made.pop() if len(made) == 1 else None
    return only.entry if isinstance(only, Class) else None


_LISTS = ("Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict")


def _is_list(entry: Entry, name: str) -> bool:
    """Whether an attribute is made as a list or dict of layers or parameters."""
    values = (value for one, _, value, _ in assigned(entry) if one == name)
    calls = (value.func for value in values if isinstance(value, ast.Call))
    return any(getattr(one, "attr", getattr(one, "id", "")) in _LISTS for one in calls)


def assigned(entry: Entry) -> Iterator[tuple[str, Entry, ast.expr, bool]]:
    """What the methods set attributes to: name, whose method, value, whether on a condition."""
    for owner in entry.lineage:
        for method in owner.node.body:
            if isinstance(method, ast.FunctionDef):
                yield from _assigned(owner, method.body, False)


def _assigned(
    owner: Entry, block: Sequence[ast.stmt], conditional: bool
) -> Iterator[tuple[str, Entry, ast.expr, bool]]:
    for node in block:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        for one in targets if value is not None else ():
            if isinstance(one, ast.Attribute) and getattr(one.value, "id", "") == "self":
                if isinstance(value, ast.IfExp):
                    yield one.attr, owner, value.body, True
                    yield one.attr, owner, value.orelse, True
                elif value is not None:
                    yield one.attr, owner, value, conditional
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(node, name, None)
            if isinstance(inner, list):
                yield from _assigned(owner, inner, conditional or isinstance(node, ast.If))


def _is_set_later(entry: Entry, path: Path) -> bool:
    """Whether a method other than the constructor sets an attribute."""
    methods = (
        (owner, method) for owner in entry.lineage for method in owner.node.body
        if isinstance(method, ast.FunctionDef) and method.name != "__init__"
    )  # fmt: skip
    return any(
        name == path[0]
        for owner, method in methods
        for name, *_ in _assigned(owner, method.body, False)
    )


def _names(target: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def _leaves(block: Sequence[ast.stmt]) -> bool:
    return bool(block) and isinstance(block[-1], _LEAVING)


def _raises(block: Sequence[ast.stmt]) -> bool:
    return bool(block) and isinstance(block[-1], ast.Raise)


def _skips(block: Sequence[ast.stmt]) -> bool:
    """Whether a loop may go on to the next item, or end, before all of its body has run."""
    inner = [one for node in block for one in ast.walk(node) if not isinstance(node, _LOOPS)]
    return any(isinstance(one, ast.Continue | ast.Break) for one in inner)


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "super"
