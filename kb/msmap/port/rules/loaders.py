"""What samples of a loader's data are: MindSpore's batches take tuples of arrays or numbers."""

from __future__ import annotations

import ast

from msmap.code.refusal import Refused
from msmap.infer.uses import Use
from msmap.model import Record, Text
from msmap.port import dataset_items
from msmap.port.dataset_items import LOADER
from msmap.port.mode import SOURCES
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter


@rule(Phase.CHECK, modes=SOURCES)
def check(work: Rewriter, use: Use, record: Record) -> None:
    """Refuse a loader whose samples are proved to be no tuples; where they may be, say so.

    Raises:
        Refused: with what to write instead.
    """
    if record.torch != LOADER:
        return
    if _given(use, "collate_fn", "batch_sampler") is not None:
        _collated(work, use)
        return
    given = _given(use, "dataset") or next(iter(use.node.args), None)  # type: ignore[attr-defined]
    found = dataset_items.kinds(work, use, given)
    if found == {dataset_items.VALUE}:
        raise Refused(
            "argument",
            f"{LOADER}: a sample of this data is one value, no tuple, and MindSpore gives each"
            ' batch as a list of one. Write mindspore.dataset.GeneratorDataset(data, ["x"],'
            " shuffle=False).batch(n), and loop with for x, in loader",
            f"{LOADER}：该数据集的样本是单个值而非元组，MindSpore 的每个批次是只含一个元素的列表。"
            '请写 mindspore.dataset.GeneratorDataset(data, ["x"], shuffle=False).batch(n)，'
            "并用 for x, in loader 遍历",
        )
    if dataset_items.DICT in found:
        raise Refused(
            "argument",
            f"{LOADER}: samples of this data are dicts, which MindSpore's batches don't take. Write"
            " loader = [{k: mindspore.ops.stack([mindspore.tensor(row[k]) for row in rows]) for k"
            " in rows[0]} for rows in ([data[i] for i in range(at, min(at + n, len(data)))] for at"
            " in range(0, len(data), n))], in each epoch anew where the data draws at random",
            f"{LOADER}：该数据集的样本是字典，MindSpore 的 batch 不支持。请写 loader = [{{k: "
            "mindspore.ops.stack([mindspore.tensor(row[k]) for row in rows]) for k in rows[0]}"
            " for rows in ([data[i] for i in range(at, min(at + n, len(data)))] for at in"
            " range(0, len(data), n))]；若数据集含随机处理，请在每轮重新生成",
        )
    for caveat in record.caveats if found != {dataset_items.TUPLE} else ():
        if caveat.id == _COLUMNS:
            # They are counted where it runs, and of what is no tuple wrongly.
            work.doubt(use.node, _said(caveat.text))


_COLUMNS = "column-names"


def _said(text: Text) -> Text:
    """The same, of this loader."""
    return Text(
        f"{LOADER}: nothing proves what a sample of this data is. {text.en}",
        f"{LOADER}：无法证明该数据集的样本是什么。{text.zh}",
    )


def _collated(work: Rewriter, use: Use) -> None:
    """Refuse what puts samples together itself, in the code's own words.

    Raises:
        Refused: with what to write instead.
    """
    given = _bound(use)
    data, size, collate = (given.get(n) for n in ("dataset", "batch_size", "collate_fn"))
    if collate is None or data is None or work.source.text(collate) == "None":
        return
    name = work.source.text(data) if isinstance(data, ast.Name) else "data"
    before = [] if isinstance(data, ast.Name) else [f"data = {work.changes.text(data)}"]
    per = "1" if size is None else work.changes.text(size)
    order, end = f"range(len({name}))", f"len({name})"
    if _asks(work, given.get("sampler")):
        order, end = "order", "len(order)"
        before.append(f"order = list({work.source.text(given['sampler'])})")
    elif _asks(work, given.get("shuffle")):
        order = "order"
        before.append(f"order = np.random.permutation(len({name})).tolist()")
    if _asks(work, given.get("drop_last")):
        end += f" - {per} + 1"
    function, written = work.changes.text(collate), work.source.text(collate)
    rows = f"[{name}[i] for i in {order}[at:at + {per}]]"
    batches = f"[{function}({rows}) for at in range(0, {end}, {per})]"
    if _asks(work, given.get("batch_sampler")):
        chosen = work.source.text(given["batch_sampler"])
        batches = f"[{function}([{name}[i] for i in rows]) for rows in {chosen}]"
    en, zh = (f"{word} {' / '.join(before)}{to}" if before else "" for word, to in _BEFORE)
    raise Refused(
        "argument",
        f"{LOADER}: `collate_fn={written}`: MindSpore's batches are not put together by a function"
        f" of samples. {en}In its place write {batches}, in each epoch anew where the data draws"
        " at random or is shuffled",
        f"{LOADER}：`collate_fn={written}`：MindSpore 的 batch 不用样本函数拼接。{zh}"
        f"请改写为 {batches}；若数据集含随机处理或需要打乱，请在每轮重新生成",
    )


_BEFORE = (("Before it write", ". "), ("请先写", "。"))


def _bound(use: Use) -> dict[str, ast.expr]:
    """What a loader is given, by name."""
    call = use.node
    assert isinstance(call, ast.Call)
    names = ("dataset", "batch_size", "shuffle", "sampler", "batch_sampler", "num_workers",
             "collate_fn", "pin_memory", "drop_last")  # fmt: skip
    placed = dict(zip(names, call.args, strict=False))
    return placed | {k.arg: k.value for k in call.keywords if k.arg is not None}


def _asks(work: Rewriter, node: ast.expr | None) -> bool:
    """Whether something is given that isn't False."""
    return node is not None and work.source.text(node) not in ("False", "None")


def _given(use: Use, *names: str) -> ast.expr | None:
    """What a keyword of one of some names gives."""
    keywords = use.node.keywords  # type: ignore[attr-defined]
    return next((one.value for one in keywords if one.arg in names), None)
