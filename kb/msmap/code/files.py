"""Which files some paths mean, and what each of them holds.

Whatever is wrong with a file is told of that file, and the others go on.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import symtable
import tokenize
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from msmap import phrases
from msmap.code import git
from msmap.code.source import Source
from msmap.model import Text, Unread
from msmap.vocabulary import UnreadKind

SUFFIXES = (".py", ".ipynb")
# A file of more bytes is nobody's writing, and takes the parser a gigabyte of memory.
MOST = 5_000_000

_NOT_WALKED = frozenset(("__pycache__", "node_modules", "site-packages", "__pypackages__"))
# What ends a line that only Python 2 reads, and what it says where Python 3 says no more.
_PYTHON_2 = re.compile(
    r"'(?:print|exec)'|multiple exception types must be|leading zeros in decimal|"
    r"multiple exceptions need"
)
_PYTHON_2_LINE = re.compile(
    r"\s*print\s+[\"'\w]|\s*exec\s+[\"'\w]|.*<>|[^\"'#]*`|\s*raise\s+[\w.]+\s*,|"
    r"\s*except\s+[\w.()]+\s*,|.*\b(?:0\d+|\d+[lL])\b|.*\bu[rR][\"']"
)


class Unreadable(ValueError):
    """Nothing can be read in a file; ``unread`` says why."""

    def __init__(self, unread: Unread) -> None:
        super().__init__(f"{unread.path}: {unread.reason.en}")
        self.unread = unread


@dataclass(frozen=True, slots=True)
class Found:
    """The files that some paths mean, in order, and what can't be read of them."""

    files: tuple[Path, ...]
    unread: tuple[Unread, ...]


@dataclass(frozen=True, slots=True)
class File:
    """A file as it stands: ``bytes(text)`` is what it holds, mark of the byte order included."""

    path: Path
    text: str
    encoding: str = "utf-8"

    def bytes(self, text: str) -> bytes:
        """Another text as this file would hold it.

        Raises:
            UnicodeEncodeError: the file's encoding lacks a character.
        """
        return text.encode(self.encoding)


def find(paths: Iterable[str | Path], exclude: Sequence[str] = ()) -> Found:
    """The files that some paths mean, each once: itself, or all Python and notebooks below.

    Below a folder are left out: what begins with a dot, virtual environments, ``__pycache__``,
    ``node_modules``, ``site-packages``, what git ignores, and what fits a pattern. A link there is
    not followed; what it leads to is read where it stands, or is told of if it stands elsewhere.

    Args:
        paths: files of any name, and folders.
        exclude: patterns as of the shell, for names or for paths below a folder.
    """
    wanted: list[tuple[Path, bool]] = []
    unread: list[Unread] = []
    for path in map(Path, paths):
        try:
            wanted.append((path, stat.S_ISDIR(path.stat().st_mode)))
        except (OSError, ValueError) as error:
            unread.append(_unread(path, error))
    roots = [os.path.realpath(path) for path, _ in wanted]
    files: dict[str, Path] = {}
    for path, is_folder in wanted:
        below = list(_walk(path, roots, exclude)) if is_folder else [path]
        lost = [item for item in below if isinstance(item, Unread)]
        kept = [item for item in below if isinstance(item, Path)]
        if is_folder and kept:
            ignored = git.ignored(path, kept)
            # What is named by itself is read, whatever git thinks of it.
            if len(ignored) < len(kept) or not git.ignored(path.absolute().parent, [path]):
                kept = [file for file in kept if file not in ignored]
        unread += lost if lost or kept else [told(path, "empty")]
        for file in kept:
            files.setdefault(os.path.realpath(file), file)
    return Found(tuple(files.values()), tuple(dict.fromkeys(unread)))


def _walk(root: Path, roots: Sequence[str], exclude: Sequence[str]) -> Iterator[Path | Unread]:
    """The files below a folder, by name, and what stands in their way."""
    folders = [root]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            yield _unread(folder, error)
            continue
        if folder != root and any(entry.name == "pyvenv.cfg" for entry in entries):
            continue
        inner: list[Path] = []
        for entry in entries:
            path = folder / entry.name
            if entry.name.startswith(".") or _excluded(path.relative_to(root), exclude):
                continue
            if entry.is_symlink():
                lost = _link(path, roots)
                if lost is not None:
                    yield lost
            elif entry.is_dir(follow_symlinks=False):
                if entry.name not in _NOT_WALKED:
                    inner.append(path)
            elif entry.name.endswith(SUFFIXES):
                yield path
        folders += reversed(inner)


def _excluded(path: Path, patterns: Sequence[str]) -> bool:
    return any(fnmatch(path.name, p) or fnmatch(path.as_posix(), p.rstrip("/")) for p in patterns)


