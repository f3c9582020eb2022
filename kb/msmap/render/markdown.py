"""Records and guides as Markdown, to paste into an issue or a document."""

from __future__ import annotations

from collections.abc import Iterator

from msmap import vocabulary
from msmap.model import Guide, Parameter, Record, Reverse
from msmap.render import record as page
from msmap.render.record import LABELS, word


def record(found: Record, language: str) -> Iterator[str]:
    """A record: heading, example, caveats, a table of targets and one of parameters."""
    labels = LABELS[language]
    best = found.targets[0] if found.targets else None
    name = (best.api or best.expression or labels["remove"]) if best else labels["none"]
    yield f"## `{found.torch}` → `{name}`\n"
    yield f"{found.summary.get(language)}\n"
    if found.missing is not None:
        yield f"{found.missing.get(language)}\n"
    if found.example_torch:
        yield f"```python\n# PyTorch\n{found.example_torch}"
        yield f"# MindSpore\n{found.example_mindspore}\n```\n"
    for caveat in found.caveats:
        impact = word(vocabulary.IMPACTS, caveat.impact, language)
        yield f"- **{impact}**: {caveat.text.get(language)}"
    if found.targets:
        yield f"\n| {labels['targets']} | {labels['runs']} | | |\n|---|---|---|---|"
        for target in found.targets:
            category = word(vocabulary.CATEGORIES, target.category, language)
            outcome = word(vocabulary.VERIFICATIONS, target.verification, language)
            shown = _cell(target.api or target.expression or labels["remove"])
            yield f"| `{shown}` | {' '.join(target.runs_on)} | {category} | {outcome} |"
        yield ""
        for target in found.targets:
            checks = [check for check in found.checks if check.target == target.key]
            lines = [*page.proof(checks, language, labels)] if checks else []
            for line in (*lines, *page.lifetime(target, labels, indent=0)):
                yield f"- `{target.key}`: {line.text.strip()}"
    parameters = best.parameters if best else ()
    told = [p for p in parameters if p.relation != "same"]
    if told:
        yield "\n| PyTorch | MindSpore | |\n|---|---|---|"
        for parameter in told:
            yield _row(parameter, language)
    yield ""


def _row(parameter: Parameter, language: str) -> str:
    relation = word(vocabulary.RELATION_WORDS, parameter.relation, language)
    left = _side(parameter.torch, parameter.torch_default)
    right = _side(parameter.mindspore, parameter.mindspore_default)
    value = f": `{_cell(parameter.value)}`" if parameter.value else ""
    return f"| {left} | {right} | {relation}{value} |"


def _side(names: tuple[str, ...], default: str | None) -> str:
    text = ", ".join(names)
    if not text:
        return "-"
    return f"`{text} = {_cell(default)}`" if default is not None else f"`{text}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def reverse(found: Reverse, language: str) -> Iterator[str]:
    """What a MindSpore name was in PyTorch."""
    yield f"## `{found.api.name}`\n"
    for rank, summary in found.sources:
        category = word(vocabulary.CATEGORIES, summary.category, language)
        rank_text = f"{LABELS[language]['rank']} {rank}"
        yield f"- `{summary.torch}` ({rank_text}, {category}): {summary.summary.get(language)}"
    yield ""


def guide(found: Guide, language: str) -> Iterator[str]:
    """A guide: its sections with code of both frameworks."""
    yield f"# {found.title.get(language)}\n"
    yield f"{found.summary.get(language)}\n"
    for section in found.sections:
        yield f"## {section.title.get(language)}\n"
        yield f"{section.text.get(language)}\n"
        for name, code in (("PyTorch", section.torch), ("MindSpore", section.mindspore)):
            if code:
                yield f"```python\n# {name}\n{code.strip()}\n```\n"
    if found.records:
        yield ", ".join(f"`{name}`" for name in found.records) + "\n"
