"""The command line: its errors, standard input, languages, imports, help and databases."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import click
import pytest
import typer
from tests.builders.commands import Done, Run, child

from msmap import database as index
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap_cli import app, quick

NO_CLAIM = "msmap: no statement fits; `msmap claims` without options lists all\n"
BAD_VERDICT = 'msmap: verdict "no": one of holds, partly, refuted, held_until, not_testable\n'


@pytest.mark.parametrize(
    ("arguments", "done"),
    [
        (["search", "zzz", "zzz"], Done(1, "", 'msmap: nothing found for "zzz zzz"\n')),
        (["list", "--namespace", "torch.zzz"], Done(1, "", "msmap: no record fits\n")),
        (
            ["port", "torch.cat((a, b), out=c)"],
            Done(
                1,
                "torch.cat((a, b), out=c)\n",
                "1:1: torch.cat: `out=c`: `out` has no counterpart in MindSpore\n",
            ),
        ),
        (
            ["port", "x = 1\ny = torch.relu(x)", "-l", "zh"],
            Done(1, "x = 1\ny = torch.relu(x)\n", "2:5: torch.relu 已知，但尚无记录\n"),
        ),
        (
            ["port", "torch.nn.Dropout(0.1, inplace=True)"],
            Done(0, "mindspore.nn.Dropout(p=0.1)\n", "note: `inplace` is dropped\n"),
        ),
        (["port", "x +"], Done(2, "", "msmap: not Python: line 1: invalid syntax\n")),
        (["port", "x = (1"], Done(2, "", "msmap: not Python: line 1: '(' was never closed\n")),
        (
            ["port", "1" + "+1" * 20000],
            Done(2, "", "msmap: the code is nested too deeply\n"),
        ),
        (["claims", "zzz"], Done(1, "", 'msmap: "zzz" is not known\nnearest: modes\n')),
        (["claims", "--about", "torch.cat"], Done(1, "", NO_CLAIM)),
        (["claims", "--verdict", "no"], Done(2, "", BAD_VERDICT)),
        (["guide", "zzz"], Done(1, "", 'msmap: "zzz" is not known\nnearest: training\n')),
        (
            ["list", "--verification", "odd"],
            Done(
                2,
                "",
                'msmap: verification "odd": one of verified, verified_with_tolerance, '
                "verified_forward_only, diverges_documented, refuted, inconclusive, untestable, "
                "unverified, stale\n",
            ),
        ),
        (["signatures", "tf"], Done(2, "", 'msmap: "tf": one of torch, mindspore\n')),
        (
            ["schema", "odd"],
            Done(
                2,
                "",
                'msmap: schema "odd": one of claims, claims-file, compare, coverage, drift, error, '
                "evidence-diff, evidence-line, evidence-run, evidence-show, explain, family-file, "
                "guide, guide-file, list, lookup, lookup-summary, mistake-file, names, port, "
                "port-files, record, record-line, scan, search, source-file, stats, "
                "synonyms-file, table-file, weights\n",
            ),
        ),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_what_fails_says_so_on_standard_error(arguments: list[str], done: Done, run: Run) -> None:
    """Status 1: nothing found or refused; 2: wrong usage, or code that isn't Python."""
    assert run(*arguments) == done


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("torch.relu", "msmap: torch.relu is known, but not curated yet"),
        ("Dense", "msmap: mindspore.nn.Dense is known, but no record maps to it"),
        ("torch.catt", 'msmap: "torch.catt" is not a name of PyTorch or MindSpore'),
    ],
)
def test_a_name_without_an_answer_is_followed_by_the_nearest(
    name: str, first: str, run: Run, kb: KnowledgeBase
) -> None:
    near = answers.answer(kb, name).nearest
    assert run("lookup", name) == Done(1, "", f"{first}\nnearest: {', '.join(near)}\n")