def _link(path: Path, roots: Sequence[str]) -> Unread | None:
    """What is told of a link: that it leads nowhere, or out of all folders that are read."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        return _unread(path, error) if path.name.endswith(SUFFIXES) else None
    if not stat.S_ISDIR(mode) and not path.name.endswith(SUFFIXES):
        return None
    to = os.path.realpath(path)
    if any(to == root or to.startswith(os.path.join(root, "")) for root in roots):
        return None
    return told(path, "elsewhere", to)


def read(path: Path) -> File:
    """What a file holds, decoded as Python does.

    Raises:
        Unreadable: there is none, it is no file, too large, binary, or of no known encoding.
    """
    try:
        content = _content(path)
    except (OSError, ValueError) as error:
        raise Unreadable(_unread(path, error)) from None
    if content is None:
        raise Unreadable(told(path, "no_file"))
    if len(content) > MOST:
        raise Unreadable(told(path, "too_large", f"{MOST:,}"))
    return decode(path, content)


def _content(path: Path) -> bytes | None:
    """The bytes of a file, not all if it is too large; None if it is another thing."""
    if not stat.S_ISREG(path.stat().st_mode):
        return None
    with path.open("rb") as file:
        return file.read(MOST + 1)


def decode(path: Path, content: bytes) -> File:
    """What the bytes of a file say.

    Raises:
        Unreadable: they are binary, or of no known encoding.
    """
    if b"\0" in content:
        raise Unreadable(told(path, "binary"))
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        if encoding == "utf-8-sig" or path.suffix == ".ipynb":
            encoding = "utf-8"
        text = content.decode(encoding)
        is_lossy = encoding != "utf-8" and text.encode(encoding) != content
    except (SyntaxError, ValueError, LookupError) as error:
        raise Unreadable(told(path, "encoding", _said(error))) from None
    if is_lossy:
        lossy = Text(
            f"{encoding} would not give the same bytes again", f"以 {encoding} 编码写回时字节会改变"
        )
        raise Unreadable(told(path, "encoding", lossy))
    return File(path, text, encoding)


@contextmanager
def parsing(path: Path) -> Iterator[None]:
    """A block in which the text of a file is parsed.

    Raises:
        Unreadable: it is no Python of today, or nested too deeply.
    """
    with warnings.catch_warnings():
        # What Python thinks of a file's escapes is none of our business.
        warnings.simplefilter("ignore")
        try:
            yield
        except Unreadable:
            raise
        except SyntaxError as error:
            raise Unreadable(not_python(path, error)) from None
        except ValueError as error:
            raise Unreadable(not_python(path, SyntaxError(str(error)))) from None
        except (RecursionError, MemoryError):
            raise Unreadable(told(path, "too_deep")) from None


def parse(path: Path, text: str) -> Source:
    """The text of a file, parsed.

    Raises:
        Unreadable: it is no Python of today, or nested too deeply.
    """
    with parsing(path):
        return Source(text)


def is_python(text: str) -> bool:
    """Whether a text is Python: told in half the time that ``parse`` takes, or not told by False.

    Nothing is made of it but the tables of its names.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            symtable.symtable(text, "<unknown>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def not_python(path: Path, error: SyntaxError) -> Unread:
    """What is told of a file that doesn't parse: where, why, and whether it is Python 2."""
    said, line = error.msg, error.lineno
    old = _PYTHON_2.search(said) or (
        said.startswith("invalid") and _PYTHON_2_LINE.match(error.text or "")
    )
    return told(path, "python_2" if old else "not_python", said, line)


def _unread(path: Path, error: OSError | ValueError) -> Unread:
    """What is told of a path that the system doesn't read."""
    code = getattr(error, "errno", None)
    if code == errno.ELOOP:
        return told(path, "cyclic")
    if code in (errno.ENOENT, errno.ENOTDIR):
        return told(path, "broken" if path.is_symlink() else "absent")
    return told(path, "unreadable", getattr(error, "strerror", None) or str(error))


def _said(error: Exception) -> str:
    return error.msg if isinstance(error, SyntaxError) else str(error)


_REASONS: dict[UnreadKind, tuple[str, str]] = {
    "absent": ("there is no such file or folder", "没有这个文件或文件夹"),
    "empty": ("no Python file or notebook is in it", "其中没有 Python 文件或 notebook"),
    "broken": ("a link that leads nowhere", "链接指向的文件不存在"),
    "cyclic": ("a link that leads back to itself", "链接指向自身，形成循环"),
    "elsewhere": (
        "a link that leads out of what is read, to {0}; name that to have it read",
        "链接指向所读范围之外的 {0}；如需读取，请直接给出该路径",
    ),
    "unreadable": ("it can't be read: {0}", "无法读取：{0}"),
    "no_file": (
        "it is no file, but a pipe, a socket or a device",
        "不是普通文件，而是管道、套接字或设备",
    ),
    "too_large": ("it has more than {0} bytes", "超过 {0} 字节"),
    "binary": (
        "it holds null bytes: binary, or UTF-16, which Python doesn't read",
        "含有空字节：是二进制文件，或是 Python 不支持的 UTF-16 编码",
    ),
    "encoding": ("it can't be decoded: {0}", "无法解码：{0}"),
    "not_python": ("not Python: {0}", "不是合法的 Python 代码：{0}"),
    "python_2": (
        "Python 2, make it Python 3 first: {0}",
        "这是 Python 2 代码，请先改为 Python 3：{0}",
    ),
    "too_deep": ("the code is nested too deeply", "代码嵌套过深"),
    "spoiled": (
        "what became of it can't be written; nothing was changed, please report it: {0}",
        "转换结果无法写出，文件未作任何改动，请反馈此问题：{0}",
    ),
    "crashed": (
        "msmap failed on it; nothing was changed, please report it: {0}",
        "msmap 处理该文件时出错，文件未作任何改动，请反馈此问题：{0}",
    ),
    "changed": (
        "it was changed while it was read; nothing was done, run it again",
        "读取期间文件被改动，未作任何处理；请重新运行",
    ),
    "no_notebook": ("no notebook: {0}", "不是合法的 notebook：{0}"),
}


def told(path: Path, kind: UnreadKind, detail: str | Text = "", line: int | None = None) -> Unread:
    """That nothing is read of a path, in both languages; ``detail`` may be what Python says."""
    if isinstance(detail, str):
        detail = Text(detail, phrases.chinese(detail))
    en, zh = _REASONS[kind]
    en, zh = en.format(detail.en), zh.format(detail.zh)
    return Unread(str(path), kind, Text(en, zh), line)
