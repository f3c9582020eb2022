"""`msmap mcp` with the package's own client over standard input and output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp import Client, MCPError
from tests.builders.asking import asked
from tests.conftest import Run

CODE = "import torch\ny = torch.cat([a, b]).strange()\nz = torch.what(1)\n"
FILES = {
    "m.py": "import torch\nfrom torch import nn\ndrop = nn.Dropout(0.5)\ntorch.jit.script(drop)\n",
    "broken.py": "def f(:\n",
    "old/left_out.py": "import torch\ntorch.cat([])\n",
    "pyproject.toml": '[tool.msmap]\nexclude = ["old", "odd"]\n',
}
# What is asked, by a name for each question.
QUESTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "call": ("lookup", {"names": ["nn.Dropout(0.5)"]}),
    "several": ("lookup", {"names": ["torch.cat", "nn.Dropot"]}),
    "detail": ("lookup", {"names": ["torch.cat"], "detail": True, "language": "zh"}),
    "mindspore": ("lookup", {"names": ["mindspore.mint.cat"]}),
    "device": ("lookup", {"names": ["torch.cat"], "device": "ascend"}),
    "pattern": ("lookup", {"names": ["torch.c*"]}),
    "words": ("search", {"text": "joins tensors", "limit": 1}),
    "code": ("port", {"code": CODE}),
    "code-detail": ("port", {"code": "torch.cat([a, b])", "detail": True}),
    "files": ("scan", {"paths": ["."]}),
    "odd-name": ("scan", {"paths": ["odd"]}),
    "files-detail": ("scan", {"paths": ["m.py"], "detail": True}),
    "proof": ("evidence", {"name": "nn.Dropout"}),
    "check": ("evidence", {"name": "nn.Dropout", "check": "position"}),
}
# What has no answer, and what is said of it.
WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "name": ("lookup", {"names": ["nn.Dropot"]}, "nearest: torch.nn.Dropout"),
    "no-names": ("lookup", {"names": []}, "at least 1 item"),
    "many": ("lookup", {"names": ["torch.cat"] * 21}, "at most 20 items"),
    "long": ("lookup", {"names": ["x" * 100_000]}, "at most 2000 characters"),
    "long-words": ("search", {"text": "x" * 100_000}, "at most 4000 characters"),
    "device": ("lookup", {"names": ["torch.cat"], "device": "tpu"}, "'ascend', 'gpu' or 'cpu'"),
    "release": ("lookup", {"names": ["torch.cat"], "mindspore": "9"}, "one of 2.10.0"),
    "language": ("lookup", {"names": ["torch.cat"], "language": "fr"}, "'en' or 'zh'"),
    "words": ("search", {"text": "qqqq zzzz"}, "try fewer words"),
    "empty": ("search", {"text": ""}, "try fewer words"),
    "python": ("port", {"code": "def f(:"}, "line 1: invalid syntax"),
    "deep": ("port", {"code": f"x = {'(' * 9000}1{')' * 9000}"}, "too many nested parentheses"),
    "null": ("port", {"code": "import torch\0"}, "null byte"),
    "large": ("port", {"code": "x = 1\n" * 400_000}, "longer than 1000000 characters"),
    "outside": ("scan", {"paths": ["/etc"]}, "is not below"),
    "above": ("scan", {"paths": ["../x.py"]}, "is not below"),
    "absent": ("scan", {"paths": ["none.py"]}, "none.py: there is no such file"),
    "broken": ("scan", {"paths": ["broken.py"]}, "broken.py: not Python"),
    "bad-path": ("scan", {"paths": ["a\0b"]}, "null byte"),
    "check": ("evidence", {"name": "torch.cat", "check": "nix"}, "it has last, axis"),
    "record": ("evidence", {"name": "torch.strange"}, "not known"),
    "argument": ("evidence", {}, "Field required"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("files")
    for name, text in FILES.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(text, encoding="utf-8")
    # A name that is no text.
    Path(os.fsdecode(bytes(made) + b"/odd/\xff.py")).parent.mkdir()
    Path(os.fsdecode(bytes(made) + b"/odd/\xff.py")).write_text("import torch\ntorch.odd(1)\n")
    return made


@pytest.fixture(scope="module")
def told(database: Path, folder: Path) -> dict[str, Any]:
    """All that one session gives: of a server that goes on whatever it was asked."""

    async def work(client: Client) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, (tool, arguments, _) in WRONG.items():
            found[f"wrong {name}"] = await client.call_tool(tool, arguments)
        for name, (tool, arguments) in QUESTIONS.items():
            found[name] = await client.call_tool(tool, arguments)
        found["tools"] = (await client.list_tools()).tools
        found["resources"] = (await client.list_resources()).resources
        found["templates"] = (await client.list_resource_templates()).resource_templates
        for uri in (
            "msmap://en/record/torch.cat",
            "msmap://zh/guide/training",
            "msmap://en/guides",
        ):
            found[uri] = (await client.read_resource(uri)).contents[0]
        for uri in ("msmap://en/record/torch.catt", "msmap://en/guide/none"):
            with pytest.raises(MCPError) as error:
                await client.read_resource(uri)
            found[uri] = str(error.value)
        found["prompts"] = (await client.list_prompts()).prompts
        found["prompt"] = await client.get_prompt("port_file", {"path": "m.py", "device": "Ascend"})
        return found

    return asked(database, folder, work)


def text(answer: Any) -> str:
    return str(answer.content[0].text)


def test_a_call_is_looked_up_in_a_few_lines(told: dict[str, Any]) -> None:
    assert text(told["call"]) == (
        "**`torch.nn.Dropout`** → `mindspore.nn.Dropout`\n\n"
        "```python\nmindspore.nn.Dropout(p=0.5)\n```\n\n"
        "Zeroes elements at random while training.\n\n"
        "*PyTorch has more parameters · verified, forward only · Ascend · GPU · CPU*\n\n"
        "- **silent** The first position is keep\\_prob. Write Dropout(p=0.1).\n\n"
        "*detail: evidence*"
    ).replace("\\_", "_")
    [answer] = told["call"].structured_content["answers"]
    assert (answer["port"], answer["parameters"], answer["caveats"]) == (
        "mindspore.nn.Dropout(p=0.5)",
        ["p=0.5 -> p=None (by keyword)", "dropped: inplace"],
        [{"id": "position-is-kept", "impact": "silent",
          "text": "The first position is keep_prob. Write Dropout(p=0.1)."}],
    )  # fmt: skip


def test_of_several_names_each_is_told(told: dict[str, Any]) -> None:
    first, second = told["several"].structured_content["answers"]
    assert (first["name"], first["basis"], second["nearest"][0]) == (
        "torch.cat", "curated", "torch.nn.Dropout",
    )  # fmt: skip
    assert '"nn.Dropot" is not a name of PyTorch or MindSpore' in text(told["several"])
    assert told["mindspore"].structured_content["answers"][0]["was"] == ["torch.cat"]


def test_a_pattern_is_told_by_its_names(told: dict[str, Any]) -> None:
    assert text(told["pattern"]) == "**`torch.c*`**: `torch.cat`, `torch.cuda.empty_cache`"


def test_details_are_the_page_in_the_language_asked_for(told: dict[str, Any]) -> None:
    assert "沿指定维度拼接张量。" in text(told["detail"])
    assert "mindspore.ops.concat" in text(told["detail"])
    assert told["detail"].structured_content["pages"] == [text(told["detail"])]


def test_words_are_searched(told: dict[str, Any]) -> None:
    assert text(told["words"]) == "- record `torch.cat`: Joins tensors along a dimension."


def test_code_is_ported_and_what_stays_is_told(told: dict[str, Any]) -> None:
    answer = told["code"].structured_content
    assert answer == {
        "code": "import mindspore\nimport torch\ny = mindspore.mint.cat([a, b]).strange()\n"
                "z = torch.what(1)\n",
        "whole": False,
        "left": [{"line": 3, "column": 4, "kind": "unknown_name", "source": "torch.what(1)",
                  "reason": "torch.what is no name of PyTorch that msmap knows"}],
    }  # fmt: skip
    assert told["code-detail"].structured_content["edits"] == [
        [1, 0, 1, 17, "mindspore.mint.cat([a, b])"]
    ]


def test_files_are_scanned_by_the_settings_of_their_project(told: dict[str, Any]) -> None:
    answer = told["files"].structured_content
    assert (answer["files"], answer["unread"]) == (2, ["broken.py: not Python: invalid syntax"])
    assert [(f["path"], f["line"], f["apis"]) for f in answer["findings"]] == [
        ("m.py", 4, ["torch.jit.script"])
    ]
    assert "said" not in answer["findings"][0]
    assert "said" in told["files-detail"].structured_content["findings"][0]


def test_a_file_whose_name_is_no_text_is_told(told: dict[str, Any]) -> None:
    [found] = told["odd-name"].structured_content["findings"]
    assert found["path"] == "odd/\\udcff.py"


def test_evidence_is_told_check_by_check(told: dict[str, Any]) -> None:
    checks = told["proof"].structured_content["checks"]
    assert [(check["check"], check["outcome"]) for check in checks] == [
        ("training", "verified_forward_only"), ("position", "diverges_documented"),
    ]  # fmt: skip
    assert "torch" not in checks[0]
    answer = told["check"].structured_content
    assert answer["checks"][0]["torch"].startswith("bool((torch.nn.Dropout(0.1, False)")
    assert (
        answer["script"] == "msmap evidence show torch.nn.Dropout position > run.py; python run.py"
    )


@pytest.mark.parametrize("name", QUESTIONS)
def test_answers_are_as_their_schema_says(name: str, told: dict[str, Any]) -> None:
    tool, arguments = QUESTIONS[name]
    schemas = {one.name: one for one in told["tools"]}
    jsonschema.validate(arguments, schemas[tool].input_schema)
    jsonschema.validate(told[name].structured_content, schemas[tool].output_schema)


def test_answers_are_short(told: dict[str, Any]) -> None:
    """An assistant reads ten of them."""
    sizes = {name: len(text(told[name])) for name in QUESTIONS if not name.endswith("detail")}
    assert {name: size for name, size in sizes.items() if size > 1500} == {}


@pytest.mark.parametrize("name", WRONG)
def test_what_has_no_answer_says_what_to_do(name: str, told: dict[str, Any]) -> None:
    answer, said = told[f"wrong {name}"], WRONG[name][2]
    assert (answer.is_error, said in text(answer)) == (True, True), text(answer)


def test_tools_only_read(told: dict[str, Any]) -> None:
    assert {one.name: one.annotations.read_only_hint for one in told["tools"]} == dict.fromkeys(
        ["lookup", "search", "port", "scan", "evidence"], True
    )


def test_records_and_guides_are_resources(told: dict[str, Any]) -> None:
    assert [str(one.uri) for one in told["resources"]] == ["msmap://en/guides", "msmap://zh/guides"]
    assert [one.uri_template for one in told["templates"]] == [
        "msmap://{language}/record/{name}", "msmap://{language}/guide/{name}",
    ]  # fmt: skip
    page = told["msmap://en/record/torch.cat"]
    assert (page.mime_type, page.text.splitlines()[0]) == (
        "text/markdown", "## `torch.cat` → `mindspore.mint.cat`",
    )  # fmt: skip
    assert told["msmap://zh/guide/training"].text.startswith("# ")
    assert told["msmap://en/guides"].text.startswith("- `training`: ")
    assert "nearest: torch.cat" in told["msmap://en/record/torch.catt"]
    assert "none is not known" in told["msmap://en/guide/none"]


def test_prompts_say_how_to_port_a_file(told: dict[str, Any]) -> None:
    assert [one.name for one in told["prompts"]] == ["port_file", "check_file"]
    said = told["prompt"].messages[0].content.text
    assert said.startswith("Port m.py from PyTorch to MindSpore on Ascend.\n")
    assert 'with device "ascend"' in said


def test_options_are_what_questions_leave_out(history: Path, tmp_path: Path) -> None:
    async def work(client: Client) -> list[str]:
        answers = [
            await client.call_tool("lookup", {"names": ["nn.Dropout"]}),
            await client.call_tool("lookup", {"names": ["nn.Dropout"], "language": "en"}),
        ]
        return [text(answer).splitlines()[2] for answer in answers]

    given = ("--lang", "zh", "--device", "ascend", "--mindspore", "2.10")
    assert asked(history, tmp_path, work, given) == [
        "训练时将元素随机置零。", "Zeroes elements at random while training.",
    ]  # fmt: skip


# One start of the server for all: each is a line of its own, and the last has no end.
NONSENSE = (
    b"nonsense", b"\xff\xfe\0", b'{"jsonrpc": "2.0"}', b"[]", b'{"jsonrpc": "2.0"', b"{" * 100_000,
)  # fmt: skip


@pytest.mark.parametrize("sent", [b"", b"\n".join(NONSENSE)], ids=["nothing", "nonsense"])
def test_a_client_that_talks_nonsense_and_leaves(sent: bytes, database: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "msmap_cli.main", "mcp"], input=sent, capture_output=True,
        env=os.environ | {"MSMAP_DB": str(database)}, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    for line in done.stdout.splitlines():
        json.loads(line)


@pytest.mark.parametrize(
    ("line", "status", "says"),
    [
        ("mcp --folder nowhere", 2, "nowhere"),
        ("mcp --mindspore 9", 2, 'msmap: MindSpore release "9": one of 2.10.0\n'),
    ],
)
def test_wrong_options(line: str, status: int, says: str, run: Run) -> None:
    done = run(*line.split())
    assert (done.status, says in done.err) == (status, True)
