"""The help of commands, arguments and options in Chinese."""

# ruff: noqa: E501

from __future__ import annotations

# A paragraph a line; what is quoted by ` and names of options stay as they are.
_COMMANDS = {
    "How PyTorch's APIs map to MindSpore's, in records whose every claim can be run.\n\n"
    "`msmap NAME` is `msmap lookup NAME`, `msmap help COMMAND` is `msmap COMMAND --help`.":
        "PyTorch 接口与 MindSpore 接口的对应关系，每条结论都可以运行验证。\n\n"
        "`msmap NAME` 等同于 `msmap lookup NAME`，`msmap help COMMAND` 等同于 `msmap COMMAND --help`。",
    "Show what a PyTorch API becomes, or what a MindSpore API was.\n\n"
    "What is pasted will do: a call, of which the port is shown too, a method of a variable, an\n"
    "import, an error message, a pattern such as torch.nn.Drop*. The word lookup may be left out.\n\n"
    "A name without a record has what was found by running, marked so, or why nothing was run.\n\n"
    "Exit status: 0 found, 1 not found, 2 wrong usage.":
        "显示 PyTorch 接口在 MindSpore 中的对应写法，或 MindSpore 接口在 PyTorch 中的原名。\n\n"
        "可以直接粘贴：一次调用（同时给出转写结果）、变量的方法、import 语句、报错信息，"
        "或 torch.nn.Drop* 这样的通配模式。lookup 一词可以省略。\n\n"
        "没有记录的名称会给出由运行得出的结果并加以标明，或说明未运行的原因。\n\n"
        "退出状态：0 已找到，1 未找到，2 用法有误。",
    "Find records and guides by words, a pasted name or an error message, best first.\n\n"
    "Exit status: 0 found, 1 nothing but guesses, 2 wrong usage.":
        "按词语、粘贴的名称或报错信息搜索记录和指南，最相关的在前。\n\n"
        "退出状态：0 已找到，1 只有猜测的结果，2 用法有误。",
    "Explain an error of MindSpore's: the cause, what to write, where to read more.\n\n"
    "A traceback comes on standard input, or from a command: `msmap explain -- python train.py` runs\n"
    "it as it is, and says what it knows below what the command says. In a script or notebook,\n"
    "`import msmap.explain; msmap.explain.install()` does the same. An error that isn't known gets\n"
    "nothing.\n\n"
    "Exit status: 0 explained, 1 not known; that of the command if there is one.":
        "解释 MindSpore 的报错：原因、正确写法、延伸阅读。\n\n"
        "报错堆栈可以来自标准输入，也可以来自一条命令：`msmap explain -- python train.py` "
        "原样运行该命令，并在其输出之后给出解释。在脚本或 notebook 中可写 "
        "`import msmap.explain; msmap.explain.install()`。不认识的报错不作任何解释。\n\n"
        "退出状态：0 已解释，1 不认识；若运行了命令，则为该命令的退出状态。",
    "List records, one a line, or names without one; filters add up.\n\n"
    "$MSMAP_DEVICE shows the targets that are best there and leaves nothing out.":
        "逐行列出记录，或没有记录的名称；多个筛选条件同时生效。\n\n"
        "设置 $MSMAP_DEVICE 后显示在该设备上最合适的对应接口，不会因此略去任何记录。",
    "Rewrite PyTorch code for MindSpore; say of what can't be carried over where and why.\n\n"
    "What exists, ends in .py, .ipynb or /, or is one of several arguments, is a path; all else is\n"
    "code. A folder means all Python and notebooks below but for what git ignores. Above what is left\n"
    "as it was a comment says why; a second run changes nothing.\n\n"
    "The diff is for `patch -p1` or `git apply`: it alone is on standard output, and what there is to\n"
    "know on standard error.\n\n"
    "Exit status: 0 ported, 1 some of it refused and left as it was, or not read, 2 nothing could be\n"
    "read.":
        "将 PyTorch 代码转写为 MindSpore 代码；无法转写之处会说明位置和原因。\n\n"
        "已存在的、以 .py、.ipynb 或 / 结尾的，以及给出多个时的每一个参数，都视为路径；其余视为代码。"
        "目录表示其下所有 Python 文件和 notebook，被 git 忽略的除外。保持原样之处上方会有注释说明原因；"
        "再次运行不会产生新的改动。\n\n"
        "diff 可直接用于 `patch -p1` 或 `git apply`：标准输出上只有 diff，说明写到标准错误。\n\n"
        "退出状态：0 已转写，1 有部分被拒绝而保持原样或未能读取，2 全部无法读取。",
    "Tell what in files and folders is PyTorch's, and what becomes of it; nothing is written.\n\n"
    "Python files and notebooks are read. Options that are left out are those of [tool.msmap] in the\n"
    "nearest pyproject.toml: exclude, fail-on, device, mindspore, baseline.\n\n"
    "Exit status: 0 nothing that --fail-on names, 1 something, or a file can't be read, 2 wrong\n"
    "usage.":
        "说明文件和目录中哪些用到 PyTorch、各自如何处理；不写入任何内容。\n\n"
        "读取 Python 文件和 notebook。未给出的选项取自最近的 pyproject.toml 中的 [tool.msmap]："
        "exclude、fail-on、device、mindspore、baseline。\n\n"
        "退出状态：0 没有 --fail-on 所列的情况，1 有，或有文件无法读取，2 用法有误。",
    "Show what changes between two MindSpore releases: records, names, signatures.\n\n"
    "Exit status: 0 whatever changes, 2 if a release is not known.":
        "显示两个 MindSpore 版本之间的变化：记录、名称、签名。\n\n"
        "退出状态：无论有何变化均为 0，版本未知时为 2。",
    "Count names, records, checks and outcomes.":
        "统计名称、记录、检查和结论的数量。",
    "Show a guide on a topic that is no single API.":
        "显示一篇指南，其主题不是单个接口。",
    "List statements of MindSpore's documents, each with what running it showed.\n\n"
    "With --source or --about also rows of published mapping tables, judged by runs of each pair.\n\n"
    "Exit status: 0 found, 1 nothing fits, 2 wrong usage.":
        "列出 MindSpore 文档中的说法，以及逐条运行验证的结果。\n\n"
        "给出 --source 或 --about 时还会列出已发布的映射表中的行，并以每一对接口的运行结果评判。\n\n"
        "退出状态：0 已找到，1 没有符合的，2 用法有误。",
    "Serve the site: pages, the JSON API, and Datasette's tables.\n\n"
    "Exit status: 1 if the database or the settings can't be read, or the port is taken.":
        "启动网站：页面、JSON API 和 Datasette 的数据表。\n\n"
        "退出状态：数据库或配置无法读取，或端口被占用时为 1。",
    "Print what makes a shell complete commands, options, and names in every spelling.\n\n"
    'In ~/.bashrc: eval "$(msmap completion bash)". In ~/.zshrc, behind compinit: eval "$(msmap\n'
    'completion zsh)". For fish: msmap completion fish > ~/.config/fish/completions/msmap.fish':
        "输出 shell 补全脚本，可补全命令、选项以及各种写法的接口名。\n\n"
        '在 ~/.bashrc 中写 eval "$(msmap completion bash)"；在 ~/.zshrc 中 compinit 之后写 eval "$(msmap '
        'completion zsh)"；fish 用 msmap completion fish > ~/.config/fish/completions/msmap.fish',
    "Open the page of a name or a guide in the browser.\n\n"
    "Exit status: 0 opened, 1 not found, or no browser.":
        "在浏览器中打开某个名称或指南的页面。\n\n"
        "退出状态：0 已打开，1 未找到或没有浏览器。",
    "Serve an assistant on standard input and output, by the Model Context Protocol.\n\n"
    "Tools look names up, search, port code, scan files and show evidence; resources are records and\n"
    "guides, prompts port a file. Nothing is written. The options are what questions may leave out.\n\n"
    "Exit status: 0 the assistant left, 1 the database can't be read, 2 wrong usage.":
        "按 Model Context Protocol 在标准输入输出上为助手提供服务。\n\n"
        "工具可查询名称、搜索、转写代码、扫描文件、显示证据；资源为记录和指南，提示词用于转写文件。"
        "不写入任何内容。选项是提问时可以省略的部分。\n\n"
        "退出状态：0 助手已离开，1 数据库无法读取，2 用法有误。",
    "Serve an editor on standard input and output, by the Language Server Protocol.\n\n"
    "Hovers say what a name or a call becomes and what bites in it, diagnostics are those of scan,\n"
    "code actions port a call or the file. The editor's own settings come before the options.\n\n"
    "Exit status: 0 the editor said goodbye, 1 it left without, 2 wrong usage.":
        "按 Language Server Protocol 在标准输入输出上为编辑器提供服务。\n\n"
        "悬停显示名称或调用的对应写法及其风险，诊断与 scan 相同，代码操作可转写一次调用或整个文件。"
        "编辑器自身的设置优先于选项。\n\n"
        "退出状态：0 编辑器正常退出，1 未告知即退出，2 用法有误。",
    "Build the database from the data files, whole or not at all.":
        "由数据文件构建数据库；要么完整生成，要么保持原样。",
    "Check the records: schema, signatures, checks, both languages.\n\n"
    "Below what is missing stand the lines to paste, or the command to run. --fix mends what needs no\n"
    "person: the layout of all files that people write (their comments stay), references that follow\n"
    "from the names, and what a record's families say.\n\n"
    "Exit status: 0 no problems, 1 some, 2 wrong usage.":
        "检查记录：结构、签名、检查项以及中英文。\n\n"
        "缺少的内容下方给出可粘贴的行，或应运行的命令。--fix 修正无需人工判断之处："
        "统一所有手写文件的格式（保留注释），删去可由名称推出的参考链接以及记录所属的族已写明的内容。\n\n"
        "退出状态：0 没有问题，1 有问题，2 用法有误。",
    "Read the installed framework's public names and write them to one file.":
        "读取已安装框架的公开名称，写入一个文件。",
    "Run the checks of records on both frameworks and keep what came out.\n\n"
    "Names or --all run everything asked for; otherwise only checks without current evidence\n"
    "run. Without data files, the checks of the installed database run, and nothing is kept.\n"
    "What came out is kept while it runs: what was stopped goes on where it was. --mutate keeps\n"
    "nothing.\n\n"
    "Of one record in a checkout, what lint finds stands first, and after its checks come what\n"
    "differs, the untold before the told, and the mistakes put into it. The process that imported\n"
    "both frameworks waits ten minutes for the next such run; $MSMAP_RUNTIME is where.":
        "在两个框架上运行记录的检查项，并保存结果。\n\n"
        "给出名称或 --all 时全部运行，否则只运行没有有效证据的检查项。没有数据文件时运行已安装数据库中的"
        "检查项，且不保存。结果边运行边保存：中断后可从原处继续。--mutate 不保存任何内容。\n\n"
        "在代码仓中只验证一条记录时，先列出 lint 的发现；检查项之后是各处差异（未说明的在前）以及植入错误"
        "的结果。已导入两个框架的进程会等待十分钟以备下次运行；其位置由 $MSMAP_RUNTIME 指定。",
    "Put mistakes into the records, one at a time, and count those that their checks catch.\n\n"
    "Nothing is written. Exit status: 0 unless --at-least says otherwise.":
        "逐个向记录中植入错误，统计被检查项发现的数量。\n\n"
        "不写入任何内容。退出状态：除非 --at-least 另有要求，否则为 0。",
    "Find what MindSpore has for PyTorch names by running candidates on samples.\n\n"
    "Of names that are given, everything runs; otherwise only what has changed since it was last\n"
    "found. What came out is kept while it runs: what was stopped goes on where it was.":
        "用样例运行各候选写法，找出 PyTorch 名称在 MindSpore 中的对应。\n\n"
        "给出名称时全部运行，否则只运行上次之后有变化的部分。结果边运行边保存：中断后可从原处继续。",
    "Write records for PyTorch names from what runs find; TODO is left for a person.\n\n"
    "What probing found is taken if it is current, else the name is probed first. Exit status: 1 if\n"
    "there is a record already, then nothing is written, or if of some name nothing can be drafted.":
        "根据运行结果为 PyTorch 名称起草记录；TODO 留待人工填写。\n\n"
        "探测结果有效时直接采用，否则先行探测。退出状态：已有记录（此时不写入任何文件）"
        "或某个名称没有可用的依据时为 1。",
    "Show the inputs that a PyTorch name is tried with, and what could not be had.\n\n"
    "They come from PyTorch's own tests and documentation, from MindSpore's examples turned round, or\n"
    "are made from the signature, and each ran on PyTorch. Exit status: 1 if a name isn't known.\n\n"
    "With --run each runs on MindSpore too, as the record ports it: a table by dtype says how many\n"
    "agree, are told of or are refused by the record, and what differs and nobody tells. Nothing is\n"
    "kept. Exit status: 1 also if there is no record.":
        "显示用于尝试某个 PyTorch 名称的输入，以及未能取得的部分。\n\n"
        "输入取自 PyTorch 自带的测试和文档、反向转写的 MindSpore 示例，或根据签名生成，且都在 PyTorch 上运行过。"
        "退出状态：名称未知时为 1。\n\n"
        "加上 --run 时，每个样例还会按记录转写后在 MindSpore 上运行：按 dtype 列表给出一致、记录已说明、"
        "拒绝转写以及未说明的差异各有多少。不保存任何内容。退出状态：没有记录时也为 1。",
    "Print the JSON Schema of record files or of a command's JSON output.":
        "输出记录文件或某个命令 JSON 输出的 JSON Schema。",
    "Merge and compare what came out of checks.":
        "合并和比较检查结果。",
    "Show what came out of a record's checks, variant by variant, and how to repeat a run.\n\n"
    "In a checkout, its data files are read; elsewhere the installed database.\n\n"
    "Exit status: 0 shown, 1 no such record or check, 2 wrong usage.":
        "逐个变体显示记录的检查结果，以及如何重现某次运行。\n\n"
        "在代码仓中读取其数据文件，在别处读取已安装的数据库。\n\n"
        "退出状态：0 已显示，1 没有该记录或检查项，2 用法有误。",
    "Put evidence of other machines or shards into data/evidence.\n\n"
    "A file's name says its environment. Taken is what fits the checks as they are now and ours\n"
    "lack. Where the same code came out differently, both are shown and ours stay.\n\n"
    "Exit status: 0 merged, 1 conflicts or nothing done, 2 wrong usage.":
        "将其他机器或分片的证据并入 data/evidence。\n\n"
        "文件名即其环境。只采用与现有检查项相符且本地没有的部分。同样的代码结果不同时，两者都会显示，"
        "并保留本地的结果。\n\n"
        "退出状态：0 已合并，1 有冲突或无可合并，2 用法有误。",
    "List the checks that came out differently in two environments, the worst first.\n\n"
    "Exit status: 0 compared, 1 a file is broken, 2 wrong usage.":
        "列出在两个环境中结果不同的检查项，最严重的在前。\n\n"
        "退出状态：0 已比较，1 有文件损坏，2 用法有误。",
}  # fmt: skip
_WORDS = {
    "A MindSpore release, as 2.8.": "MindSpore 版本，如 2.8。",
    "PyTorch names in any spelling.": "任意写法的 PyTorch 名称。",
    "A YAML file with the site's url, its workers and limits.":
        "YAML 文件，含网站的 url、workers 和各项限制。",
    "A guide; all are listed if left out.": "指南；省略则列出全部。",
    "A name in any usual spelling, or a guide; else the site.":
        "任意常用写法的名称，或指南；省略则打开网站首页。",
    "A name of PyTorch.": "PyTorch 名称。",
    "A name of either framework.": "任一框架的名称。",
    "A rule to leave out.": "不检查的规则。",
    "Show what --fix would write, and write nothing.": "显示 --fix 将写入的内容，但不写入任何文件。",
    "Write files in the one layout, without what follows.":
        "按统一格式重写文件，并删去可由其他内容推出的部分。",
    "A site of msmap's, to which names lead.": "名称所链接到的 msmap 网站。",
    "A topic; all if left out.": "主题；省略则为全部。",
    "All of it: every target, caveat, and what checks gave.":
        "全部内容：所有对应接口、注意事项和检查结果。",
    "An environment, a part of its name, or a file.": "环境、其名称的一部分，或文件。",
    "An error message, or a command to run; without, standard input.":
        "报错信息，或要运行的命令；省略则读标准输入。",
    "Another one.": "另一个版本。",
    "Another.": "另一个。",
    "As of that MindSpore release, such as 2.8; the newest if left out.":
        "以该 MindSpore 版本为准，如 2.8；省略则为最新版本。",
    "Checks at a time; one a core.": "同时运行的检查数；默认每个核一个。",
    "Directory for the file.": "存放该文件的目录。",
    "End the process that an earlier run left, and stop.": "结束先前运行留下的进程，然后退出。",
    "Evidence files of other machines.": "其他机器的证据文件。",
    "Exit status 1 below this percentage caught.": "发现率低于该百分比时退出状态为 1。",
    "Exit status 1 if there is any of these, between commas: care, missing, unclear, possible,"
    " unknown, any, or a rule.":
        "出现其中任一情况时退出状态为 1，以逗号分隔：care、missing、unclear、possible、unknown、any "
        "或规则名。",
    "Files and folders, or one piece of PyTorch code, or - for code on standard input.":
        "文件和目录，或一段 PyTorch 代码，或用 - 表示标准输入中的代码。",
    "Files and folders; this folder if left out.": "文件和目录；省略则为当前目录。",
    "Files are read below this folder.": "只读取此目录之下的文件。",
    "Files at a time; one a core.": "同时处理的文件数；默认每个核一个。",
    "Have files read by the workers of this Dask scheduler, such as tcp://head:8786.":
        "由此 Dask scheduler 的 worker 读取文件，例如 tcp://head:8786。",
    "Findings of this file count no more.": "此文件中已有的发现不再计入。",
    "How many names of each kind to list that no record maps to.":
        "没有记录对应到的名称，每类列出多少个。",
    "How many results at most.": "最多显示多少条结果。",
    "How to print the result.": "结果的输出格式。",
    "Keep all findings in this file, as a baseline.": "将所有发现写入此文件作为基线。",
    "Language of texts; the locale's if left out.": "文字的语言；省略则取自 locale。",
    "Leave out names or paths below a folder that fit.": "略去目录下符合的名称或路径。",
    "List every place, and all that is said of it.": "列出每一处及其全部说明。",
    "List the rules and stop.": "列出规则后退出。",
    "Make all schemas again, in this directory.": "在此目录中重新生成全部 schema。",
    "Names in any usual spelling; - reads names from standard input.":
        "任意常用写法的名称；- 表示从标准输入读取。",
    "Of paths, show what would change; so without --write.":
        "对路径显示将有的改动；不给 --write 时即如此。",
    "One environment, by a part of its name.": "某个环境，给出名称的一部分即可。",
    "Only results of this kind.": "只显示该类结果。",
    "Only the I-th of N parts of the names.": "只处理名称的 N 份中的第 I 份。",
    "Only the I-th of N parts of the records and guides.": "只处理记录和指南的 N 份中的第 I 份。",
    "Only the check of this id, with all its variants.": "只运行该 id 的检查项及其全部变体。",
    "Only the same as `msmap mutate`, --at-least goes with it; or no mutants of the one record that"
    " is named.":
        "与 `msmap mutate` 相同，可配合 --at-least；或对所给的单条记录不植入错误。",
    "Only this one: what is known of it, and a script that repeats it.":
        "只看这一个：已知的结果以及可重现它的脚本。",
    "Print the address, and open nothing.": "只输出地址，不打开浏览器。",
    "Print the version.": "显示版本。",
    "Print these fields as JSON, between commas; of a record or of each in a list.":
        "以 JSON 输出这些字段，逗号分隔；为一条记录或列表中每一条的字段。",
    "Print what is longer than the screen; else $MSMAP_PAGER or $PAGER shows it.":
        "超过一屏的内容直接输出；否则用 $MSMAP_PAGER 或 $PAGER 分页显示。",
    "PyTorch names in any spelling; all if none is given.":
        "任意写法的 PyTorch 名称；不给则为全部。",
    "PyTorch names, or ids of guides; all if none is given.":
        "PyTorch 名称，或指南的 id；不给则为全部。",
    "Records; or what was found by running; or why nothing was run.":
        "记录；或由运行得出的结果；或未运行的原因。",
    "Replace the files, each whole or not at all.": "替换文件；每个文件要么完整替换，要么不变。",
    "Replace the record there is.": "替换已有的记录。",
    "Run on the workers of this Dask scheduler, such as tcp://head:8786.":
        "在此 Dask scheduler 的 worker 上运行，如 tcp://head:8786。",
    "Run what is current too, not only what is stale.": "证据仍有效的也重新运行，不限于已过期的。",
    "Run what statements say of TensorFlow, nothing else.": "只运行涉及 TensorFlow 的说法。",
    "Samples of each dtype; of the first one six times as many. 3 if left out.":
        "每种 dtype 的样例数；第一种为其六倍。省略则为 3。",
    "PyTorch names; with --run, all that have a record if none is given.":
        "PyTorch 名称；使用 --run 且未给出名称时为所有有记录的名称。",
    "Run each as the record ports it, and count what came of it.":
        "按记录转写并运行每个样例，统计结果。",
    "With --run, only the I-th of N parts of the names.":
        "与 --run 同用时，只处理 N 份名称中的第 I 份。",
    "Samples of each dtype; of the first, some more.": "每种 dtype 的样例数；第一种更多。",
    "Say what a rule asks for, and stop.": "说明一条规则的要求，然后退出。",
    "Seconds that a check may take.": "单个检查项的时限（秒）。",
    "Seconds that a sample may take.": "单个样例的时限（秒）。",
    "Show this and exit.": "显示此帮助后退出。",
    "Such as default_differs.": "如 default_differs。",
    "Such as torch.nn, with what is below.": "如 torch.nn，包括其下的名称。",
    "Such as verified.": "如 verified。",
    "Take summary, targets and caveats of this name's record over where they hold.":
        "在成立的情况下沿用该名称记录中的摘要、对应接口和注意事项。",
    "Take what hasn't changed from what the last run left in $MSMAP_CACHE, or in the user's cache"
    " directory if that isn't set.":
        "未改变的部分取自上次运行留在 $MSMAP_CACHE（未设置则为用户缓存目录）中的结果。",
    "The address to listen on.": "监听地址。",
    "The data directory of a checkout.": "代码仓的 data 目录。",
    "The document or table, by its id.": "文档或映射表，以其 id 表示。",
    "The port; 0 takes any that is free.": "端口；0 表示任意空闲端口。",
    "The shell that is to complete.": "要补全的 shell。",
    "Use no process that an earlier run left, and leave none.":
        "不使用先前运行留下的进程，也不留下进程。",
    "What MindSpore runs on here; CPU if left out.": "MindSpore 在此运行的设备；省略则为 CPU。",
    "What is best and what bites there; all devices if left out.":
        "给出在该设备上最合适的写法和风险；省略则面向所有设备。",
    "What is best and what bites there; that of [tool.msmap] if left out.":
        "给出在该设备上最合适的写法和风险；省略则取自 [tool.msmap]。",
    "When to write colours; NO_COLOR and FORCE_COLOR are heeded by auto.":
        "何时使用颜色；auto 遵循 NO_COLOR 和 FORCE_COLOR。",
    "Where the best target of it runs or ran.": "最佳对应接口支持或已运行过的设备。",
    "Where the site is; `msmap serve` serves it there.": "网站的地址；`msmap serve` 即在此提供服务。",
    "Where there is no record, use what a machine found by running it.":
        "没有记录时采用由运行得出的结果。",
    "Where to; the package's own by default.": "输出位置；默认为软件包自带的数据库。",
    "Which one; all are listed if left out.": "哪一个；省略则列出全部。",
    "With --mutate, and of one record: how to print it.":
        "配合 --mutate 或单条记录时的输出格式。",
    "With --write, also files that git doesn't have as they are.":
        "配合 --write：git 中尚无当前内容的文件也写入。",
    "Words in English or Chinese, or names.": "中文或英文词语，或名称。",
    "Write it to a file.": "写入文件。",
    "Write what came out as JUnit XML too.": "同时以 JUnit XML 写出结果。",
    "Write what came out to data/evidence.": "将结果写入 data/evidence。",
    "Write what came out to data/probes.": "将结果写入 data/probes。",
    "holds, partly (tables), held_until, refuted or not_testable.":
        "holds、partly（映射表）、held_until、refuted 或 not_testable。",
    "torch or mindspore, as installed.": "torch 或 mindspore，以已安装的为准。",
}  # fmt: skip
HELPS = _COMMANDS | _WORDS
