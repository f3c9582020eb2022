"""What an error says: why a check can't run on this machine, of a closed list; its first line."""

from __future__ import annotations

import re

from msmap.vocabulary import UNTESTABLE_REASONS

_PHRASES = {
    "ascend_only": r"only supports? (the )?Ascend",
    "no_accelerator": r"Unsupported device target|not compiled with CUDA|Found no NVIDIA driver",
    "needs_network": r"'mpirun'|rendezvous|process group has not been initialized|backend_name",
    # Of an operator, or of one for this dtype.
    "no_kernel": r"kernel .* unregistered|unregistered\.|not supported on this device|"
    r"Create kernelmod for op|KernelMod Init Failed|Unsupported op \[|is not supported in CPU|"
    r"not support(ed)? on (device )?CPU|current device type CPU|does not support on CPU|"
    r"Not found op \S+ on device|Select CPU operator\[\w+\] fail|Kernel select failed|"
    r"does not support this kernel data type|"
    # Where a function is compiled for Ascend alone.
    r"Not implement exception|should not come here for \w+ py_method",
}
_PATTERNS = {name: re.compile(_PHRASES[name], re.IGNORECASE) for name in UNTESTABLE_REASONS}


def of(error: BaseException) -> str:
    """The reason that an error gives, one of ``UNTESTABLE_REASONS``; "" if it gives none."""
    text = str(error)
    return next((name for name, pattern in _PATTERNS.items() if pattern.search(text)), "")


def brief(error: BaseException) -> str:
    """The first line of an error that says something, without addresses or paths."""
    lines = [line.strip() for line in str(error).splitlines()]
    first = next((line for line in lines if line.strip("- ")), "")
    first = re.sub(r"0x[0-9a-f]+", "0x...", first)
    first = re.sub(r"(/[\w.+-]+){2,}", lambda m: "..." + m[1], first)
    return f"{type(error).__name__}: {first}"[:200]
