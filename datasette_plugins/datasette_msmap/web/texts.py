"""What the site itself says, in both languages; {0} and so on are filled in."""

from __future__ import annotations

from msmap.vocabulary import LANGUAGES

TEXTS: dict[str, tuple[str, str]] = {
    # Around every page
    "site.tagline": (
        "How PyTorch's APIs map to MindSpore's, every claim run",
        "PyTorch API 与 MindSpore API 的对应关系，每条结论都经过运行验证",
    ),
    "site.described": ("PyTorch {0} and MindSpore {1}", "PyTorch {0} 与 MindSpore {1}"),
    "site.licence": ("Data: CC0-1.0. Code: Apache-2.0.", "数据：CC0-1.0；代码：Apache-2.0。"),
    "site.browse": ("All records", "全部记录"),
    "site.tables": ("Data and tables", "数据与数据表"),
    "skip": ("Skip to the content", "跳到正文"),
    "nav": ("Main", "主导航"),
    "nav.browse": ("Browse", "浏览"),
    "nav.guides": ("Guides", "指南"),
    "nav.claims": ("Statements", "文档陈述"),
    "nav.coverage": ("Coverage", "覆盖情况"),
    "nav.releases": ("Releases", "版本变化"),
    "nav.stats": ("Statistics", "统计"),
    "nav.port": ("Rewrite", "转写"),
    "theme": ("Light or dark", "浅色或深色"),
    "theme.auto": ("Auto", "自动"),
    "theme.light": ("Light", "浅色"),
    "theme.dark": ("Dark", "深色"),
    "language.other": ("中文", "English"),
    "search.label": ("Search names and topics", "搜索名称与主题"),
    "search.placeholder": (
        "torch.nn.LayerNorm, F.dropout, learning rate …",
        "torch.nn.LayerNorm、F.dropout、学习率……",
    ),
    "search.go": ("Search", "搜索"),
    "device": ("For", "平台"),
    "copy": ("Copy", "复制"),
    "copied": ("Copied", "已复制"),
    "permalink": ("Link to this", "本条的链接"),
    "all": ("all", "全部"),
    "none": ("none", "无"),
    "more": ("More", "更多"),
    "filter": ("Filter", "筛选"),
    "reset": ("Clear filters", "清除筛选"),
    "and": (", ", "、"),
    "colon": (": ", "："),
    # Home
    "home.title": ("What a PyTorch API is in MindSpore", "PyTorch 的 API 在 MindSpore 中是什么"),
    "home.lead": (
        "{0} APIs mapped, with {1} checks that run both frameworks on the same inputs and compare"
        " values, shapes, dtypes and gradients.",
        "收录 {0} 个 API 的对应关系，附 {1} 个检查：用相同输入运行两个框架，"
        "比较数值、形状、dtype 与梯度。",
    ),
    "home.verification": ("How far verified", "验证程度"),
    "home.category": ("How records differ", "差异类别"),
    "home.rewrite": ("Rewrite code", "转写代码"),
    "home.coverage": ("Names with a record", "已有记录的名称"),
    "home.dangerous": ("Differences that no error reports", "不报错的差异"),
    "home.dangerous.lead": (
        "The call runs, the numbers are others.", "调用可以运行，但数值已经不同。"),
    "home.refuted": ("Statements that running refuted", "被运行结果推翻的陈述"),
    "home.refuted.lead": (
        "Documents say so; both frameworks, run, say otherwise.",
        "文档如此描述，实际运行两个框架却并非如此。",
    ),
    "home.guides": ("Guides", "指南"),
    # Record
    "record.title": ("{0} in MindSpore", "{0} 在 MindSpore 中的对应"),
    "record.becomes": ("becomes", "对应"),
    "record.none": ("no counterpart", "没有对应接口"),
    "record.remove": ("remove the call", "删除该调用"),
    "record.runs": ("documented for {0}", "文档所列平台：{0}"),
    "record.ran": ("ran on {0}", "已在 {0} 上运行"),
    "record.several": ("a composition of several calls", "多个调用的组合"),
    "record.documented": ("Documented for", "文档所列平台"),
    "record.documented.none": ("its documentation lists no device", "文档未列出平台"),
    "record.documented.composed": (
        "a composition has no documentation of its own", "组合写法没有单独的文档"),
    "record.ranon": ("Ran on", "实际运行"),
    "record.ran.date": ("result of {0}", "结果记录于 {0}"),
    "record.unrun": (
        "Not run on {0}: how it comes out there is not known here.",
        "未在 {0} 上运行，那里的结果尚不清楚。",
    ),
    "record.nokernel": ("not run: the CPU has no kernel for it", "未运行：CPU 上没有内核实现"),
    "record.notrun": ("not run", "未运行"),
    "record.silent": ("Changes results without an error", "结果改变且不报错"),
    "record.errors": ("Raises an error", "会报错"),
    "record.morecaveats": ("{0} more below", "下方还有 {0} 条"),
    "record.signatures": ("Signatures", "签名"),
    "record.call": ("called with", "调用"),
    "record.deprecated": ("deprecated", "已弃用"),
    "record.rewriter": ("Rewrite your call", "转写你的调用"),
    "record.caveats": ("Caveats", "注意事项"),
    "record.shown": ("shown by", "由检查证明"),
    "record.seen": ("Seen on {0}:", "在 {0} 上观察到："),
    "record.elsewhere.seen": (
        "Seen on {0}, not known on {1}", "在 {0} 上观察到，{1} 上情况未知"),
    "record.notshown": ("not verified", "未验证"),
    "record.parameters": ("Parameters", "参数"),
    "record.inputs": ("Inputs of the call", "调用时的输入"),
    "record.relation": ("Relation", "关系"),
    "record.becomes.value": ("Becomes", "转写为"),
    "record.state": ("State: parameters and buffers", "状态：参数与缓冲区"),
    "record.returns": ("Returns", "返回值"),
    "record.members": ("Methods you define", "由子类定义的方法"),
    "record.targets": ("Ways to write it", "可选写法"),
    "record.category": ("Difference", "差异"),
    "record.verification": ("Verification", "验证"),
    "record.if": ("if {0} is given", "传入 {0} 时"),
    "record.without": ("without {0}", "未传 {0} 时"),
    "record.since": ("since MindSpore {0}", "自 MindSpore {0} 起"),
    "record.until": ("until MindSpore {0}", "至 MindSpore {0} 止"),
    "record.changed": ("signature changed in {0}", "签名在 {0} 中有变化"),
    "record.evidence": ("Evidence", "证据"),
    "record.evidence.lead": (
        "{0} checks, run on {1}. Squares are MindSpore releases, {2} to {3}.",
        "共 {0} 个检查，运行环境：{1}。方块依次为 MindSpore {2} 至 {3} 各版本。",
    ),
    "record.noevidence": ("No check has run.", "尚未运行任何检查。"),
    "record.checks.none": ("This record has no checks.", "该记录没有检查。"),
    "record.checks.all": ("All with their code", "查看全部检查的代码"),
    "record.check.code": ("Its code, and what came out", "代码与运行结果"),
    "record.checks.failed": (
        "The code of this check could not be fetched.", "未能取得该检查的代码。"),
    "record.changes": ("Changes of this record", "本记录的修改"),
    "record.source": ("Its file", "记录文件"),
    "record.report": ("Report a mistake", "报告错误"),
    "checks.title": ("Checks of {0}", "{0} 的检查"),
    "checks.heading": ("Checks of", "检查："),
    "checks.lead": (
        "Each runs on both frameworks from the same inputs.",
        "每个检查都用相同输入在两个框架上运行。",
    ),
    "record.gradient": ("gradients", "梯度"),
    "record.gradients": ("gradients {0}", "梯度{0}"),
    "record.gave": ("gave", "得到"),
    "record.inputsof": ("inputs", "输入"),
    "record.allreleases": ("{0} in all releases", "各版本均为：{0}"),
    "record.releases": ("by release", "各版本"),
    "record.past": (
        "As of MindSpore {0}. The newest described is {1}.",
        "此页为 MindSpore {0} 的情况；所收录的最新版本为 {1}。",
    ),
    "record.newest": ("See the newest", "查看最新版本"),
    "record.family": ("One answer for several names, written as", "多个名称共用同一答案，记录见"),
    "record.covers": ("Also for", "同样适用于"),
    "record.comma": (", ", "、"),
    "record.guides": ("Guides", "指南"),
    "record.related": ("Related records", "相关记录"),
    "record.references": ("References", "参考"),
    "record.claims": ("Statements about it", "相关的文档陈述"),
    "record.elsewhere": ("Take it along", "以其他方式使用"),
    "record.page": ("On this page", "本页内容"),
    "parameter.drop": ("dropped", "删除"),
    "parameter.keyword": ("by keyword", "须用关键字传参"),
    "parameter.position": ("position {0} → {1}", "位置 {0} → {1}"),
    "parameter.kw": ("keyword", "关键字"),
    "parameter.quiet.same": ("same", "一致"),
    "parameter.quiet.target_only_keep_default": (
        "MindSpore only, keep the default", "MindSpore 独有，保持默认值"),
    "parameter.quiet.universal_absent": ("absent throughout MindSpore", "MindSpore 普遍没有"),
    "parameter.otherwise": ("otherwise", "其他"),
    "gradient.agrees": ("agree", "一致"),
    "gradient.differs": ("differ", "不一致"),
    "expect.same": ("the same values", "数值一致"),
    "expect.same-distribution": ("the same distribution", "分布一致"),
    "expect.differs": ("another result", "结果不同"),
    "expect.raises": ("MindSpore raises", "MindSpore 报错"),
    "expect.torch-raises": ("PyTorch raises", "PyTorch 报错"),
    "expect.crashes": ("MindSpore crashes", "MindSpore 崩溃"),
    "expects": ("expected", "预期"),
    "reference.doc": ("documentation", "文档"),
    "reference.issue": ("issue", "问题单"),
    "reference.code": ("source", "源码"),
    # Probe
    "probe.lead": (
        "A machine carried PyTorch's calls over by what the signatures say, ran both frameworks on"
        " the same inputs and counted what agreed. Nobody has looked at it.",
        "按两侧签名自动转写 PyTorch 调用，用相同输入运行两个框架并统计一致的样例，未经人工核对。",
    ),
    "probe.where": ("Where it agrees, and what differs", "一致情况与差异"),
    "probe.dtypes": ("By dtype", "按 dtype"),
    "probe.kinds": ("By kind of input", "按输入类型"),
    "probe.samples": ("Samples", "样例"),
    "probe.gradients": ("Gradients", "梯度"),
    "probe.documented": ("Documented for", "文档所列平台"),
    "probe.found": ("Thought of by", "候选来源"),
    # Rewriter
    "port.title": ("Rewrite PyTorch for MindSpore", "将 PyTorch 代码转写为 MindSpore"),
    "port.lead": (
        "Paste a call or a few lines. What can't be carried over stays as it is, with its reason"
        " at its line.",
        "粘贴一个调用或几行代码。无法转写的部分保持原样，并在所在行说明原因。",
    ),
    "port.label": ("PyTorch code", "PyTorch 代码"),
    "port.go": ("Rewrite", "转写"),
    "port.probed": (
        "Where there is no record, use what was found by running",
        "没有记录的 API 使用由运行得出的对应接口",
    ),
    "port.result": ("MindSpore code", "MindSpore 代码"),
    "port.left": ("left as it is", "保持原样"),
    "port.notes": ("To know of what was rewritten", "关于转写结果的注意事项"),
    "port.line": ("line {0}", "第 {0} 行"),
    "port.failed": ("No answer from the server.", "服务器没有应答。"),
    "port.records": ("By these records", "依据的记录"),
    # Reverse
    "reverse.title": ("{0} in PyTorch", "{0} 在 PyTorch 中的对应"),
    "reverse.was": ("Was in PyTorch", "在 PyTorch 中为"),
    "reverse.rank": ("as target", "第几选择"),
    "reverse.best": ("best", "首选"),
    "reverse.lead": (
        "What this MindSpore name was in PyTorch.", "该 MindSpore 接口在 PyTorch 中的对应。"),
    # Data
    "data.title": ("Data to take along", "数据下载"),
    "data.lead": (
        "All that this site tells, as files and as tables. CC0-1.0: do with it what you like.",
        "本站的全部数据，以文件和数据表提供。CC0-1.0 授权，可任意使用。",
    ),
    "data.files": ("Files", "文件"),
    "data.file.records": ("Every record, a line of JSON each", "全部记录，每行一个 JSON 对象"),
    "data.file.evidence": (
        "What came out of every check in every environment, a line of JSON each",
        "所有检查在各环境中的结果，每行一个 JSON 对象",
    ),
    "data.file.database": ("The database, SQLite, {0} MB", "SQLite 数据库，{0} MB"),
    "data.file.api": ("What the API answers, as OpenAPI", "API 的 OpenAPI 描述"),
    "data.file.msmap.db": (
        "The database, SQLite, compressed",
        "SQLite 数据库，压缩文件",
    ),
    "data.file.records.ndjson": (
        "Every record, a line of JSON each, compressed",
        "全部记录，每行一个 JSON 对象，压缩文件",
    ),
    "data.file.evidence.ndjson": (
        "What came out of every check, a line of JSON each, compressed",
        "全部检查结果，每行一个 JSON 对象，压缩文件",
    ),
    "data.file.sums": (
        "SHA-256 of the compressed files, for sha256sum -c",
        "压缩文件的 SHA-256，可用 sha256sum -c 校验",
    ),
    "data.file.dated": (
        "Compressed files carry the day of the newest change in their names, and are listed with"
        " their SHA-256.",
        "压缩文件的名称带有最近一次变更的日期，并列有 SHA-256。",
    ),
    "data.file.ranges": (
        "The database as it is, for clients that read parts of it by Range",
        "未压缩的数据库，供按 Range 读取部分内容的客户端使用",
    ),
    # The API
    "site.api": ("API", "API"),
    "api.title": ("The API", "HTTP API"),
    "api.lead": (
        "All that this site tells, as JSON: no key, from any origin, the same answers as on the"
        " command line.",
        "以 JSON 提供本站的全部内容：无需密钥，可跨域访问，与命令行的结果相同。",
    ),
    "api.openapi": ("As an OpenAPI document:", "OpenAPI 描述："),
    "api.errors": (
        "Every error is JSON with a status, a message, and the nearest names or values.",
        "所有错误均为 JSON，含状态码、说明，以及最接近的名称或取值。",
    ),
    "api.pages": (
        "Lists take limit and offset; the header Link has the next page, X-Total-Count the number.",
        "列表可用 limit 与 offset 分页；响应头 Link 给出下一页，X-Total-Count 给出总数。",
    ),
    "api.posts": (
        "What is posted is JSON, a form, or plain text; --data-binary keeps line breaks and plus"
        " signs of code.",
        "POST 的内容可以是 JSON、表单或纯文本；用 --data-binary 可保留代码中的换行与加号。",
    ),
    "api.busy": (
        "503 with Retry-After means that the server makes as much as it may at once.",
        "返回 503 与 Retry-After 表示服务器已达到同时处理的上限。",
    ),
    "api.argument": ("Argument", "参数"),
    "api.what": ("What it is", "说明"),
    "api.values": ("Values", "取值"),
    "api.required": ("required", "必填"),
    "api.try": ("Open this request", "打开此请求"),
    "api.answer": ("Answers as", "结果的 schema："),
    # Feeds
    "feed.records": ("New records", "新增记录"),
    "feed.releases": ("What changes with MindSpore", "MindSpore 版本变化"),
    "feed.vanished": ("names that vanished", "消失的名称"),
    "feed.appeared": ("names that appeared", "新增的名称"),
    # Pages as files
    "export.port": (
        "Rewriting needs a server: run msmap serve, or msmap port on your code.",
        "转写需要服务器：可运行 msmap serve，或用 msmap port 转写代码。",
    ),
    "export.filters": (
        "Filters need a server (msmap serve); namespaces and topics have pages of their own.",
        "筛选需要服务器（msmap serve）；各命名空间与主题有各自的页面。",
    ),
    "export.tables": (
        "The tables are looked at on a server (msmap serve), or in the database itself.",
        "数据表可在服务器上浏览（msmap serve），或直接在数据库中查看。",
    ),
    "export.noscript": (
        "Searching these pages needs JavaScript; all records are listed under Browse.",
        "搜索这些页面需要 JavaScript；全部记录列在“浏览”中。",
    ),
    "export.none": ("Nothing found", "没有找到结果"),
    "export.near": ("Nearest names", "最接近的名称"),
    "export.count": ("Results: {0}", "结果：{0} 条"),
    "llms.lead": (
        "{0} records of what a PyTorch API becomes in MindSpore, with {1} checks that ran both"
        " (PyTorch {2}, MindSpore {3}). Every page has a Markdown form at its address with .md"
        " behind it.\n",
        "{0} 条记录说明 PyTorch API 在 MindSpore 中的对应写法，附 {1} 个在两个框架上运行过的检查"
        "（PyTorch {2}、MindSpore {3}）。每个页面的地址后加 .md 即为其 Markdown 形式。\n",
    ),
    "llms.ask": ("Ask it", "查询方式"),
    "llms.browse": ("A line about every record", "每条记录一行"),
    "llms.claims": (
        "Statements of documents, and what running them shows", "文档中的陈述及其运行结论"),
    "llms.tables": (
        "Pairs of other tables, and what running each showed",
        "其他映射表中的对应关系及其运行结论",
    ),
    "llms.coverage": ("What of PyTorch has an answer", "PyTorch 各命名空间的覆盖情况"),
    "llms.releases": (
        "What changes from one release of MindSpore to the next", "MindSpore 相邻版本之间的变化"),
    "llms.stats": ("All counts", "全部统计"),
    "data.tables": ("Tables", "数据表"),
    "data.table": ("Table", "数据表"),
    "data.rows": ("Rows", "行数"),
    "data.what": ("What a row is", "每行的内容"),
    "data.record": (
        "A PyTorch API, with its best MindSpore counterpart",
        "一个 PyTorch API 及其首选 MindSpore 对应接口"),
    "data.target": ("A way to write an API in MindSpore", "某个 API 在 MindSpore 中的一种写法"),
    "data.parameter": ("How a parameter is carried over", "一个参数的转写方式"),
    "data.state": (
        "A parameter or buffer of a layer, by its name on both sides",
        "层的一个参数或缓冲区在两侧的名称"),
    "data.caveat": ("What bites, and the checks that show it", "一条注意事项及证明它的检查"),
    "data.check": (
        "A few lines for both frameworks, and what must come out",
        "在两个框架上运行的几行代码及预期结果"),
    "data.evidence": ("What came out of a check in an environment", "一个检查在某个环境中的结果"),
    "data.environment": ("What checks ran in", "检查的运行环境"),
    "data.probe": (
        "A name without a record, with the best candidate found by running",
        "尚无记录的名称，以及由运行得出的最佳候选接口"),
    "data.api": (
        "A public name of either framework, with its signatures",
        "任一框架的一个公开名称及其签名"),
    "data.past_api": (
        "What a MindSpore name was in earlier releases", "MindSpore 名称在早期版本中的情况"),
    "data.release": ("A release of a framework", "一个框架版本"),
    "data.reference": ("A page that says something about an API", "与某个 API 有关的网页"),
    "data.guide": ("A topic that is no single API", "不限于单个 API 的主题"),
    "data.claim": (
        "A statement of a document, and what running it showed", "一条文档陈述及其运行结论"),
    "data.claim_place": ("Where a statement stands", "陈述的出处"),
    "data.claim_subject": ("A name that a statement is about", "陈述涉及的名称"),
    "data.pair_table": ("A table of pairs that others publish", "他人发布的 API 映射表"),
    "data.pair": ("A row of such a table, and what running it showed", "映射表的一行及其运行结论"),
    "data.source": ("A document that statements were taken from", "陈述所出自的文档"),
    # Refused
    "refused.home": ("To the first page", "回到首页"),
    "refused.400": ("This request can't be answered", "无法处理该请求"),
    "refused.405": ("This address is only read", "该地址只支持读取"),
    "refused.413": ("The request is too long", "请求体过长"),
    "refused.414": ("The address is too long", "地址过长"),
    "refused.500": (
        "Something went wrong here; it has been written down", "服务器出错，错误已记录"),
    "refused.503": (
        "The server is busy; try again in a few seconds", "服务器繁忙，请几秒后重试"),
    # Not found
    "missing.title": ("{0} is not here", "没有 {0}"),
    "missing.nearest": ("Nearest names", "最相近的名称"),
    "missing.signature": ("Its signature", "其签名"),
    # Browse
    "browse.title": ("Records by namespace", "按命名空间浏览记录"),
    "browse.namespace": ("Namespace", "命名空间"),
    "browse.category": ("Difference", "差异类别"),
    "browse.verification": ("Verification", "验证"),
    "browse.device": ("Documented for or ran on", "文档所列或实际运行平台"),
    "browse.without": ("Has no kernel on", "没有内核实现的平台"),
    "browse.documented": ("Documented for", "文档所列平台"),
    "browse.ran": ("Ran on", "实际运行"),
    "browse.impact": ("Has a caveat", "含注意事项"),
    "browse.caveats": ("Caveats", "注意事项"),
    "browse.nothing": ("No record fits all filters.", "没有符合全部条件的记录。"),
    "browse.previous": ("Previous", "上一页"),
    "browse.next": ("Next", "下一页"),
    "browse.range": ("{0} to {1} of {2}", "第 {0} 至 {1} 条，共 {2} 条"),
    # Guides
    "guides.title": ("Guides", "指南"),
    "guides.lead": (
        "Topics that are no single API. The code of every section runs on both frameworks.",
        "不限于单个 API 的主题。各节代码均在两个框架上运行过。",
    ),
    "guides.records": ("Records", "记录"),
    "guides.sections": ("{0} sections", "{0} 节"),
    "guides.checks": ("Checks", "检查"),
    # Statements
    "claims.title": ("Statements of documents, run", "文档陈述与运行结论"),
    "claims.lead": (
        "What MindSpore's documents say about differences from PyTorch, and what running it"
        " showed.",
        "MindSpore 文档对两个框架差异的描述，以及实际运行得到的结论。",
    ),
    "claims.verdict": ("Verdict", "结论"),
    "claims.source": ("Document", "文档"),
    "claims.topic": ("Topic", "主题"),
    "claims.about": ("About a name", "涉及的名称"),
    "claims.now": ("What is true", "实际情况"),
    "claims.stands": ("Stands in", "出处"),
    "claims.shown": ("Shown by", "证据"),
    "claims.denies": ("Contradicts", "与之矛盾"),
    "claims.until": ("since {0}", "自 {0} 起"),
    "claims.nothing": ("No statement fits.", "没有符合条件的陈述。"),
    "claims.tensorflow": ("Run on TensorFlow", "在 TensorFlow 上运行"),
    "claims.prints": ("prints", "输出"),
    "claims.written": ("written for MindSpore {0}", "针对 MindSpore {0} 编写"),
    # Published tables
    "tables.title": ("Published tables, run", "已发布的映射表与运行结论"),
    "tables.lead": (
        "Which MindSpore API other tables name for a PyTorch API, what they say of the pair, and"
        " what running it on PyTorch's own samples showed. Nobody wrote a verdict: each is computed"
        " from the runs of this release on CPU.",
        "其他映射表为 PyTorch API 列出的 MindSpore API、对该组 API 的说明，以及用 PyTorch 自带样例"
        "运行得到的结论。结论并非人工填写，而是根据本版本在 CPU 上的运行结果计算得出。",
    ),
    "tables.table": ("Table", "映射表"),
    "tables.none": ("No row fits.", "没有符合条件的条目。"),
    "tables.about": ("Published tables say", "已发布的映射表如何描述"),
    "tables.rows": ("Published mapping tables, judged by runs", "已发布的映射表及其运行结论"),
    # Coverage
    "coverage.title": ("Coverage", "覆盖情况"),
    "coverage.lead": (
        "Public names of PyTorch {0} by namespace: how many have a record, verified or not, and for"
        " how many of the others a machine found candidates by running them. Aliases are not"
        " counted.",
        "PyTorch {0} 各命名空间的公开名称中，已有记录的数量及验证情况，"
        "以及其余名称中由运行得出候选接口的数量（不计别名）。",
    ),
    "coverage.names": ("Names", "名称"),
    "coverage.records": ("Records", "记录"),
    "coverage.verified": ("Verified", "已验证"),
    "coverage.probed": ("Found by running", "由运行得出"),
    "coverage.known": ("Known only", "仅知其名"),
    "coverage.namespace": ("Names of {0} without a record", "{0} 中尚无记录的名称"),
    "coverage.documents": ("Documents covered", "文档覆盖情况"),
    "coverage.covered": ("{0} of {1} sections covered", "{1} 节中已覆盖 {0} 节"),
    "coverage.mindspore": (
        "{0} of {1} names of MindSpore {2} are a target of some record.",
        "MindSpore {2} 的 {1} 个名称中，有 {0} 个是某条记录的对应接口。",
    ),
    # Releases
    "releases.title": ("What changes between releases", "版本间的变化"),
    "releases.heading": ("MindSpore {0} → {1}", "MindSpore {0} → {1}"),
    "releases.from": ("From", "从"),
    "releases.to": ("To", "到"),
    "releases.show": ("Compare", "比较"),
    "releases.records": ("{0} of {1} records change", "{1} 条记录中有 {0} 条改变"),
    "releases.once": ("Run with one of the two only", "仅在其中一个版本上运行过"),
    "releases.once.lead": (
        "Whether these come out alike is not known",
        "这些条目的结论是否一致尚不清楚",
    ),
    "releases.unproved": (
        "There is no evidence of {0}, so outcomes are not compared.",
        "没有 {0} 的证据，因此不比较检查结论。",
    ),
    "releases.apart": (
        "No environment has evidence of both, so outcomes are not compared.",
        "两个版本没有共同环境的证据，因此不比较检查结论。",
    ),
    "releases.environments": ("Outcomes compared on {0}.", "检查结论的比较环境：{0}。"),
    "releases.appeared": ("Names that appeared", "新增的名称"),
    "releases.vanished": ("Names that vanished", "消失的名称"),
    "releases.deprecated": ("Names deprecated", "弃用的名称"),
    "releases.signatures": ("Signatures that changed", "签名改变"),
    "releases.others": ("{0} more, which no record maps to", "另有 {0} 个，没有记录涉及"),
    "releases.byrun": ("Seen by running checks", "由运行检查得出"),
    "releases.lead.record": (
        "Written otherwise for this release, by people: targets, caveats, ports. What MindSpore"
        " itself changed stands above.",
        "记录针对该版本的写法不同（对应接口、注意事项、转写结果）。MindSpore 自身的变化见上文。",
    ),
    "releases.lead.figures": (
        "The outcome is the same.", "结论相同。"),
    "releases.target": ("Best target", "首选写法"),
    "releases.targets": ("Targets", "可选写法"),
    "releases.caveats": ("Caveats", "注意事项"),
    "releases.checks": ("Checks", "检查"),
    "releases.example": ("Example", "示例"),
    "releases.notported": ("not ported", "未转写"),
    "releases.moved": ("moved", "位置改变"),
    "releases.unknown": ("No such release of MindSpore: {0}", "没有这个 MindSpore 版本：{0}"),
    # Statistics
    "stats.title": ("Statistics", "统计"),
    "stats.lead": (
        "Counted in the database of this site.", "以下数字取自本站数据库。"),
    "stats.records": ("Records", "记录"),
    "stats.checks": ("Checks", "检查"),
    "stats.runs": ("Outcomes", "检查结论数"),
    "stats.caveats": ("Caveats", "注意事项"),
    "stats.claims": ("Statements", "文档陈述"),
    "stats.guides": ("Guides", "指南"),
    "stats.basis": ("Names of PyTorch by what answers rest on", "按回答依据统计的 PyTorch 名称"),
    "stats.category": ("Records by difference", "按差异类别统计的记录"),
    "stats.verification": ("Records by verification", "按验证程度统计的记录"),
    "stats.outcome": ("Outcomes of checks, MindSpore {0}", "检查结论，MindSpore {0}"),
    "stats.release": ("Outcomes by release", "各版本的检查结论"),
    "stats.variants": ("Variants of checks", "检查的变体"),
    "stats.variants.lead": (
        "Each check is run again in other forms of call, in graph mode, in other dtypes and at"
        " edges.",
        "每个检查还会换用其他传参方式、图模式、其他 dtype 与边界输入再次运行。",
    ),
    "stats.impact": ("Caveats by impact", "按影响统计的注意事项"),
    "stats.relation": ("Parameters by relation", "按关系统计的参数"),
    "stats.verdict": ("Statements by verdict", "按结论统计的文档陈述"),
    # Search
    "search.title": ("Search", "搜索"),
    "search.results": ("{0} results", "{0} 条结果"),
    "search.nothing": ("Nothing found", "没有找到结果"),
    "search.empty": (
        "Type a name of either framework, or words in English or Chinese.",
        "输入任一框架中的名称，或中英文词语。",
    ),
    "search.near": ("Did you mean", "你要找的是不是"),
    "search.guide": ("guide", "指南"),
    "search.exact": ("Exactly this name", "完全匹配"),
    "search.kind.all": ("everything", "全部"),
    "search.kind.record": ("records", "记录"),
    "search.kind.guide": ("guides", "指南"),
    "search.kind.probe": ("found by running", "由运行得出"),
}  # fmt: skip


def get(key: str, language: str) -> str:
    """A text of the site in a language."""
    return TEXTS[key][LANGUAGES.index(language)]
