"""What the reading commands do, on plain arguments."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from msmap import model, vocabulary
from msmap.errors import MsmapError, UnknownRelease
from msmap.query import answers
from msmap.query.answers import Answer
from msmap.query.knowledge_base import KnowledgeBase
from msmap.render import record as page
from msmap.render.layout import CODE, Line, columns, line, pad
from msmap_cli.output import Leave, emit, fail, say, show


def base(mindspore: str | None = None) -> KnowledgeBase:
    """The database as of a MindSpore release; or a message and status 1, 2 if there is none."""
    try:
        return KnowledgeBase.open(mindspore=mindspore)
    except MsmapError as error:
        fail(str(error), 2 if isinstance(error, UnknownRelease) else 1)


def read_names(names: list[str]) -> list[str]:
    """The names given, with ``-`` replaced by those on standard input."""
    found: list[str] = []
    for name in names:
        found += sys.stdin.read().split() if name == "-" else [name]
    if not found:
        fail("no names on standard input", 2)
    return found


def lookup(names: list[str], mindspore: str | None, form: str, tongue: str) -> None:
    """Print what is known of each name; status 1 if anything was not found."""
    with base(mindspore) as kb:
        try:
            found = answers.lookup(kb, read_names(names))
        except MsmapError as error:
            fail(str(error), 1)
    if form in ("json", "yaml"):
        emit(answers.plain(found), form)
    for number, answer in enumerate(found.answers):
        if not answer.found:
            _missing(answer)
        elif form == "markdown":
            _markdown(answer, tongue)
        elif form == "text":
            show([line()] if number else [])
            show(_text(answer, tongue))
    if not all(answer.found for answer in found.answers):
        raise Leave(1)


def _text(answer: Answer, tongue: str) -> Iterator[Line]:
    if answer.record is not None:
        yield from page.record(answer.record, tongue)
    if answer.reverse is not None:
        yield from page.reverse(answer.reverse, tongue)


def _markdown(answer: Answer, tongue: str) -> None:
    from msmap.render import markdown

    if answer.record is not None:
        sys.stdout.write("\n".join(markdown.record(answer.record, tongue)) + "\n")
    if answer.reverse is not None:
        sys.stdout.write("\n".join(markdown.reverse(answer.reverse, tongue)) + "\n")


def _missing(answer: Answer) -> None:
    if answer.elsewhere is not None:
        text = _elsewhere(answer.elsewhere)
    elif answer.known:
        what = "no record maps to it" if answer.known.startswith("mindspore") else "not curated yet"
        text = f"{answer.known} is known, but {what}"
    else:
        text = f'"{answer.query}" is not a name of PyTorch or MindSpore'
    say(f"msmap: {text}")
    if answer.guides:
        say("guides: " + ", ".join(answer.guides))
    if answer.nearest:
        say("nearest: " + ", ".join(answer.nearest))


def _elsewhere(api: model.Api) -> str:
    """When MindSpore has a name that the release asked for lacks, and how to see it."""
    when = f" since {api.since}" if api.since else ""
    when += f" until {api.until}" if api.until else ""
    return f"MindSpore has {api.name} only{when}; look it up with `--mindspore {api.release}`"


def search(text: str, limit: int, form: str, tongue: str) -> None:
    """Print records and guides that have the words; status 1 if there are none."""
    with base() as kb:
        hits = kb.search(text, limit)
        near = () if hits else kb.nearest(text)
    if form in ("json", "yaml"):
        emit(answers.plain(answers.Search(text, tuple(hits))), form)
    elif form == "markdown":
        for hit in hits:
            sys.stdout.write(f"- `{hit.name}`: {hit.title.get(tongue)}\n")
    else:
        rows = [(h.name if h.kind == "record" else f"guide {h.name}",) for h in hits]
        width = (columns(rows) or [0])[0]
        show(
            line((pad(row[0], width), CODE), "  ", hit.title.get(tongue))
            for row, hit in zip(rows, hits, strict=True)
        )
    if not hits:
        say(f'msmap: nothing found for "{text}"')
        if near:
            say("nearest: " + ", ".join(near))
        raise Leave(1)


def list_records(
    filters: dict[str, str | None], mindspore: str | None, form: str, tongue: str
) -> None:
    """Print the records that fit the filters, one a line."""
    known("category", filters["category"], vocabulary.CATEGORIES)
    known("verification", filters["verification"], vocabulary.VERIFICATIONS)
    with base(mindspore) as kb:
        found = kb.records(**filters)
    if form in ("json", "yaml"):
        emit(answers.plain(answers.List(tuple(found))), form)
        return
    rows = [
        (s.torch, s.mindspore or "-", s.category, s.verification, ",".join(s.runs_on) or "-")
        for s in found
    ]
    if form == "markdown":
        sys.stdout.write("| PyTorch | MindSpore | | | |\n|---|---|---|---|---|\n")
        for row in rows:
            sys.stdout.write("| `" + "` | `".join(c.replace("|", "\\|") for c in row) + "` |\n")
    elif sys.stdout.isatty():
        widths = columns(rows)
        show(
            line(*(pad(c, min(w, 44)) + "  " for c, w in zip(row, widths, strict=True)))
            for row in rows
        )
    else:
        sys.stdout.write("".join("\t".join(row) + "\n" for row in rows))
    if not rows:
        say("msmap: no record fits")
        raise Leave(1)


def known(what: str, value: str | None, terms: dict[str, tuple[str, str]]) -> None:
    """Leave with status 2 if a value is none of a closed vocabulary."""
    if value is not None and value not in terms:
        fail(f'{what} "{value}": one of {", ".join(terms)}', 2)


def port(code: str, mindspore: str | None, form: str, tongue: str) -> None:
    """Print the ported code; notes and refusals on standard error, status 1 if refused."""
    source = sys.stdin.read() if code == "-" else code
    with base(mindspore) as kb:
        try:
            done = kb.port(source)
        except (SyntaxError, ValueError) as error:
            message = error.msg if isinstance(error, SyntaxError) else str(error)
            fail(f"not Python: {message}", 2)
        except RecursionError:
            fail("the code is nested too deeply", 2)
    if form in ("json", "yaml"):
        emit(answers.plain(answers.Ported(done)), form)
    elif done.code is not None:
        text = f"```python\n{done.code}\n```" if form == "markdown" else done.code
        sys.stdout.write(text + "\n")
    for note in done.notes:
        say(f"note: {note.get(tongue)}")
    for refusal in done.refusals:
        say(f"{refusal.line}:{refusal.column + 1}: {refusal.reason.get(tongue)}")
    if done.code is None:
        raise Leave(1)


def stats(form: str, tongue: str) -> None:
    """Print counts."""
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


def guide(name: str | None, form: str, tongue: str) -> None:
    """Print one guide, or list all."""
    with base() as kb:
        try:
            found = kb.guides() if name is None else [kb.guide(name)]
        except MsmapError as error:
            fail(str(error), 1)
    if form in ("json", "yaml"):
        emit(answers.plain(answers.Guides(tuple(found))), form)
        return
    if name is None:
        width = max((len(g.id) for g in found), default=0)
        show(line((pad(g.id, width), CODE), "  ", g.title.get(tongue)) for g in found)
        return
    from msmap.render import markdown

    text = "\n".join(markdown.guide(found[0], tongue))
    if form == "text" and sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(text))
    else:
        sys.stdout.write(text + "\n")


def serve(host: str, port: int) -> None:
    """Serve the site until interrupted.

    Raises:
        MsmapError: Datasette is not installed, the database can't be read, the port is taken.
    """
    try:
        from datasette_msmap import server
    except ModuleNotFoundError as error:
        raise MsmapError(
            f"serving the site needs {error.name}; install it with pip install 'msmap[site]'"
        ) from None
    server.serve(host, port)
