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

This module imports next to nothing, because a cold `msmap lookup` waits for every import.
"""

from __future__ import annotations

from msmap.messages import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from msmap import model


class MsmapError(Exception):
    """Something a user can put right; the message says how.

    ``message`` keeps its template and its values: ``MsmapError("no check `{}`", name)``.
    """

    def __init__(self, template: str, *values: object) -> None:
        self.message = Message(template, *values)
        super().__init__(self.message)


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
        if elsewhere is not None:
            said = Message("{} is not in this release of MindSpore, but in others", elsewhere.name)
        elif not said and known:
            said = Message("{} is known, but has no record yet", known)
        elif not said:
            said = Message("{} is not known", name)
        if guides:
            said = Message("{}; guides: {}", said, ", ".join(guides))
        if nearest:
            said = Message("{}; nearest: {}", said, ", ".join(nearest))
        super().__init__(said)


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
