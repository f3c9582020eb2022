"""One input that a PyTorch name is tried with, and all that it was found to be tried with."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

# Who changes what samples are made of raises it: what was made or found before is stale then.
GENERATION = 2


@dataclass(frozen=True, slots=True)
class Sample:
    """A call of a PyTorch name with its inputs, found to run (or to raise) on PyTorch.

    Attributes:
        name: the canonical PyTorch name that it samples: ``torch.mul``, ``torch.Tensor.mul_``,
            ``torch.nn.SiLU``, ``torch.optim.Adam``.
        id: stable over runs and machines: origin, number, dtype, transformation:
            ``op-3-float32``, ``op-3-float32-empty``.
        origin: where the call comes from, one of ``sample_words.ORIGINS``.
        torch: the call as a user would type it, with full names; the last line is an expression.
        inputs: NumPy inputs by name, as those of a check (``verify.trial.inputs``).
        dtype: that of the first input, in which the sample counts; "" if it has none.
        kinds: which of ``sample_words.KINDS`` the inputs are.
        gradient: whether PyTorch has gradients here that could be compared.
        raises: PyTorch raises, and is to.
        random: PyTorch gives other values with another seed, so that shapes and dtypes count alone.
    """

    name: str
    id: str
    origin: str
    torch: str
    inputs: dict[str, dict[str, Any]]
    dtype: str
    kinds: tuple[str, ...]
    gradient: bool = False
    raises: bool = False
    random: bool = False

    def dumps(self) -> str:
        """The sample as one line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False, allow_nan=False)

    @classmethod
    def loads(cls, line: str) -> Sample:
        """The sample in a line of JSON."""
        return cls.of(json.loads(line))

    @classmethod
    def of(cls, data: dict[str, Any]) -> Sample:
        """The sample in a mapping of JSON."""
        return cls(**data | {"kinds": tuple(data["kinds"])})


@dataclass(frozen=True, slots=True)
class Sampling:
    """All that a name is tried with.

    Attributes:
        name: the canonical PyTorch name.
        samples: those chosen, in order of their ids' origins and numbers.
        origins: how many there were to choose from, by origin.
        gaps: how many could not be had, by reason, one of ``sample_words.GAPS``.
    """

    name: str
    samples: tuple[Sample, ...] = ()
    origins: dict[str, int] = field(default_factory=dict)
    gaps: dict[str, int] = field(default_factory=dict)

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The dtypes of the samples, sorted; those without a tensor left out."""
        return tuple(sorted({s.dtype for s in self.samples if s.dtype}))

    def dumps(self) -> str:
        """All of it as one line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False, allow_nan=False)

    @classmethod
    def loads(cls, line: str) -> Sampling:
        """What a line of JSON says."""
        data: dict[str, Any] = json.loads(line)
        return cls(**data | {"samples": tuple(map(Sample.of, data["samples"]))})
