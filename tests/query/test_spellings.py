"""Names of both frameworks as people spell them, and what is told of those that nobody has."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap.errors import NotFound
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import cold
from msmap.query.names import lookup as understood

HOSTILE = [
    "",
    " ",
    "'",
    '"',
    '""',
    'a"b',
    "'; DROP TABLE record; --",
    "*",
    "^torch",
    "-",
    "NOT",
    "AND OR NOT",
    "NEAR(a b)",
    "a AND",
    "names:cat",
    "{names title}: cat",
    "(",
    ")",
    "%",
    "_",
    "\\",
    "?",
    "\0",
    "torch.nn.\0Dropout",
    "cat\0",
    "\n",
    "\ud800",
    "torch.nn.\udcff",
    "ﬀ",
    "İ",
    "😀",
    "..",
    "torch.",
    ".cat",
    "mindspore.",
    "()",
    "torch.cat" * 5000,
    "词" * 5000,
]


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("torch.nn.Dropout", "torch.nn.Dropout"),
        ("nn.Dropout", "torch.nn.Dropout"),
        ("Dropout", "torch.nn.Dropout"),
        ("Dropout()", "torch.nn.Dropout"),
        ("  torch.nn.Dropout\n", "torch.nn.Dropout"),
        ("torch.nn.modules.dropout.Dropout", "torch.nn.Dropout"),
        ("cat", "torch.cat"),
        ("torch.concat", "torch.cat"),
        ("concat", "torch.cat"),
        ("torch._VariableFunctionsClass.concat", "torch.cat"),
        ("th.cat", "torch.cat"),
        ("F.dropout", "torch.nn.functional.dropout"),
        ("functional.dropout", "torch.nn.functional.dropout"),
        ("dropout", "torch.nn.functional.dropout"),
        ("Tensor.size", "torch.Tensor.size"),
        ("size", "torch.Tensor.size"),
        ("cuda.empty_cache", "torch.cuda.empty_cache"),
        ("torch.cuda.memory.empty_cache", "torch.cuda.empty_cache"),
        ("torch.dropout", None),
        ("ops.cat", None),
        ("mindspore.nn.Dropout", None),
        ("torch", None),
        ("nothing", None),
    ],
)
def test_a_spelling_of_a_torch_name(spelling: str, name: str | None, kb: KnowledgeBase) -> None:
    assert kb.torch_name(spelling) == name


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("mindspore.nn.Dropout", "mindspore.nn.Dropout"),
        ("nn.Dropout", "mindspore.nn.Dropout"),
        ("msnn.Dropout", "mindspore.nn.Dropout"),
        ("ms.nn.Dropout", "mindspore.nn.Dropout"),
        ("Dense", "mindspore.nn.Dense"),
        ("Dense()", "mindspore.nn.Dense"),
        ("mindspore.nn.layer.basic.Dense", "mindspore.nn.Dense"),
        ("ops.cat", "mindspore.ops.cat"),
        ("ops.concat", "mindspore.ops.cat"),
        ("mint.cat", "mindspore.mint.cat"),
        ("mint.nn.ReLU", "mindspore.nn.ReLU"),
        ("cat", "mindspore.ops.cat"),
        ("torch.cat", None),
        ("mindspore.nothing", None),
    ],
)
def test_a_spelling_of_a_mindspore_name(spelling: str, name: str | None, kb: KnowledgeBase) -> None:
    assert kb.mindspore_name(spelling) == name


@pytest.mark.parametrize(
    ("spelling", "mindspore"),
    [
        ("nn.Dropout", False),
        ("torch.cat", False),
        ("cat", False),
        ("nothing", False),
        ("torch.nothing", False),
        ("ops.cat", True),
        ("Dense", True),
        ("ms.nn.Dropout", True),
        ("mindspore.nn.Dropout", True),
        ("mindspore.nothing", True),
    ],
)
def test_where_both_frameworks_have_a_name_pytorch_is_meant(
    spelling: str, mindspore: bool, kb: KnowledgeBase
) -> None:
    assert kb.is_mindspore(spelling) is mindspore


@pytest.mark.parametrize(
    ("name", "known", "nearest", "message"),
    [
        (
            "torch.nn.Dropuot",
            None,
            "torch.nn.Dropout",
            "torch.nn.Dropuot is not known; nearest: torch.nn.Dropout, ",
        ),
        (
            "torch.nn.dropout",
            None,
            "torch.nn.Dropout",
            "torch.nn.dropout is not known; nearest: torch.nn.Dropout, ",
        ),
        (
            "relu",
            "torch.relu",
            "torch.nn.ReLU",
            "torch.relu is known, but has no record yet; nearest: torch.nn.ReLU, ",
        ),
    ],
)
def test_lookup_of_what_has_no_record_says_what_is_near(
    name: str, known: str | None, nearest: str, message: str, kb: KnowledgeBase
) -> None:
    with pytest.raises(NotFound) as caught:
        kb.lookup(name)
    error = caught.value
    assert (error.name, error.known, error.nearest[0]) == (name, known, nearest)
    assert str(error) == message + ", ".join(error.nearest[1:])
    assert len(error.nearest) == 5


def test_lookup_of_what_resembles_nothing_names_nothing(kb: KnowledgeBase) -> None:
    with pytest.raises(NotFound) as caught:
        kb.lookup("zzzzzzzzzzzz")
    assert (str(caught.value), caught.value.nearest) == ("zzzzzzzzzzzz is not known", ())


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name[:20]))
def test_no_name_is_more_than_a_name(name: str, kb: KnowledgeBase) -> None:
    """Quotes, operators and bytes that are no text are just not found."""
    for ask in (kb.lookup, kb.reverse, kb.guide):
        with pytest.raises(NotFound) as caught:
            ask(name)
        assert (caught.value.name, caught.value.known) == (name, None)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_no_search_text_is_more_than_words(text: str, kb: KnowledgeBase) -> None:
    """Whatever is typed, the answer is a list of hits that are really there."""
    known = {"training", *(s.torch for s in kb.records())}
    assert {hit.name for hit in kb.search(text)} <= known
    assert kb.search("cat")[0].name == "torch.cat"


@pytest.mark.parametrize(
    ("prefix", "limit", "names"),
    [
        ("torch.nn", 200, ["torch.nn.Dropout", "torch.nn.GELU"]),
        ("mindspore.m", 200, ["mindspore.mint.cat", "mindspore.mint.nn.GELU"]),
        ("torch.", 2, ["torch.Tensor.size", "torch.cat"]),
        ("torch.cat", 200, ["torch.cat"]),
        ("%", 200, []),
        ("'", 200, []),
    ],
)
def test_names_that_start_so(prefix: str, limit: int, names: list[str], kb: KnowledgeBase) -> None:
    assert kb.completions(prefix, limit) == names


@pytest.mark.parametrize(
    ("word", "name", "others"),
    [
        # What the documentation has stands before torch.dropout, which it hasn't.
        ("dropout", "torch.nn.functional.dropout", ["torch.nn.Dropout"]),
        ("celu", "torch.nn.functional.celu", ["torch.nn.CELU"]),
        ("rms_norm", "torch.nn.functional.rms_norm", ["torch.nn.RMSNorm"]),
        ("lstm", "torch.nn.LSTM", ["torch.lstm"]),
        ("embedding", "torch.nn.functional.embedding", ["torch.nn.Embedding"]),
        ("linear", "torch.nn.functional.linear", ["torch.nn.Linear"]),
        ("conv2d", "torch.nn.functional.conv2d", ["torch.nn.Conv2d"]),
        ("layer_norm", "torch.nn.functional.layer_norm", ["torch.nn.LayerNorm"]),
        ("max_pool2d", "torch.nn.functional.max_pool2d", ["torch.nn.MaxPool2d"]),
        ("batch_norm", "torch.nn.functional.batch_norm", ["torch.batch_norm"]),
        ("cross_entropy", "torch.nn.functional.cross_entropy", []),
        # A function of a module before the method.
        ("softmax", "torch.nn.functional.softmax", ["torch.Tensor.softmax", "torch.nn.Softmax"]),
        ("relu", "torch.nn.functional.relu", ["torch.nn.ReLU", "torch.relu"]),
        ("transpose", "torch.transpose", ["torch.Tensor.transpose"]),
        ("Dropout", "torch.nn.Dropout", ["torch.nn.functional.dropout"]),
        ("DROPOUT", "torch.nn.Dropout", ["torch.nn.functional.dropout"]),
        ("Adam", "torch.optim.Adam", []),
        ("adam", "torch.optim.Adam", []),
        ("SGD", "torch.optim.SGD", []),
        ("DataLoader", "torch.utils.data.DataLoader", []),
        ("step", "torch.optim.Optimizer.step", ["torch.optim.lr_scheduler.LRScheduler.step"]),
        ("nn.Dropout", "torch.nn.Dropout", []),
        ("Dense", "mindspore.nn.Dense", []),
    ],
)
def test_a_last_part_alone_is_what_is_used_most(
    word: str, name: str, others: list[str], shipped: Path
) -> None:
    """And what else it may mean is told."""
    with KnowledgeBase.open(shipped) as kb:
        [answer] = understood.answer(kb, word)
    found = answer.record.torch if answer.record else answer.reverse and answer.reverse.api.name
    missing = [other for other in others if other not in answer.nearest]
    assert (found, missing, bool(answer.nearest) and not others) == (name, [], False)


@pytest.mark.parametrize("text", ["torch.nn.functional", "import torch.nn.functional as F"])
def test_a_namespace_with_a_record_tells_what_is_in_it_too(text: str, shipped: Path) -> None:
    with KnowledgeBase.open(shipped) as kb:
        [answer] = understood.answer(kb, text)
    assert answer.record is not None
    assert answer.group is not None
    assert {answer.record.torch, answer.group.namespace} == {"torch.nn.functional"}
    assert "torch.nn.functional.relu" in dict(answer.group.names)


def test_a_stored_page_does_not_stand_for_a_namespace(
    shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MSMAP_DB", str(shipped))
    told = [cold.pages([name], "en") for name in ("torch.nn", "torch.nn.Linear")]
    assert [found is None for found in told] == [True, False]
