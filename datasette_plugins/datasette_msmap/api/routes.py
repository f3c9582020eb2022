"""The routes of the API, in the order of its document."""

from __future__ import annotations

from collections.abc import Iterable

from datasette_msmap.api import endpoints, lines, openapi, parts
from datasette_msmap.api.table import Argument, Number, Route
from datasette_msmap.web.responses import DEVICES, Ask
from msmap import tabled, vocabulary
from msmap.query.knowledge_base import KnowledgeBase


def _releases(ask: Ask) -> Iterable[str]:
    """Every spelling of a release: 2.10.0, and 2.10 for the newest of these."""
    known = list(ask.kb.known_releases())
    return dict.fromkeys([*(name.rpartition(".")[0] for name in known), *known])


def _sources(ask: Ask) -> Iterable[str]:
    documents = [source.id for source in ask.once(KnowledgeBase.sources)]
    return [*documents, *(table.id for table in ask.once(KnowledgeBase.tables))]


def _topics(ask: Ask) -> Iterable[str]:
    return dict.fromkeys(claim.topic for claim in ask.once(KnowledgeBase.claims))


def _guides(ask: Ask) -> Iterable[str]:
    return [guide.id for guide in ask.once(KnowledgeBase.guides)]


_MINDSPORE = Argument(
    "mindspore",
    ("As of that MindSpore release; the newest if left out.",
     "按该 MindSpore 版本回答；缺省为最新版本。"),
    "2.10",
    listed=_releases,
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


_LIMIT = Argument(
    "limit",
    ("How many at most; all if left out. `Link` has the next.",
     "最多返回多少条；缺省为全部。下一页见响应头 `Link`。"),
    "20",
    number=Number(1, 1000, None),
)  # fmt: skip
_OFFSET = Argument(
    "offset", ("How many to leave out first.", "跳过前面多少条。"), "0",
    number=Number(0, 100_000, 0),
)  # fmt: skip


def _fields(example: str, *schemas: str) -> Argument:
    """The argument that chooses fields of what answers of these schemas are made of."""
    known = [name for schema in schemas for name in parts.fields(openapi.schema(schema), schema)]
    return Argument(
        "fields",
        ("Only these fields of each item; all if left out.", "每一项只返回这些字段；缺省为全部。"),
        example, choices=tuple(dict.fromkeys(known)), many=len(known),
    )  # fmt: skip


def _with_cut(*schemas: str) -> tuple[str, ...]:
    """What an answer may have instead of the first of these: the others, and any of them cut."""
    return (*schemas[1:], *(name + parts.CUT for name in schemas))


# Those of either view; what the one that is asked doesn't have is refused.
_LOOKUP_FIELDS = _fields("torch,category", "lookup", "lookup-summary")


def _choice(name: str, words: tuple[str, str], terms: dict[str, tuple[str, str]]) -> Argument:
    return Argument(name, words, next(iter(terms)), choices=tuple(terms))


ROUTES = (
    Route(
        "/lookup/{name}",
        endpoints.lookup,
        "lookup",
        ("The record of a PyTorch name, or what a MindSpore name was in PyTorch.",
         "PyTorch API 的记录；若是 MindSpore 的名称，则给出它在 PyTorch 中的对应接口。"),
        (_NAME, Argument(
            "view",
            ("summary: a line about it instead of all that there is.",
             "取 summary 时只给出概要，而非全部内容。"),
            "summary", choices=("full", "summary"),
        ), _LOOKUP_FIELDS, _MINDSPORE, _DEVICE),
        misses=True,
        also=_with_cut("lookup", "lookup-summary"),
    ),
    Route(
        "/lookup",
        endpoints.lookups,
        "lookup-summary",
        ("A line about each of up to 1,000 names, or with view=full all that there is; what nobody"
         " knows has `found` false.",
         "一次查询至多 1000 个名称，每个名称给出概要；取 view=full 时给出全部内容。"
         "未知的名称其 `found` 为 false。"),
        (Argument(
            "names", ("Names in any usual spelling.", "API 名称，任何常见写法均可。"),
            "nn.Dropout,torch.cat", required=True, longest=300, many=1000,
        ), Argument(
            "view",
            ("full: all that there is of each, up to 4 MB in all.",
             "取 full 时给出每个名称的全部内容，总计至多 4 MB。"),
            "full", choices=("summary", "full"),
        ), _LOOKUP_FIELDS, _MINDSPORE, _DEVICE),
        slow=True,
        body="names",
        also=_with_cut("lookup-summary", "lookup"),
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
         Argument("limit", ("How many at most.", "最多返回多少条。"), "20",
                  number=Number(1, 200, 20)),
         Argument("offset", ("How many to leave out first.", "跳过前面多少条。"), "0",
                  number=Number(0, 200, 0)),
         Argument(
             "kind", ("Only results of this kind.", "只返回该类结果。"), "record",
             choices=("record", "guide", "probe"),
         ), _fields("name,title", "search")),
        also=_with_cut("search"),
        aside=True,
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
        ), _LIMIT, _OFFSET, _fields("torch,mindspore", "list"), _MINDSPORE),
        also=_with_cut("list"),
        aside=True,
    ),
    Route(
        "/names",
        endpoints.names,
        "names",
        ("The names of PyTorch without a record, by name: what was found by running, or why"
         " nothing was.",
         "没有记录的 PyTorch 名称，按名称排序：由运行得出的结果，或未能运行的原因。"),
        (Argument(
            "namespace", ("A namespace, with those below it.", "命名空间，含其下级。"),
            "torch.distributed",
        ), Argument(
            "basis", ("What there is instead of a record.", "记录之外的依据。"), "known",
            choices=("probed", "known"),
        ), _LIMIT, _OFFSET, _fields("torch,reason", "names")),
        also=_with_cut("names"),
        aside=True,
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
        (_fields("id,title", "guide"),),
        tags=("guides",),
        also=_with_cut("guide"),
        aside=True,
    ),
    Route(
        "/guides/{id}",
        endpoints.guide,
        "guide",
        ("One guide.", "一篇指南。"),
        (Argument("id", ("The id of the guide.", "指南的 id。"), "dropout", required=True,
                  listed=_guides),
         _fields("id,title", "guide")),
        misses=True,
        tags=("guides",),
        also=_with_cut("guide"),
    ),
    Route(
        "/claims",
        endpoints.claims,
        "claims",
        ("Statements of documents with what running them shows, and the documents.",
         "文档中的说法及其运行结论，以及这些文档。"),
        (_choice("verdict", ("What running it shows.", "运行得出的结论。"), tabled.ROW_VERDICTS),
         Argument("source", ("The id of a document or a table.", "文档或映射表的 id。"),
                  "model-and-cell-zh", listed=_sources),
         Argument("about", ("A name of either framework.", "任一框架的 API 名称。"), "nn.Dropout"),
         Argument("topic", ("The topic of the statements.", "说法所属的主题。"), "dropout",
                  listed=_topics),
         _LIMIT, _OFFSET, _fields("id,verdict", "claims")),
        tags=("claims",),
        also=_with_cut("claims"),
        aside=True,
    ),
    Route(
        "/stats",
        endpoints.stats,
        "stats",
        ("Counts of names, records, checks and outcomes.", "API 名称、记录、检查与结果的统计。"),
        tags=("database",),
    ),
    Route(
        "/coverage",
        endpoints.coverage,
        "coverage",
        ("How many names of each namespace have a record, were run, or are only known.",
         "各命名空间中已有记录、由运行得出、仅知其名的名称数量。"),
        (Argument(
            "namespace", ("A namespace, with those below it.", "命名空间，含其下级。"), "torch.nn",
        ),),
        tags=("database",),
        aside=True,
    ),
    Route(
        "/drift",
        endpoints.drift,
        "drift",
        ("What changes from one release of MindSpore to another: records, names, signatures.",
         "MindSpore 两个版本之间的变化：记录、名称与签名。"),
        (Argument("from", ("The earlier release; the last but one if left out.",
                           "较早的版本；缺省为倒数第二个版本。"), "2.9", listed=_releases),
         Argument("to", ("The later one; the newest if left out.",
                         "较晚的版本；缺省为最新版本。"), "2.10", listed=_releases)),
        slow=True,
        tags=("database",),
    ),
    Route(
        "/port",
        endpoints.port,
        "port",
        ("PyTorch code as MindSpore code: the edits as spans, what was refused at its place, and"
         " each call with the caveats that it triggers.",
         "把 PyTorch 代码转写为 MindSpore 代码：给出各处改动的位置、无法转写之处，"
         "以及每次调用所涉及的注意事项。"),
        (_CODE, Argument(
            "probed",
            ("1: where there is no record, use what a machine found by running it; notes say so.",
             "取 1 时：没有记录的 API 使用由运行得出的对应接口，并在 notes 中注明。"),
            "1", choices=("0", "1"),
        ), _MINDSPORE, _DEVICE),
        slow=True,
        body="code",
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
