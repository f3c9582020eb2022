"""The arrows of the house: what each room may import, read from the source without running it.

docs/architecture.md says why. What stands below `if TYPE_CHECKING` doesn't count between rooms; an
import inside of a function does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("kb", "cli", "datasette_plugins")

# From the ground up: a room may use what stands on floors below its own, and itself.
FLOORS: tuple[tuple[str, ...], ...] = (
    (
        "messages",
        "errors",
        "names",
        "private",
        "npu",
        "packages",
        "foreign",
        "vocabulary",
        "sample_words",
        "model",
        "ported",
        "kin",
        "probed",
        "claimed",
        "tabled",
        "candidates",
        "problems",
        "atomic",
        "syntax",
        "shown",
        "width",
        "phrases",
        "",
    ),
    ("cache", "database", "releases", "code", "recording"),
    ("infer",),
    ("workers",),
    ("signatures", "evidence"),
    ("port", "curated"),
    ("scan", "weights"),
    ("compare",),
    ("assemble", "query"),
    ("lint", "verify", "render", "contracts", "record"),
    ("probe",),
    ("store", "editor", "assistant", "notebook", "explain"),
)
GROUND = {f"msmap.{name}" for name in FLOORS[0] if name}

# Rooms of the site that don't know each other.
ROOMS = ("pages", "api", "embed", "taken")

# A prefix of importing modules, and what they must not import whatever the floors say.
NEVER: tuple[tuple[str, tuple[str, ...]], ...] = (
    *(
        (f"msmap.{room}", ("msmap.curated", "msmap.assemble", "msmap.store", "yaml", "pydantic",
                           "sqlmodel", "sqlalchemy", "sqlite_utils"))
        for room in ("query", "render", "scan", "code", "infer")
    ),
    ("msmap.query.base", (
        "msmap.query.knowledge_base", "msmap.query.names", "msmap.query.search",
        "msmap.query.errors", "msmap.query.drift", "msmap.query.projects",
    )),
    ("msmap.query.names", ("msmap.query.drift", "msmap.query.projects")),
    ("msmap.query.errors", (
        "msmap.query.knowledge_base", "msmap.query.drift", "msmap.query.projects",
    )),
    ("msmap.compare", ("torch", "mindspore", "msmap.query", "msmap.record")),
    ("msmap.recording", ("torch", "mindspore", "msmap.record")),
    ("msmap.verify.plan", ("msmap.verify.trial", "msmap.verify.executors", "numpy")),
    ("msmap.verify.executors", ("numpy",)),
    ("msmap.verify.trial", ("msmap.assemble", "msmap.port", "msmap.curated")),
    ("msmap_cli", ("sqlite3", "datasette_msmap.web", "datasette_msmap.pages")),
    *((f"datasette_msmap.{one}", tuple(f"datasette_msmap.{r}" for r in ROOMS if r != one))
      for one in ROOMS),
    ("datasette_msmap.web", tuple(f"datasette_msmap.{r}" for r in ROOMS)),
)  # fmt: skip


@cache
def modules() -> dict[str, Path]:
    """Every module of the project by its import name."""
    found = {}
    for source in SOURCES:
        for path in sorted((ROOT / source).glob("*/**/*.py")):
            parts = path.relative_to(ROOT / source).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(tree: ast.AST, types: bool = False) -> Iterator[tuple[str, str]]:
    """What a module imports: the module, and the name taken from it ("" for the module itself).

    ``types`` says that what is imported for annotations alone counts too.
    """
    for node in ast.iter_child_nodes(tree):
        if not types and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for other in node.orelse:
                yield from imports(other)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from ((str(node.module), alias.name) for alias in node.names)
        else:
            yield from imports(node, types)


@cache
def arrows(types: bool = False) -> frozenset[tuple[str, str]]:
    """Which module imports which: ours by module, others by their whole dotted name."""
    found = set()
    for name, path in modules().items():
        for module, taken in imports(ast.parse(path.read_text(encoding="utf-8")), types):
            whole = f"{module}.{taken}"
            found.add((name, whole if whole in modules() else module))
    return frozenset((one, other) for one, other in found if one != other)


def floor(name: str) -> int:
    """The floor that a module stands on; the doors stand on the last."""
    package, _, rest = name.partition(".")
    if package != "msmap":
        return len(FLOORS)
    room = rest.partition(".")[0]
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


def room(name: str) -> str:
    """The room of a module: `msmap.port.bind` is in `msmap.port`."""
    return ".".join(name.split(".")[:2])


def below(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(f"{prefix}.")


def test_every_module_stands_in_a_room() -> None:
    rooms = {name for rooms in FLOORS for name in rooms}
    named = {name.split(".")[1] for name in modules() if name.startswith("msmap.")}
    assert sorted(named - rooms) == []


def test_arrows_go_down() -> None:
    upwards = {
        f"{one} -> {other}"
        for one, other in arrows()
        if other in modules()
        and other != "msmap"
        and one != "msmap"
        and room(one) != room(other)
        and not (one in GROUND and other in GROUND)
        and floor(one) <= floor(other)
        and floor(one) < len(FLOORS)
    }
    assert sorted(upwards - UPWARDS) == []
    assert sorted(UPWARDS - upwards) == [], "mended: take it off the list"


@pytest.mark.parametrize(("who", "what"), NEVER, ids=[who for who, _ in NEVER])
def test_what_a_room_must_not_import(who: str, what: tuple[str, ...]) -> None:
    found = {
        f"{one} -> {other}"
        for one, other in arrows()
        if below(one, who) and any(below(other, prefix) for prefix in what)
    }
    assert sorted(found - FORBIDDEN) == []
    mine = {arrow for arrow in FORBIDDEN if below(arrow.partition(" ")[0], who)}
    assert sorted(mine - found) == [], "mended: take it off the list"


# What a server does before it knows whether a file is a database of msmap at all.
ASKS = "datasette_msmap.web.served"
SQL = ("SELECT ", "PRAGMA ", "WITH ")


def test_the_doors_know_no_table() -> None:
    """Neither the command line nor the site asks in SQL: what one can tell, all can."""
    told = [
        f"{name}:{node.lineno}"
        for name, path in modules().items()
        if name.startswith(("msmap_cli", "datasette_msmap")) and name != ASKS
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and str(node.value).strip().startswith(SQL)
    ]
    assert told == []


def test_no_circle() -> None:
    """No module imports itself by way of others."""
    ours = {name: set[str]() for name in modules()}
    for one, other in arrows():
        if other in ours:
            ours[one].add(other)
    circles = {tuple(circle) for circle in _circles(ours)}
    assert sorted(circles) == sorted(CIRCLES)


def test_no_circle_of_annotations_within_a_room() -> None:
    """Nor do the modules of a room need each other for what they say of their parameters."""
    ours = {name: set[str]() for name in modules()}
    for one, other in arrows(types=True):
        if other in ours and room(one) == room(other):
            ours[one].add(other)
    rooms = sorted({room(circle[0]) for circle in _circles(ours)})
    assert rooms == [ANALYSED_TOGETHER]


# The interpreter's parts are methods of one object.
ANALYSED_TOGETHER = "msmap.infer"


def _circles(graph: dict[str, set[str]]) -> Iterator[list[str]]:
    """The groups of modules that reach each other (Tarjan)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(node: str) -> Iterator[list[str]]:
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in order:
                yield from visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                yield sorted(group)

    for node in sorted(graph):
        if node not in order:
            yield from visit(node)


# What is still to be mended; in the end there is nothing here.
UPWARDS: frozenset[str] = frozenset()
FORBIDDEN: frozenset[str] = frozenset({})
CIRCLES: list[tuple[str, ...]] = []
