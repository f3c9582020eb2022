"""What a scan found, as lines for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msmap.model import Text, Unread
from msmap.render import View
from msmap.render.labels import SCAN, word
from msmap.render.layout import BAD, BOLD, CODE, DIM, GOOD, WARN, Line, line, pad
from msmap.render.markup import code, plain
from msmap.scan import score
from msmap.scan.report import Report, Site, Unused
from msmap.scan.terms import CERTAINTIES, RULES, STATUSES

_TONES = {"missing": BAD, "care": WARN, "unclear": DIM, "ready": GOOD}


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one rule of one name; ``told`` is what is said of them, each text once."""

    status: str
    rule: str
    name: str
    sites: tuple[Site, ...]

    @property
    def told(self) -> tuple[Text, ...]:
        """What is said of any of them, the commonest first."""
        said: dict[Text, int] = {}
        for site in self.sites:
            for text in site.told:
                said[text] = said.get(text, 0) + 1
        return tuple(sorted(said, key=lambda text: -said[text]))


def groups(found: Report) -> list[Group]:
    """The findings by status, the worst first, and in it by how many are of a rule and a name."""
    by: dict[tuple[str, str, str], list[Site]] = {}
    for site in score.findings(found.sites):
        by.setdefault((site.status, site.rule, score.named(site)), []).append(site)
    made = [Group(*key, tuple(sites)) for key, sites in by.items()]
    order = list(STATUSES)
    return sorted(made, key=lambda g: (order.index(g.status), -len(g.sites), g.name, g.rule))


def place(site: Site | Unused) -> str:
    """Where something stands: path, line and column, of a notebook the cell too."""
    column = f":{site.column + 1}" if isinstance(site, Site) else ""
    cell = "" if site.cell is None else f"[{site.cell}]"
    return f"{site.path}{cell}:{site.line}{column}"


def said(site: Site, language: str) -> str:
    """All that there is to say of a place, a line each; else what its rule is about."""
    told = "\n".join(text.get(language) for text in site.told)
    return told or word(RULES, site.rule, language)


def shares(found: Report, language: str) -> list[tuple[str, str]]:
    """Each status with how many places are of it, and which share of all, as text."""
    every = found.counts.sites
    return [
        (status, f"{count:,} {word(STATUSES, status, language)} ({percent(count, every)})")
        for status, count in found.counts.status.items()
    ]


def percent(count: int, every: int) -> str:
    """A share in words: what is there is never 0 %, and what isn't all never 100 %."""
    share = 100 * count / (every or 1)
    if 0 < share < 1:
        return "<1 %"
    return ">99 %" if 99 < share < 100 else f"{share:.0f} %"


def text(found: Report, view: View) -> Iterator[Line]:
    """The report for a terminal: shares, findings, what was not read."""
    say, language = SCAN[view.language], view.language
    yield line((say["files"].format(found.read, found.counts.sites), BOLD))
    for status, said in shares(found, language):
        yield line((said, _TONES[status]), indent=2)
    yield line(say["sure"].format(_certainties(found, language)), indent=2)
    before = ""
    for group in groups(found):
        if group.status != before:
            before = group.status
            yield line()
            yield line((word(STATUSES, group.status, language), _TONES[group.status]))
        yield from _group(group, view)
    yield from _rest(found, view)


def _certainties(found: Report, language: str) -> str:
    words = (
        f"{word(CERTAINTIES, name, language)} {count:,}"
        for name, count in found.counts.certainty.items()
    )
    return SCAN[language]["comma"].join(words)


def _group(group: Group, view: View) -> Iterator[Line]:
    rule = f"[{group.rule}]"
    name = group.name or word(RULES, group.rule, view.language)
    yield line((pad(f"{len(group.sites):,}", 6), BOLD), (name, CODE), "  ", (rule, DIM), indent=2)
    told = group.told
    for said in told if view.places is None else told[:2]:
        yield line(said.get(view.language), indent=8)
    if view.places is None:
        for site in group.sites:
            yield line((place(site), DIM), "  ", _first(site.source), indent=8)
    else:
        yield line((_places(group.sites, view), DIM), indent=8)


def _places(sites: Sequence[Site], view: View) -> str:
    """The first places, and how many more there are."""
    say = SCAN[view.language]
    kept = [place(site) for site in sites[: view.places]]
    more = len(sites) - len(kept)
    return say["comma"].join(kept) + (say["more"].format(more) if more else "")


def _first(source: str) -> str:
    head, _, rest = source.partition("\n")
    return f"{head} …" if rest else head


def _rest(found: Report, view: View) -> Iterator[Line]:
    """What is said of files and comments."""
    say, language = SCAN[view.language], view.language
    if found.unread:
        yield line()
        yield line((say["unread"].format(len(found.unread)), BAD))
        yield from (line(_unread(told, language), indent=2) for told in found.unread)
    if found.unused:
        yield line()
        yield line((say["unused"], WARN))
        yield from (
            line(f"{place(unused)}: {' '.join(unused.rules)}", indent=2) for unused in found.unused
        )
    counts = found.counts
    for count, what in ((counts.ignored, "ignored"), (counts.known, "known")):
        if count:
            yield line((say[what].format(count), DIM))
    if found.gone:
        yield line((say["gone"].format(len(found.gone)), DIM))
    if view.places is not None and any(len(g.sites) > view.places for g in groups(found)):
        yield line((say["all"], DIM))


def _unread(told: Unread, language: str) -> str:
    where = told.path if told.line is None else f"{told.path}:{told.line}"
    return f"{where}: {told.reason.get(language)}"


def markdown(found: Report, view: View) -> Iterator[str]:
    """The report for a pull request or a page: tables of shares, findings and files."""
    say, language = SCAN[view.language], view.language
    yield f"# {say['title']}\n"
    yield f"{say['files'].format(found.read, found.counts.sites)}\n"
    yield f"| {say['status']} | {say['places']} |\n|---|---:|"
    for status, count in found.counts.status.items():
        yield f"| {word(STATUSES, status, language)} | {count:,} |"
    yield f"\n{say['sure'].format(_certainties(found, language))}\n"
    before = ""
    for group in groups(found):
        if group.status != before:
            before = group.status
            yield f"\n## {word(STATUSES, group.status, language)}\n"
        yield f"- {code(group.name)} ({group.rule}): {len(group.sites):,}"
        for said in group.told:
            yield f"  - {plain(said.get(language))}"
        shown = group.sites[: view.places]
        more = len(group.sites) - len(shown)
        places = say["comma"].join(code(place(site)) for site in shown)
        yield f"  - {places}{say['more'].format(more) if more else ''}"
    if found.unread:
        yield f"\n## {say['unread'].format(len(found.unread))}\n"
        yield from (f"- {plain(_unread(told, language))}" for told in found.unread)
    if found.unused:
        yield f"\n## {say['unused']}\n"
        yield from (f"- {code(place(unused))} {' '.join(unused.rules)}" for unused in found.unused)
