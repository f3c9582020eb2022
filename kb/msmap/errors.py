"""Every exception that a caller may catch; ``except MsmapError`` is enough.

::

    MsmapError
        DatabaseError
        NotFound
        UnknownRelease
        UnknownEnvironment
        UnknownDevice
        DataError           (in msmap.problems, with the problems that it lists)
        EvidenceError
        SignatureFileError
        FrameworkMissing
        CannotVerify
        NoWorkers
        WeightsError
        BadRecording

This module imports nothing, because a cold `msmap lookup` waits for every import.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from msmap import model


class MsmapError(Exception):
    """Something a user can put right; the message says how."""


class DatabaseError(MsmapError):
    """The database is missing, damaged, or of another schema version."""


class NotFound(MsmapError):
    """No record, or no probe, for a name.

    ``name`` is what was asked, ``known`` the canonical name if the frameworks have it but no
    record is written yet, ``nearest`` the nearest known names, ``elsewhere`` what another release
    has under the name, ``guides`` those that are about it. ``said`` is why, where it isn't that.
    """

    def __init__(
        self,
        name: str,
        known: str | None,
        nearest: tuple[str, ...],
        elsewhere: model.Api | None = None,
        guides: tuple[str, ...] = (),
        said: str = "",
    ) -> None:
        self.name, self.known, self.nearest, self.elsewhere = name, known, nearest, elsewhere
        self.guides = guides
        if not said:
            said = f"{known} is known, but has no record yet" if known else f"{name} is not known"
        if elsewhere is not None:
            said = f"{elsewhere.name} is not in this release of MindSpore, but in others"
        if guides:
            said += f"; guides: {', '.join(guides)}"
        hint = f"; nearest: {', '.join(nearest)}" if nearest else ""
        super().__init__(said + hint)


class UnknownRelease(MsmapError):
    """Nothing is known of a release."""


class UnknownEnvironment(MsmapError):
    """No environment, or more than one, is meant; the message lists those that are known."""


class UnknownDevice(MsmapError):
    """No device is meant; the message lists those that are."""


class EvidenceError(MsmapError):
    """An evidence file that can't be read; the message names file and line."""


class SignatureFileError(MsmapError):
    """A line of a signature file that is not an API."""


class FrameworkMissing(MsmapError):
    """The framework to read is not installed."""


class NoWorkers(MsmapError):
    """No scheduler of a cluster answers, or it has no worker for what is to be done."""


class CannotVerify(MsmapError):
    """The frameworks can't be imported, or the process that runs checks can't start."""


class WeightsError(MsmapError):
    """Weights that can't be read, carried or written; the message names the file and the tensor."""


def installing(extra: str) -> str:
    """How to get what an extra brings: no package index has msmap, and anybody could take the name.

    >>> installing("verify")
    "`pip install '.[verify]'` in a checkout of msmap"
    """
    return f"`pip install '.[{extra}]'` in a checkout of msmap"


class BadRecording(MsmapError):
    """A recording that can't be made or read, or two that can't be compared; it names the thing."""
