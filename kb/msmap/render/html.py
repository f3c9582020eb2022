"""What a scan found as one page that needs nothing else: to be read anywhere, and sent to anybody.

Nothing of the files that were scanned is ever markup: text is escaped, and data is JSON that the
page's script puts into text alone. The page itself says that nothing else may run or load.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any

from msmap.compare.report import Compared
from msmap.model import Text
from msmap.render import View
from msmap.render.labels import SCAN
from msmap.render.scan import percent
from msmap.scan.report import Report, Site
from msmap.scan.terms import CERTAINTIES, RULES, STATUSES

_HERE = Path(__file__)


def tell(answer: Report | Compared, view: View) -> Iterator[str]:
    """The page, in both languages; ``view`` says which it begins with."""
    if isinstance(answer, Compared):
        from msmap.render import comparison_page

        yield from comparison_page.tell(answer, view)
        return
    style = _HERE.with_name("scan.css").read_text(encoding="utf-8")
    script = _HERE.with_name("scan.js").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)};"
        " base-uri 'none'; form-action 'none'"
    )
    language = "zh-Hans" if view.language == "zh" else "en"
    body = "".join((*_head(answer), *_tables(answer), *_places(answer), *_unread(answer)))
    yield (
        f'<!DOCTYPE html>\n<html lang="{language}" data-lang="{view.language}">\n<head>\n'
        '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(SCAN[view.language]['title'])}</title>\n<style>{style}</style>\n</head>\n"
        f"<body>\n{body}"
        f'<script type="application/json" id="data">{_data(answer)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _hash(text: str) -> str:
    """What a content security policy calls a style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _both(en: str, zh: str) -> str:
    """A text in both languages, of which the page shows one."""
    return f'<span class="en" lang="en">{en}</span><span class="zh" lang="zh-Hans">{zh}</span>'


def _say(key: str, *parts: object) -> str:
    return _both(*(escape(SCAN[language][key].format(*parts)) for language in ("en", "zh")))


def _word(table: dict[str, tuple[str, str]], name: str) -> str:
    return _both(*map(escape, table[name]))


def _head(answer: Report) -> Iterator[str]:
    counts = answer.counts
    yield (
        f"<header><h1>{_say('title')}</h1>"
        f"<p>{_say('files', answer.read, counts.sites)}</p>"
        '<button type="button" id="language"></button></header>\n<main>\n'
    )
    releases = _say("releases", answer.releases["torch"], answer.releases["mindspore"])
    device = _say("device", answer.device) if answer.device else ""
    yield f'<p class="quiet">msmap {escape(answer.version)} · {releases} {device}</p>\n'
    every = counts.sites or 1
    yield f'<h2>{_say("chart")}</h2>\n<div class="bar" aria-hidden="true">'
    yield "".join(
        f'<i class="{name}" data-share="{100 * count / every:.2f}"></i>'
        for name, count in counts.status.items()
        if count
    )
    yield '</div>\n<ul class="keys">'
    for name, count in counts.status.items():
        pressed = "false" if name == "ready" else "true"
        yield (
            f'<li><button type="button" class="{name}" data-status="{name}"'
            f' aria-pressed="{pressed}">{_word(STATUSES, name)} <b>{count:,}</b>'
            f" ({escape(percent(count, counts.sites))})</button></li>"
        )
    yield "</ul>\n"
    sure = (f"{_word(CERTAINTIES, n)} {count:,}" for n, count in counts.certainty.items())
    yield f'<p class="quiet">{" · ".join(sure)}</p>\n'
    for count, key in ((counts.ignored, "ignored"), (counts.known, "known")):
        if count:
            yield f'<p class="quiet">{_say(key, count)}</p>\n'


def _tables(answer: Report) -> Iterator[str]:
    """The names and the files, the worst first."""
    rows = (
        (
            f'<button type="button" data-search="{escape(api.api)}"><code>{escape(api.api)}</code>'
            "</button>",
            f"<code>{escape(api.target)}</code>",
            api.status,
        )
        for api in answer.apis
    )
    yield _table("names", ("name", "counterpart"), rows)
    files = (
        (
            f'<button type="button" data-search="{escape(file.path)}"><code>{escape(file.path)}'
            "</code></button>",
            file.status,
        )
        for file in answer.files
    )
    yield _table("per_file", ("path",), files)


