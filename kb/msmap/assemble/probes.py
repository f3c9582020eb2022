"""What probing found joined with the signatures, as records are: for names that have none."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from msmap import model, probed, releases
from msmap.assemble import records
from msmap.assemble.base import Base
from msmap.candidates import Candidate, Probe
from msmap.curated import schema
from msmap.evidence import names, probes
from msmap.messages import Message
from msmap.problems import DataError, Problem
from msmap.signatures.release import Signatures


@dataclass(frozen=True, slots=True)
class Line:
    """What a file of probes says of a name, and where it says so; not read yet."""

    path: Path
    number: int
    text: bytes

    @property
    def environment(self) -> str:
        """Where it ran."""
        return self.path.stem

    @property
    def digest(self) -> bytes:
        """Another one where anything else is said, or of another environment."""
        return hashlib.sha256(self.environment.encode() + b"\n" + self.text).digest()

    def problem(self, said: str) -> Problem:
        """What is wrong with it."""
        return Problem(self.path, self.number, said, "evidence")


def lines(
    data: Path, made: Base, problems: list[Problem], *, recorded: bool | None = False,
    older: bool = False,
) -> dict[str, Line]:  # fmt: skip
    """What is kept of PyTorch's names without a record, by name: of each what counts.

    That is what was found with the release of a base last on a CPU, else last; if ``older``, of
    names that weren't tried with it, the same of the newest release before it.

    Args:
        data: the data directory.
        made: the names and records of the release.
        problems: takes what stands in a file twice.
        recorded: of names with a record instead; None for both.
        older: what was found with earlier releases, too.
    """
    paths = {path.stem: path for path in (data / probes.FOLDER).glob("*.jsonl")}
    release = made.mindspore.release
    mine = [n for n in names.ordered(paths) if names.parse(n).mindspore in ("", release)]
    before = [n for n in names.ordered(paths) if _is_before(n, release)] if older else []
    found: dict[str, Line] = {}

    def wanted(name: str) -> bool:
        if made.answers(name):
            return recorded is not False
        # What stands in a record under an alias is told there.
        return not recorded and name not in made.stand_ins

    # Those before come by release, then by device.
    for environment in (*before, *sorted(mine, key=lambda n: names.parse(n).device == "cpu")):
        here: dict[str, Line] = {}
        for number, name, text in probes.scan(paths[environment]):
            line = Line(paths[environment], number, text)
            if name in here:
                problems.append(line.problem(Message("{} is listed twice", name)))
            elif not name or (name in made.torch.apis and wanted(name)):
                here[name or f"{environment}:{number}"] = line
        found |= here
    return dict(sorted(found.items()))


def _is_before(environment: str, release: str) -> bool:
    ran = names.parse(environment).mindspore
    return ran != "" and releases.order(ran) < releases.order(release)


class Joining:
    """What joins probes with one release of each framework."""

    def __init__(self, torch: Signatures, mindspore: Signatures) -> None:
        # A base of its own: what follows from a probe is nobody's fault, and not for lint.
        self._made = Base(torch, mindspore, 0)

    def probe(self, line: Line, stale: str = "") -> Probe:
        """The probe of a line as readers get it; ``stale`` says why it is, if it is.

        Raises:
            DataError: it says none, or the data of a target is none.
        """
        try:
            found = probes.parse(line.text)
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            raise DataError([line.problem(Message("not a probe ({})", error))]) from None
        # What nothing was run of stands there by name alone; an expression has none.
        told = [c for c in found.candidates if not found.reason or _written(c)]
        detailed = [] if found.reason else told[: probed.DETAILED]
        torch = self._made.torch
        return Probe(
            torch=found.name,
            kind=torch.kind(found.name),
            signatures=torch.texts(found.name),
            call=torch.texts(found.name, "call"),
            deprecated=torch.apis[found.name].deprecated,
            environment=line.environment,
            reason=found.reason,
            samples=found.samples,
            gaps=found.gaps,
            candidates=(
                *(self._candidate(c, self._target(line, found.name, c)) for c in detailed),
                *(self._candidate(c, None) for c in told[len(detailed) :]),
            ),
            stale=stale,
        )

    def _target(self, line: Line, torch: str, found: probed.Candidate) -> model.Target:
        """The target that a record of the name would have."""
        try:
            written = schema.Target.model_validate(found.target)
        except ValidationError as error:
            said = "; ".join(f"{each['loc']}: {each['msg']}" for each in error.errors())
            raise DataError([line.problem(Message("{}: no target ({})", torch, said))]) from None
        return records.target(torch, written, self._made.torch.side(torch), self._made)

    def _candidate(self, found: probed.Candidate, target: model.Target | None) -> Candidate:
        return Candidate(
            mindspore=str(found.target.get("api") or found.target.get("expression") or found.key),
            found=found.found,
            runs_on=self._documented(found.key) if target is None else target.runs_on,
            values=found.values,
            gradients=found.gradients,
            errors=found.errors,
            dtypes=found.dtypes,
            kinds=found.kinds,
            differences=found.differences,
            target=target,
        )

    def _documented(self, name: str) -> tuple[str, ...]:
        known = self._made.mindspore
        found = known.apis.get(known.canonical(name) or name)
        return found.platforms if found else ()


def _written(found: probed.Candidate) -> str:
    """How a candidate is written: its API or expression; "" where there is an id alone."""
    return str(found.target.get("api") or found.target.get("expression") or "")
