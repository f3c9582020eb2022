"""The rewriter: PyTorch code in, MindSpore code out, or a refusal with its reason."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from datasette_msmap.web import encoding, texts
from datasette_msmap.web.responses import JSON, Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap import model
from msmap.port.attempt import unreadable
from msmap.query import porting

LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a source: a port, or why nothing did."""

    port: model.Port | None
    problem: model.Text | None


def _attempted(ask: Ask, code: str) -> Outcome:
    """What becomes of code that anybody may have sent; ``probed`` of those asked allows probes."""
    done = porting.attempt(ask.kb, code, ask.args.get("probed") == "1", LONGEST)
    refusal = unreadable(done)
    return Outcome(done, None) if refusal is None else Outcome(None, refusal.reason)


def port(ask: Ask) -> Answer:
    """The rewriter as a page, which needs no script."""
    source = ask.args.get("code", "")
    found = _attempted(ask, source) if source.strip() else Outcome(None, None)
    made = found.port
    said = [found.problem.get(ask.language)] if found.problem else []
    if made is not None:
        place = texts.get("port.line", ask.language)
        said += [
            f"{place.format(r.line)}: {r.source}: {r.reason.get(ask.language)}"
            for r in made.refusals
        ]
        said += [note.get(ask.language) for note in made.notes]
    return render(
        ask,
        "port.html",
        source=source[:LONGEST],
        probed=ask.args.get("probed") == "1",
        result=(made.code or "") if made else "",
        said=said,
        records=made.records if made else (),
        indexed=not source and not ask.args.get("probed"),
    )


def data(ask: Ask) -> Answer:
    """The same as JSON, for the script of the pages: what is no Python yet is no error to it."""
    found = _attempted(ask, ask.args.get("code", ""))
    return Answer(encoding.text(asdict(found)), JSON)


PAGE = Page(
    "/port", port, nav=7, sitemap=False, slow=True, also={r"/port\.json": data},
    args=("code", "probed"),
)  # fmt: skip