def _table(title: str, columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> str:
    """A heading, and rows of cells with the counts of each status behind them."""
    heads = "".join(f'<th scope="col">{_say(column)}</th>' for column in columns)
    heads += "".join(
        f'<th scope="col" class="number">{_word(STATUSES, name)}</th>' for name in STATUSES
    )
    body = []
    for *cells, status in rows:
        first, *rest = cells
        row = f'<th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in rest)
        row += "".join(f'<td class="number">{_count(status, name)}</td>' for name in STATUSES)
        body.append(f"<tr>{row}</tr>")
    return (
        f'<h2 id="{title}">{_say(title)}</h2>\n<div class="scroll" tabindex="0" role="region"'
        f' aria-labelledby="{title}"><table><thead><tr>{heads}</tr></thead>\n'
        f"<tbody>{''.join(body)}</tbody></table></div>\n"
    )


def _count(status: dict[str, int], name: str) -> str:
    return f"{status[name]:,}" if name in status else ""


def _places(answer: Report) -> Iterator[str]:
    """Where the script lists the places, and what chooses among them."""
    yield f'<h2 id="listed">{_say("listed")}</h2>\n'
    yield f"<noscript><p>{_say('script')}</p></noscript>\n"
    yield '<div id="controls" hidden><div class="filters">'
    yield f'<label>{_say("search")}<input type="search" id="search"></label>'
    yield _select("certainty", CERTAINTIES)
    yield _select("rule", {rule: RULES[rule] for rule in answer.counts.rule})
    yield '</div>\n<p id="found" class="quiet" role="status"></p>\n<ol id="places"></ol>\n'
    yield '<button type="button" id="more" hidden></button></div>\n'


def _select(kind: str, table: dict[str, tuple[str, str]]) -> str:
    options = "".join(
        f'<option data-kind="{kind}" value="{escape(name)}">{escape(name)}</option>'
        for name in ("", *table)
    )
    return f'<label>{_say(kind)}<select id="{kind}">{options}</select></label>'


def _unread(answer: Report) -> Iterator[str]:
    if answer.unread:
        yield f"<h2>{_say('unread', len(answer.unread))}</h2>\n<ul>"
        for told in answer.unread:
            where = told.path if told.line is None else f"{told.path}:{told.line}"
            said = _both(escape(told.reason.en), escape(told.reason.zh))
            yield f"<li><code>{escape(where)}</code> {said}</li>"
        yield "</ul>\n"
    if answer.unused:
        yield f"<h2>{_say('unused')}</h2>\n<ul>"
        for unused in answer.unused:
            where = f"{unused.path}:{unused.line}"
            yield f"<li><code>{escape(where)} {escape(' '.join(unused.rules))}</code></li>"
        yield "</ul>\n"
    yield "</main>\n"


def _data(answer: Report) -> str:
    """All places and the words for them; nothing in it ends the script that it stands in."""
    numbers: dict[Text, int] = {}
    order = list(STATUSES)
    worst = sorted(answer.sites, key=lambda site: (order.index(site.status), not site.likely))
    sites = [_site(site, numbers) for site in worst]
    data = {
        "words": SCAN,
        "terms": {"status": STATUSES, "certainty": CERTAINTIES, "rule": RULES},
        "texts": [(text.en, text.zh) for text in numbers],
        "sites": sites,
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _site(site: Site, numbers: dict[Text, int]) -> dict[str, Any]:
    def number(text: Text) -> int:
        return numbers.setdefault(text, len(numbers))

    return {
        "path": site.path, "line": site.line, "column": site.column, "cell": site.cell,
        "status": site.status, "certainty": site.certainty, "rule": site.rule,
        "apis": site.apis, "source": site.source, "port": site.port, "likely": site.likely,
        "state": site.state, "told": [number(text) for text in site.told],
        "mended": [number(told.text) for told in site.caveats if told.mended],
    }  # fmt: skip
