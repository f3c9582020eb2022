"""What readers get of a probe: its candidates, joined with the signatures of both sides."""

from __future__ import annotations

from dataclasses import dataclass

from msmap.model import Target
from msmap.probed import Difference, Tally
from msmap.shown import Shown
from msmap.vocabulary import Basis


@dataclass(frozen=True, slots=True)
class Candidate:
    """What probing found of one way to write an API; tallies and differences as it counts them.

    ``mindspore`` is the name or the expression, ``runs_on`` what its documentation lists. Behind
    the first few there is no ``target``, and no difference is told.
    """

    mindspore: str
    found: str
    runs_on: tuple[str, ...]
    values: Tally
    gradients: Tally
    errors: Tally
    dtypes: dict[str, Tally]
    kinds: dict[str, Tally]
    differences: tuple[Difference, ...]
    target: Target | None

    @property
    def unrun(self) -> bool:
        """Whether no sample found a kernel where the probe ran: nothing is known of it then."""
        return (
            bool(self.differences)
            and not self.values.agreed
            and all(difference.outcome == "no_kernel" for difference in self.differences)
        )


@dataclass(frozen=True, slots=True)
class Probe(Shown):
    """What a machine found of a PyTorch API by running candidates on samples: no record.

    Candidates come best first. ``reason`` is why nothing was run, "" if something was; ``stale``,
    one of ``vocabulary.STALE``, why it would be run again now, "" if it is up to date.
    """

    torch: str
    kind: str
    signatures: tuple[str, ...]
    call: tuple[str, ...]
    deprecated: str
    environment: str
    reason: str
    samples: dict[str, int]
    gaps: dict[str, int]
    candidates: tuple[Candidate, ...]
    stale: str

    @property
    def basis(self) -> Basis:
        """``probed`` where candidates were run, ``known`` where a reason says why none was."""
        return "known" if self.reason else "probed"

    @property
    def best(self) -> Candidate | None:
        """The best candidate that ever agreed; else the best that no kernel here could run."""
        agreed = (each for each in self.candidates if each.values.agreed)
        return next(agreed, next((each for each in self.candidates if each.unrun), None))

    @property
    def first(self) -> Candidate | None:
        """The best candidate; where none is any good, the first of them."""
        return self.best or next(iter(self.candidates), None)


@dataclass(frozen=True, slots=True)
class Summary:
    """One line about a probe: its best candidate as written, and how far that agreed."""

    torch: str
    mindspore: str
    reason: str
    values: Tally
    gradients: Tally
    runs_on: tuple[str, ...]

    @property
    def basis(self) -> Basis:
        """As of a probe."""
        return "known" if self.reason else "probed"
