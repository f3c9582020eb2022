"""A probe as lines of text: what a machine found, how far that agreed, and what differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msmap import sample_words, vocabulary
from msmap.candidates import Candidate, Probe, Summary
from msmap.probed import Difference, Tally
from msmap.render import record
from msmap.render.labels import PROBE, RECORD, word
from msmap.render.layout import BAD, BOLD, CODE, DIM, GOOD, WARN, Line, columns, line, pad

# Ways to differ that are told, and candidates behind the best; JSON has them all.
SHOWN, OTHERS = 4, 6
_LONGEST = 110
_SEVERITY = list(vocabulary.PROBE_OUTCOMES)
_STYLE = {"differs": BAD, "crash": BAD, "timeout": BAD, "gradient_differs": BAD}


def style(outcome: str) -> str:
    """The style of a way to differ."""
    return _STYLE.get(outcome, WARN)


def probe(
    found: Probe,
    language: str,
    near: Iterable[str] = (),
    guides: Iterable[str] = (),
) -> Iterator[Line]:
    """The page of a probe.

    Args:
        found: the probe.
        language: the language.
        near: the names to show beside it.
        guides: the guides that have the name in them.
    """
    labels, best, first = PROBE[language], found.best, found.first
    yield from head(found, language)
    if best is not None and best.target is not None:
        yield line()
        yield from record.details(best.target, language, RECORD[language])
    if first is not None:
        yield from _differences(first, language)
    yield from _others(found, best, language)
    yield from _samples(found, language)
    if names := list(near):
        yield line((labels["near"] + "  ", BOLD), ", ".join(names))
    if topics := list(guides):
        yield line((RECORD[language]["guides"] + ": ", DIM), ", ".join(topics))


def head(found: Probe, language: str) -> Iterator[Line]:
    """The name and its best candidate, what that rests on, and both signatures."""
    best, first = found.best, found.first
    counterpart = best.mindspore if best else PROBE[language]["nothing"]
    becomes = () if found.reason else (" -> ", (counterpart, BOLD))
    yield line((found.torch, BOLD), *becomes, hang=4)
    yield line((basis(found, language), WARN))
    if not found.reason:
        yield tallies(first, language)
        yield line((ran_on(found, first, language), DIM))
    if found.deprecated:
        yield line((f"{RECORD[language]['deprecated']}: {found.deprecated}", WARN))
    yield from _signatures(found, best, language)


def found_as(name: str, found: Iterable[Summary], language: str) -> Iterator[Line]:
    """What a MindSpore name was in PyTorch, as far as samples tell.

    Args:
        name: the canonical name.
        found: the PyTorch names of which it is the best candidate.
        language: the language.
    """
    labels = PROBE[language]
    yield line((name, BOLD))
    yield line((labels["probed"], WARN))
    yield line((RECORD[language]["was"], BOLD))
    rows = [(s.torch, labels["agree"].format(s.values.agreed, s.values.tried)) for s in found]
    width = (columns([row[:1] for row in rows]) or [0])[0]
    for torch, told in rows:
        yield line((pad(torch, width), CODE), "  ", told, indent=2)


def basis(found: Probe, language: str) -> str:
    """That nobody wrote it, why nothing was run where nothing was, and why it is out of date."""
    marks, said = RECORD[language], PROBE[language][found.basis]
    if found.reason:
        said += marks["colon"] + word(vocabulary.NOT_PROBED, found.reason, language)
    if found.stale:
        said += marks["stop"] + word(vocabulary.STALE, found.stale, language)
    return said


def tallies(found: Candidate | None, language: str) -> Line:
    """How many samples agreed, with values, gradients and errors."""
    labels, stop = PROBE[language], RECORD[language]["stop"]
    if found is None or not (found.values.tried or found.errors.tried):
        return line((labels["none"], WARN))
    if found.unrun:
        return line((labels["unrun_here"].format(found.values.tried), WARN))
    parts: list[str | tuple[str, str]] = []
    for key, tally in (
        ("agree", found.values), ("gradients", found.gradients), ("errors", found.errors)
    ):  # fmt: skip
        if tally.tried:
            said = labels[key].format(tally.agreed, tally.tried)
            parts += [(stop, DIM), (said, _style(tally))] if parts else [(said, _style(tally))]
    return line(*parts)


def ran_on(found: Probe, first: Candidate | None, language: str) -> str:
    """Where it ran, and what the candidate is documented for: neither follows from the other."""
    documented = " ".join(first.runs_on) if first else ""
    said = f"{RECORD[language]['runs']} {documented}" if documented else ""
    return " · ".join(filter(None, (" ".join(found.environment.split("_", 3)), said)))


def _style(tally: Tally) -> str:
    return GOOD if tally.agreed == tally.tried else WARN if 2 * tally.agreed > tally.tried else BAD


def _signatures(found: Probe, best: Candidate | None, language: str) -> Iterator[Line]:
    """Both sides, one below the other."""
    target = best.target if best else None
    sides = [("PyTorch  ", found.torch, found.signatures, found.call)]
    if target is not None:
        name = target.api or target.expression or ""
        sides.append(("MindSpore", name, target.signatures or ("",), target.call))
    if any(signatures for _, _, signatures, _ in sides):
        yield line()
    for side, name, signatures, call in sides:
        for number, text in enumerate(signatures):
            head = side if number == 0 else " " * 9
            yield line((head, DIM), "  ", (f"{name}{text}", CODE), indent=2, hang=11)
        for text in call:
            yield line((" " * 9, DIM), "  ", (f"()({text[1:]}", CODE), indent=2, hang=11)


def _differences(found: Candidate, language: str) -> Iterator[Line]:
    labels, marks = PROBE[language], RECORD[language]
    split = [
        f"{name} {tally.agreed}/{tally.tried}"
        for name, tally in sorted(
            (found.dtypes | _named(found.kinds, language)).items(), key=lambda item: item[1].share
        )
        if tally.agreed < tally.tried
    ]
    ranked = worst(found.differences)
    if not split and not ranked:
        return
    yield line((labels["differs"], BOLD), (f"  {found.mindspore}", DIM))
    if split:
        yield line((labels["where"] + marks["colon"], DIM), marks["comma"].join(split), indent=2)
    for difference in ranked[:SHOWN]:
        yield from _difference(difference, language)
    if len(ranked) > SHOWN:
        yield line((labels["more"].format(len(ranked) - SHOWN), DIM), indent=2)


def worst(differences: Iterable[Difference]) -> list[Difference]:
    """Ways to differ, the worst first, then the commonest."""
    return sorted(differences, key=lambda d: (-_SEVERITY.index(d.outcome), -d.count))


def _named(kinds: Mapping[str, Tally], language: str) -> dict[str, Tally]:
    return {word(sample_words.KINDS, kind, language): tally for kind, tally in kinds.items()}


def where(found: Difference, language: str) -> str:
    """How many samples differ so, of which dtypes and kinds."""
    labels, comma = PROBE[language], RECORD[language]["comma"]
    count = labels["one"] if found.count == 1 else labels["count"].format(found.count)
    kinds = [word(sample_words.KINDS, kind, language) for kind in found.kinds]
    return " · ".join(filter(None, (count, comma.join(found.dtypes), comma.join(kinds))))


def _difference(found: Difference, language: str) -> Iterator[Line]:
    outcome = word(vocabulary.PROBE_OUTCOMES, found.outcome, language)
    yield line((f"[{outcome}] ", style(found.outcome)), where(found, language), indent=2)
    if found.message:
        yield line((short(found.message), DIM), indent=6)
    for side, code, gave in (
        ("PyTorch  ", found.torch, found.torch_gave),
        ("MindSpore", found.mindspore, found.mindspore_gave),
    ):
        for number, text in enumerate(code.splitlines()):
            head = side if number == 0 else " " * 9
            yield line((head, DIM), "  ", (text, CODE), indent=6, hang=11)
        if gave:
            yield line((" " * 9, DIM), "  ", (f"-> {short(gave)}", DIM), indent=6)
    if found.inputs:
        yield line((" " * 9, DIM), "  ", (inputs(found, language), DIM), indent=6)


def inputs(found: Difference, language: str) -> str:
    """What the shortest sample starts from, in a line."""
    told = (f"{name}: {_input(value, language)}" for name, value in found.inputs.items())
    return short("; ".join(told))


def _input(value: Mapping[str, Any], language: str) -> str:
    """An input as a check has it; what is made of it is in parentheses."""
    told = [value.get("dtype", "float32") + (str(value["shape"]) if "shape" in value else "")]
    told += [str(value["values"])] if "values" in value else []
    told += [f"{key} {value[key]}" for key in ("low", "high") if value.get(key) is not None]
    if (edge := value.get("edge")) in vocabulary.VARIANTS:
        told.append(f"({word(vocabulary.VARIANTS, str(edge), language)})")
    return " ".join(told)


def short(text: str) -> str:
    """A text in one line, cut where it gets too long."""
    told = " ".join(text.split())
    return told if len(told) <= _LONGEST else f"{told[: _LONGEST - 1]}…"


def _others(found: Probe, best: Candidate | None, language: str) -> Iterator[Line]:
    labels = PROBE[language]
    rest = [each for each in found.candidates if each is not best]
    if not rest:
        return
    if found.reason:
        names = RECORD[language]["comma"].join(each.mindspore for each in rest)
        yield line((labels["unrun"] + "  ", BOLD), names)
        return
    yield line((labels["others" if best else "candidates"], BOLD))
    rows = [row(each, language) for each in rest[:OTHERS]]
    widths = columns(rows)
    for texts, each in zip(rows, rest, strict=False):
        name, agreed, *others = (
            f"{pad(text, min(width, 60))}  " for text, width in zip(texts, widths, strict=True)
        )
        told = ((text, DIM) for text in others)
        parts = (name, CODE), (agreed, _style(each.values)), *told
        yield line(*parts, indent=2, hang=2, whole=True)


def row(found: Candidate, language: str) -> tuple[str, str, str, str, str]:
    """A candidate in a table: name, samples, gradients, devices, how it was thought of."""
    return (
        found.mindspore,
        share(found.values),
        f"∇ {share(found.gradients)}" if found.gradients.tried else "",
        " ".join(found.runs_on) or "-",
        word(vocabulary.FOUND, found.found, language) if found.found else "",
    )


def share(tally: Tally) -> str:
    """A tally in a table."""
    return f"{tally.agreed}/{tally.tried}" if tally.tried else "-"


def _samples(found: Probe, language: str) -> Iterator[Line]:
    labels, marks = PROBE[language], RECORD[language]
    told = [f"{word(sample_words.ORIGINS, key, language)} {n}" for key, n in found.samples.items()]
    left = [f"{word(sample_words.GAPS, key, language)} {n}" for key, n in found.gaps.items()]
    if told:
        yield line((labels["samples"] + "  ", BOLD), (marks["comma"].join(told), DIM))
    if left:
        yield line((labels["gaps"] + marks["colon"] + marks["comma"].join(left), DIM), indent=2)
