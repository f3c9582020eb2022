"""Records and guides read from YAML, with file and line in every complaint."""

from __future__ import annotations

import os
from pathlib import Path
from typing import get_args

import pytest
from tests.builders import support

from msmap import vocabulary
from msmap.curated import load as records
from msmap.curated import paths, schema
from msmap.problems import DataError, Problem

WHOLE = """\
torch: torch.nn.Dropout
summary: {en: Zeroes at random., zh: 随机置零。}
overloads: ["(p=0.5)"]
targets:
  - api: mindspore.nn.Dropout
    parameters:
      - {torch: inplace, relation: source_only_droppable}
      - torch: p
        mindspore: [p, q]
        relation: split
        cases:
          - {when: none, set: {p: "0.0"}}
          - {when: any, refuse: {en: No., zh: 不行。}}
        allow: ["0", "None"]
        keyword: yes
  - {expression: "{input} * 1", id: times, given: [input], absent: [p]}
  - {remove: true, note: {en: Drop it., zh: 删除。}}
caveats:
  - {id: silent-one, impact: silent, text: {en: Bites., zh: 有坑。}, shown_by: [plain]}
inputs: {x: "float32[2]"}
checks:
  - {id: plain, torch: "  torch.nn.Dropout(0.5)(x)  ", expect: same-distribution}
references: [{kind: doc, url: "https://pytorch.org/docs"}]
"""


def test_a_record_is_read_as_written(tmp_path: Path) -> None:
    path = tmp_path / "Dropout.yaml"
    path.write_text(WHOLE, encoding="utf-8")
    assert records.read_record(path).item == schema.Record(
        torch="torch.nn.Dropout",
        summary=schema.Bilingual(en="Zeroes at random.", zh="随机置零。"),
        overloads=["(p=0.5)"],
        targets=[
            schema.Target(
                api="mindspore.nn.Dropout",
                parameters=[
                    schema.Parameter(torch="inplace", relation="source_only_droppable"),
                    schema.Parameter(
                        torch="p",
                        mindspore=["p", "q"],
                        relation="split",
                        cases=[
                            schema.Case(when="none", set={"p": "0.0"}),
                            schema.Case(when="any", refuse=schema.Bilingual(en="No.", zh="不行。")),
                        ],
                        allow=["0", "None"],
                        keyword=True,
                    ),
                ],
            ),
            schema.Target(expression="{input} * 1", id="times", given=["input"], absent=["p"]),
            schema.Target(remove=True, note=schema.Bilingual(en="Drop it.", zh="删除。")),
        ],
        caveats=[
            schema.Caveat(
                id="silent-one",
                impact="silent",
                text=schema.Bilingual(en="Bites.", zh="有坑。"),
                shown_by=["plain"],
            )
        ],
        inputs={"x": "float32[2]"},
        checks=[
            schema.Check(id="plain", torch="torch.nn.Dropout(0.5)(x)", expect="same-distribution")
        ],
        references=[
            schema.Reference(kind="doc", url="https://pytorch.org/docs"),
            # What is written of a framework stands for what follows from the names, of it alone.
            schema.Reference(
                kind="doc",
                url="https://www.mindspore.cn/docs/en/master/api_python/nn/mindspore.nn.Dropout.html",
            ),
        ],
    )


