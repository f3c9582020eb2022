"""What can be completed of each command; declaring the commands would take too long for a Tab.

`python -m cogapp -r -I cli cli/msmap_cli/words.py` writes it, and a test holds it to the commands.
"""

from __future__ import annotations

# ruff: noqa: E501
# [[[cog
# import cog
# from msmap_cli import completable
# cog.outl("# fmt: off\nTABLE: dict[str, dict[str, str]] = {")
# for name, row in completable.table().items():
#     words = ", ".join(f'"{word}": "{kind}"' for word, kind in row.items())
#     cog.outl(f'    "{name}": {{{words}}},')
# cog.outl("}\n# fmt: on")
# ]]]
# fmt: off
TABLE: dict[str, dict[str, str]] = {
    "": {"--version": "", "-V": "", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": "", "": "lookup|search|explain|list|port|scan|compare|record|weights|drift|stats|guide|claims|serve|export|completion|open|lsp|mcp|build|lint|signatures|verify|mutate|probe|draft|samples|schema|evidence"},
    "lookup": {"*": "name", "--device": "ascend|gpu|cpu", "-d": "ascend|gpu|cpu", "--mindspore": "release", "-m": "release", "--verbose": "", "-v": "", "--format": "text|json|yaml|markdown", "-f": "text|json|yaml|markdown", "--json": "?", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "search": {"*": "?", "--limit": "?", "--kind": "record|guide|probe", "--format": "text|json|yaml|markdown", "-f": "text|json|yaml|markdown", "--json": "?", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "explain": {"*": "?", "--format": "text|json|yaml|markdown", "-f": "text|json|yaml|markdown", "--json": "?", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "list": {"--namespace": "name", "--basis": "curated|probed|known", "--category": "no_params|identical|renamed_params|target_more_params|default_differs|source_more_params|input_usage_differs|input_type_differs|return_differs|behaviour_differs|composite|removable|missing", "--verification": "verified|verified_with_tolerance|verified_forward_only|diverges_documented|refuted|inconclusive|untestable|unverified|stale", "--device": "ascend|gpu|cpu", "--mindspore": "release", "-m": "release", "--format": "text|json|yaml|markdown", "-f": "text|json|yaml|markdown", "--json": "?", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "port": {"*": ":files", "--probed": "", "--diff": "", "--write": "", "--dirty": "", "--exclude": "?", "--jobs": "?", "-j": "?", "--scheduler": "?", "--cache": "", "--no-cache": "", "--device": "ascend|gpu|cpu", "-d": "ascend|gpu|cpu", "--mindspore": "release", "-m": "release", "--format": "text|json|yaml|markdown", "-f": "text|json|yaml|markdown", "--json": "?", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "scan": {"*": ":files", "--fail-on": "?", "--baseline": ":files", "--write-baseline": ":files", "--exclude": "?", "--all": "", "--device": "ascend|gpu|cpu", "-d": "ascend|gpu|cpu", "--mindspore": "release", "-m": "release", "--jobs": "?", "-j": "?", "--scheduler": "?", "--cache": "", "--no-cache": "", "--format": "text|json|sarif|html|markdown|csv|github", "-f": "text|json|sarif|html|markdown|csv|github", "--json": "?", "--output": ":files", "-o": ":files", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "compare": {"0": "?", "1": "?", "--inputs": "?", "--train": "?", "--only": "?", "--steps": "?", "--values": "tensors|statistics", "--mode": "both|train|eval|kept", "--dropout": "", "--no-dropout": "", "--seed": "?", "--check": "", "--no-check": "", "--layer-mapping": ":files", "--all": "", "--device": "ascend|gpu|cpu", "-d": "ascend|gpu|cpu", "--mindspore": "release", "-m": "release", "--format": "text|json|html", "-f": "text|json|html", "--output": ":files", "-o": ":files", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "record": {"0": "?", "--output": ":dirs", "-o": ":dirs", "--inputs": "?", "--train": "?", "--only": "?", "--steps": "?", "--values": "tensors|statistics", "--mode": "both|train|eval|kept", "--dropout": "", "--no-dropout": "", "--seed": "?", "--noise": "", "--no-noise": "", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
    "weights": {"0": ":files", "--to": ":files", "--model": "?", "--into": "?", "--source": "?", "--mapping": ":files", "--draft": ":files", "--key": "?", "--strip": "?", "--back": "", "--forth": "", "--optimizer": ":files", "--class": "?", "--inputs": "?", "--shard-size": "?", "--device": "ascend|gpu|cpu", "-d": "ascend|gpu|cpu", "--mindspore": "release", "-m": "release", "--format": "text|json|yaml", "-f": "text|json|yaml", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "drift": {"0": "release", "1": "release", "--names": "?", "--format": "text|json|yaml|markdown", "-f": "text|json|yaml|markdown", "--json": "?", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "stats": {"--format": "text|json|yaml|markdown", "-f": "text|json|yaml|markdown", "--json": "?", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "guide": {"0": "guide", "--verbose": "", "-v": "", "--format": "text|json|yaml|markdown", "-f": "text|json|yaml|markdown", "--json": "?", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "claims": {"0": "topic", "--verdict": "holds|held_until|refuted|not_testable", "--source": "source", "--about": "name", "--format": "text|json|yaml|markdown", "-f": "text|json|yaml|markdown", "--json": "?", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "serve": {"--host": "?", "--port": "?", "--config": ":files", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
    "export": {"0": ":files", "--url": "?", "--device": "ascend|gpu|cpu", "-d": "ascend|gpu|cpu", "--data": "", "--no-data": "", "--jobs": "?", "-j": "?", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
    "completion": {"0": "bash|zsh|fish", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
    "open": {"0": "page", "--site": "?", "--print": "", "--device": "ascend|gpu|cpu", "-d": "ascend|gpu|cpu", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "lsp": {"--lang": "en|zh", "-l": "en|zh", "--device": "ascend|gpu|cpu", "-d": "ascend|gpu|cpu", "--mindspore": "release", "-m": "release", "--site": "?", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "mcp": {"--folder": ":dirs", "--device": "ascend|gpu|cpu", "-d": "ascend|gpu|cpu", "--mindspore": "release", "-m": "release", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "build": {"--data": ":dirs", "--output": ":files", "-o": ":files", "--cache": "", "--no-cache": "", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
    "lint": {"*": "owner", "--data": ":dirs", "--skip": "rule", "--cache": "", "--no-cache": "", "--fix": "", "--diff": "", "--rules": "", "--explain": "rule", "--format": "text|json|github|sarif", "-f": "text|json|github|sarif", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
    "signatures": {"0": "torch|mindspore", "--output": ":dirs", "-o": ":dirs", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
    "verify": {"*": "owner", "--data": ":dirs", "--all": "", "--jobs": "?", "-j": "?", "--limit": "?", "--device": "ascend|gpu|cpu", "--scheduler": "?", "--keep": "", "--no-keep": "", "--check": "?", "--shard": "?", "--junit": ":files", "--mutate": "", "--no-mutate": "", "--at-least": "?", "--tensorflow": "", "--fresh": "", "--stop": "", "--format": "text|json", "-f": "text|json", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
    "mutate": {"*": "owner", "--data": ":dirs", "--jobs": "?", "-j": "?", "--limit": "?", "--at-least": "?", "--format": "text|json", "-f": "text|json", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
    "probe": {"*": "name", "--data": ":dirs", "--all": "", "--samples": "?", "--jobs": "?", "-j": "?", "--limit": "?", "--device": "ascend|gpu|cpu", "--scheduler": "?", "--keep": "", "--no-keep": "", "--shard": "?", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
    "draft": {"*": "name", "--like": "owner", "--force": "", "--data": ":dirs", "--jobs": "?", "-j": "?", "--limit": "?", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
    "samples": {"*": "name", "--data": ":dirs", "--limit": "?", "--run": "", "--jobs": "?", "-j": "?", "--shard": "?", "--format": "text|json", "-f": "text|json", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
    "schema": {"0": "schema", "--write": ":dirs", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
    "evidence": {"--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": "", "": "show|merge|diff"},
    "evidence show": {"0": "owner", "1": "check", "--environment": "environment", "--data": ":dirs", "--mindspore": "release", "-m": "release", "--format": "text|json|yaml|markdown", "-f": "text|json|yaml|markdown", "--json": "?", "--lang": "en|zh", "-l": "en|zh", "--color": "auto|always|never", "--no-pager": "", "--help": "", "-h": ""},
    "evidence merge": {"*": ":files", "--data": ":dirs", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
    "evidence diff": {"0": "environment", "1": "environment", "--data": ":dirs", "--format": "text|json|yaml|markdown", "-f": "text|json|yaml|markdown", "--json": "?", "--color": "auto|always|never", "--no-pager": "", "--lang": "en|zh", "-l": "en|zh", "--help": "", "-h": ""},
}
# fmt: on
# [[[end]]]
