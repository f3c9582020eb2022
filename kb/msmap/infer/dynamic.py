"""What a source asks for by texts: its functions and methods may be called by those."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msmap.infer import computed_names
from msmap.infer.values.lattice import OTHERS, Path

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

# What finds a function by its name: Python's own functions, and what gives modules and dicts.
_ASKING = ("getattr", "globals", "locals", "vars", "eval", "exec")
_BY_TEXT = ("__dict__", "attrgetter", "methodcaller", "modules[", "import_module", "__import__",
            "getmembers", "getmodule", "builtins", "__main__ as", "import __main__")  # fmt: skip
# One of the former as a word of its own, no method: of ``getattr`` with what is asked.
_ASKED = re.compile(
    r"""(?<![\w."'])(?:globals|locals|vars|eval|exec|getattr(?!\s*\())\b(?!["'])"""
    r"|(?<![\w.])getattr\s*\(\s*(\w*)"
)


def finds_by_text(reading: Reading) -> bool:
    """Whether anything in a source may find one of its functions by a text.

    What PyTorch's modules and objects of one's own are asked for are no functions of the source.
    """
    source = reading.source
    if source.mentions(*_BY_TEXT):
        return True
    if not source.mentions(*_ASKING):
        return False
    for found in _ASKED.finditer(source.whole):
        on = found[1]
        if on != "self" and not isinstance(reading.module.now.get(on), Path):
            return True
    return False


@dataclass(frozen=True, slots=True)
class Computed:
    """The names that a source puts together, as patterns: of functions, and of methods."""

    functions: frozenset[str]
    methods: frozenset[str]

    def may_be(self, name: str, method: bool) -> bool:
        """Whether a function or a method may be meant by one of them.

        Nobody makes an object by asking it for what makes it: those names have to be said.
        """
        patterns = self.methods if method else self.functions
        if name.startswith("__"):
            patterns = patterns - {computed_names.ANY}
        return any(re.fullmatch(pattern, name) for pattern in patterns)


def computed(reading: Reading) -> Computed:
    """The names that are asked for in a source and not written out there.

    Of a function whose name is nowhere written any attribute is too much to ask: objects are asked
    for theirs all the time. A method is one of those attributes.
    """
    if not reading.source.mentions(*_ASKING, *_BY_TEXT):
        return _NOTHING
    functions, methods = set(), set()
    for wanted, anything in _wanted(reading):
        for pattern in computed_names.patterns(reading.source.nodes, wanted):
            methods.add(pattern)
            if anything or pattern != computed_names.ANY:
                functions.add(pattern)
    return Computed(frozenset(functions), frozenset(methods))


_NOTHING = Computed(frozenset(), frozenset())
# What gives the dict of a module, or of an object.
_DICTS = ("globals", "locals", "vars")
# What is asked for a name, and where it stands among the arguments.
_CALLS = {"getattr": 1, "eval": 0, "exec": 0, "attrgetter": 0, "methodcaller": 0,
          "__getattribute__": 0}  # fmt: skip
_EVALUATING = ("eval", "exec")


def _wanted(reading: Reading) -> Iterator[tuple[ast.expr, bool]]:
    """What stands for a name, and whether it may be that of anything in the file."""
    for call in reading.source.nodes.of(ast.Call):
        name = computed_names.leaf(call.func)
        place = _CALLS.get(name)
        if place is None or place >= len(call.args):
            continue
        python_s = isinstance(call.func, ast.Name)
        if (name in _EVALUATING and not python_s) or _is_of_others(reading, name, call.args[0]):
            continue
        yield call.args[place], name in _EVALUATING
    for node in reading.source.nodes.of(ast.Subscript):
        of = node.value
        if isinstance(of, ast.Call) and computed_names.leaf(of.func) in _DICTS and not of.args:
            yield node.slice, True
        elif isinstance(of, ast.Attribute) and of.attr == "__dict__":
            yield node.slice, False


def _is_of_others(reading: Reading, name: str, node: ast.expr) -> bool:
    """Whether a module of PyTorch's is asked for something, or what has no methods of the file."""
    if name != "getattr" or not isinstance(node, ast.Name):
        return False
    found = reading.module.now.get(node.id)
    return isinstance(found, Path) or found in OTHERS
