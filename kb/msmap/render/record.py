"""A record as lines of text: the answer on one screen, the dangerous first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msmap import vocabulary
from msmap.evidence import devices
from msmap.evidence import summary as findings
from msmap.evidence.verification import platform
from msmap.model import Api, Caveat, Check, Parameter, Port, Record, Reverse, Target
from msmap.render.brief import applying, conditions, taken
from msmap.render.labels import RECORD, word
from msmap.render.layout import BAD, BOLD, CODE, DIM, GOOD, WARN, Line, columns, line, pad
from msmap.width import cells

_VARIANT_STYLE = {"differs": BAD, "inconclusive": WARN, "raises": WARN}
IMPACT_STYLES = {"silent": BAD, "error": WARN, "speed": WARN, "note": DIM}
_STYLES = {"good": GOOD, "fair": GOOD, "bad": BAD}


def record(
    found: Record, language: str, device: str = "", port: Port | None = None
) -> Iterator[Line]:
    """The page of a record, for a device or for all; ``port`` is that of the call asked for."""
    labels = RECORD[language]
    best = applying(found, taken(found, port))
    counterpart = labels["none"] if best is None else name(best, labels)
    yield line((found.torch, BOLD), " -> ", (counterpart, BOLD), hang=4)
    about = found if best is None else best
    category = word(vocabulary.CATEGORIES, about.category, language)
    yield line(found.summary.get(language))
    outcome = verification(about.verification, "", language)
    elsewhere_ran = others(found, best.key if best else None, device)
    yield line((category, DIM), (" · ", DIM), outcome, (elsewhere_ran, DIM))
    if found.deprecated:
        yield line((f"{labels['deprecated']}: {found.deprecated}", WARN))
    if found.missing is not None:
        yield line(found.missing.get(language))
    if found.family:
        yield line((labels["family"].format(found.family), DIM))
    if found.covers:
        yield line((labels["covers"] + labels["colon"], DIM), labels["comma"].join(found.covers))
    yield from sides(found.example_torch, found.example_mindspore)
    here, elsewhere = devices.caveats(found, device) if device else (found.caveats, ())
    if here:
        yield line()
    for caveat in here:
        yield _caveat(caveat, language, labels)
    if best is not None:
        yield line()
        yield from _targets(found, language, labels, device)
        for target in (best, *(other for other in found.targets if other is not best)):
            yield from details(target, language, labels)
    elif found.checks:
        yield from proof(found.checks, language, labels)
    if elsewhere:
        yield line((unknown(elsewhere, device, labels), BOLD))
    for caveat in elsewhere:
        yield _caveat(caveat, language, labels, indent=2)
    yield from _evidence(found, labels)
    if found.guides:
        yield line((labels["guides"] + ": ", DIM), ", ".join(found.guides))


def name(target: Target, labels: dict[str, str]) -> str:
    """What a target writes, or that the call goes."""
    return target.api or target.expression or labels["remove"]


def verification(outcome: str, reason: str, language: str) -> tuple[str, str]:
    """An outcome in words, with its reason and its style."""
    text = word(vocabulary.VERIFICATIONS, outcome, language)
    if reason:
        text += f" ({word(vocabulary.UNTESTABLE_REASONS, reason, language)})"
    style = _STYLES.get(vocabulary.OUTCOMES[outcome].tone, WARN)
    return text, style


def sides(torch: str, mindspore: str) -> Iterator[Line]:
    """The same in both frameworks, one below the other; nothing if there is none."""
    if not torch:
        return
    yield line()
    for side, code in (("PyTorch  ", torch), ("MindSpore", mindspore)):
        for number, text in enumerate(code.splitlines()):
            head = side if number == 0 else " " * 9
            yield line((head, DIM), "  ", (text, CODE), indent=2, hang=11)


def unknown(elsewhere: Iterable[Caveat], device: str, labels: dict[str, str]) -> str:
    """What is said above caveats that were seen on other devices alone."""
    others = {name for caveat in elsewhere for name in caveat.device}
    return labels["unknown"].format(" ".join(sorted(others)), device)


def _caveat(caveat: Caveat, language: str, labels: dict[str, str], indent: int = 0) -> Line:
    head = f"[{word(vocabulary.IMPACTS, caveat.impact, language)}] "
    parts: list[str | tuple[str, str]] = [(head, IMPACT_STYLES[caveat.impact])]
    colon = labels["colon"]
    if caveat.mindspore:
        parts.append((f"MindSpore {caveat.mindspore}{colon}", DIM))
    if caveat.target is not None:
        parts.append((f"{caveat.target.removeprefix('mindspore.')}{colon}", DIM))
    # Where they are indented, the line above says so.
    if caveat.device and not indent:
        parts.append((f"{labels['seen'].format(' '.join(caveat.device))}{colon}", DIM))
    parts.append(caveat.text.get(language))
    if caveat.unverified is not None:
        parts.append((f" ({labels['unverified']}{colon}{caveat.unverified.get(language)})", DIM))
    return line(*parts, indent=indent, hang=cells(head))


def _targets(found: Record, language: str, labels: dict[str, str], device: str) -> Iterator[Line]:
    yield line((labels["targets"], BOLD))
    rows = [
        (
            str(number),
            name(target, labels),
            platforms(target, labels),
            word(vocabulary.CATEGORIES, target.category, language),
        )
        for number, target in enumerate(found.targets, 1)
    ]
    widths = columns(rows)
    for row, target in zip(rows, found.targets, strict=True):
        number, shown, where, category = (
            pad(text, min(width, 60)) for text, width in zip(row, widths, strict=True)
        )
        outcome = verification(target.verification, target.reason, language)
        parts: list[str | tuple[str, str]]
        parts = [f"{number} ", (f"{shown}  ", CODE), f"{where}  ", f"{category}  ", outcome]
        when = conditions(target, language)
        tails = others(found, target.key, device), f"  {when}" if when else ""
        parts += [(tail, DIM) for tail in tails if tail]
        yield line(*parts, indent=2, hang=4, whole=True)
        if target.note is not None:
            yield line((target.note.get(language), DIM), indent=6)
        if not target.remove:
            mine = (c for c in found.checks if c.target == target.key)
            yield from proof(mine, language, labels)
        yield from lifetime(target, labels, indent=6)


def platforms(target: Target, labels: dict[str, str]) -> str:
    """What a target is documented for, and where it ran: neither follows from the other."""
    documented = " ".join(target.runs_on) or "-"
    ran = labels["ran"].format(" ".join(target.ran_on)) if target.ran_on else ""
    return ", ".join(filter(None, (documented, ran)))


def others(found: Record, key: str | None, device: str) -> str:
    """The devices, in parentheses, whose evidence stands where the one asked for has none."""
    if not device:
        return ""
    mine = [e for c in found.checks if key in (None, c.target) for e in c.evidence]
    ran = {platform(e) for e in mine}
    return f" ({' '.join(sorted(ran))})" if ran and device not in ran else ""


def lifetime(found: Target | Api, labels: dict[str, str], indent: int) -> Iterator[Line]:
    """Since and until when a name exists and what changed it, on a line; none if it always did."""
    said = [
        labels[key].format(value)
        for key, value in (
            ("since", found.since), ("until", found.until), ("changed", ", ".join(found.changed))
        )
        if value
    ]  # fmt: skip
    if said:
        yield line(("; ".join(said), DIM), indent=indent)


def details(target: Target, language: str, labels: dict[str, str]) -> Iterator[Line]:
    """What becomes of the arguments, of the state, and of what comes back."""
    for title, parameters in (
        (labels["parameters"], target.parameters),
        (labels["inputs"], target.inputs),
    ):
        silent = {name for name, row in vocabulary.RELATIONS.items() if row.quiet}
        loud = [p for p in parameters if p.relation not in silent and not _only_named(p)]
        if title == labels["inputs"] and not loud:
            continue
        quiet = list(_quiet(parameters, labels))
        if not loud and not quiet:
            continue
        yield line((title, BOLD), *([(f"  {target.key}", DIM)] if title else []))
        ranked = sorted(loud, key=lambda p: vocabulary.RELATIONS[p.relation].danger)
        rows = [(_source(p), _target(p, labels)) for p in ranked]
        widths = columns(rows)
        for row, parameter in zip(rows, ranked, strict=True):
            left, right = (pad(t, min(w, 34)) for t, w in zip(row, widths, strict=True))
            yield line(
                (f"{left} ", CODE), "-> ", (f"{right}  ", CODE),
                *_remarks(parameter, language, labels), indent=2, hang=4, whole=True,
            )  # fmt: skip
        for text in quiet:
            yield line((text, DIM), indent=2, hang=4)
    if target.members:
        renames = ", ".join(f"{old} -> {new}" for old, new in target.members.items())
        yield line((labels["members"], BOLD), "  ", (renames, CODE))
    if target.returns is not None:
        yield line((labels["returns"], BOLD), "  ", target.returns.text.get(language))
    states = [f"{s.torch} -> {s.mindspore or labels['drop']}" for s in target.state]
    if states:
        yield line((labels["state"], BOLD), "  ", ", ".join(states))


def _only_named(parameter: Parameter) -> bool:
    """A layer's input under another name: it is passed by position, so it is no news."""
    return parameter.relation == "renamed" and parameter.derived


