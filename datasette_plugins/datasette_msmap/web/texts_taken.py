"""The words of what is taken along: data, the API, feeds and pages as files."""

from __future__ import annotations

TAKEN: dict[str, tuple[str, str]] = {
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
    "export.api": (
        "What stands here is for a server: run msmap serve. As files there are"
        " api/v1/lookup/NAME.json of every name, stats.json, coverage.json, list.json, names.json,"
        " claims.json and guides.json beside it, and the schemas of all.",
        "本页所述接口需要服务器：请运行 msmap serve。静态文件中提供每个名称的"
        " api/v1/lookup/NAME.json，同级目录下还有 stats.json、coverage.json、list.json、"
        "names.json、claims.json、guides.json，以及它们的 schema。",
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
        "Statements of documents, and what running them shows",
        "文档中的陈述及其运行结论",
    ),
    "llms.tables": (
        "Pairs of other tables, and what running each showed",
        "其他映射表中的对应关系及其运行结论",
    ),
    "llms.coverage": ("What of PyTorch has an answer", "PyTorch 各命名空间的覆盖情况"),
    "llms.releases": (
        "What changes from one release of MindSpore to the next",
        "MindSpore 相邻版本之间的变化",
    ),
    "llms.stats": ("All counts", "全部统计"),
    "data.tables": ("Tables", "数据表"),
    "data.table": ("Table", "数据表"),
    "data.rows": ("Rows", "行数"),
    "data.what": ("What a row is", "每行的内容"),
    "data.record": (
        "A PyTorch API, with its best MindSpore counterpart",
        "一个 PyTorch API 及其首选 MindSpore 对应接口",
    ),
    "data.target": ("A way to write an API in MindSpore", "某个 API 在 MindSpore 中的一种写法"),
    "data.parameter": ("How a parameter is carried over", "一个参数的转写方式"),
    "data.state": (
        "A parameter or buffer of a layer, by its name on both sides",
        "层的一个参数或缓冲区在两侧的名称",
    ),
    "data.caveat": ("What bites, and the checks that show it", "一条注意事项及证明它的检查"),
    "data.check": (
        "A few lines for both frameworks, and what must come out",
        "在两个框架上运行的几行代码及预期结果",
    ),
    "data.evidence": ("What came out of a check in an environment", "一个检查在某个环境中的结果"),
    "data.environment": ("What checks ran in", "检查的运行环境"),
    "data.probe": (
        "A name without a record, with the best candidate found by running",
        "尚无记录的名称，以及由运行得出的最佳候选接口",
    ),
    "data.api": (
        "A public name of either framework, with its signatures",
        "任一框架的一个公开名称及其签名",
    ),
    "data.past_api": (
        "What a MindSpore name was in earlier releases",
        "MindSpore 名称在早期版本中的情况",
    ),
    "data.release": ("A release of a framework", "一个框架版本"),
    "data.reference": ("A page that says something about an API", "与某个 API 有关的网页"),
    "data.guide": ("A topic that is no single API", "不限于单个 API 的主题"),
    "data.claim": (
        "A statement of a document, and what running it showed",
        "一条文档陈述及其运行结论",
    ),
    "data.claim_place": ("Where a statement stands", "陈述的出处"),
    "data.claim_subject": ("A name that a statement is about", "陈述涉及的名称"),
    "data.pair_table": ("A table of pairs that others publish", "他人发布的 API 映射表"),
    "data.pair": ("A row of such a table, and what running it showed", "映射表的一行及其运行结论"),
    "data.source": ("A document that statements were taken from", "陈述所出自的文档"),
}
