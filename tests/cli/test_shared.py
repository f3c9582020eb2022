"""What every command understands: colours, pagers, help, fields, words that look like commands."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.builders.commands import Done, Run

from msmap_cli import quick, settings

CAT = "torch.cat -> mindspore.mint.cat\n"
STYLED = "\x1b[1mtorch.cat\x1b[0m -> \x1b[1mmindspore.mint.cat\x1b[0m\n"


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["cat"], ["lookup", "cat"]),
        (["lookup", "cat"], ["lookup", "cat"]),
        (["-v", "cat"], ["lookup", "-v", "cat"]),
        (["--color", "never", "list"], ["list", "--color", "never"]),
        (["--lang=zh", "cat"], ["lookup", "--lang=zh", "cat"]),
        (["help"], ["--help"]),
        (["help", "help"], ["--help"]),
        (["help", "evidence", "show"], ["evidence", "show", "--help"]),
        (["--lang", "zh", "help", "scan"], ["--lang", "zh", "scan", "--help"]),
        (["explain", "--", "help"], ["explain", "--", "help"]),
        (["--version"], ["--version"]),
        ([], []),
    ],
)
def test_a_command_is_found_among_the_arguments(given: list[str], meant: list[str]) -> None:
    assert quick.meant(given) == meant


@pytest.mark.parametrize(
    ("arguments", "environment", "out"),
    [
        ([], {}, CAT),
        (["--color", "always"], {}, STYLED),
        (["--color=always"], {"NO_COLOR": "1"}, STYLED),
        ([], {"FORCE_COLOR": "1"}, STYLED),
        ([], {"FORCE_COLOR": "0"}, CAT),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, CAT),
        (["--color", "never"], {"FORCE_COLOR": "1"}, CAT),
    ],
)
@pytest.mark.parametrize("release", [[], ["-m", "2.10"]], ids=["stored", "live"])
def test_colours_are_written_where_they_are_wanted(
    arguments: list[str], environment: dict[str, str], out: str, release: list[str], run: Run
) -> None:
    done = run("lookup", "cat", *arguments, *release, **{"NO_COLOR": ""} | environment)
    assert done.out.startswith(out)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["biuld"], "did you mean the command build?\n"),
        (["serach", "--limit", "3"], "did you mean the command search?\n"),
        (["lint", "--ruels"], "msmap lint: there is no option --ruels; did you mean --rules?\n"),
        (["cat", "-f", "jsn"],
         'msmap lookup: --format "jsn": one of text, json, yaml, markdown; did you mean json?\n'),
        (["search", "a", "--limit", "x"], "msmap search: --limit: x is no number\n"),
        (["search"], "msmap search: words is missing\n"),
        (["evidence", "shwo"], "No such command 'shwo'. Did you mean show?\n"),
        (["cat", "--color", "red"],
         'msmap lookup: --color "red": one of auto, always, never\n'),
        (["cat", "--json", "categry"], 'msmap: --json "categry": one of '),
        (["cat", "--json", ","], 'msmap: --json "": one of '),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_a_slip_is_told_with_what_was_meant(arguments: list[str], said: str, run: Run) -> None:
    done = run(*arguments)
    assert (said in done.err, done.out) == (True, "")


def test_a_miss_that_looks_like_no_command_is_a_miss_alone(run: Run) -> None:
    assert "command" not in run("zzzzz").err


@pytest.mark.parametrize("words", [["scan", "-h"], ["help", "scan"], ["scan", "--help"]])
def test_help_is_asked_for_in_any_usual_way(words: list[str], run: Run) -> None:
    assert run(*words) == run("scan", "--help")
    assert run(*words).out.startswith("Usage: msmap scan ")


def test_the_version_has_a_short_option(run: Run) -> None:
    assert run("-V") == run("--version")


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["cat", "--json", "category,torch"], {"category": "identical", "torch": "torch.cat"}),
        (["cat", "nothing", "--json", "found, category"],
         [{"found": True, "category": "identical"}, {"found": False, "category": None}]),
        (["list", "--category", "missing", "--json", "torch"], [{"torch": "torch.jit.script"}]),
        (["guide", "training", "--json", "id"], {"id": "training"}),
        (["guide", "--json", "id"], [{"id": "training"}]),
        (["stats", "--json", "guides"], {"guides": 1}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) and "--json" in value else "",
)  # fmt: skip
def test_fields_are_printed_as_json(arguments: list[str], found: object, run: Run) -> None:
    assert json.loads(run(*arguments).out) == found


@pytest.mark.parametrize(
    ("arguments", "address"),
    [
        (["open", "cat", "--print"], "http://127.0.0.1:8001/torch.cat\n"),
        (["open", "training", "--print", "-l", "zh"], "http://127.0.0.1:8001/zh/guides/training\n"),
        (["open", "ops.cat", "--print", "--site", "https://a.b/c/"], "https://a.b/c/mindspore.ops.cat\n"),
        (["open", "--print", "-d", "ascend"], "http://127.0.0.1:8001/?device=ascend\n"),
        (["open", "--print", "-l", "zh"], "http://127.0.0.1:8001/zh\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_a_page_has_an_address(arguments: list[str], address: str, run: Run) -> None:
    assert run(*arguments) == Done(0, address, "")


def test_what_has_no_page_is_not_opened(run: Run) -> None:
    done = run("open", "zzzzz")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith('msmap: "zzzzz" is not a name of PyTorch or MindSpore')


@pytest.mark.parametrize(
    ("chosen", "environment", "used"),
    [
        ([], {}, "less"),
        ([], {"PAGER": "more"}, "more"),
        ([], {"PAGER": "more", "MSMAP_PAGER": "most -s"}, "most -s"),
        ([], {"PAGER": "more", "MSMAP_PAGER": ""}, ""),
        ([], {"PAGER": "cat"}, ""),
        (["--no-pager"], {"PAGER": "more"}, ""),
        (["--", "--no-pager"], {}, "less"),
    ],
)
def test_the_pager_is_the_readers(
    chosen: list[str], environment: dict[str, str], used: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PAGER", "MSMAP_PAGER"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(settings, "on_terminal", lambda stream=None: True)
    settings.read(chosen)
    assert settings.pager() == used
    settings.read([])


@pytest.mark.skipif(sys.platform == "win32", reason="pty")
@pytest.mark.parametrize(
    ("lines", "extra", "paged"),
    [("5", [], True), ("100", [], False), ("5", ["--no-pager"], False)],
)
def test_what_is_longer_than_the_screen_is_paged(
    lines: str, extra: list[str], paged: bool, database: Path
) -> None:
    """On a terminal; the pager gets the very text that would be printed."""
    reading, writing = pty.openpty()
    pager = (
        f"{sys.executable} -c \"import sys; print('paged', len(sys.stdin.read().splitlines()))\""
    )
    environment = os.environ | {
        "MSMAP_DB": str(database), "MSMAP_PAGER": pager, "LINES": lines, "COLUMNS": "80",
        "TERM": "xterm", "NO_COLOR": "1",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "msmap_cli.main", "cat", *extra],
        stdout=writing, env=environment, check=False,
    )  # fmt: skip
    os.close(writing)
    shown = b""
    while True:
        try:
            part = os.read(reading, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(reading)
    rows = shown.decode().splitlines()
    assert (done.returncode, rows[0].startswith("paged")) == (0, paged)
    assert len(rows) > 5 or int(rows[0].split()[1]) > 5
