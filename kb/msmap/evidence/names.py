"""Names of environments: what checks ran on, parsed in one place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from msmap.releases import order
from msmap.vocabulary import PLATFORMS


@dataclass(frozen=True, slots=True)
class Environment:
    """What checks ran on; "" is what a name doesn't say.

    ``device`` is ascend, gpu or cpu; ``machine`` is such as linux-x86_64.
    """

    torch: str
    mindspore: str
    device: str
    machine: str

    @property
    def name(self) -> str:
        """The name of its evidence file, without the suffix."""
        return self._joined(self.mindspore)

    @property
    def elsewhere(self) -> str:
        """The name without the release of MindSpore: the same in all releases."""
        return self._joined("")

    def within(self, mindspore: str) -> str:
        """The name in another release of MindSpore; the same if it names none."""
        return self._joined(mindspore if self.mindspore else "")

    @property
    def platform(self) -> str:
        """The device as documentation spells it: Ascend, GPU or CPU."""
        return _SPELLED.get(self.device, "")

    def _joined(self, mindspore: str) -> str:
        parts = (
            self.torch and f"torch-{self.torch}",
            mindspore and f"mindspore-{mindspore}",
            self.device,
            self.machine,
        )
        return "_".join(filter(None, parts))


_SPELLED = {platform.lower(): platform for platform in PLATFORMS}
_NAME = re.compile(
    r"(?:torch-(?P<torch>[^_]+)(?:_|$))?(?:mindspore-(?P<mindspore>[^_]+)(?:_|$))?"
    r"(?:(?P<device>ascend|gpu|cpu)(?:_|$))?(?P<machine>.*)",
    re.DOTALL,
)


@cache
def parse(name: str) -> Environment:
    """The environment that a name means.

    >>> parse("torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64")
    Environment(torch='2.13.0', mindspore='2.10.0', device='cpu', machine='linux-x86_64')
    """
    found = _NAME.fullmatch(name)
    assert found is not None, "the pattern fits every text"
    return Environment(**found.groupdict(""))


def ordered(names: Iterable[str]) -> list[str]:
    """Names of environments from the oldest to the newest releases."""
    return sorted(names, key=lambda name: (*_age(parse(name)), name))


def _age(environment: Environment) -> tuple[list[tuple[bool, int, str]], ...]:
    return order(environment.mindspore), order(environment.torch)