def test_what_is_found_is_printed_also_if_something_else_is_not(run: Run) -> None:
    done = run("lookup", "zzzzzzzzzz", "cuda.empty_cache")
    assert (done.status, done.out.strip("\n"), done.err) == (
        1,
        run("lookup", "cuda.empty_cache").out.strip("\n"),
        'msmap: "zzzzzzzzzz" is not a name of PyTorch or MindSpore\n',
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["lookup"],
        ["search"],
        ["port"],
        ["--nothing"],
        ["lookup", "--nothing", "cat"],
        ["lookup", "cat", "--format", "xml"],
        ["lookup", "cat", "--lang", "fr"],
        ["list", "--device", "TPU"],
        ["search", "cat", "--limit", "0"],
        ["guide", "training", "more"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_status_2_with_nothing_on_standard_output(
    arguments: list[str], run: Run
) -> None:
    done = run(*arguments)
    assert (done.status, done.out) == (2, "")
    assert "Usage: " in done.err


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (["--version", "x"], "msmap lookup: --version stands alone: `msmap --version`"),
        (["nn.Dropout", "-V"], "msmap lookup: -V stands alone: `msmap -V`"),
        (["evidence", "show", "-V"], "msmap evidence show: -V stands alone: `msmap -V`"),
        (["--verzion"], "msmap: there is no option --verzion; did you mean --version?"),
        (
            ["nn.Dropout", "--device", "npu"],
            'msmap lookup: --device "npu": one of ascend, gpu, cpu; did you mean ascend?',
        ),
        (["-v"], "msmap lookup: names is missing"),
        (["--json=category"], "msmap lookup: names is missing"),
        (["--"], "msmap: Missing command"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_option_where_it_cannot_stand_is_told(
    arguments: list[str], wrong: str, run: Run
) -> None:
    done = run(*arguments)
    assert (done.status, done.out, done.err.splitlines()[0]) == (2, "", wrong)


@pytest.mark.parametrize(
    "arguments", [["--", "cat"], ["--lang", "en", "--", "cat"], ["-"]], ids=" ".join
)
def test_a_name_behind_two_dashes_and_one_dash_are_looked_up(
    arguments: list[str], run: Run
) -> None:
    assert run(*arguments, stdin="cat") == run("lookup", "cat")


@pytest.mark.parametrize(
    ("arguments", "stdin", "names"),
    [
        (["-"], "torch.cat\ncuda.empty_cache\n", ["torch.cat", "cuda.empty_cache"]),
        (["-"], " torch.cat\t\r\n\n cat", ["torch.cat", "cat"]),
        (["cat", "-", "Dropout"], "ops.cat", ["cat", "ops.cat", "Dropout"]),
    ],
    ids=["lines", "any white space", "between others"],
)
def test_a_dash_reads_names_from_standard_input(
    arguments: list[str], stdin: str, names: list[str], run: Run
) -> None:
    assert run("lookup", *arguments, stdin=stdin) == run("lookup", *names)


def test_a_dash_with_nothing_on_standard_input_is_wrong_usage(run: Run) -> None:
    assert run("lookup", "-") == Done(2, "", "msmap: no names on standard input\n")


def test_a_dash_reads_code_from_standard_input(run: Run) -> None:
    code = "y = torch.cat((a, b))  # joined\nz = y.size(0)\n"
    assert run("port", "-", stdin=code) == Done(
        0, "y = mindspore.mint.cat((a, b))  # joined\nz = y.shape[0]\n", ""
    )


@pytest.mark.parametrize(
    "name",
    ["'", '"', "a\0b", "zzz\0", "\udcff", "*", "%", "AND OR", "\u202e"],
    ids=ascii,
)
@pytest.mark.parametrize("command", ["lookup", "search", "guide"])
def test_odd_bytes_are_not_found_and_nothing_worse(command: str, name: str, run: Run) -> None:
    """Arguments that aren't UTF-8 reach Python as lone surrogates."""
    done = run(command, name)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("msmap: ")
    assert "database" not in done.err


@pytest.mark.parametrize(
    ("environment", "chinese"),
    [
        ({}, False),
        ({"LANG": "zh_CN.UTF-8"}, True),
        ({"LANG": "ZH"}, True),
        ({"LANG": "C.UTF-8"}, False),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, False),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW"}, True),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, True),
        ({"LC_CTYPE": "zh_CN.UTF-8"}, False),
    ],
    ids=str,
)
def test_the_locale_decides_the_language(
    environment: dict[str, str], chinese: bool, run: Run
) -> None:
    """For the quick path and for all others; --lang decides before it."""
    tongue = "zh" if chinese else "en"
    expected = run("lookup", "cat", "--lang", tongue)
    assert run("lookup", "cat", **environment) == expected
    assert run("lookup", "cat", "--format", "text", **environment) == expected
    assert run("lookup", "cat", "--lang", "en", **environment) == run(
        "lookup", "cat", LC_ALL="en_US.UTF-8"
    )


@pytest.mark.parametrize("locale", ["en_US.UTF-8", "zh_CN.UTF-8"])
@pytest.mark.parametrize("options", [[], ["--format", "text"], ["-l", "zh"], ["--format=json"]])
@pytest.mark.parametrize(
    "names",
    [
        ["torch.Tensor.size"], ["torch.cat"], ["torch.cuda.empty_cache"], ["torch.jit.script"],
        ["torch.nn.Dropout"], ["torch.nn.GELU"], ["mindspore.ops.cat"], ["mindspore.mint.cat"],
        ["mindspore.nn.Dropout", "cat", "ops.concat"], ["cat", "cat"], ["relu"], ["cat", "zzzzzz"],
        ["tanh", "nn.Droput", "Dropout"], ["mindspore.nothing"], ["mindspore.nn.Flatten", "cat"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_the_quick_path_prints_what_the_full_path_prints(
    names: list[str], options: list[str], locale: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same exit status; it takes what is stored, where the full path renders again."""
    quickly = run("lookup", *names, *options, LANG=locale)
    monkeypatch.setattr(quick, "run", lambda arguments: None)
    assert run("lookup", *names, *options, LANG=locale) == quickly


@pytest.mark.parametrize(
    "arguments",
    [
        ["lookup"], ["lookup", "-"], ["lookup", "cat", "--format", "yaml"], ["lookup", "cat", "-l"],
        ["lookup", "cat", "--lang=fr"], ["lookup", "cat", "-m", "2.10"], ["lookup", "--help"],
        ["--version", "--help"], ["list"], [],
    ],
    ids=" ".join,
)  # fmt: skip
def test_the_quick_path_leaves_all_else_to_the_full_path(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert quick.run(arguments) is None
    assert capsys.readouterr() == ("", "")


def test_the_version_is_printed_by_both_paths(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    quickly = run("--version")
    monkeypatch.setattr(quick, "run", lambda arguments: None)
    assert run("--version") == quickly


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (["lookup", "torch.nn.Dropout"], []),
        (["lookup", "ops.cat", "--lang", "zh"], []),
        (["lookup", "cat", "--format", "json"], ["json"]),
        (["--version"], []),
    ],
    ids=str,
)
def test_the_quick_path_imports_nothing_heavy(
    arguments: list[str], needed: list[str], database: Path
) -> None:
    code = (
        "import sys; sys.argv[0] = 'msmap'\n"
        "from msmap_cli.main import main; main()\n"
        "heavy = {'typer', 'click', 'rich', 'pydantic', 'sqlalchemy', 'sqlmodel', 'yaml',"
        " 'numpy', 'torch', 'mindspore', 'json', 'msmap.model', 'msmap.query.knowledge_base'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = child(["-c", code, *arguments], database)
    assert (done.returncode, done.stderr) == (0, f"{needed}\n")
    assert done.stdout


def test_declaring_the_commands_imports_none_of_what_they_do(database: Path) -> None:
    """Every command waits for what is imported to declare all of them."""
    code = (
        "import sys; from msmap_cli import app\n"
        "light = {'', 'database', 'errors', 'messages', 'names', 'render', 'render.layout',"
        " 'vocabulary', 'width'}\n"
        "found = {m[6:] for m in sys.modules if m == 'msmap' or m.startswith('msmap.')}\n"
        "print(sorted(found - light), sorted({'rich', 'yaml', 'json'} & set(sys.modules)))"
    )
    done = child(["-c", code], database)
    assert (done.stdout, done.stderr) == ("[] []\n", "")


@pytest.mark.parametrize(
    "arguments",
    [["lookup", "cat", "-f", "json"], ["search", "cat"], ["list"], ["stats"], ["port", "x"]],
    ids=" ".join,
)
def test_reading_needs_nothing_that_only_building_needs(
    arguments: list[str], database: Path
) -> None:
    code = (
        "import sys; sys.argv[0] = 'msmap'\n"
        "from msmap_cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'pydantic', 'sqlalchemy', 'sqlmodel', 'sqlite_utils', 'numpy', 'torch',"
        " 'mindspore', 'datasette', 'pygls', 'mcp', 'IPython', 'nh3', 'markdown_it'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = child(["-c", code, *arguments], database)
    assert (done.returncode, done.stderr) == (0, "[]\n")


@pytest.mark.parametrize(
    "arguments",
    [["lookup", "cat"], ["list"], ["lookup", *["Dropout"] * 99, "-f", "json"], ["--help"]],
    ids=lambda arguments: " ".join(arguments)[:20],
)
def test_a_reader_that_stops_reading_ends_it_quietly(arguments: list[str], database: Path) -> None:
    """As in `msmap list | head -1`: the pipe is closed before anything is written."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = child(["-m", "msmap_cli.main", *arguments], database, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def commands() -> dict[str, click.Command]:
    """Every command as it is declared, by name."""
    group = typer.main.get_command(app.app)
    found: dict[str, click.Command] = group.commands  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize(
    "arguments",
    [
        ["torch.nn.Dropout"], ["nn.Dropout(0.5)"], ["cat", "ops.cat", "--lang", "zh"],
        ["NN.DROPOUT", "--format", "json"], ["torch.nn.Drop*"], ["nothing"],
        ["import", "torch.nn", "as", "nn"], ["torch.nn.Dropout", "-f", "markdown"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_name_alone_is_looked_up(arguments: list[str], run: Run) -> None:
    assert run(*arguments) == run("lookup", *arguments)


def test_what_is_no_command_is_known_before_they_are_declared() -> None:
    assert set(commands()) == set(quick.commands())


def test_there_are_these_commands() -> None:
    assert sorted(commands()) == [
        "build", "claims", "compare", "completion", "draft", "drift", "evidence", "explain",
        "export", "guide", "lint", "list", "lookup", "lsp", "mcp", "mutate", "open", "port",
        "probe", "record", "samples", "scan", "schema", "search", "serve", "signatures", "stats",
        "verify", "weights",
    ]  # fmt: skip


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_and_option_has_help(name: str, run: Run) -> None:
    command = commands()[name]
    silent = [
        p.name for p in command.params if not getattr(p, "help", None) and p.name not in ("help",)
    ]
    assert (bool(command.help), silent) == (True, [])
    done = run(name, "--help")
    assert (done.status, done.err) == (0, "")
    assert f"msmap {name} " in done.out
    assert (command.help or "").splitlines()[0] in " ".join(done.out.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ["lookup", "torch.cat"],
        ["lookup", "torch.cat", "-f", "json"],
        ["lookup", "mindspore.nn.Dropout"],
        ["search", "cat"],
        ["list"],
        ["port", "torch.cat(x)"],
        ["stats"],
        ["guide"],
        ["guide", "training"],
        ["claims"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("damage", ["missing", "text", "truncated", "empty", "overwritten"])
def test_without_a_sound_database_every_command_says_what_to_do(
    damage: str, arguments: list[str], run: Run, database: Path, tmp_path: Path
) -> None:
    """One line, which names the file; status 1; no traceback."""
    path = tmp_path / "msmap.db"
    content = database.read_bytes()
    files = {
        "text": b"not a database, but long enough" * 99,
        "truncated": content[: len(content) // 2],
        "empty": b"",
        "overwritten": content[:4096] + b"\xff" * (len(content) - 4096),
    }
    if damage in files:
        path.write_bytes(files[damage])
    done = run(*arguments, MSMAP_DB=str(path))
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith("msmap: ")
    assert str(path) in done.err
    assert "`msmap build`" in done.err


def test_a_database_elsewhere_is_found_by_its_variable(
    run: Run, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by a relative path, and with characters that mean something in a URI."""
    shutil.copy(database, tmp_path / "a?b #1%.db")
    monkeypatch.chdir(tmp_path)
    expected = run("lookup", "cat")
    assert run("lookup", "cat", MSMAP_DB="a?b #1%.db") == expected


def test_an_empty_variable_means_the_shipped_database(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MSMAP_DB", "")
    assert index.path() == index.SHIPPED
