"""What `msmap evidence show` prints: every run of a record's checks, and how to repeat one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from msmap import vocabulary
from msmap.evidence import summary as findings
from msmap.model import Check, Evidence, Finding, Record, state_of
from msmap.port.rewrite import Facts
from msmap.render.layout import BAD, BOLD, CODE, DIM, GOOD, WARN, Line, line, pad
from msmap.render.record import LABELS, word
from msmap_cli.output import emit, fail, show

_STYLES = {"agrees": GOOD, "forward_only": GOOD, "differs": BAD, "refuted": BAD, "raises": WARN}


def record(found: Record, environment: str | None, form: str, tongue: str) -> None:
    """Print the evidence of a record, check by check and variant by variant."""
    checks = [(check, _chosen(check, environment)) for check in found.checks]
    if form in ("json", "yaml"):
        from msmap.query import answers

        told = tuple(replace(c, evidence=(e,) if e else ()) for c, e in checks)
        emit(answers.plain(answers.Proof(found.torch, told)), form)
    elif form == "markdown":
        print("\n".join(_markdown(found, checks, tongue)))
    else:
        show(_lines(found, checks, tongue))


def one(found: Record, place: str, facts: Facts, tongue: str) -> None:
    """Print what is known of one check, or one of its variants, and a script that repeats it."""
    from msmap.verify import script as snippet
    from msmap.verify.plan import job, variants

    name, _, variant = place.partition("/")
    check = next((c for c in found.checks if c.id == name), None)
    if check is None:
        fail(f"{found.torch} has no check `{name}`; it has {', '.join(_ids(found))}", 1)
    state = state_of(found.targets, check.target)
    made = job.make(found.torch, check, state)
    evidence = check.evidence[-1] if check.evidence else None
    finding: Evidence | Finding | None = evidence
    if variant:
        seen = evidence.variants if evidence else {}
        finding = seen.get(variant)
        known = {v.name: v for v in variants.of(found, facts).get(name, [])}
        if variant in known:
            made = made.variant(variants.plain(known[variant]))
        elif variant not in seen:
            names = ", ".join({**known, **seen}) or "none"
            fail(f"`{name}` has no variant `{variant}`; it has {names}", 1)
    show([line(f"# {text}") for text in _told(finding, tongue)])
    print(snippet.script(made, variant), end="")


def _ids(found: Record) -> list[str]:
    return [check.id for check in found.checks]


def _chosen(check: Check, environment: str | None) -> Evidence | None:
    fitting = [e for e in check.evidence if environment is None or environment in e.environment]
    return fitting[-1] if fitting else None


def _told(finding: Evidence | Finding | None, tongue: str) -> Iterator[str]:
    if finding is None:
        yield word(vocabulary.VERIFICATIONS, "unverified", tongue)
        return
    yield f"{_outcome(finding, tongue)}  {findings.size(finding.max_abs, finding.ulps)}".rstrip()
    for text in (finding.message, finding.torch_gave, finding.mindspore_gave):
        if text:
            yield " ".join(text.split())


def _outcome(finding: Evidence | Finding, tongue: str) -> str:
    terms = vocabulary.VERIFICATIONS if isinstance(finding, Evidence) else _VARIANT_TERMS
    return word(terms, finding.outcome, tongue)


_VARIANT_TERMS = vocabulary.VARIANT_OUTCOMES


def _rows(
    checks: list[tuple[Check, Evidence | None]], tongue: str
) -> Iterator[tuple[Check, str, Evidence | Finding]]:
    for check, evidence in checks:
        if evidence is not None:
            yield check, "", evidence
            for name, finding in evidence.variants.items():
                yield check, name, finding


def _lines(
    found: Record, checks: list[tuple[Check, Evidence | None]], tongue: str
) -> Iterator[Line]:
    environments = {e.environment for _, e in checks if e is not None}
    yield line((found.torch, BOLD), ("  " + "; ".join(sorted(environments)), DIM))
    target = None
    for check, name, finding in _rows(checks, tongue):
        if not name and check.target != target:
            target = check.target
            yield line((target or "-", BOLD))
        label = name or check.id
        size = findings.size(finding.max_abs, finding.ulps)
        style = _STYLES.get(finding.outcome, "")
        yield line(
            (pad(label, 32 if name else 34), CODE),
            (pad(_outcome(finding, tongue), 24), style),
            pad(size, 22),
            _words(finding, tongue),
            indent=4 if name else 2,
        )
    for check, evidence in checks:
        if evidence is None:
            unverified = word(vocabulary.VERIFICATIONS, "unverified", tongue)
            yield line((pad(check.id, 34), CODE), unverified, indent=2)
    yield line((f"msmap evidence show {found.torch} CHECK/VARIANT > run.py; python run.py", DIM))


def _words(finding: Evidence | Finding, tongue: str) -> str:
    """What is worth saying of a run: the message, or what both sides gave."""
    gave = " | ".join(t for t in (finding.torch_gave, finding.mindspore_gave) if t)
    text = finding.message
    if isinstance(finding, Evidence) and finding.gradient == "agrees":
        text = "; ".join(filter(None, [text, LABELS[tongue]["gradients"]]))
    short = gave if len(gave) <= 80 else ""
    return " ".join("  ".join(filter(None, [text, short])).split())


def _markdown(
    found: Record, checks: list[tuple[Check, Evidence | None]], tongue: str
) -> Iterator[str]:
    yield f"## {found.torch}\n\n| check | variant | outcome | error | |\n|---|---|---|---|---|"
    for check, name, finding in _rows(checks, tongue):
        cells = [
            f"`{check.id}`",
            name,
            _outcome(finding, tongue),
            findings.size(finding.max_abs, finding.ulps),
        ]
        cells.append(_words(finding, tongue).replace("|", "\\|"))
        yield "| " + " | ".join(cells) + " |"
