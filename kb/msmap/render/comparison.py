"""What a comparison of recordings found, as lines."""

from __future__ import annotations

from collections.abc import Iterator

from msmap.compare.report import Compared
from msmap.compare.terms import Argument, Cause, Finding
from msmap.render import View
from msmap.render.labels import COMPARED
from msmap.render.layout import BAD, BOLD, CODE, DIM, GOOD, WARN, Line, line

_TONES = {"agrees": GOOD, "incomplete": WARN, "differs": BAD}


def text(found: Compared, view: View) -> Iterator[Line]:
    """The verdict, each finding with its causes, and what has no partner."""
    labels = COMPARED[view.language]
    counts = found.counts
    yield line(
        (str(labels[found.verdict]), _TONES[found.verdict]), ": ",
        str(labels["counts"]).format(
            counts.layers, counts.calls, counts.tensors, counts.steps, counts.agreeing
        ),
    )  # fmt: skip
    one, other = found.torch, found.mindspore
    yield line(
        (
            str(labels["sides"]).format(one.release, one.source, other.release, other.source),
            DIM,
        )
    )
    shown = view.places or len(found.findings)
    for number, finding in enumerate(found.findings):
        if number == shown:
            yield line(f"+{len(found.findings) - shown}", indent=2)
            break
        yield from finding_lines(finding, view, number == 0)
    for note in found.notes:
        yield line((str(labels["known"]), BOLD), f": {note['record']}, {note['caveat']}")
        yield line(note[view.language], indent=2)
    for side, place in found.broken.items():
        yield line(str(labels["broken"]).format(_SIDES[side], place))
    if found.renamed:
        # The model itself has no path.
        model = str(labels["model"])
        pairs = [(one or model, other or model) for one, other in found.renamed.items()]
        said = "; ".join(str(labels["renamed"]).format(*pair) for pair in pairs[:4])
        yield line((said + ("; ..." if len(pairs) > 4 else ""), DIM))


_SIDES = {"torch": "PyTorch", "mindspore": "MindSpore"}


def finding_lines(finding: Finding, view: View, first: bool) -> Iterator[Line]:
    """A finding: where, by how much, and what explains it."""
    labels = COMPARED[view.language]
    stage = labels["stage"][finding.stage]  # type: ignore[index]
    said = finding.zh if view.language == "zh" else finding.en
    head = str(labels["first" if first else "then"])
    names = " → ".join(filter(None, (finding.torch_name, finding.mindspore_name)))
    yield line((f"{head}, {stage}: ", BOLD), said, (f"  [{names}]" if names else "", CODE))
    if finding.before and finding.stage in ("forward", "gradient"):
        yield line((str(labels["between"]).format(finding.before), DIM), indent=2)
    for one in finding.arguments:
        yield line(argument(one, view.language), indent=2)
    for cause in finding.causes:
        yield from cause_lines(cause, view)
    if not finding.causes:
        yield line((str(labels["none"]), DIM), indent=2)


def argument(one: Argument, language: str) -> str:
    """An argument that isn't what the record makes of PyTorch's, in words."""
    labels = COMPARED[language]
    if not one.torch:
        return str(labels["added"]).format(one.mindspore, repr(one.expected), repr(one.found))
    return str(labels["argument"]).format(
        one.torch, repr(one.torch_value), one.mindspore, repr(one.expected), repr(one.found)
    )


def cause_lines(cause: Cause, view: View) -> Iterator[Line]:
    """A caveat, what it says, and what shows that it is the cause."""
    labels = COMPARED[view.language]
    said = str(labels["cause"]).format(cause.record, cause.caveat)
    tone = DIM if cause.shown_by == "unproved" else WARN
    yield line((said, tone), f" ({labels[cause.shown_by]})", indent=2)
    yield line(cause.zh if view.language == "zh" else cause.en, indent=4)
    if cause.confirmed:
        checks = ", ".join(cause.checks)
        yield line(str(labels["confirmed"]).format(checks, cause.confirmed), indent=4)
