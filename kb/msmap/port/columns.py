"""What samples of a loader's data are: MindSpore's batches take tuples of arrays or numbers."""

from __future__ import annotations

from msmap.code import containers
from msmap.code.refusal import Refused
from msmap.code.uses import Use
from msmap.code.values import ARRAY, PLAIN, UNKNOWN, Items, Keyed, Value, is_tensor
from msmap.model import Record
from msmap.port.rewriter import Rewriter

LOADER = "torch.utils.data.DataLoader"


def check(work: Rewriter, use: Use, record: Record) -> None:
    """Refuse a loader whose samples are proved to be no tuples; where they may be, say so.

    Raises:
        Refused: with what to write instead.
    """
    if record.torch != LOADER or work.resolver.own or _collates(use):
        return
    one = containers.sample(work.resolver.reading, _data(work, use))
    if is_tensor(one) or one in (ARRAY, PLAIN):
        raise Refused(
            "argument",
            f"{LOADER}: a sample of this data is one value, no tuple, and MindSpore gives each"
            ' batch as a list of one. Write mindspore.dataset.GeneratorDataset(data, ["x"],'
            " shuffle=False).batch(n), and loop with for x, in loader",
            f"{LOADER}：该数据集的样本是单个值而非元组，MindSpore 的每个批次是只含一个元素的列表。"
            '请写 mindspore.dataset.GeneratorDataset(data, ["x"], shuffle=False).batch(n)，'
            "并用 for x, in loader 遍历",
        )
    if isinstance(one, Keyed):
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
    if not isinstance(one, Items):
        # The columns are counted where it runs, and of what is no tuple wrongly.
        work.notes += [c.text for c in record.caveats if c.id == "column-names"]


def _collates(use: Use) -> bool:
    """Whether something else puts the samples together, which is told by itself."""
    return any(one.arg in ("collate_fn", "batch_sampler") for one in use.node.keywords)  # type: ignore[attr-defined]


def _data(work: Rewriter, use: Use) -> Value:
    given = work.resolver.reading.given
    nodes = [one.value for one in use.node.keywords if one.arg == "dataset"]  # type: ignore[attr-defined]
    nodes += use.node.args[:1]  # type: ignore[attr-defined]
    return given.get(nodes[0], UNKNOWN) if nodes else UNKNOWN
