"""What a comparison found as one page that needs nothing else, with the error by depth."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from html import escape
from math import log10
from pathlib import Path

from msmap.compare.report import Compared, Row
from msmap.compare.terms import Cause, Finding, Sizes
from msmap.render import View
from msmap.render.comparison import argument
from msmap.render.labels import COMPARED

_HERE = Path(__file__)
_TONES = {"agrees": "ready", "incomplete": "care", "differs": "missing"}
# Of a chart: a call, the whole height, and the margins.
_WIDE, _HIGH, _LEFT, _TOP, _BOTTOM = 16, 240, 52, 12, 22
_LEAST, _MOST = -9, 1


def tell(answer: Compared, view: View) -> Iterator[str]:
    """The page, in both languages; ``view`` says which it begins with."""
    style = "".join(
        _HERE.with_name(name).read_text(encoding="utf-8") for name in ("scan.css", "comparison.css")
    )
    script = _HERE.with_name("comparison.js").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)};"
        " base-uri 'none'; form-action 'none'"
    )
    language = "zh-Hans" if view.language == "zh" else "en"
    body = "".join(
        (*_head(answer), *_findings(answer), *_charts(answer), *_losses(answer), *_rows(answer))
    )
    yield (
        f'<!DOCTYPE html>\n<html lang="{language}" data-lang="{view.language}">\n<head>\n'
        '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(str(COMPARED[view.language]['title']))}</title>\n"
        f"<style>{style}</style>\n</head>\n<body>\n{body}<script>{script}</script>\n"
        "</body>\n</html>\n"
    )


def _hash(text: str) -> str:
    """What a content security policy calls a style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _both(en: str, zh: str) -> str:
    """A text in both languages, of which the page shows one."""
    return f'<span class="en" lang="en">{en}</span><span class="zh" lang="zh-Hans">{zh}</span>'


def _say(key: str, *parts: object) -> str:
    texts = (str(COMPARED[language][key]).format(*parts) for language in ("en", "zh"))
    return _both(*(escape(text) for text in texts))


def _head(answer: Compared) -> Iterator[str]:
    counts, one, other = answer.counts, answer.torch, answer.mindspore
    yield f"<header><h1>{_say('title')}</h1>"
    yield '<button type="button" id="language"></button></header>\n'
    yield f'<main>\n<p class="verdict {_TONES[answer.verdict]}">{_say(answer.verdict)}</p>\n'
    told = counts.layers, counts.calls, counts.tensors, counts.steps, counts.agreeing
    yield f"<p>{_say('counts', *told)}</p>\n"
    sides = _say("sides", one.release, one.source, other.release, other.source)
    yield f'<p class="quiet">{sides} · msmap {escape(answer.version)}</p>\n'


def _findings(answer: Compared) -> Iterator[str]:
    yield f"<h2>{_say('findings')}</h2>\n"
    if not answer.findings:
        yield f"<p>{_say('nothing')}</p>\n"
    yield '<ol class="findings">\n'
    for number, finding in enumerate(answer.findings):
        yield f'<li class="{"missing" if not number else "care"}">{_finding(finding)}</li>\n'
    for note in answer.notes:
        yield (
            f'<li class="unclear"><p><b>{_say("known")}</b>: <code>{escape(note["record"])}</code>,'
            f" {escape(note['caveat'])}</p><p>{_both(escape(note['en']), escape(note['zh']))}</p>"
            "</li>\n"
        )
    yield "</ol>\n"


def _finding(finding: Finding) -> str:
    stages = (COMPARED[language]["stage"][finding.stage] for language in ("en", "zh"))  # type: ignore[index]
    said = [
        f'<p><span class="badge">{_both(*map(escape, stages))}</span>'
        f" {_both(escape(finding.en), escape(finding.zh))}</p>"
    ]
    names = " → ".join(filter(None, (finding.torch_name, finding.mindspore_name)))
    if names:
        said.append(f"<p><code>{escape(names)}</code></p>")
    if finding.before and finding.stage in ("forward", "gradient"):
        said.append(f'<p class="quiet">{_say("between", finding.before)}</p>')
    said += [
        f"<p>{_both(*(escape(argument(one, language)) for language in ('en', 'zh')))}</p>"
        for one in finding.arguments
    ]
    said += [_cause(cause) for cause in finding.causes]
    if not finding.causes:
        said.append(f'<p class="quiet">{_say("none")}</p>')
    return "".join(said)


def _cause(cause: Cause) -> str:
    said = (
        f"<p><b>{_say('cause', cause.record, cause.caveat)}</b> ({_say(cause.shown_by)})</p>"
        f"<p>{_both(escape(cause.en), escape(cause.zh))}</p>"
    )
    if cause.confirmed:
        said += f"<p>{_say('confirmed', ', '.join(cause.checks), cause.confirmed)}</p>"
    return said


