"""How much there is of everything."""

from __future__ import annotations

from msmap import vocabulary
from msmap.query import answers
from msmap.render import record as page
from msmap.render.layout import Line, line
from msmap_cli.opening import base
from msmap_cli.options import Form, Format, Lang
from msmap_cli.output import emit, show
from msmap_cli.quick import language


def stats(form: Form = Format.text, lang: Lang = None) -> None:
    """Count names, records, checks and outcomes."""
    tongue = language(lang)
    with base() as kb:
        found = answers.Stats(**kb.stats())
    data = answers.plain(found)
    if form in ("json", "yaml"):
        emit(data, form)
        return
    vocabularies = {
        "category": vocabulary.CATEGORIES,
        "verification": vocabulary.VERIFICATIONS,
        "verdict": vocabulary.VERDICTS,
        "outcome": vocabulary.VERIFICATIONS,
        "variants": vocabulary.VARIANTS,
    }
    lines: list[Line] = []
    for key, value in data.items():
        if not isinstance(value, dict):
            lines.append(line(f"{key}: {value}"))
            continue
        lines.append(line(f"{key}:"))
        for name, count in value.items():
            terms = vocabularies.get(key, {})
            label = page.word(terms, name, tongue) if name in terms else name
            lines.append(line(f"{label}: {_counted(count, tongue)}", indent=2))
    if form == "markdown":
        lines = [line("- ", *item.parts, indent=item.indent) for item in lines]
    show(lines)


def _counted(count: int | str | dict[str, int], tongue: str) -> str:
    """A count or a release, or the counts of a variant by its outcomes."""
    if not isinstance(count, dict):
        return str(count)
    terms = vocabulary.VARIANT_OUTCOMES
    return ", ".join(f"{n} {page.word(terms, outcome, tongue)}" for outcome, n in count.items())
