"""What is to be said of a place: its status, and the rule of what is found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from msmap.model import Text
from msmap.scan import terms
from msmap.scan.report import Scanned, Site, Told
from msmap.scan.terms import Status


def judged(kind: str, caveats: tuple[Told, ...], notes: tuple[Text, ...]) -> tuple[Status, str]:
    """The status and the rule of a place; "" if there is nothing to say.

    Args:
        kind: that of the refusal, "" if it is carried over.
        caveats: those that it triggers.
        notes: what the port says of it.
    """
    if kind:
        return terms.status(kind), kind.replace("_", "-")
    impacts = {told.impact for told in caveats if not told.mended}
    if "silent" in impacts:
        return "care", "silent-caveat"
    if impacts or notes:
        return "care", "caveat" if impacts else "note"
    return "ready", ""


def settled(files: Iterable[Scanned], known: frozenset[tuple[str, str]]) -> list[Site]:
    """The places of all files, as all of them and a baseline see them.

    Where any file puts something into training mode, nothing bites for want of that.

    Args:
        files: what stands in each.
        known: the fingerprints of the baseline, each with its rule.
    """
    read = list(files)
    trains = any(file.trains for file in read)
    return [_settled(site, trains, known) for file in read for site in file.sites]


def _settled(site: Site, trains: bool, known: frozenset[tuple[str, str]]) -> Site:
    if trains and any(told.on == "mode" for told in site.caveats):
        caveats = tuple(told for told in site.caveats if told.on != "mode")
        kind = site.rule if site.reason is not None else ""
        status, rule = judged(kind.replace("-", "_"), caveats, site.notes)
        site = replace(site, caveats=caveats, status=status, rule=rule)
    if site.rule and not site.state and (site.fingerprint, site.rule) in known:
        return replace(site, state="known")
    return site
