"""A record or a probe as the few lines that fit on a screen; ``-v`` has all of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msmap import vocabulary
from msmap.candidates import Candidate, Probe
from msmap.model import Caveat, Port, Record, Target
from msmap.render import brief as briefly
from msmap.render import probe as probes
from msmap.render import record as page
from msmap.render.brief import Brief
from msmap.render.labels import BRIEF, GROUP, PROBE, RECORD, word
from msmap.render.layout import BOLD, CODE, DIM, WARN, Line, line
from msmap.width import cells

_NAMES = 12  # of those that share an answer


def record(
    found: Record, language: str, device: str = "", port: Port | None = None
) -> Iterator[Line]:
    """The short page of a record.

    Args:
        found: the record.
        language: the language.
        device: the device that it is for, "" for all.
        port: what becomes of the call that was asked for; else the record's example is shown.
    """
    labels = RECORD[language]
    told = briefly.brief(found, language, device, briefly.taken(found, port))
    yield from _head(found, told, language, device)
    if port is not None:
        yield from page.sides(port.source.strip(), port.code or "")
    else:
        yield from page.sides(found.example_torch, found.example_mindspore)
    if told.caveats:
        yield line()
        yield from (_caveat(each, language, labels) for each in told.caveats)
    rows = list(remarks(found, told, language))
    if rows:
        yield line()
        yield from _titled(rows)
    if more := labels["comma"].join(briefly.beside(told, found, language)):
        yield line((BRIEF[language]["verbose"].format(more), DIM), hang=4)


def _head(found: Record, told: Brief, language: str, device: str) -> Iterator[Line]:
    labels, best = RECORD[language], told.target
    counterpart = labels["none"] if best is None else page.name(best, labels)
    yield line((found.torch, BOLD), " -> ", (counterpart, BOLD), hang=4)
    yield line(found.summary.get(language))
    about = found if best is None else best
    reason = "" if best is None else best.reason
    parts: list[str | tuple[str, str]] = [
        (word(vocabulary.CATEGORIES, about.category, language), DIM),
        (" · ", DIM),
        page.verification(about.verification, reason, language),
        (page.others(found, best.key if best else None, device), DIM),
    ]
    if best is not None and (where := page.platforms(best, labels).removeprefix("-, ")) != "-":
        parts.append((f" · {where}", DIM))
    yield line(*parts)
    if found.deprecated:
        yield line((f"{labels['deprecated']}: {found.deprecated}", WARN))
    if found.missing is not None:
        yield line(found.missing.get(language))
    if found.family:
        yield line((labels["family"].format(found.family), DIM))
    if found.covers:
        yield line((labels["covers"] + labels["colon"], DIM), _some(found.covers, language))


def _some(names: Sequence[str], language: str) -> str:
    """The first of many names, and how many more there are."""
    if len(names) <= _NAMES:
        return RECORD[language]["comma"].join(names)
    more = GROUP[language]["more"].format(len(names) - _NAMES)
    return RECORD[language]["comma"].join([*names[:_NAMES], more])


def _caveat(caveat: Caveat, language: str, labels: dict[str, str]) -> Line:
    head = f"[{word(vocabulary.IMPACTS, caveat.impact, language)}] "
    parts: list[str | tuple[str, str]] = [(head, page.IMPACT_STYLES[caveat.impact])]
    colon = labels["colon"]
    if caveat.mindspore:
        parts.append((f"MindSpore {caveat.mindspore}{colon}", DIM))
    if caveat.device:
        parts.append((f"{labels['seen'].format(' '.join(caveat.device))}{colon}", DIM))
    return line(*parts, caveat.text.get(language), hang=cells(head))


# Of a network's parameters no more are named; -v has all.
_STATES = 8


def remarks(found: Record, told: Brief, language: str) -> Iterator[tuple[str, str, str]]:
    """Titles, texts and styles of what is told in a line each."""
    labels, best = RECORD[language], told.target
    if told.parameters:
        yield labels["parameters"], labels["stop"].join(told.parameters), ""
    if best is not None:
        if best.members:
            renames = (f"{old} -> {new}" for old, new in best.members.items())
            yield labels["members"], labels["comma"].join(renames), CODE
        if best.returns is not None:
            yield labels["returns"], best.returns.text.get(language), ""
        if best.state:
            states = [f"{s.torch} -> {s.mindspore or labels['drop']}" for s in best.state]
            if len(states) > _STATES:
                states[_STATES:] = [f"... ({len(states)}: -v)"]
            yield BRIEF[language]["state"], labels["comma"].join(states), CODE
    if told.others:
        also = labels["comma"].join(_also(other, language) for other in told.others)
        yield BRIEF[language]["also"], also, ""
    if found.guides:
        yield labels["guides"], labels["comma"].join(found.guides), ""


def _also(target: Target, language: str) -> str:
    said, when = page.name(target, RECORD[language]), briefly.conditions(target, language)
    return BRIEF[language]["when"].format(said, when) if when else said


def _titled(rows: Iterable[tuple[str, str, str]]) -> Iterator[Line]:
    """Texts behind their titles, which take the same room; what is broken off stands below."""
    rows = list(rows)
    width = max(cells(title) for title, _, _ in rows) + 2
    for title, text, style in rows:
        yield line((f"{title}{' ' * (width - cells(title))}", BOLD), (text, style), hang=width)


def probe(
    found: Probe, language: str, near: Iterable[str] = (), guides: Iterable[str] = ()
) -> Iterator[Line]:
    """The short page of a probe; arguments as of ``probe.probe``."""
    labels, marks = PROBE[language], RECORD[language]
    yield from probes.head(found, language)
    best = found.best
    rows: list[tuple[str, str, str]] = []
    if best is not None and best.target is not None:
        fates = marks["stop"].join(briefly.fates(best.target, language))
        rows += [(marks["parameters"], fates, "")] if fates else []
    elif found.reason and found.candidates:
        names = marks["comma"].join(each.mindspore for each in found.candidates)
        rows.append((labels["unrun"], names, ""))
    rest = [each.mindspore for each in found.candidates if each is not best]
    if rest and not found.reason:
        rows.append((labels["others"], marks["comma"].join(rest[: probes.OTHERS]), ""))
    for title, listed in ((labels["near"], near), (marks["guides"], guides)):
        rows += [(title, said, "")] if (said := marks["comma"].join(listed)) else []
    ways = list(_ways(found.first, language))
    if ways:
        yield line()
        yield from ways
    if rows:
        yield line()
        yield from _titled(rows)
    if found.samples:
        yield line((BRIEF[language]["verbose"].format(BRIEF[language]["samples"]), DIM))


# Ways to differ that are told in short.
_WAYS = 3


def _ways(found: Candidate | None, language: str) -> Iterator[Line]:
    """How the best candidate differs, the worst first, a line each."""
    for each in probes.worst(found.differences if found else ())[:_WAYS]:
        head = f"[{word(vocabulary.PROBE_OUTCOMES, each.outcome, language)}] "
        colon = RECORD[language]["colon"]
        said = f"{colon}{probes.short(each.message)}" if each.message else ""
        where = probes.where(each, language)
        yield line((head, probes.style(each.outcome)), where, (said, DIM), hang=cells(head))