def test_the_keys_of_targets_are_what_checks_call_them(tmp_path: Path) -> None:
    path = tmp_path / "Dropout.yaml"
    path.write_text(WHOLE, encoding="utf-8")
    targets = records.read_record(path).item.targets
    assert [t.key for t in targets] == ["mindspore.nn.Dropout", "times", "remove"]


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ((), 1),
        (("torch",), 1),
        (("summary", "zh"), 2),
        (("targets",), 4),
        (("targets", 0), 5),
        (("targets", 0, "parameters", 0, "relation"), 7),
        (("targets", 0, "parameters", 1, "cases", 1, "refuse", "en"), 13),
        (("targets", 0, "parameters", 1, "keyword"), 15),
        (("targets", 1, "id"), 16),
        (("targets", 1, "note", "en"), 16),
        (("targets", 9, "api"), 4),
        (("guides",), 1),
    ],
)
def test_every_key_has_its_line_and_an_absent_one_that_of_what_encloses_it(
    tmp_path: Path, where: tuple[str | int, ...], line: int
) -> None:
    path = tmp_path / "Dropout.yaml"
    path.write_text(WHOLE, encoding="utf-8")
    loaded = records.read_record(path)
    assert loaded.line(*where) == line
    assert loaded.problem("some-rule", "Bad.", *where) == Problem(path, line, "Bad.", "some-rule")


@pytest.mark.parametrize(
    ("line", "place"),
    [
        (1, ("torch",)),
        (2, ("summary", "zh")),
        (4, ("targets",)),
        (7, ("targets", 0, "parameters", 0, "relation")),
        (13, ("targets", 0, "parameters", 1, "cases", 1, "refuse", "zh")),
        (15, ("targets", 0, "parameters", 1, "keyword")),
    ],
)
def test_every_line_has_the_keys_that_lead_to_it(
    tmp_path: Path, line: int, place: tuple[str | int, ...]
) -> None:
    path = tmp_path / "Dropout.yaml"
    path.write_text(WHOLE, encoding="utf-8")
    assert records.read_record(path).place(line) == place


def test_a_problem_reads_as_file_line_message_and_rule() -> None:
    problem = Problem(Path("torch/abs.yaml"), 3, "unknown key `a`")
    assert str(problem) == "torch/abs.yaml:3: unknown key `a` [schema]"
    assert str(DataError([problem, problem])) == f"{problem}\n{problem}"