def _quiet(parameters: tuple[Parameter, ...], labels: dict[str, str]) -> Iterator[str]:
    for relation, label in (
        ("same", "same"), ("target_only_keep_default", "keep"), ("universal_absent", "absent")
    ):  # fmt: skip
        names = [
            name
            for p in parameters
            if p.relation == relation and p.note is None
            for name in (p.torch or p.mindspore)
            if name != "self"
        ]
        if names:
            yield f"{labels[label]}: {', '.join(names)}"


def _source(parameter: Parameter) -> str:
    return _side(parameter.torch, parameter.torch_default)


def _target(parameter: Parameter, labels: dict[str, str]) -> str:
    if not parameter.mindspore:
        dropped = parameter.relation in ("source_only_droppable", "universal_absent")
        return labels["drop"] if dropped else "-"
    return _side(parameter.mindspore, parameter.mindspore_default)


def _side(names: tuple[str, ...], default: str | None) -> str:
    text = ", ".join(names) or "-"
    short = (default or "").replace("mindspore.", "").replace("torch.", "")
    return f"{text} = {short}" if default is not None and len(names) == 1 else text


def _remarks(
    parameter: Parameter, language: str, labels: dict[str, str]
) -> Iterator[str | tuple[str, str]]:
    style = WARN if vocabulary.RELATIONS[parameter.relation].alarming else ""
    yield word(vocabulary.RELATION_WORDS, parameter.relation, language), style
    if parameter.value:
        yield ": "
        yield parameter.value, CODE
    elif parameter.cases:
        told = [
            f"{case.when} -> {', '.join(f'{k}={v}' for k, v in case.set.items()) or '-'}"
            for case in parameter.cases
            if case.refuse is None
        ]
        # A single rule for every argument is what the relation says already.
        if len(parameter.cases) > 1:
            yield ": "
            yield "; ".join(told), CODE
    places = parameter.torch_position, parameter.mindspore_position
    if parameter.keyword:
        yield f" ({labels['keyword']})"
    elif parameter.torch and parameter.mindspore and places[0] != places[1]:
        shown = [labels["kw"] if p is None else str(p + 1) for p in places]
        yield f" ({labels['position'].format(*shown)})"
    if parameter.note is not None:
        yield f": {parameter.note.get(language)}"


