"""Rules about names that share an answer."""

from __future__ import annotations

from msmap.assemble import families
from msmap.lint.rule import Found, Subject, rule
from msmap.messages import Message


@rule("record")
def covers_names(subject: Subject) -> Found:
    """Everything under `covers` is of PyTorch, and of one record alone."""
    base, written = subject.base, subject.written
    if not written.covers:
        return
    taken = {
        other.torch: families.names(other.covers, base.torch, ())
        for other in base.written.values()
        if other.torch != written.torch and other.covers
    }
    for index, pattern in enumerate(written.covers):
        where = ("covers", index)
        meant = families.meant(pattern, base.torch)
        left = [name for name in meant if name not in base.records]
        if not meant:
            yield Message("PyTorch {} has no {}", base.torch.release, pattern), where
        elif not left:
            yield Message("{}: every name has a record of its own", pattern), where
        for name in left:
            if others := [other for other, names in taken.items() if name in names]:
                yield Message("{} is covered by {} too", name, ", ".join(others)), where
