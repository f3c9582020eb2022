"""Messages and headings in Chinese; {} stands for a value."""

# ruff: noqa: E501

from __future__ import annotations

_HEADINGS = {
    "Usage:": "用法：",
    "Arguments:": "参数：",
    "Options:": "选项：",
    "Options of all commands:": "所有命令共有的选项：",
    "Commands:": "命令：",
}
# Of arguments that can't be taken; what Typer says among them.
_ARGUMENTS = {
    "there is no option {}": "没有选项 {}",
    "{} stands alone: `msmap {}`": "{} 须单独使用：`msmap {}`",
    "there is no rule {}": "没有规则 {}",
    "{} is missing": "缺少 {}",
    "{}: {} is no number": "{}：{} 不是数",
    '{} "{}": one of {}': "{} “{}”：应为 {} 之一",
    '--fail-on "{}": one of {}': "--fail-on “{}”：应为 {} 之一",
    '--json "{}": one of {}': "--json “{}”：应为 {} 之一",
    '"{}": one of torch, mindspore': "“{}”：应为 torch 或 mindspore",
    'schema "{}": one of {}': "schema “{}”：应为 {} 之一",
    'device "{}": one of {}': "设备 “{}”：应为 {} 之一",
    '{} release "{}": one of {}': "{} 版本 “{}”：应为 {} 之一",
    "{}: {}: one of {}": "{}：{}：应为 {} 之一",
    "{}; did you mean {}?": "{}；是否想写 {}？",
    "did you mean the command {}?": "是否想运行命令 {}？",
    "`{} --help` tells more": "详见 `{} --help`",
    "`msmap lint --rules`": "见 `msmap lint --rules`",
    "Got unexpected extra argument(s) ({})": "多余的参数 ({})",
    "Got unexpected extra argument ({})": "多余的参数 ({})",
    "Got unexpected extra arguments ({})": "多余的参数 ({})",
    "No such command '{}'": "没有命令 {}",
    "No such command '{}'. Did you mean {}?": "没有命令 {}；是否想写 {}？",
    "Missing command": "缺少命令",
    "option {} requires an argument": "选项 {} 需要一个值",
    "option {} does not take a value": "选项 {} 不带值",
    "'{}' is not a valid {}": "{} 不是有效的 {}",
    "{} is not in the range {}": "{} 不在范围 {} 内",
    "File '{}' does not exist": "文件 {} 不存在",
    "File '{}' is a directory": "{} 是目录而非文件",
    "Directory '{}' is a file": "{} 是文件而非目录",
    "Path '{}' does not exist": "路径 {} 不存在",
    "--scheduler: workers have threads and a device of their own":
        "--scheduler：worker 有自己的线程和设备",
    "--write, --dirty, --exclude and --scheduler are for files, and code is given":
        "--write、--dirty、--exclude 和 --scheduler 用于文件，而给出的是代码",
    "-: code on standard input stands alone": "-：标准输入中的代码只能单独给出",
    "no names on standard input": "标准输入中没有名称",
    "only records have a category and a verification; --basis curated lists them":
        "只有记录才有类别和验证结论；用 --basis curated 列出记录",
}  # fmt: skip
_READING = {
    "nearest: {}": "相近的名称：{}",
    'nothing found for "{}"': "没有找到“{}”",
    "no record fits": "没有符合的记录",
    "no name fits": "没有符合的名称",
    "no statement fits; `msmap claims` without options lists all":
        "没有符合的说法；不带选项的 `msmap claims` 列出全部",
    "no browser can be started; the page is {}": "无法启动浏览器；页面地址为 {}",
    "no check `{}` in {}": "{1} 中没有检查项 `{0}`",
    "no record of {} below {}": "{1} 之下没有 {0} 的记录",
    "`{}` has no variant `{}`; it has {}": "`{}` 没有变体 `{}`；已有 {}",
    "{} has no check `{}`; it has {}": "{} 没有检查项 `{}`；已有 {}",
    "note: {}": "说明：{}",
    "{}: note: {}": "{}：说明：{}",
    "{} of {} files": "第 {} 个文件，共 {} 个",
    "{}; `msmap scan PATH --write-baseline {}` writes it":
        "{}；用 `msmap scan PATH --write-baseline {}` 写出",
    "no database at {}; build one with `msmap build` in a checkout":
        "{} 处没有数据库；在代码仓中用 `msmap build` 构建",
    "{} can't be read as an msmap database ({}); build it again with `msmap build`":
        "{} 无法作为 msmap 数据库读取（{}）；用 `msmap build` 重新构建",
    "{} has schema version {}, this msmap reads {}; build it again with `msmap build`":
        "{} 的 schema 版本为 {}，而此 msmap 读取的是 {}；用 `msmap build` 重新构建",
    "{} is not a known name of PyTorch": "{} 不是已知的 PyTorch 名称",
    "{} has no record": "{} 没有记录",
    "samples of what? With --run, all that have a record":
        "要哪些名称的样例？使用 --run 时可不给出，即所有有记录的名称",
    "{}: no name of PyTorch {}": "{}：不是 PyTorch {} 的名称",
    "{}: No such file or directory": "{}：文件或目录不存在",
    "{}: Permission denied": "{}：权限不足",
    "{}; free some space there": "{}；请在该处腾出空间",
}  # fmt: skip
_SERVING = {
    "can't listen on {}:{}: {}; choose another with --host or --port":
        "无法监听 {}:{}：{}；用 --host 或 --port 另选",
    "nothing to serve: {} is no msmap database; build one with `msmap build` in a checkout, or run"
    " `msmap serve`":
        "没有可提供的内容：{} 不是 msmap 数据库；在代码仓中用 `msmap build` 构建，或运行 `msmap serve`",
    "{}: a mapping with url, workers or limits is meant": "{}：应为含 url、workers 或 limits 的映射",
    "{}: limits: a mapping of names to numbers": "{}：limits：应为名称到数值的映射",
    "{}: limits: {}: {}: a number above 0": "{}：limits：{}：{}：应为大于 0 的数",
    "{}: workers: {}: a number; 0 is as many as processors":
        "{}：workers：{}：应为数值；0 表示与处理器数相同",
}  # fmt: skip
_WORKING = {
    "  next: msmap {} {}": "  接下来：msmap {} {}",
    "  {}; {} texts to write, in English and Chinese (TODO)": "  {}；有 {} 段中英文文字待写（TODO）",
    "TensorFlow can't run: {}": "TensorFlow 无法运行：{}",
    "TensorFlow didn't end within {} s": "TensorFlow 未在 {} 秒内结束",
    "TensorFlow is not installed. Install it with {}, in an environment of its own: it wants a newer"
    " NumPy than MindSpore":
        "未安装 TensorFlow。请在单独的环境中用 {} 安装：它需要比 MindSpore 更新的 NumPy",
    "drafting {}": "正在起草 {}",
    "probing {}": "正在探测 {}",
    "probing {} again": "再次探测 {}",
    "sampling {}": "正在取样 {}",
    "{}/{}: sampling {} and {} more": "{}/{}：正在取样 {}，另有 {} 个",
    "everything is current": "全部有效，无需运行",
    "importing both frameworks, then {} checks": "正在导入两个框架，之后运行 {} 个检查项",
    "stopped after {} of {} names; {}": "已完成 {} 个名称后停止，共 {} 个；{}",
    "no Dask scheduler answers at {}": "{} 处没有 Dask scheduler 响应",
    "no worker can run checks: {}": "没有 worker 能运行检查项：{}",
    "no worker of {} is left": "{} 的 worker 已全部退出",
    "no worker can read the files: {}": "没有 worker 能读取这些文件：{}",
    "no worker that can read the files is left": "能读取这些文件的 worker 已全部退出",
    "--scheduler: one file at a time is read by each worker, and --jobs is for here":
        "--scheduler：每个 worker 一次读取一个文件，--jobs 只用于本机",
    "starting workers' processes at {}": "正在 {} 启动 worker 进程",
    "the Dask scheduler at {} has no workers": "{} 处的 Dask scheduler 没有 worker",
    "the Dask scheduler is gone": "Dask scheduler 已退出",
    "the process that runs checks died before it ran any": "运行检查项的进程尚未运行便已退出",
    "the process that runs checks was ended": "运行检查项的进程已被结束",
    "worker {} runs no checks: {}": "worker {} 无法运行检查项：{}",
    "worker {}: {}": "工作节点 {}：{}",
    "no samples of PyTorch: {}; {}": "没有 PyTorch 的样例：{}；{}",
    "no problems": "没有问题",
    "nothing to fix": "无需修正",
    "{} file(s) written": "已写入 {} 个文件",
    "{} file(s) would be written": "将写入 {} 个文件",
    "{} problem(s)": "{} 个问题",
    "{} problem(s) in the data; nothing was changed": "数据中有 {} 个问题；未作任何改动",
    "nothing is called {}: there is no {}": "没有名为 {} 的内容：{} 不存在",
    "this needs {}; {} brings it": "此功能需要 {}；可用 {} 安装",
    "{} needs {}; {} brings it": "{} 需要 {}；可用 {} 安装",
    "{} conflict(s): ours stay; `msmap verify NAME` runs a record anew":
        "{} 处冲突：保留本地结果；用 `msmap verify NAME` 重新运行记录",
    "{} could not be copied to {} ({})": "{} 未能复制到 {}（{}）",
    "{} could not be written ({}); free some space there, or name another place with --output; what"
    " was there is as it was":
        "{} 未能写入（{}）；请腾出空间，或用 --output 指定别处；原有内容保持不变",
    "{} has no record; --like wants one that has": "{} 没有记录；--like 需要一个有记录的名称",
    "{} is not a file that a database could replace": "{} 不是可由数据库替换的文件",
    "{}: check `{}` can't be ported; see `msmap lint`": "{}：检查 `{}` 无法转写；详见 `msmap lint`",
    "{}: the code of check `{}` isn't Python that ends in an expression; see `msmap lint`":
        "{}：检查 `{}` 的代码不是以表达式结尾的 Python 代码；详见 `msmap lint`",
    "{} is not installed; run `pip install {}` and collect again":
        "未安装 {}；请运行 `pip install {}` 后重新收集",
    "{} is there already; --force replaces it": "{} 已存在；用 --force 替换",
    "{}/signatures is missing: a draft needs the files of a checkout":
        "缺少 {}/signatures：起草需要代码仓中的文件",
    "{}/signatures is missing: probing needs the files of a checkout":
        "缺少 {}/signatures：探测需要代码仓中的文件",
    "{}: an evidence file is named after what it ran on, such as"
    " torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64.jsonl":
        "{}：证据文件以其运行环境命名，如 torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64.jsonl",
    "{}: nothing was run, so there is nothing to draft from": "{}：没有运行过，因此没有可供起草的依据",
}  # fmt: skip
MESSAGES = _HEADINGS | _ARGUMENTS | _READING | _SERVING | _WORKING
