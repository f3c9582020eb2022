"""Today's data several times over: renamed copies of its records, each with checks and evidence."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from msmap.assemble import content
from msmap.curated.paths import path_of
from msmap.evidence import files as evidence
from msmap.evidence.files import Line
from msmap.lint import run as lint
from msmap.signatures import files as signatures
from msmap.verify.plan.variants import GENERATION

DATA = Path(__file__).parent.parent / "data"


def multiply(folder: Path, records: int) -> Path:
    """A data directory of so many records below ``folder``, of which a copy is another name.

    A copy's checks say its own name, so that no two port the same code; where a check can't be
    ported so, the copy keeps the code of the original. Its evidence is that of the original, under
    the hashes that its own checks have. It covers as many names as the original does.
    """
    data = folder / "data"
    shutil.copytree(DATA, data)
    known = content.read_all(DATA, generation=GENERATION).base.records
    copies = dict(_copies(sorted(known), records))
    covers = {copy: known[original].covers for copy, original in copies.items()}
    covered = {_copied(name, copy): name for copy in copies for name in covers[copy]}
    _name(data, copies | covered)
    for copy, original in copies.items():
        text = _covering(_renamed(_text(original), original, copy), copy, covers[copy])
        _write(data, original, copy, text)
    read = content.read_all(data, generation=GENERATION)
    for copy in {problem.path for problem in lint.problems(read, only=["check-can-be-ported"])}:
        name = next(r.item.torch for r in read.files.records if r.path == copy)
        head = _text(copies[name]).replace(f"torch: {copies[name]}", f"torch: {name}", 1)
        _write(data, copies[name], name, _covering(head, name, covers[name]))
    _prove(data, copies)
    return data


def _copies(originals: list[str], records: int) -> Iterator[tuple[str, str]]:
    for number in range(records - len(originals)):
        round_, place = divmod(number, len(originals))
        yield f"{originals[place]}_{round_ + 2}", originals[place]


def _text(original: str) -> str:
    return (DATA / "records" / path_of(original)).read_text(encoding="utf-8")


def _renamed(text: str, original: str, copy: str) -> str:
    return re.sub(rf"(?<![\w.]){re.escape(original)}(?!\w|\.\w)", copy, text)


def _copied(name: str, copy: str) -> str:
    """A name for a copy to cover, where no pattern of an original finds it."""
    return name.replace("torch.", f"torch.copied_{copy.rpartition('_')[2]}.", 1)


def _covering(text: str, copy: str, covers: Sequence[str]) -> str:
    """The text of a copy that covers copies of some names."""
    listed = ", ".join(_copied(name, copy) for name in covers)
    return _COVERS.sub(f"covers: [{listed}]\n", text)


_COVERS = re.compile(r"^covers:(?: *\[[^]]*\]\n|\n(?:[ -].*\n)+)", re.MULTILINE)


def _write(data: Path, original: str, copy: str, text: str) -> None:
    # Beside the original, whose twin in another case may have a copy of the same number.
    path = data / "records" / path_of(original)
    path.with_stem(f"{path.stem}_{copy.rpartition('_')[2]}").write_text(text, encoding="utf-8")


def _name(data: Path, copies: dict[str, str]) -> None:
    """Let PyTorch have the names of the copies."""
    (path,) = (p for n, _, p in signatures.available(data / "signatures") if n == "torch")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    known = {line["name"]: line for line in lines}
    for copy, original in copies.items():
        facts = {k: v for k, v in known[original].items() if k not in ("defined", "alias_of")}
        lines.append(facts | {"name": copy})
    _lines(path, sorted(lines, key=lambda line: str(line["name"])))


def _prove(data: Path, copies: dict[str, str]) -> None:
    """Give the copies the evidence of their originals."""
    read = content.read_all(data, generation=GENERATION)
    for base in (read.base, *read.earlier):
        hashes = {
            (name, check.id): check.hash
            for name in copies
            for check in base.records[name].checks
        }  # fmt: skip
        for name, lines in evidence.read_all(data / "evidence", base.mindspore.release).items():
            owned: dict[str, list[Line]] = {}
            for line in lines.values():
                owned.setdefault(line.record, []).append(line)
            more = [
                replace(line, record=copy, hash=hashes[copy, line.check])
                for copy, original in copies.items()
                for line in owned.get(original, ())
                if (copy, line.check) in hashes
            ]
            evidence.write(data / "evidence" / f"{name}.jsonl", [*lines.values(), *more])


def _lines(path: Path, lines: list[dict[str, Any]]) -> None:
    written = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
    path.write_text("".join(f"{line}\n" for line in written), encoding="utf-8")