HEAD = "torch: torch.abs\nsummary: {en: Does., zh: 做。}\n"
TARGET = f"{HEAD}targets:\n- api: mindspore.ops.abs\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "the file is empty"),
        ("# only a comment\n", 1, "the file is empty"),
        ("torch.abs\n", 1, "file: 'torch.abs': input should be a valid dictionary"),
        ("torch: [torch.abs\n", 2, "not YAML: "),
        ("torch: a: b\n", 1, "not YAML: mapping values are not allowed"),
        (f"{HEAD}\ttargets: []\n", 3, "not YAML: found character"),
        ("a: 1\n---\nb: 2\n", 2, "not YAML: but found another document"),
        (f"{HEAD}missing: *nothing\n", 3, "not YAML: found undefined alias"),
        (f"{HEAD}missing: !python {{en: A., zh: 甲。}}\nkind: !thing a\n", 4, "not YAML: "),
        (f"{HEAD}missing: !!int no\n", 3, "not YAML: "),
        (f"{HEAD}torch: torch.neg\n", 3, "key `torch` stands twice"),
        (f"{TARGET}  api: mindspore.ops.neg\n", 5, "key `api` stands twice"),
        (HEAD, 1, "file: a record has either targets or missing"),
        (f"{TARGET}missing: {{en: No., zh: 无。}}\n", 1, "file: a record has either targets"),
        (f"{TARGET}target: []\n", 5, "unknown key `target`"),
        (f"{TARGET}  note: {{en: Yes.}}\n", 5, "key `targets.0.note.zh` is missing"),
        (f"{TARGET}  note: {{en: Yes., zh: ' '}}\n", 5, "targets.0.note.zh: ' ': string should"),
        (f"{TARGET}  remove: true\n", 4, "targets.0: a target has exactly one of api, expression"),
        (f"{HEAD}targets:\n- {{}}\n", 4, "targets.0: a target has exactly one of api, expression"),
        (f"{HEAD}targets:\n- expression: '1'\n", 4, "targets.0: a target that is an expression"),
        (
            f"{HEAD}targets:\n- api: torch.abs\n",
            4,
            "targets.0.api: 'torch.abs': string should match",
        ),
        (f"{TARGET}  given: dim\n", 5, "targets.0.given: 'dim': input should be a valid list"),
        (
            f"{TARGET}  parameters:\n  - {{torch: a, relation: alike}}\n",
            6,
            'targets.0.parameters.0.relation "alike": one of same, renamed, default_differs, ',
        ),
        (
            f"{TARGET}  parameters:\n  - torch: a\n    relation: renamed\n",
            6,
            'targets.0.parameters.0: relation "renamed" names both sides',
        ),
        (
            f"{TARGET}caveats:\n- id: a\n  impact: note\n  text: {{en: A., zh: 甲。}}\n",
            6,
            "caveats.0: a caveat has either shown_by (or variants) or unverified",
        ),
        (
            f"{TARGET}checks:\n- id: Not A Slug\n  torch: '1'\n",
            6,
            "checks.0.id: 'Not A Slug': string should match pattern",
        ),
        (f"{TARGET}inputs: {{x: {{dtype: int32}}}}\n", 5, "inputs.x"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 70 else None,
)
def test_what_is_no_record_is_reported_with_its_line(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    path = tmp_path / "abs.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        records.read_record(path)
    first = caught.value.problems[0]
    assert (first.path, first.line, first.rule) == (path, line, "schema")
    assert first.message[: len(message)] == message


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("'float32[2, x]'", "'float32[2, x]': such as float32[2, 3], or int64[4] in 0..5"),
        ("'float32[2 3]'", "'float32[2 3]': such as float32[2, 3], or int64[4] in 0..5"),
        ("'float32[2] in 3..1'", "3..1: the first is the smaller one"),
        ("{shape: [2, -1]}", "`shape`: no size is below 0"),
        ("{shape: [2], low: 3, high: 1}", "`low` is above `high`"),
        ("{values: [[1, 2], [3]]}", "`values`: lists side by side differ in length"),
        ("{values: [1, [2]]}", "`values`: lists side by side differ in length"),
        ("{values: [[[]], []]}", "`values`: lists side by side differ in length"),
        ("{values: [1, two]}", "`values`: 'two' is no number"),
        ("{values: [1, null]}", "`values`: None is no number"),
        ("{values: {a: 1}}", "`values`: {'a': 1} is no number"),
        ("{values: [1.5], dtype: int64}", "`values`: 1.5 is no value of int64"),
        ("{values: [.nan], dtype: int64}", "`values`: nan is no value of int64"),
        ("{values: [300], dtype: uint8}", "`values`: 300 is no value of uint8"),
        ("{values: [-1], dtype: uint8}", "`values`: -1 is no value of uint8"),
        ("{values: [128], dtype: int8}", "`values`: 128 is no value of int8"),
        ("{values: [2], dtype: bool}", "`values`: 2 is no value of bool"),
        ('{values: ["(1+2j)"]}', "`values`: '(1+2j)' is no value of float32"),
    ],
    ids=str,
)
def test_an_input_that_no_array_could_be_made_of_is_refused_with_its_name(
    tmp_path: Path, spec: str, said: str
) -> None:
    path = tmp_path / "abs.yaml"
    check = f"checks:\n- id: same\n  torch: torch.abs(x)\n  inputs:\n    x: {spec}\n"
    path.write_text(f"{TARGET}{check}", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        records.read_record(path)
    assert [(p.line, p.message) for p in caught.value.problems] == [
        (9, f"checks.0.inputs.x: {said}")
    ]


@pytest.mark.parametrize(
    "spec",
    [
        "{values: []}", "{values: [[], []]}", "{values: 2}", "{values: [1, .nan, -.inf]}",
        '{values: ["nan", "(1+2j)"], dtype: complex64}', "{values: [true, false], dtype: bool}",
        "{values: [9223372036854775807, -9223372036854775808], dtype: int64}",
        "{values: [255.0], dtype: uint8}", "'float32[]'", "'int64[4] in -2..5'", "'float32[0, 3]'",
    ],
    ids=str,
)  # fmt: skip
def test_an_input_is_a_shape_or_nested_lists_of_numbers(tmp_path: Path, spec: str) -> None:
    path = tmp_path / "abs.yaml"
    path.write_text(f"{TARGET}inputs:\n  x: {spec}\n", encoding="utf-8")
    assert list(records.read_record(path).item.inputs) == ["x"]


def test_a_file_that_is_not_utf8_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "abs.yaml"
    path.write_bytes(b"torch: \xff")
    with pytest.raises(DataError) as caught:
        records.read_record(path)
    assert caught.value.problems == [Problem(path, 1, "not UTF-8: byte 7")]


def test_all_mistakes_of_a_file_are_reported_together(tmp_path: Path) -> None:
    path = tmp_path / "abs.yaml"
    path.write_text("torch: abs\nsummary:\n  en: Does.\nguide: []\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        records.read_record(path)
    assert [(p.line, p.message) for p in caught.value.problems] == [
        (
            1,
            "torch: 'abs': string should match pattern '^torch(\\.[A-Za-z_]\\w*)+$'",
        ),
        (2, "key `summary.zh` is missing"),
        (4, "unknown key `guide`"),
    ]


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def missing(name: str) -> str:
    return support.yaml(name, "missing: {en: Nothing., zh: 无。}\n")


GUIDE = """\
id: {id}
title: {{en: A, zh: 甲}}
summary: {{en: A., zh: 甲。}}
sections: [{{id: one, title: {{en: A, zh: 甲}}, text: {{en: A., zh: 甲。}}}}]
"""


def test_records_of_all_folders_and_guides_are_loaded_in_the_order_of_their_names(
    tmp_path: Path,
) -> None:
    folder = written(
        tmp_path,
        {
            "records/torch/nn/Dropout.yaml": missing("torch.nn.Dropout"),
            "records/torch/zeros.yaml": missing("torch.zeros"),
            "records/torch/abs.yml": missing("torch.abs"),
            "records/README.md": "no record",
            "guides/b.yaml": GUIDE.format(id="b"),
            "guides/a.yaml": GUIDE.format(id="a"),
        },
    )
    found = records.load(folder)
    assert [r.item.torch for r in found.records] == ["torch.abs", "torch.nn.Dropout", "torch.zeros"]
    assert [g.item.id for g in found.guides] == ["a", "b"]


def test_guides_may_be_absent(tmp_path: Path) -> None:
    folder = written(tmp_path, {"records/torch/abs.yaml": missing("torch.abs")})
    found = records.load(folder)
    assert [r.item.torch for r in found.records] == ["torch.abs"]
    assert (found.guides, found.claims, found.sources) == ([], [], [])


def test_a_folder_without_records_is_no_data(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no data here: expected a directory `records`"):
        records.load(tmp_path)


def test_problems_of_all_files_are_reported_together(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        {
            "records/torch/abs.yaml": missing("torch.abs"),
            "records/torch/again.yaml": "\n" + missing("torch.abs"),
            "records/torch/bad.yaml": "torch: [",
            "guides/a.yaml": "id: a\n",
        },
    )
    with pytest.raises(DataError) as caught:
        records.load(folder)
    found = [(p.path.name, p.line, p.message) for p in caught.value.problems]
    first = folder / "records" / "torch" / "abs.yaml"
    assert found[0] == ("again.yaml", 2, f"torch.abs stands in {first} too")
    assert found[1][0] == "bad.yaml"
    assert found[2:] == [
        ("a.yaml", 1, "key `title` is missing"),
        ("a.yaml", 1, "key `summary` is missing"),
        ("a.yaml", 1, "key `sections` is missing"),
    ]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("torch.abs", "torch/abs.yaml"),
        ("torch.nn.Dropout", "torch/nn/Dropout.yaml"),
        ("torch.Tensor.t", "torch/Tensor/t.yaml"),
        ("torch.Tensor.T", "torch/Tensor/T_upper.yaml"),
        ("torch.Tensor", "torch/Tensor_upper.yaml"),
    ],
)
def test_the_path_of_a_record_is_its_name(name: str, path: str) -> None:
    assert paths.path_of(name) == Path(path)


def test_no_two_names_have_paths_that_differ_by_case_alone() -> None:
    names = [
        line.split('"name": "')[1].split('"')[0]
        for line in (support.FIXTURES.parent.parent / "data" / "signatures")
        .joinpath("torch-2.13.0.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()
        if '"alias_of"' not in line
    ]
    folded: dict[str, list[str]] = {}
    for name in names:
        folded.setdefault(str(paths.path_of(name)).lower(), []).append(name)
    assert [found for found in folded.values() if len(found) > 1] == []


SIDES = {
    (True, True): "torch: a\nmindspore: b\n",
    (True, False): "torch: a\n",
    (False, True): "mindspore: b\n",
}
ALIKE = {(True, True): "both", (True, False): "only torch", (False, True): "only mindspore"}


def test_every_relation_is_a_row_of_the_vocabulary() -> None:
    relations = list(get_args(vocabulary.Relation))
    assert list(vocabulary.RELATIONS) == relations
    assert {row.category for row in vocabulary.RELATIONS.values()} <= set(vocabulary.CATEGORIES)


@pytest.mark.parametrize("found", SIDES)
@pytest.mark.parametrize("relation", get_args(vocabulary.Relation))
def test_a_relation_names_the_sides_it_is_about(
    tmp_path: Path, relation: str, found: tuple[bool, bool]
) -> None:
    path = tmp_path / "abs.yaml"
    sides = "".join(f"    {line}\n" for line in SIDES[found].splitlines())
    path.write_text(f"{TARGET}  parameters:\n  - relation: {relation}\n{sides}", encoding="utf-8")
    wanted = vocabulary.RELATIONS[relation].sides
    if wanted == found:
        assert records.read_record(path).item.targets[0].parameters[0].relation == relation
        return
    with pytest.raises(DataError) as caught:
        records.read_record(path)
    assert [p.message for p in caught.value.problems] == [
        f'targets.0.parameters.0: relation "{relation}" names {ALIKE[wanted]} sides'
    ]


@pytest.mark.parametrize(
    ("categories", "worst"),
    [
        ([], "identical"),
        (["identical"], "identical"),
        (["no_params"], "no_params"),
        (["default_differs", "renamed_params"], "default_differs"),
        (["behaviour_differs", "input_usage_differs"], "behaviour_differs"),
        (list(vocabulary.CATEGORIES), "missing"),
    ],
    ids=str,
)
def test_the_worst_category_is_the_last_in_order(categories: list[str], worst: str) -> None:
    assert vocabulary.worst(categories) == worst


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
CHAIN = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 120))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (BOMB, 1, "more than 50000 values, aliases counted in full"),
        (CHAIN, 1, "nested deeper than 100 levels"),
        (f"torch: {'[' * 100_000}", 1, "nested deeper than 100 levels"),
        ("".join(f"{' ' * n}a:\n" for n in range(600)), 101, "nested deeper than 100 levels"),
        ("- " * 30_000, 1, "nested deeper than 100 levels"),
    ],
    ids=["aliases of aliases", "a chain of aliases", "brackets", "mappings", "lists"],
)
def test_a_file_that_would_never_end_is_refused(
    text: str, line: int, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "abs.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        records.read_record(path)
    assert caught.value.problems == [Problem(path, line, message)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no named pipes among files")
def test_a_pipe_is_no_data_file(tmp_path: Path) -> None:
    path = tmp_path / "abs.yaml"
    os.mkfifo(path)
    with pytest.raises(DataError) as caught:
        records.read_record(path)
    assert caught.value.problems == [Problem(path, 1, "not a regular file")]
