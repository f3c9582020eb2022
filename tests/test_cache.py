"""The files that hold what an earlier run worked out: none is ever believed that may be wrong."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from msmap import atomic, cache


class Ran:
    """What a pickle would do, if anybody loaded it."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return pytest.fail, ("it was loaded",)


@dataclass(frozen=True, slots=True)
class Frozen:
    """Has a field that follows from another."""

    told: str
    more: tuple[object, ...] = ()
    length: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", len(self.told))


@dataclass(frozen=True)
class Named:
    """Can't be made by position."""

    told: str = field(kw_only=True)


class Marked(Named):
    """Has something that is no field."""

    mark = ""


def marked() -> Marked:
    found = Marked(told="a")
    object.__setattr__(found, "mark", "b")
    return found


@pytest.mark.parametrize("found", [Frozen("abc"), Named(told="a"), Frozen("a", (Frozen("b"), {}))])
def test_what_is_kept_comes_back_as_it_was(found: object) -> None:
    assert pickle.loads(cache.dumps([found, found])) == [found, found]


def test_what_is_the_same_object_comes_back_as_one() -> None:
    one = Frozen("abc")
    first, second = pickle.loads(cache.dumps([Frozen("d", (one,)), one]))
    assert first.more[0] is second


def test_what_is_no_field_comes_back_too() -> None:
    assert pickle.loads(cache.dumps(marked())).mark == "b"


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(bytes(data))


def foreign(path: Path) -> None:
    path.write_bytes(pickle.dumps(Ran()))


def of_another_program(path: Path) -> None:
    path.write_bytes(b"-" * 32 + path.read_bytes()[32:])


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def gone(path: Path) -> None:
    path.unlink()


def writable_by_others(path: Path) -> None:
    path.chmod(0o622)


def in_a_folder_of_all(path: Path) -> None:
    path.parent.chmod(0o777)


def unloadable(path: Path) -> None:
    body = b"cmsmap.nothing\nNothing\n."
    path.write_bytes(cache._head(body, None) + body)


DAMAGES = [cut, empty, flipped, foreign, of_another_program, a_folder, gone, unloadable]
if sys.platform != "win32":
    DAMAGES += [writable_by_others, in_a_folder_of_all]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A file in which something is kept."""
    place = tmp_path / "kept"
    cache.write(place, "one", {"a": 1})
    assert cache.read(place, "one") == {"a": 1}
    return place / "one.kept"


@pytest.mark.parametrize("damage", DAMAGES, ids=[d.__name__ for d in DAMAGES])
def test_what_may_be_wrong_is_as_good_as_nothing(
    kept: Path, damage: Callable[[Path], None]
) -> None:
    damage(kept)
    assert cache.read(kept.parent, "one") is None


@pytest.mark.parametrize("damage", [cut, empty, flipped, foreign, gone, writable_by_others])
def test_it_is_replaced(kept: Path, damage: Callable[[Path], None]) -> None:
    damage(kept)
    cache.write(kept.parent, "one", {"b": 2})
    assert cache.read(kept.parent, "one") == {"b": 2}


def test_nobody_else_may_read_it(kept: Path) -> None:
    if sys.platform != "win32":
        assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_what_can_not_be_written_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cache.write(tmp_path / "file" / "below", "one", 1)
    assert cache.read(tmp_path / "file" / "below", "one") is None


def test_a_write_that_fails_leaves_what_was_there(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(made: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic, "_flush", full)
    cache.write(kept.parent, "one", {"b": 2})
    assert cache.read(kept.parent, "one") == {"a": 1}


def test_the_oldest_go(tmp_path: Path) -> None:
    for number in range(16):
        cache.write(tmp_path / "kept", f"{number:02}", number)
        os.utime(tmp_path / "kept" / f"{number:02}.kept", (number, number))
    left = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert left == [f"{number:02}.kept" for number in range(4, 16)]


def test_a_data_directory_has_one_file_a_command(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    names = [cache.name(*told) for told in (("lint", one), ("build", one), ("lint", other))]
    assert len(set(names)) == 3
    assert cache.name("lint", one / ".." / "one") == names[0]


@pytest.mark.parametrize(("wanted", "folder"), [("", None), ("somewhere", Path("somewhere"))])
def test_where_it_is(monkeypatch: pytest.MonkeyPatch, wanted: str, folder: Path | None) -> None:
    monkeypatch.setenv("MSMAP_CACHE", wanted)
    assert cache.folder() == folder


def test_where_it_is_if_nobody_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MSMAP_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert cache.folder() == tmp_path / "msmap"


def test_what_less_than_the_program_made_depends_on_that_alone(tmp_path: Path) -> None:
    cache.write(tmp_path / "kept", "one", 1, made_by=b"a")
    assert cache.read(tmp_path / "kept", "one", made_by=b"a") == 1
    assert cache.read(tmp_path / "kept", "one", made_by=b"b") is None
    assert cache.read(tmp_path / "kept", "one") is None


@pytest.mark.parametrize(("changed", "is_kept"), [("made.py", False), ("like.txt", False),
                                                  ("msmap.db", True)])  # fmt: skip
def test_it_depends_on_all_that_the_program_makes_it_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str, is_kept: bool
) -> None:
    """Of code, and of the texts that it deflates with: what was deflated with others is garbage."""
    program, place = tmp_path / "program", tmp_path / "kept"
    program.mkdir()
    for name in ("cache.py", "made.py", "like.txt", "msmap.db"):
        (program / name).write_text("before")
    monkeypatch.setattr(cache, "__file__", str(program / "cache.py"))
    cache._program.cache_clear()
    try:
        cache.write(place, "build", "found")
        assert cache.read(place, "build") == "found"
        (program / changed).write_text("after")
        cache._program.cache_clear()
        assert cache.read(place, "build") == ("found" if is_kept else None)
    finally:
        cache._program.cache_clear()


def test_files_are_left_until_they_are_pruned(tmp_path: Path) -> None:
    place = tmp_path / "kept"
    for number in range(12):
        cache.write(place, str(number), number, most=None)
    assert len(list(place.iterdir())) == 12
    cache.prune(place, 3)
    assert len(list(place.iterdir())) == 3