def _charts(answer: Compared) -> Iterator[str]:
    """The error of each call by depth, of the step in which something differs first."""
    step = answer.first.step if answer.first is not None else 0
    rows = [row for row in answer.rows if row.step == step]
    yield f"<h2>{_say('chart')} ({_say('step')} {step})</h2>\n"
    yield (
        f'<p><span class="key ready"><i></i>{_say("agrees")}</span>'
        f'<span class="key missing"><i></i>{_say("differs")}</span>'
        f'<span class="key"><i class="line"></i>{_say("noise")}</span></p>\n'
    )
    for title, part in (("forward", "forward"), ("gradient", "gradient")):
        sizes = [getattr(row, part) for row in rows]
        if any(one.status not in ("absent", "unknown") for one in sizes):
            yield f"<h3>{_say(title)}</h3>\n<figure>{_chart(rows, sizes)}</figure>\n"


def _chart(rows: list[Row], sizes: list[Sizes]) -> str:
    width = _LEFT + max(20, len(rows)) * _WIDE + 12
    parts = [f'<svg width="{width}" height="{_HIGH}" viewBox="0 0 {width} {_HIGH}" role="img">']
    for power in range(_LEAST, _MOST + 1, 2):
        y = _y(10.0**power)
        parts.append(
            f'<line class="grid" x1="{_LEFT}" x2="{width}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text x="4" y="{y + 4:.1f}">1e{power}</text>'
        )
    parts.append(f'<text x="{_LEFT}" y="{_HIGH - 4}">{_depth()}</text>')
    line = [
        f"{_x(number):.1f},{_y(one.noise):.1f}"
        for number, one in enumerate(sizes)
        if one.noise is not None
    ]
    if line:
        parts.append(f'<polyline class="noise" points="{" ".join(line)}"/>')
    for number, (row, one) in enumerate(zip(rows, sizes, strict=True)):
        if one.status in ("absent", "unknown"):
            continue
        fine = one.status == "agrees"
        value = one.relative if one.status in ("agrees", "differs") else 10.0**_MOST
        name = row.torch or row.torch_name
        parts.append(
            f'<circle class="{"fine" if fine else "off"}" cx="{_x(number):.1f}"'
            f' cy="{_y(value):.1f}" r="4"><title>{escape(name)} ({escape(row.torch_name)}):'
            f" {one.relative:.2e} {escape(one.detail)}</title></circle>"
        )
    return "".join([*parts, "</svg>"])


def _depth() -> str:
    return " / ".join(str(COMPARED[language]["depth"]) for language in ("en", "zh"))


def _x(number: int) -> float:
    return _LEFT + (number + 0.5) * _WIDE


def _y(value: float) -> float:
    power = _LEAST if value <= 0 else min(max(log10(value), _LEAST), _MOST)
    share = (power - _LEAST) / (_MOST - _LEAST)
    return _HIGH - _BOTTOM - share * (_HIGH - _TOP - _BOTTOM)


def _losses(answer: Compared) -> Iterator[str]:
    if not answer.losses:
        return
    yield f"<h2>{_say('losses')}</h2>\n"
    rows = [
        f'<tr><td class="number">{one["step"]}</td><td class="number">{_plain(one["torch"])}</td>'
        f'<td class="number">{_plain(one["mindspore"])}</td>'
        f"<td>{_status(one['status'])}</td></tr>"
        for one in answer.losses
    ]
    yield (
        f'<table><thead><tr><th class="number">{_say("step")}</th><th class="number">PyTorch</th>'
        f'<th class="number">MindSpore</th><th>{_say("status")}</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>\n"
    )


def _plain(value: object) -> str:
    return f"{value:.7g}" if isinstance(value, float) else "-"


def _status(status: str) -> str:
    return _say(status) if status in _TONES else escape(status)


def _rows(answer: Compared) -> Iterator[str]:
    yield f'<h2 id="rows">{_say("rows")}</h2>\n'
    heads = "".join(
        f"<th>{text}</th>"
        for text in (_say("step"), _say("layer"), "MindSpore", _say("class"), _say("forward"),
                     _say("gradient"), _say("noise"))
    )  # fmt: skip
    rows = [
        f"<tr><td>{row.step}</td><th><code>{escape(row.torch)}</code></th>"
        f"<td><code>{escape(row.mindspore)}</code></td><td>{escape(row.torch_name)}</td>"
        f"{_cell(row.forward)}{_cell(row.gradient)}"
        f'<td class="number">{_noise(row.forward)}</td></tr>'
        for row in answer.rows
    ]
    yield (
        '<div class="scroll" tabindex="0" role="region" aria-labelledby="rows"><table><thead><tr>'
        f"{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>\n</main>\n"
    )


def _cell(one: Sizes) -> str:
    if one.status in ("absent", "unknown"):
        return "<td></td>"
    if one.status in ("agrees", "differs"):
        mark = "" if one.status == "agrees" else " ✗"
        return f'<td class="number">{one.relative:.1e}{mark}</td>'
    return f"<td>{escape(one.status)} {escape(one.detail)} ✗</td>"


def _noise(one: Sizes) -> str:
    return "" if one.noise is None else f"{one.noise:.1e}"
