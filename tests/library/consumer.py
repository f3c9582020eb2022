"""A project that uses msmap as a library, for `mypy --strict` to read: nothing of it is Any."""

from __future__ import annotations

from pathlib import Path

import msmap
from msmap import DatabaseError, KnowledgeBase, MsmapError, NotFound
from msmap.candidates import Candidate, Probe
from msmap.candidates import Summary as Probed
from msmap.claimed import Claim, Source
from msmap.errors import UnknownDevice, UnknownRelease
from msmap.model import (
    Api,
    Caveat,
    Check,
    Edit,
    Evidence,
    Guide,
    Hit,
    Parameter,
    Port,
    Record,
    Refusal,
    Reverse,
    State,
    Summary,
    Target,
    Text,
    Unread,
)
from msmap.port.project import Done
from msmap.query.base import porting
from msmap.query.base.statistics import Counts
from msmap.query.drift import drift
from msmap.query.errors import explain
from msmap.query.names import answers
from msmap.query.names import lookup as understood
from msmap.query.projects import port as projects
from msmap.query.projects import scan as scanning
from msmap.render import View, tell
from msmap.render.layout import Piece
from msmap.scan.report import Report, Site
from msmap.tabled import Row, Table


def looked_up(kb: KnowledgeBase) -> list[str]:
    """A record with all that hangs on it."""
    record: Record = kb.lookup("nn.Dropout")
    summary: Text = record.summary
    found: list[str] = [record.torch, summary.en, summary.get("zh"), *record.guides]
    for target in record.targets:
        best: Target = target
        parameters: tuple[Parameter, ...] = best.parameters
        states: tuple[State, ...] = best.state
        found += [name for p in parameters for name in p.torch]
        found += [state.torch for state in states]
    caveats: tuple[Caveat, ...] = record.caveats
    checks: tuple[Check, ...] = record.checks
    evidence: list[Evidence] = [one for check in checks for one in check.evidence]
    found += [caveat.impact for caveat in caveats] + [one.outcome for one in evidence]
    return found


def asked(kb: KnowledgeBase) -> list[str]:
    """Every other question."""
    reverse: Reverse = kb.reverse("mindspore.mint.cat")
    api: Api = reverse.api
    hits: list[Hit] = kb.search("dropout", limit=3, kind="record")
    records: list[Summary] = kb.records(namespace="torch.nn", device="Ascend")
    guides: list[Guide] = kb.guides()
    guide: Guide = kb.guide(guides[0].id)
    claims: list[Claim] = kb.claims(about="torch.cat")
    sources: list[Source] = kb.sources()
    probes: list[Probed] = kb.probes("torch")
    probe: Probe | None = kb.tried("torch.relu")
    best: Candidate | None = probe.best if probe is not None else None
    counts: Counts = kb.stats()
    releases: dict[str, str] = kb.releases()
    known: dict[str, int] = kb.known_releases()
    name: str | None = kb.torch_name("F.relu")
    names: tuple[str, ...] = kb.nearest("nn.Dropot")
    completed: list[str] = kb.completions("torch.c")
    tables: list[Table] = kb.tables()
    rows: list[Row] = kb.table_rows(about="torch.cat")
    differs: drift.Drift = drift.between(kb, kb)
    return [
        api.name, guide.title.en, name or "", *names, *completed, *releases.values(), *known,
        *(hit.name for hit in hits), *(one.torch for one in records), *(c.name for c in claims),
        *(source.id for source in sources), *(one.torch for one in probes),
        *(table.id for table in tables), str(rows), str(counts), str(differs),
        best.mindspore if best is not None else "",
    ]  # fmt: skip


def ported(kb: KnowledgeBase, code: str) -> str:
    """Code, with what was left and where."""
    port: Port = kb.port(code)
    same: Port = porting.attempt(kb, code, probed=True)
    refusals: tuple[Refusal, ...] = port.refusals
    edits: tuple[Edit, ...] = same.edits
    places: list[tuple[int, int]] = [(one.line, one.column) for one in refusals]
    places += [(one.line, one.column) for one in edits]
    return f"{port.code} {port.whole} {places}"


def files(kb: KnowledgeBase, folder: Path) -> list[str]:
    """Files scanned and ported."""
    report: Report = scanning.scan(kb, [folder], exclude=["old"])
    sites: tuple[Site, ...] = report.sites
    told: list[str] = [f"{site.path}:{site.line} {site.rule}" for site in sites]
    done: Done | Unread
    for done in projects.port(kb, [folder]):
        told.append(done.path if isinstance(done, Unread) else done.text)
    return told


def said(kb: KnowledgeBase) -> str:
    """Answers as the command line gives them, in a form and a language."""
    answer: answers.Lookup = understood.lookup(kb, ["nn.Conv2d(3, 8, 3)"])
    explained: answers.Explained = answers.explained(kb, "'Tensor' object has no attribute 'cuda'")
    found: explain.Explanation | None = explained.explanation
    pieces: list[Piece] = list(tell(answer, "markdown", View(language="zh", device="Ascend")))
    rich: str | None = answer._repr_html_()
    markdown: str = answer._repr_markdown_()
    return f"{''.join(map(str, pieces))}{rich}{markdown}{found.error if found else ''}"


def opened(path: Path) -> str:
    """A base opened, and all that can go wrong caught."""
    try:
        with msmap.open(path, mindspore="2.10", device="ascend") as kb:
            return "\n".join([*looked_up(kb), *asked(kb), *files(kb, path.parent), said(kb)])
    except NotFound as error:
        near: tuple[str, ...] = error.nearest
        return f"{error.name} {error.known} {near}"
    except (DatabaseError, UnknownRelease, UnknownDevice) as error:
        return str(error)
    except MsmapError as error:
        return f"{error} {msmap.__version__}"