def proof(checks: Iterable[Check], language: str, labels: dict[str, str]) -> Iterator[Line]:
    """One line: what the checks of a target and their variants came to."""
    summary = findings.of(checks)
    if summary is None:
        yield line((labels["unverified"], WARN), indent=6)
        return
    comma, stop, colon = (labels[mark] for mark in ("comma", "stop", "colon"))
    said = [
        labels["count"].format(n, word(vocabulary.VERIFICATIONS, outcome, language))
        for outcome, n in summary.outcomes.items()
    ]
    parts: list[str | tuple[str, str]] = [(comma.join(said), DIM)]
    if summary.gradients:
        parts.append((stop + labels["gradients"], DIM))
    for outcome, names in summary.variants.items():
        if outcome == "refused":
            continue
        listed = [word(vocabulary.VARIANTS, name, language) for name in names]
        if outcome == "agrees" and summary.forms:
            listed.insert(0, labels["forms"])
        heading = word(vocabulary.VARIANT_OUTCOMES, outcome, language)
        style = _VARIANT_STYLE.get(outcome, DIM)
        parts += [(stop, DIM), (heading + colon + comma.join(listed), style)]
    yield line(*parts, indent=6)


def _evidence(found: Record, labels: dict[str, str]) -> Iterator[Line]:
    """What the checks ran on."""
    latest = {e.environment for c in found.checks for e in c.evidence}
    environments = sorted(" ".join(name.split("_", 3)) for name in latest)
    text = "; ".join(environments) or labels["unverified"]
    yield line((labels["evidence"] + "  ", BOLD), (text, DIM if latest else WARN))


def reverse(found: Reverse, language: str) -> Iterator[Line]:
    """The page of a MindSpore name: what it was in PyTorch."""
    labels = RECORD[language]
    platforms = " ".join(found.api.platforms) or "-"
    yield line((found.api.name, BOLD), (f"  {labels['runs']}: {platforms}", DIM))
    if found.api.deprecated:
        yield line((f"{labels['deprecated']}: {found.api.deprecated}", WARN))
    for text in found.api.signatures:
        yield line((found.api.name.rsplit(".", 1)[1] + text, CODE), indent=2)
    yield from lifetime(found.api, labels, indent=2)
    # What a record says of its target is nothing of a name that is none.
    akin = found.sources[0][0] == 0
    yield line((labels["akin" if akin else "was"], BOLD))
    rows = [
        (s.torch, f"-> {s.mindspore}" if s.mindspore else "")
        if akin
        else (
            s.torch,
            f"{labels['rank']} {rank}",
            word(vocabulary.CATEGORIES, s.category, language),
            word(vocabulary.VERIFICATIONS, s.verification, language),
        )
        for rank, s in found.sources
    ]
    widths = columns(rows)
    for row, (_, summary) in zip(rows, found.sources, strict=True):
        first, *rest = (f"{pad(text, width)}  " for text, width in zip(row, widths, strict=True))
        yield line((first, CODE), *rest, indent=2, hang=2, whole=True)
        yield line((summary.summary.get(language), DIM), indent=4)
