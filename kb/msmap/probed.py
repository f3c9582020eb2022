"""What probing found of a PyTorch name: candidates in MindSpore, each run on many samples.

Nobody wrote any of it down: a probe is no record, and whoever shows one says so. One ``Probe`` a
name and environment; the files are ``msmap.evidence.probes``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

# Candidates that keep more than their tallies: what their target is made of, and what differs.
DETAILED = 3
# What a part of a message may say of results, that first which says most. What rounds would tell of
# what is wrong if they were one.
_ASPECTS = ("nan or inf", "by less than", "values", "shape", "structure", "state")


def aspects(message: str) -> frozenset[str]:
    """In which ways results differ of which a message tells; "form" for what is none of those."""
    # The last of many may have been cut.
    return frozenset(filter(None, map(_aspect, message.split("; ")))) or frozenset({"form"})


def _aspect(part: str) -> str:
    if dtype := re.search(r"dtype (\w+) and (\w+)", part):
        return f"dtype {_family(dtype[1])} {_family(dtype[2])}"
    return next((word for word in _ASPECTS if word in part), "")


def _family(dtype: str) -> str:
    found = re.search("bool|int|float|complex", dtype)
    return found[0] if found else dtype


@dataclass(frozen=True, slots=True)
class Tally:
    """How many samples were tried, and how many of these agreed."""

    agreed: int = 0
    tried: int = 0

    @property
    def share(self) -> float:
        """The part that agreed, 0 to 1; 0 where nothing was tried."""
        return self.agreed / self.tried if self.tried else 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.agreed + other.agreed, self.tried + other.tried)


@dataclass(frozen=True, slots=True)
class Cell:
    """Samples of a difference that are alike: in dtype, in what is special about their inputs, and
    in the optional parameters that they give.
    """

    dtype: str = ""
    kinds: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    count: int = 1


@dataclass(frozen=True, slots=True)
class Difference:
    """A group of samples that differ in the same way, and the shortest of them.

    ``outcome`` is one of ``vocabulary.PROBE_OUTCOMES``, ``message`` what is common to the group;
    ``dtypes`` and ``kinds`` are those of its samples. ``torch``, ``mindspore`` and ``inputs`` run
    the sample again as a check of these would; ``mindspore`` is "" where the rewriter refused.
    ``torch_gave`` and ``mindspore_gave`` are as evidence has them. ``cells`` are all samples of the
    group, of targets that a record names: its caveats have to tell of them.
    """

    outcome: str
    count: int
    message: str = ""
    dtypes: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    sample: str = ""
    torch: str = ""
    mindspore: str = ""
    inputs: dict[str, dict[str, Any]] = field(default_factory=dict)
    torch_gave: str = ""
    mindspore_gave: str = ""
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to write the API in MindSpore, and how far it agreed.

    ``target`` is the data of a ``curated.schema.Target``, as a record would have it: ``api`` or
    ``expression`` with ``id``, ``parameters`` as far as the signatures don't say them. Behind the
    first ``DETAILED`` it is no more than the name, and ``differences`` is empty but for what
    published tables pair with the name. ``found`` is one of ``vocabulary.FOUND``. ``values`` counts
    samples of which PyTorch gives an answer, ``gradients`` those whose gradients were compared,
    ``errors`` those that PyTorch refuses (agreed: MindSpore refuses too). ``dtypes`` and ``kinds``
    split ``values``.
    """

    target: dict[str, Any]
    found: str
    values: Tally = Tally()
    gradients: Tally = Tally()
    errors: Tally = Tally()
    dtypes: dict[str, Tally] = field(default_factory=dict)
    kinds: dict[str, Tally] = field(default_factory=dict)
    differences: tuple[Difference, ...] = ()

    @property
    def key(self) -> str:
        """What checks call the target: its id, or the name of its API."""
        return str(self.target.get("id") or self.target.get("api") or "")


@dataclass(frozen=True, slots=True)
class Probe:
    """All that probing found of a canonical PyTorch name.

    ``hash`` covers all that was run: it is stale when that changes. ``samples`` counts those
    chosen, by origin (``sample_words.ORIGINS``); ``gaps`` what PyTorch has but could not be a
    sample, by reason (``sample_words.GAPS``). ``candidates`` come best first. Where nothing was
    run, ``reason`` is one of ``vocabulary.NOT_PROBED``; candidates may then stand there by name
    alone, with nothing tried. ``examples`` is a digest of what MindSpore's documentation has for
    it, "" for nothing; ``limit`` how many samples of a dtype were asked for, 0 for the usual
    number.
    """

    name: str
    hash: str
    reason: str = ""
    samples: dict[str, int] = field(default_factory=dict)
    gaps: dict[str, int] = field(default_factory=dict)
    candidates: tuple[Candidate, ...] = ()
    examples: str = ""
    limit: int = 0

    @property
    def best(self) -> Candidate | None:
        """The best candidate, if any."""
        return self.candidates[0] if self.candidates else None
