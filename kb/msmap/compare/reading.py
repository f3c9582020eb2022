"""A recording of msmap's own, or a dump of msProbe's: whatever stands in a folder."""

from __future__ import annotations

from pathlib import Path

from msmap.compare import msprobe
from msmap.recording import files
from msmap.recording.model import Recording


def read(path: Path) -> Recording:
    """The recording in a folder.

    Raises:
        BadRecording: it is none, or is damaged; the message names file and thing.
    """
    if not (path / files.HEAD).exists() and msprobe.is_dump(path):
        return msprobe.read(path)
    return files.read(path)
