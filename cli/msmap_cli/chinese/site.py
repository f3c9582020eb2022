"""What is said of the site as files, in Chinese; {} stands for a value."""

# ruff: noqa: E501

from __future__ import annotations

HELPS = {
    "Write the whole site as files: both languages, search included, for any web server.\n\n"
    "All links are relative, so that it may stand below any path, or be read from a disk. What only a\n"
    "server can do, such as rewriting code, is said on the pages. The folder is replaced whole or not\n"
    "at all.\n\n"
    "Exit status: 1 if the folder has something else, or the database can't be read.":
        "将整个网站写成文件：中英文俱全，含搜索，可用任意 Web 服务器提供。\n\n"
        "所有链接都是相对链接，因此可放在任意路径之下，也可直接从磁盘阅读。只有服务器才能做的事（如转写代码）"
        "会在页面上说明。目录要么完整替换，要么保持原样。\n\n"
        "退出状态：目录中有其他内容，或数据库无法读取时为 1。",
    "A new folder, an empty one, or a former export.": "新目录、空目录，或先前的导出结果。",
    "Also the data as files, and the database.": "同时写出数据文件和数据库。",
    "Pages at a time; one a core.": "同时生成的页面数；默认每个核一个。",
    "Where the files are going to be, for sitemap and link previews.":
        "这些文件将来所在的地址，用于 sitemap 和链接预览。",
}  # fmt: skip
MESSAGES = {
    "{}: {}: {}: an address with {} in it": "{}：{}：{}：应为含 {} 的地址",
    "{}: {}: an address such as https://msmap.example": "{}：{}：应为 https://msmap.example 这样的地址",
    "{} pages": "{} 个页面",
    "{}: a file; a folder is meant": "{}：是文件，应为目录",
    "{}: not empty, and no export of msmap (it has no {}); name another folder":
        "{}：目录非空，且不是 msmap 的导出结果（其中没有 {}）；请另选目录",
    "{}: the page could not be made ({})": "{}：页面未能生成（{}）",
    "{}: there is no such page": "{}：没有此页面",
}  # fmt: skip
