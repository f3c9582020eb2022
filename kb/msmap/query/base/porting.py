"""Code ported by a base: by records, and where it is asked for by what probing found too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from msmap import model
from msmap.candidates import Candidate, Probe
from msmap.port import attempt as attempting
from msmap.query.base import probes
from msmap.query.base.asked import Asked
from msmap.scan import find
from msmap.scan.report import Site
from msmap.vocabulary import NOT_PROBED, PROBE_OUTCOMES, Basis


def attempt(kb: Asked, source: str, probed: bool = False, longest: int | None = None) -> model.Port:
    """The port of a source as ``port.attempt`` makes it; what it uses of probes is marked.

    Args:
        kb: the base.
        source: PyTorch code that anybody may have written.
        probed: use what probing found where there is no record.
        longest: more characters are refused.
    """
    if not probed:
        return attempting.attempt(source, kb, longest=longest)
    facts = WithProbes(kb)
    return facts.marked(attempting.attempt(source, facts, longest=longest))


def calls(kb: Asked, source: str, probed: bool = False) -> tuple[Site, ...]:
    """The places of a source that use PyTorch, with what becomes of each and what bites there.

    None where the source can't be read, which its port says.
    """
    facts = WithProbes(kb) if probed else kb
    try:
        return find.code(source, facts)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


class WithProbes:
    """What the rewriter asks of a base, with what probing found of names without a record."""

    def __init__(self, kb: Asked) -> None:
        self._kb, self.device = kb, kb.device
        self.torch_name, self.mindspore_dtype = kb.torch_name, kb.mindspore_dtype
        self.torch_kind, self.returns, self.methods = kb.torch_kind, kb.returns, kb.methods
        self.find = cache(self._find)

    def _find(self, name: str) -> model.Record | None:
        """The record of a canonical name, else the one that its probe would make, or None."""
        found = self._kb.find(name)
        if found is not None:
            return found
        probe = self._kb.tried(name)
        return None if probe is None else probes.record(probe)

    def unrecorded(self, name: str) -> model.Text | None:
        """What a probe of a canonical name without a record found instead of a port."""
        probe = self._kb.tried(name)
        return None if probe is None else _in_vain(probe)

    def marked(self, done: model.Port) -> model.Port:
        """A port with a note on each use of a probe, and what each record rests on."""
        basis = {name: self._basis(name) for name in done.records}
        return replace(done, notes=(*self.said(done), *done.notes), basis=basis)

    def said(self, done: model.Port) -> Iterator[model.Text]:
        """A note on each use of a probe in a port."""
        return (_note(name, used) for name, used in self._used(done))

    def _basis(self, name: str) -> Basis:
        return "probed" if self._kb.find(name) is None else "curated"

    def _used(self, done: model.Port) -> Iterator[tuple[str, Candidate]]:
        """What was ported by probes, and the candidates that it was ported to."""
        keys = dict.fromkeys([*done.targets, *((name, "") for name in done.records)])
        told: set[str] = set()
        for name, key in keys:
            if self._basis(name) == "curated" or (not key and name in told):
                continue
            told.add(name)
            probe = self._kb.tried(name)
            assert probe is not None, "its record was made of it"
            ported = [c for c in probe.candidates if c.target and c.values.agreed]
            yield name, next((c for c in ported if c.target and c.target.key == key), ported[0])


def _in_vain(probe: Probe) -> model.Text:
    """What a probe found by which nothing can be ported."""
    if probe.reason:
        en, zh = NOT_PROBED[probe.reason]
        return model.Text(f"a probe ran nothing: {en}", f"探测未运行任何候选：{zh}")
    first = probe.candidates[0]
    tried = first.values.tried or first.errors.tried
    en = f"a probe found none of {tried} samples to agree with {first.mindspore}"
    zh = f"探测发现 {first.mindspore} 在 {tried} 个样例中均不一致"
    if first.differences:
        most = max(first.differences, key=lambda found: found.count)
        how, said = PROBE_OUTCOMES[most.outcome], most.message
        en += f": {how[0]}" + (f", {said}" if said else "")
        zh += f"：{how[1]}" + (f"，{said}" if said else "")
    return model.Text(en, zh)


def _note(name: str, used: Candidate) -> model.Text:
    agreed, tried = used.values.agreed, used.values.tried
    return model.Text(
        f"{name}: probed, not curated: {agreed} of {tried} samples agree with {used.mindspore}",
        f"{name}：由运行得出，未经人工整理：{used.mindspore} 在 {tried} 个样例中有 {agreed} 个一致",
    )
