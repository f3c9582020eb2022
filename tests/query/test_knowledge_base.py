"""The knowledge base: names in any spelling, reverse, search, filters, and pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import support

from msmap.claimed import Claim, Part, Place, Shown, Source
from msmap.errors import NotFound
from msmap.model import Api, Hit, Summary, Text
from msmap.query.knowledge_base import KnowledgeBase
from msmap.store import build as store

EVERYWHERE = ("Ascend", "GPU", "CPU")
CAT = Summary(
    "torch.cat", "mindspore.mint.cat", "identical", "verified", EVERYWHERE,
    Text("Joins tensors along a dimension.", "沿指定维度拼接张量。"), ("CPU",),
)  # fmt: skip
DROPOUT = Summary(
    "torch.nn.Dropout", "mindspore.nn.Dropout", "source_more_params", "verified_forward_only",
    EVERYWHERE, Text("Zeroes elements at random while training.", "训练时将元素随机置零。"),
    ("CPU",),
)  # fmt: skip
GELU = Summary(
    "torch.nn.GELU", "mindspore.nn.GELU", "input_usage_differs", "verified", EVERYWHERE,
    Text("The Gaussian error linear unit.", "高斯误差线性单元。"), ("CPU",),
)  # fmt: skip
SIZE = Summary(
    "torch.Tensor.size", "{self}.shape", "composite", "verified", (),
    Text("The shape of a tensor, or one dimension of it.", "张量的形状，或其中一维的大小。"),
    ("CPU",),
)  # fmt: skip
EMPTY_CACHE = Summary(
    "torch.cuda.empty_cache", "", "removable", "unverified", (),
    Text("Gives cached memory back to the device.", "将缓存的显存归还给设备。"),
)  # fmt: skip
SCRIPT = Summary(
    "torch.jit.script", "", "missing", "unverified", (),
    Text("Compiles a function or a module.", "编译函数或模块。"),
)  # fmt: skip
EVERYTHING = [SIZE, CAT, EMPTY_CACHE, SCRIPT, DROPOUT, GELU]


@pytest.mark.parametrize("spelling", ["torch.cat", "concat", "cat()"])
def test_lookup_gives_the_record_whole(spelling: str, kb: KnowledgeBase, data: Path) -> None:
    """The record that comes out of the database is the one that went in."""
    assert kb.lookup(spelling) == support.read(data).base.records["torch.cat"]


def test_every_record_and_guide_comes_out_as_it_went_in(kb: KnowledgeBase, data: Path) -> None:
    base = support.read(data).base
    assert {s.torch: kb.lookup(s.torch) for s in kb.records()} == base.records
    assert {g.id: g for g in kb.guides()} == base.guides


def test_an_alias_with_a_record_of_its_own_stands_for_itself(checkout: Path) -> None:
    text = (checkout / "records" / "torch" / "cat.yaml").read_text(encoding="utf-8")
    alias = checkout / "records" / "torch" / "concat.yaml"
    alias.write_text(text.replace("torch: torch.cat\n", "torch: torch.concat\n"), encoding="utf-8")
    store.build(checkout, Path("msmap.db"))
    with KnowledgeBase.open("msmap.db") as kb:
        names = [kb.lookup(n).torch for n in ("torch.cat", "torch.concat", "concat")]
        assert names == ["torch.cat", "torch.concat", "torch.concat"]


def test_an_alias_stands_for_the_canonical_name_that_has_no_record(checkout: Path) -> None:
    cat = checkout / "records" / "torch" / "cat.yaml"
    text = cat.read_text(encoding="utf-8").replace("torch: torch.cat\n", "torch: torch.concat\n")
    cat.with_name("concat.yaml").write_text(text, encoding="utf-8")
    cat.unlink()
    store.build(checkout, Path("msmap.db"))
    with KnowledgeBase.open("msmap.db") as kb:
        found = [kb.lookup(n).torch for n in ("torch.cat", "torch.concat", "cat")]
        assert found == ["torch.concat"] * 3
        assert "mindspore.mint.cat([a, b])" in kb.port("import torch\ntorch.cat([a, b])\n").code


@pytest.mark.parametrize("spelling", ["ops.cat", "mindspore.ops.concat", "ops.concat()"])
def test_reverse_gathers_what_maps_to_a_name_and_to_its_aliases(
    spelling: str, kb: KnowledgeBase
) -> None:
    """`torch.cat` maps to `mindspore.ops.concat`, which is an alias of `mindspore.ops.cat`."""
    found = kb.reverse(spelling)
    assert found.api == Api(
        "mindspore.ops.cat", "mindspore", "2.10.0", "function", ("(tensors, axis=0)",), (),
        EVERYWHERE, "",
    )  # fmt: skip
    assert [(rank, s.torch) for rank, s in found.sources] == [(2, "torch.cat")]


def test_reverse_says_how_that_very_target_differs(kb: KnowledgeBase) -> None:
    """`torch.cat` is identical to its best target, but this one has another name for `dim`."""
    assert [s.category for _, s in kb.reverse("ops.cat").sources] == ["renamed_params"]


def test_reverse_of_a_best_target_is_the_summary_of_the_record(kb: KnowledgeBase) -> None:
    assert kb.reverse("mindspore.nn.Dropout").sources == ((1, DROPOUT),)


@pytest.mark.parametrize(
    ("name", "known", "message"),
    [
        ("Dense", "mindspore.nn.Dense", "mindspore.nn.Dense is known, but has no record yet"),
        ("mindspore.zzz.zzzzzzzzz", None, "mindspore.zzz.zzzzzzzzz is not known"),
    ],
)
def test_reverse_of_what_nothing_maps_to(
    name: str, known: str | None, message: str, kb: KnowledgeBase
) -> None:
    with pytest.raises(NotFound) as caught:
        kb.reverse(name)
    assert caught.value.known == known
    assert str(caught.value).partition(";")[0] == message


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("dropout", ["torch.nn.Dropout"]),
        ("Dropout", ["torch.nn.Dropout"]),
        ("DROPOUT", ["torch.nn.Dropout"]),
        ("drop", ["torch.nn.Dropout"]),
        ("torch.nn.Dropout", ["torch.nn.Dropout"]),
        ("mindspore.nn.GELU", ["torch.nn.GELU"]),
        ("concat", ["torch.cat"]),
        ("empty_cache", ["torch.cuda.empty_cache"]),
        ("empty cache", ["torch.cuda.empty_cache"]),
        ("keep_prob", ["torch.nn.Dropout"]),
        ("gaussian unit", ["torch.nn.GELU"]),
        ("unit gaussian", ["torch.nn.GELU"]),
        ("decorate", ["torch.jit.script"]),
        ("training", ["training", "torch.nn.Dropout"]),
        ("evaluation", ["training"]),
        ("拼接", ["torch.cat"]),
        ("张量", ["torch.Tensor.size", "torch.cat"]),
        ("拼接张量", ["torch.cat", "torch.Tensor.size"]),
        ("张量拼接", ["torch.cat", "torch.Tensor.size"]),
        ("张量 拼接", ["torch.cat", "torch.Tensor.size"]),
        ("学习率", ["training"]),
        ("学率", []),
        ("显存", ["torch.cuda.empty_cache"]),
        ("训练 dropout", ["torch.nn.Dropout", "training"]),
        ("训练 keep_prob", ["torch.nn.Dropout", "training"]),
        ("dropout nothing", ["torch.nn.Dropout"]),
        ("nothing", []),
    ],
)
def test_search_finds(text: str, names: list[str], kb: KnowledgeBase) -> None:
    """What has all the words comes first; the last may be unfinished; Chinese is found by pairs."""
    assert [hit.name for hit in kb.search(text)] == names


def test_a_name_counts_for_more_than_a_text(kb: KnowledgeBase) -> None:
    """`tensor` is part of one name and only said of another."""
    assert [hit.name for hit in kb.search("tensor")] == ["torch.Tensor.size", "torch.cat"]


def test_a_hit_says_what_it_is(kb: KnowledgeBase) -> None:
    assert kb.search("拼接") == [Hit("record", "torch.cat", CAT.summary, "mindspore.mint.cat")]
    assert kb.search("学习") == [
        Hit(
            "guide",
            "training",
            Text("Training and evaluation", "训练与推理"),
            "How a layer learns which mode it is in.",
            "words",
            Text("", "设置学习率"),
        )
    ]


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("nn.Dropout(0.5)", [("torch.nn.Dropout", "name")]),
        ('"torch.nn.Dropout"', [("torch.nn.Dropout", "name")]),
        ("NN.DROPOUT", [("torch.nn.Dropout", "name")]),
        ("x.size(-1)", [("torch.Tensor.size", "name")]),
        (".size", [("torch.Tensor.size", "name")]),
        ("what was mindspore.mint.cat", [("torch.cat", "name")]),
        ("module 'mindspore' has no attribute 'cat'", [("torch.cat", "name")]),
        ("cat() got an unexpected keyword argument 'dim'", [("torch.cat", "name")]),
        ("dropuot", [("torch.nn.Dropout", "name")]),
        ("keep_prob dropuot", [("torch.nn.Dropout", "words")]),
    ],
)
def test_a_hit_says_how_it_was_found(
    text: str, hits: list[tuple[str, str]], kb: KnowledgeBase
) -> None:
    assert [(hit.name, hit.by) for hit in kb.search(text)][:1] == hits


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (None, ["training", "torch.nn.Dropout"]),
        ("record", ["torch.nn.Dropout"]),
        ("guide", ["training"]),
        ("probe", []),
    ],
)
def test_search_of_one_kind(kind: str | None, names: list[str], kb: KnowledgeBase) -> None:
    assert [hit.name for hit in kb.search("training", kind=kind)] == names


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_search_stops_at_the_limit_with_the_best(limit: int, kb: KnowledgeBase) -> None:
    assert kb.search("torch", limit) == kb.search("torch", 20)[:limit]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, EVERYTHING),
        ({"namespace": "torch.nn"}, [DROPOUT, GELU]),
        ({"namespace": "torch"}, EVERYTHING),
        ({"namespace": "torch.n"}, []),
        ({"namespace": "torch.nn.Dropout"}, []),
        ({"namespace": "%"}, []),
        ({"namespace": ""}, []),
        ({"category": "missing"}, [SCRIPT]),
        ({"category": "behaviour_differs"}, []),
        ({"category": "no such category"}, []),
        ({"verification": "unverified"}, [EMPTY_CACHE, SCRIPT]),
        ({"device": "CPU"}, [SIZE, CAT, DROPOUT, GELU]),
        ({"device": "cpu"}, []),
        ({"namespace": "torch.nn", "verification": "verified"}, [GELU]),
        ({"namespace": "torch.nn", "verification": "unverified"}, []),
        ({"category": "identical", "verification": "verified", "device": "GPU"}, [CAT]),
    ],
    ids=str,
)
def test_records_that_fit_all_filters_by_name(
    filters: dict[str, str], found: list[Summary], kb: KnowledgeBase
) -> None:
    assert kb.records(**filters) == found


def test_a_guide_by_its_id(kb: KnowledgeBase) -> None:
    assert [g.id for g in kb.guides()] == ["training"]
    found = kb.guide("training")
    assert (found.title, found.records) == (
        Text("Training and evaluation", "训练与推理"),
        ("torch.nn.Dropout",),
    )
    assert [(s.id, s.torch, s.mindspore) for s in found.sections] == [
        ("mode", "net.train()", "net.set_train()"),
        ("learning-rate", None, None),
    ]


@pytest.mark.parametrize("name", ["evaluation", "trainning", "nothing"])
def test_a_guide_that_is_not_there_names_those_that_are(name: str, kb: KnowledgeBase) -> None:
    with pytest.raises(NotFound) as caught:
        kb.guide(name)
    assert str(caught.value) == f"{name} is not known; nearest: training"


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, ["starts-in-training", "starts-in-evaluation", "keep-prob", "many-cards"]),
        ({"verdict": "refuted"}, ["starts-in-training"]),
        ({"about": "nn.Dropout"}, ["starts-in-training", "keep-prob"]),
        ({"about": "torch.nn.Dropout"}, ["keep-prob"]),
        ({"about": "torch.cat"}, []),
        ({"topic": "modes", "source": "manual", "verdict": "not_testable"}, ["many-cards"]),
    ],
)
def test_statements_that_fit_all_filters(
    filters: dict[str, str], found: list[str], kb: KnowledgeBase
) -> None:
    assert [claim.id for claim in kb.claims(**filters)] == found


def test_a_statement_has_the_outcomes_of_the_checks_that_show_it(kb: KnowledgeBase) -> None:
    """And a document the sections that statements refer to."""
    environment = "torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64"
    assert kb.claims(verdict="refuted") == [
        Claim(
            topic="modes",
            title=Text("Modes", "模式"),
            id="starts-in-training",
            says=Text("Cells start in training mode.", "Cell 默认处于训练模式。"),
            stands_in=(Place("manual", "modes"),),
            about=("mindspore.nn.Dropout",),
            verdict="refuted",
            until="",
            reason="",
            now=Text("They start in evaluation mode.", "默认处于推理模式。"),
            shown_by=(Shown("guide:training", "start", {environment: "diverges_documented"}),),
            tensorflow=None,
            contradicts=("modes/starts-in-evaluation",),
        )
    ]
    dropout, modes = Text("Dropout", "随机失活"), Text("Modes", "模式")
    assert kb.sources() == [
        Source(
            "manual",
            Text("Manual", "手册"),
            "en",
            "1.9",
            "https://example.org/manual",
            (Part("dropout", dropout, ("torch.nn.Dropout",)), Part("modes", modes, ("training",))),
        )
    ]


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"source": "manuel"}, "manuel is not known; nearest: manual"),
        ({"topic": "mode"}, "mode is not known; nearest: modes"),
    ],
)
def test_a_document_or_topic_that_is_not_there_names_those_that_are(
    filters: dict[str, str], message: str, kb: KnowledgeBase
) -> None:
    with pytest.raises(NotFound) as caught:
        kb.claims(**filters)
    assert str(caught.value) == message


def test_stats_count_everything(kb: KnowledgeBase) -> None:
    assert kb.stats() == {
        "basis": {"curated": 6, "probed": 0, "known": 8},
        "releases": {"torch": "2.13.0", "mindspore": "2.10.0"},
        "names": {"mindspore": 16, "torch": 15},
        "callables_without_signature": {},
        "category": {
            "composite": 1,
            "identical": 1,
            "input_usage_differs": 1,
            "missing": 1,
            "removable": 1,
            "source_more_params": 1,
        },
        "verification": {"verified": 3, "unverified": 2, "verified_forward_only": 1},
        "verdict": {"held_until": 1, "holds": 1, "not_testable": 1, "refuted": 1},
        "outcome": {
            "verified": 5,
            "diverges_documented": 2,
            "untestable": 1,
            "verified_forward_only": 1,
        },
        "variants": {
            "positional": {"agrees": 1},
            "keyword": {"agrees": 1},
            "shuffled": {"agrees": 1},
            "defaults": {"agrees": 1},
            "import-only": {"agrees": 2},
            "graph": {"agrees": 2},
            "float16": {"agrees": 2},
            "bfloat16": {"forward_only": 1},
            "float64": {"raises": 1},
            "int32": {"refused": 1},
            "int64": {"refused": 1},
            "bool": {"refused": 1, "no_kernel": 1},
        },
        "records": 6,
        "guides": 1,
        "claims": 4,
        "caveats": 2,
        "checks": 9,
        "evidence": 9,
    }


def test_an_api_as_its_release_has_it(kb: KnowledgeBase) -> None:
    assert kb.api("mindspore.nn.GELU") == Api(
        "mindspore.nn.GELU", "mindspore", "2.10.0", "class", ("(approximate=True)",), ("(x)",),
        EVERYWHERE, "",
    )  # fmt: skip
    assert kb.api("GELU") is None


def test_port_uses_what_the_database_says(kb: KnowledgeBase, data: Path) -> None:
    """And is the same as with the records still in memory."""
    done = kb.port("torch.cat((a, torch.nn.Dropout(0.1)(b)), dim=x.size(0))")
    assert (done.code, done.notes, done.refusals, set(done.records)) == (
        "mindspore.mint.cat((a, mindspore.nn.Dropout(p=0.1)(b)), dim=x.shape[0])",
        (),
        (),
        {"torch.cat", "torch.nn.Dropout", "torch.Tensor.size"},
    )


def test_a_refusal_is_given_once(kb: KnowledgeBase) -> None:
    """Also where what is refused is itself called."""
    reasons = [r.reason.en for r in kb.port("torch.nn.ReLU()(x)").refusals]
    assert reasons == ["torch.nn.ReLU is known, but has no record yet"]


def test_a_name_without_a_record_says_which_guides_are_about_it(kb: KnowledgeBase) -> None:
    """As it stands in their text or code, whole."""
    with pytest.raises(NotFound) as caught:
        kb.lookup("torch.relu")
    assert caught.value.guides == ()
    with pytest.raises(NotFound) as caught:
        kb.reverse("mindspore.nn.Flatten")
    assert (caught.value.known, caught.value.guides) == ("mindspore.nn.Flatten", ("training",))
    assert "; guides: training; nearest: " in str(caught.value)
