"""The routes of the API, in the order of its document."""

from __future__ import annotations

from datasette_msmap.api import endpoints, lines
from datasette_msmap.api.table import Argument, Route
from datasette_msmap.web.responses import DEVICES
from msmap import tabled, vocabulary

_MINDSPORE = Argument(
    "mindspore",
    ("As of that MindSpore release; the newest if left out.",
     "按该 MindSpore 版本回答；缺省为最新版本。"),
    "2.10",
)  # fmt: skip
_DEVICE = Argument(
    "device",
    ("For that device: the best target there first, and what was seen there; all if left out.",
     "按该平台回答：该平台上的首选写法在前，并给出在该平台上观察到的差异；缺省为全部平台。"),
    "ascend",
    choices=tuple(DEVICES),
)  # fmt: skip
_NAME = Argument(
    "name",
    ("A name in any usual spelling.", "API 名称，任何常见写法均可。"),
    "torch.nn.Dropout",
    required=True,
    longest=300,
)
_CODE = Argument(
    "code",
    ("PyTorch code: a call, or a whole source.", "PyTorch 代码：一次调用或整段源码。"),
    "torch.cat([a,b],dim=1)",
    required=True,
    longest=50_000,
)


def _choice(name: str, words: tuple[str, str], terms: dict[str, tuple[str, str]]) -> Argument:
    return Argument(name, words, next(iter(terms)), choices=tuple(terms))


ROUTES = (
    Route(
        "/lookup/{name}",
        endpoints.lookup,
        "lookup",
        ("The record of a PyTorch name, or what a MindSpore name was in PyTorch.",
         "PyTorch API 的记录；若是 MindSpore 的名称，则给出它在 PyTorch 中的对应接口。"),
        (_NAME, _MINDSPORE, _DEVICE),
        misses=True,
    ),
    Route(
        "/reverse/{name}",
        endpoints.reverse,
        "lookup",
        ("What a MindSpore name was in PyTorch.", "MindSpore API 在 PyTorch 中的对应接口。"),
        (Argument(
            "name",
            ("A MindSpore name in any usual spelling.", "MindSpore API 名称，任何常见写法均可。"),
            "mindspore.nn.Dropout", required=True, longest=300,
        ), _MINDSPORE),
        misses=True,
    ),
    Route(
        "/search",
        endpoints.search,
        "search",
        ("Records, guides and probes for words, a pasted name or an error message, best first.",
         "按词语、粘贴的名称或报错信息查找记录、指南与探测结果，最相关的在前。"),
        (Argument(
            "q", ("Words in English or Chinese, or names.", "中文或英文词语，或 API 名称。"),
            "dropout", required=True, longest=500,
        ),
         Argument("limit", ("How many at most.", "最多返回多少条。"), "20", number=(20, 200)),
         Argument(
             "kind", ("Only results of this kind.", "只返回该类结果。"), "record",
             choices=("record", "guide", "probe"),
         )),
    ),
    Route(
        "/list",
        endpoints.listed,
        "list",
        ("The records that fit all filters, by name.", "符合全部筛选条件的记录，按名称排序。"),
        (Argument(
            "namespace", ("A namespace, with those below it.", "命名空间，含其下级。"), "torch.nn",
        ),
         _choice("category", ("Category of difference.", "差异类别。"), vocabulary.CATEGORIES),
         _choice("verification", ("How far it is verified.", "验证程度。"),
                 vocabulary.VERIFICATIONS),
         Argument(
            "device",
            ("Where the best target there runs.", "该平台上的首选写法可在其上运行。"),
            "cpu", choices=tuple(DEVICES),
        ), _MINDSPORE),
    ),
    Route(
        "/evidence/{name}",
        endpoints.evidence,
        "evidence-show",
        ("The checks of a record, each with what came out of it and its variants.",
         "一条记录的全部检查，以及每项检查及其变体的运行结果。"),
        (_NAME,
         Argument("environment", ("Part of an environment's name.", "环境名称的一部分。"), "cpu"),
         _MINDSPORE),
        misses=True,
    ),
    Route(
        "/guides",
        endpoints.guides,
        "guide",
        ("All guides.", "全部指南。"),
        tags=("guides",),
    ),
    Route(
        "/guides/{id}",
        endpoints.guide,
        "guide",
        ("One guide.", "一篇指南。"),
        (Argument("id", ("The id of the guide.", "指南的 id。"), "dropout", required=True),),
        misses=True,
        tags=("guides",),
    ),
    Route(
        "/claims",
        endpoints.claims,
        "claims",
        ("Statements of documents with what running them shows, and the documents.",
         "文档中的说法及其运行结论，以及这些文档。"),
        (_choice("verdict", ("What running it shows.", "运行得出的结论。"), tabled.ROW_VERDICTS),
         Argument("source", ("The id of a document or a table.", "文档或映射表的 id。"),
                  "model-and-cell-zh"),
         Argument("about", ("A name of either framework.", "任一框架的 API 名称。"), "nn.Dropout"),
         Argument("topic", ("The topic of the statements.", "说法所属的主题。"), "dropout")),
        tags=("claims",),
    ),
    Route(
        "/stats",
        endpoints.stats,
        "stats",
        ("Counts of names, records, checks and outcomes.", "API 名称、记录、检查与结果的统计。"),
        tags=("database",),
    ),
    Route(
        "/port",
        endpoints.port,
        "port",
        ("PyTorch code as MindSpore code; `code` is null where anything was refused.",
         "把 PyTorch 代码转写为 MindSpore 代码；有无法转写之处时 `code` 为 null。"),
        (_CODE, Argument(
            "probed",
            ("1: where there is no record, use what a machine found by running it; notes say so.",
             "取 1 时：没有记录的 API 使用由运行得出的对应接口，并在 notes 中注明。"),
            "1", choices=("0", "1"),
        ), _MINDSPORE, _DEVICE),
        slow=True,
        posts=True,
        tags=("port",),
    ),
    Route(
        "/records.ndjson",
        lines.records,
        "record-line",
        ("Every record, a line of JSON each.", "全部记录，每行一个 JSON 对象。"),
        kind="lines",
        slow=True,
        tags=("database",),
    ),
    Route(
        "/evidence.ndjson",
        lines.evidence,
        "evidence-line",
        ("What came out of every check in every environment, a line of JSON each.",
         "所有检查在各环境中的结果，每行一个 JSON 对象。"),
        kind="lines",
        slow=True,
        tags=("database",),
    ),
)  # fmt: skip
