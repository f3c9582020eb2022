"""What ``**`` fills in, where the code builds it of literals in sight."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace

from msmap.code.bindings import Body, Place
from msmap.infer import dict_keys
from msmap.model import Record
from msmap.port import arguments as values
from msmap.port.arguments import Argument
from msmap.port.targets import source_signatures

_SAFE = (ast.Constant, ast.Name, ast.Attribute, ast.expr_context)


def keywords(
    node: ast.expr, statement: ast.stmt | None, where: Mapping[ast.stmt, tuple[Body, Place]]
) -> dict[str, ast.expr] | None:
    """The keywords that ``**node`` gives, in a statement; None where that can't be told.

    Args:
        node: what is unpacked: a dict of literals, or a name that stands for one and is used for
            nothing else.
        statement: where it is unpacked.
        where: the body and the place of each statement.
    """
    if not isinstance(node, ast.Name):
        return _literal(node)
    found = where.get(statement) if statement is not None else None
    body = found[0] if found is not None else None
    while body is not None and node.id not in body.bindings:
        if node.id in body.parameters:
            return None
        body = body.outer
    made = body.bindings[node.id] if body is not None else []
    if body is None or len(made) != 1 or not isinstance(made[0], ast.Assign):
        return None
    assigned = made[0]
    if len(assigned.targets) != 1 or not isinstance(assigned.targets[0], ast.Name):
        return None
    given = _literal(assigned.value)
    if given is None or not _only_unpacked(body, node.id):
        return None
    here = found[0] if found is not None else None
    steady = all(_is_steady(value, body, body is here) for value in given.values())
    return given if steady else None


def asked(text: str, keys: dict_keys.Keys, record: Record | None) -> dict[str, Argument] | None:
    """The keywords that ``**`` of a dict gives, each asked of the dict; None where that won't do.

    What the dict may lack is what the parameter is by default, if that is a literal, and nothing
    but it depends on whether it is given.

    Args:
        text: the dict as it is written.
        keys: what it may have.
        record: that of what is called.
    """
    if all(key.always for key in keys.values()):
        return {name: _argument(f"{text}[{_quoted(name)}]", key) for name, key in keys.items()}
    signatures = () if record is None else source_signatures(record)
    if record is None or len(signatures) != 1:
        return None
    deciding = {name for one in record.targets for name in (*one.given, *one.absent)}
    found: dict[str, Argument] = {}
    for name, key in keys.items():
        parameter = signatures[0].get(name)
        if key.always or (parameter is not None and parameter.required):
            found[name] = _argument(f"{text}[{_quoted(name)}]", key)
            continue
        if parameter is None or parameter.default is None or name in deciding:
            return None
        usual = values.argument(parameter.default).node
        if usual is None or not all(isinstance(one, _LITERAL) for one in ast.walk(usual)):
            return None
        left = "" if parameter.default == "None" else f", {parameter.default}"
        either = replace(key, values=(*key.values, usual))
        found[name] = _argument(f"{text}.get({_quoted(name)}{left})", either)
    return found


_LITERAL = (ast.Constant, ast.UnaryOp, ast.Tuple, ast.List, ast.expr_context, ast.unaryop)


def _quoted(name: str) -> str:
    return f'"{name}"'


def _argument(text: str, key: dict_keys.Key) -> Argument:
    """What a dict is asked for, with what all that it may be has in common."""
    known = all(isinstance(one, ast.Constant) for one in key.values)
    constants = [one.value for one in key.values if isinstance(one, ast.Constant)]
    proved = "plain" if known and None not in constants else ""
    return Argument(
        text, values.argument(text).node, "keyword", None, proved, not known, False,
        not known or None in constants,
    )  # fmt: skip


def _literal(node: ast.expr) -> dict[str, ast.expr] | None:
    """What a dict has by name, if all of it is written out."""
    if isinstance(node, ast.Dict):
        found: dict[str, ast.expr] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                return None
            found[key.value] = value
        return found
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
        named = {k.arg: k.value for k in node.keywords if k.arg is not None}
        return named if len(named) == len(node.keywords) and not node.args else None
    return None


def _only_unpacked(body: Body, name: str) -> bool:
    """Whether a name is read by ``**`` alone, so that nobody can change what it stands for."""
    return body.unpacked.issuperset(body.reads.get(name, ()))


def _is_steady(value: ast.expr, body: Body, same: bool) -> bool:
    """Whether an expression gives the same wherever it stands in a body."""
    if not all(isinstance(part, _SAFE) for part in ast.walk(value)):
        return False
    named = [part for part in ast.walk(value) if isinstance(part, ast.Name)]
    return all(n.id not in body.bindings or _once(body, n.id) for n in named) and (
        same or not named
    )


def _once(body: Body, name: str) -> bool:
    """Whether a name is bound once, and not by a parameter too."""
    return len(body.bindings[name]) == 1 and name not in body.parameters


def by_statement(bodies: list[Body]) -> Iterator[tuple[ast.stmt, tuple[Body, Place]]]:
    """The body and the place of each statement."""
    for body in bodies:
        for place in body.places:
            yield place.node, (body, place)
