"""What rules ask for, and what is wrong in data files, in Chinese."""

# ruff: noqa: E501

from __future__ import annotations

from msmap import phrases

# A paragraph a line.
RULES = {
    "No other candidate agrees on more of PyTorch's samples than the first target.":
        "在 PyTorch 样例上，没有哪个候选接口比第一个对应接口一致得更多。",
    "Where one does, it comes first, or `first` of the target says why not.":
        "若有，则该候选应排在首位，或由对应接口的 `first` 说明原因。",
    "The port to each target is executed by a check that expects the same outcome.":
        "转写到每个对应接口的代码都有检查项实际执行，且预期结果一致。",
    "English is English, Chinese is Chinese.": "英文为英文，中文为中文。",
    "A space stands between Chinese characters and Latin letters or digits.": "汉字与拉丁字母、数字之间有空格。",
    "A target of what changes its input changes it too: `x.relu_()` is no `ops.relu(x)`.":
        "原地修改输入的接口，其对应接口也要原地修改：`x.relu_()` 不是 `ops.relu(x)`。",
    "Where one doesn't, its `note` says what it is for. What has no kernel here shows it in no check.":
        "若不原地修改，应由其 `note` 说明用途。在此设备上没有内核的接口，检查项看不出这一点。",
    "A caveat's checks exist and would fail if it stopped being true.":
        "注意事项引用的检查项存在，且该注意事项不再成立时检查会失败。",
    "A caveat seen on CPU alone has `device: [CPU]` and doesn't say it in its text.":
        "只在 CPU 上观察到的注意事项应写 `device: [CPU]`，而不在文字中说明。",
    "A check without a MindSpore side, and the example, can be ported by the rewriter.":
        "没有写 MindSpore 一侧的检查项以及示例都能由转写器转写。",
    "No two checks, caveats or targets of a record share an id.":
        "同一记录中的检查项、注意事项、对应接口的 id 各不相同。",
    "Code in checks parses, ends in an expression, and uses only inputs that are given.":
        "检查项的代码可以解析，以表达式结尾，且只使用给出的输入。",
    "The checks that show a verdict exist, and came out as they should.":
        "用来证明结论的检查项存在，且结果符合预期。",
    "No two statements of a topic share an id.": "同一主题下的说法的 id 各不相同。",
    "The names that a statement is about exist, unless it is not true of today's releases.":
        "说法涉及的名称存在，除非该说法在当前版本中不成立。",
    "The documents and sections that a statement stands in exist, and the statements it denies.":
        "说法所在的文档与章节存在，它所否定的说法也存在。",
    "Everything under `covers` is of PyTorch, and of one record alone.":
        "`covers` 下的名称都属于 PyTorch，且只属于一条记录。",
    "A default that differs on the best target has a caveat or a note that says what happens.":
        "首选对应接口中不同的默认值有注意事项或说明交代其后果。",
    "A variant that differs without an error is named in `variants` of a caveat.":
        "结果不同却不报错的变体应列在某条注意事项的 `variants` 中。",
    "Every check has evidence of what it does now; run `msmap verify` on the record.":
        "每个检查项都有当前内容的证据；请对该记录运行 `msmap verify`。",
    "What a check of a guide leaves to the rewriter can be ported.":
        "指南的检查项中交给转写器的部分可以转写。",
    "No two checks of a guide share an id, in whatever section.":
        "同一指南中各节的检查项 id 各不相同。",
    "Every check of a guide has evidence of what it does now; run `msmap verify` on the guide.":
        "指南的每个检查项都有当前内容的证据；请对该指南运行 `msmap verify`。",
    "The records that a guide links to exist.": "指南引用的记录存在。",
    "The guides that a record links to exist.": "记录引用的指南存在。",
    "What a family says is not said again by a record that is like it.":
        "族已写明的内容，属于该族的记录不再重复。",
    "`msmap lint --fix` leaves it to the family.": "`msmap lint --fix` 会将其留给族。",
    "No reference is written that follows from the name and the APIs of the targets.":
        "可由名称和对应接口推出的参考链接不必写出。",
    "What is written of a framework's documentation stands for what would follow. "
    "`msmap lint --fix` leaves out what does.":
        "对某个框架写出的文档链接会取代推出的链接。`msmap lint --fix` 会删去可推出的链接。",
    "Every entry and value of a family is used, by records that are like it or by itself.":
        "族的每个条目和取值都有属于该族的记录或族自身使用。",
    "What proves a target is given several values somewhere: of one alone, APIs are alike.":
        "证明对应接口的检查至少有一处输入多个元素：只有一个元素时许多接口没有区别。",
    "`[[1.0]]` gives the same for `cumsum` and `cumprod`.":
        "对 `[[1.0]]`，`cumsum` 与 `cumprod` 的结果相同。",
    "Numbers and names of code that one language gives, the other gives too.":
        "一种语言中给出的数字与代码名称，另一种语言中也要给出。",
    "The guides and records that an explained error leads to exist.":
        "错误解释引用的指南与记录存在。",
    "A target of which MindSpore announced the removal has a caveat `goes-in-a-later-release`.":
        "MindSpore 已宣布移除的对应接口，须有注意事项 `goes-in-a-later-release`。",
    "It names the API, and what to write instead. A composition has it for each API that it calls.":
        "它写明接口名及替代写法；组合写法对其调用的每个接口都要写明。",
    "PyTorch and MindSpore have the names that the record gives.":
        "记录给出的名称在 PyTorch 与 MindSpore 中存在。",
    "No `TODO` is left, in a text, an id, a value or a comment.":
        "文字、id、取值、注释中都不再有 `TODO`。",
    "What differs between the signatures is said: defaults, and parameters one side lacks.":
        "签名之间的差别都有说明：默认值，以及一方没有的参数。",
    "Every parameter that a record names is in a signature (or in the target's expression).":
        "记录提到的每个参数都出现在签名中（或对应接口的表达式中）。",
    "Every parameter that a record carries over is given by a check, not as its default alone.":
        "记录转写的每个参数都有检查项传入，且不只是默认值。",
    "Samples of a caveat that all differ in one way are told of by it, in their `message`.":
        "某条注意事项的样例若都以同一种方式不同，须在其 `message` 中写明。",
    "Who tells of results that are rounded, or of another dtype, whatever the message, would tell of"
    " results that are wrong too, the day they are.":
        "不限定消息、笼统涵盖舍入误差或 dtype 差异的条目，日后结果真正出错时也会一并涵盖。",
    "Its default is enough of one that is dropped. Private ones need none.":
        "会被删去的参数传入默认值即可；私有参数不作要求。",
    "The path of a record's file is the PyTorch name.": "记录文件的路径即 PyTorch 名称。",
    "A {placeholder} names a parameter of PyTorch's, or what `parameters` makes of one.":
        "{placeholder} 是 PyTorch 的参数名，或 `parameters` 由它得到的名称。",
    "A relation doesn't contradict names and defaults, and says more than they do.":
        "参数关系不与名称和默认值矛盾，且比它们说明得更多。",
    "What the port gets wrong of PyTorch's samples is in a caveat's `samples` or `variants`.":
        "转写结果在哪些 PyTorch 样例上不一致，写在注意事项的 `samples` 或 `variants` 中。",
    "What the rewriter refuses is told, and so are a dtype and a kind of input of which the target takes none, or has no kernel, of the gradient alone too, as checks show. Where other names were probed, every record's is, with each of its targets.":
        "转写器拒绝的情形视为已说明；对应接口完全不接受或没有 kernel（包括只缺梯度 kernel）的数据类型与输入种类，若检查项已表明，也视为已说明。只要有名称做过试探，每条记录的名称及其每个目标都要试探。",
    "A caveat of a sibling (torch.tanh, F.tanh, nn.Tanh) stands here too, or is shown not to.":
        "同族接口（torch.tanh、F.tanh、nn.Tanh）的注意事项在此同样列出，或由检查项表明不适用。",
    "Every section of a document has statements, and a guide or a record for its topic.":
        "文档的每一节都有说法，其主题都有指南或记录。",
    "Every expression in a record is Python once its placeholders are filled.":
        "记录中的表达式填入占位符后都是合法的 Python。",
    "A summary fits on a line, a caveat in three, a section of a guide on half a screen.":
        "摘要不超过一行，注意事项不超过三行，指南的一节不超过半屏。",
    "A caveat's `variants` don't all agree, unless a check of its own shows it.":
        "注意事项的 `variants` 不应全部一致，除非另有检查项证明它。",
}  # fmt: skip
MESSAGES = {
    "no check `{}`": "没有检查项 `{}`",
    "check `{}` expects agreement, so it shows no difference": "检查项 `{}` 预期一致，因而不能表明差异",
    "{} can't be ported: {}": "{} 无法转写：{}",
    "the example": "示例",
    "check `{}`": "检查项 `{}`",
    "no check with a ported MindSpore side proves {}": "没有检查项以转写得到的 MindSpore 代码证明 {}",
    "`{}` stands twice": "`{}` 出现了两次",
    "check `{}` stands twice": "检查项 `{}` 出现了两次",
    "statement `{}` stands twice": "说法 `{}` 出现了两次",
    "check `{}`: the last {} line must be an expression": "检查项 `{}`：{} 一侧的最后一行须为表达式",
    "check `{}`: `{}` is no input and is never set": "检查项 `{}`：`{}` 不是输入，也从未赋值",
    "check `{}`, {} line {}: {}": "检查项 `{}`，{} 一侧第 {} 行：{}",
    "check `{}`, {}: {}": "检查项 `{}`，{}：{}",
    "check `{}` was never run": "检查项 `{}` 从未运行",
    "check `{}` changed since it ran": "检查项 `{}` 在运行之后有改动",
    "check `{}` failed: {}": "检查项 `{}` 失败：{}",
    "caveat `{}`: all that these samples show is `{}`":
        "注意事项 `{}`：这些样例显示的只有 `{}`",
    "caveat `{}`: {} agrees everywhere": "注意事项 `{}`：{} 处处一致",
    "no check {}: write OWNER#CHECK": "没有检查项 {}：应写成 OWNER#CHECK",
    "{} is {} in {}": "{} 为 {}（环境 {}）",
    "no section `{}` of a document `{}`": "没有章节 `{}`（文档 `{}`）",
    "no statement `{}`": "没有说法 `{}`",
    "no framework has {}": "两个框架都没有 {}",
    "no statement stands in section `{}`": "章节 `{}` 中没有说法",
    "no guide or record {}": "没有指南或记录 {}",
    "PyTorch {} has no {}": "PyTorch {} 中没有 {}",
    "MindSpore {} has no {}": "MindSpore {} 中没有 {}",
    "{}: every name has a record of its own": "{}：其中每个名称都已有自己的记录",
    "{} is covered by {} too": "{} 也被 {} 涵盖",
    "no record of {}": "没有 {} 的记录",
    "neither a guide nor a record: {}": "既不是指南也不是记录：{}",
    "{} belongs in {}": "{} 应放在 {}",
    "PyTorch's {} has no parameter `{}`": "PyTorch 的 {} 没有参数 `{}`",
    "{} has no parameter `{}`": "{} 没有参数 `{}`",
    "{}: {}; say how it is carried over": "{}：{}；请说明如何转写",
    "`{}` has the same name on both sides": "`{}` 在两侧同名",
    "`{}` has the same default on both sides": "`{}` 在两侧默认值相同",
    "`{}` is the same anyway; leave it out": "`{}` 本来就相同，无需列出",
    "`{}` has another default in MindSpore: default_differs": "`{}` 在 MindSpore 中默认值不同：default_differs",
    "{{}} is no parameter that could fill it": "{{}} 不是可以填入的参数",
    "{} is not an expression: {}": "{} 不是表达式：{}",
    "no caveat with `parameter: {}` (or note) says what its default changes":
        "没有带 `parameter: {}` 的注意事项（或说明）交代其默认值的影响",
    "no caveat {} names {}: {}": "没有注意事项 {} 写明 {}：{}",
    "no check gives `{}`": "没有检查项传入 `{}`",
    "checks give `{}` its default alone, {}": "检查项只以默认值传入 `{}`，即 {}",
    "`{}` has one value alone, and no check of {} an input of more": "`{}` 只有一个元素，{} 的检查项也没有更多元素的输入",
    "never tried on PyTorch's samples": "从未在 PyTorch 的样例上试过",
    "{} ({}; {}), {}{}; as `{}`": "{}（{}；{}），{}{}；例如 `{}`",
    "{} leaves its input as it is": "{} 不改变其输入",
    "{} agrees on {} of PyTorch's samples, {} on {}": "{} 在 PyTorch 样例中有 {} 一致，{} 为 {}",
    "no caveat `{}` as in {}, nor a check that clears it": "没有注意事项 `{}`（{} 中有），也没有排除它的检查项",
    "check `{}` clears `{}`, of which no sibling tells": "检查项 `{}` 排除了 `{}`，而同族接口并无此项",
    "check `{}` expects no agreement, so it clears nothing": "检查项 `{}` 并不预期一致，因而不能排除任何事项",
    "the English text has Chinese in it": "英文文本中有中文",
    "the Chinese text has no Chinese in it": "中文文本中没有中文",
    "{} was never tried on PyTorch's samples": "{} 从未用 PyTorch 的样本试探过",
    "`{}` in the Chinese text lacks a space": "中文文本中的 `{}` 缺少空格",
    "only in one of the two languages: {}": "只在一种语言中出现：{}",
    "{} characters of English; at most {}": "英文 {} 个字符；最多 {} 个",
    "`{}`: what goes here?": "`{}`：此处应填什么？",
    'the {} text says "{}", as `device` does': "{} 文本中写了 “{}”，`device` 已经说明",
    'the {} text says "{}": that is `device: [CPU]`': "{} 文本中写了 “{}”：应写成 `device: [CPU]`",
    "no guide `{}`": "没有指南 `{}`",
    "`{}` of {} says this": "族 {1} 的 `{0}` 已写明",
    "{} follows from the names": "{} 可由名称推出",
    "no record is like {}": "没有记录属于族 {}",
    "no record has `{}`": "没有记录使用 `{}`",
    "no text has the placeholder `{}`": "没有文本使用占位符 `{}`",
}  # fmt: skip
# What stands in those, and is put together elsewhere.
PARTS = {
    "the inputs end up otherwise": "输入最终的内容不同",
    "`{}` defaults to {} in PyTorch and {} in MindSpore": "`{}` 在 PyTorch 中默认为 {}，在 MindSpore 中默认为 {}",
    "MindSpore's `{}` is extra": "MindSpore 多出参数 `{}`",
    "PyTorch's `{}` has no counterpart": "PyTorch 的参数 `{}` 没有对应项",
    "{}:{}: not a probe ({})": "{}:{}：不是试探结果（{}）",
    "1 sample": "1 个样例",
    "{} samples": "{} 个样例",
    "English": "英文",
    "Chinese": "中文",
}
# What is wrong with a file that can't be taken; {} before a colon is where.
FILES = {
    "not YAML: {}": "不是合法的 YAML：{}",
    "not UTF-8: byte {}": "不是 UTF-8 编码：第 {} 字节",
    "not a regular file": "不是普通文件",
    "nested deeper than {} levels": "嵌套超过 {} 层",
    "more than {} values, aliases counted in full": "超过 {} 个值（别名按展开后计）",
    "an anchor contains itself": "锚点包含自身",
    "key `{}` stands twice": "键 `{}` 出现了两次",
    "{} stands in {} too": "{} 也出现在 {} 中",
    "the file is empty": "文件为空",
    "unknown key `{}`": "未知的键 `{}`",
    "no family is called `{}`": "没有名为 `{}` 的族",
    "no `{}` under `{}` of {}": "族 {2} 的 `{1}` 下没有 `{0}`",
    "`{}` has no value: write `with: {}`": "`{}` 没有取值：请写 `with: {}`",
    "`with`: no family of this record has a value `{}`": "`with`：此记录的族没有取值 `{}`",
    "`{}` stands in a text, and is no text": "`{}` 用在文本中，但取值不是文本",
    "{}: unknown key `{}.{}.{}`": "{}：未知的键 `{}.{}.{}`",
    "{}: a family has targets, parameters, caveats or checks":
        "{}：族至少要有 targets、parameters、caveats 或 checks 之一",
    "`lint --fix` would change what it says, and leaves it as it is":
        "`lint --fix` 会改变其内容，因此保持原样",
    "key `{}` is missing": "缺少键 `{}`",
    # Where, and what was found, stand before what is wanted.
    **{f"{{}}: {{}}: {en}": f"{{}}：{{}}：{zh}" for en, zh in phrases.PYDANTIC.items()},
    "file": "文件",
    "no data here: expected a directory `records` (run from a checkout, or --data)":
        "这里没有数据：应有目录 `records`（请在代码仓中运行，或用 --data 指定）",
    "{}: verdict {} needs {}": "{}：结论 {} 需要 {}",
    "{}: verdict {} has no {}": "{}：结论 {} 不应有 {}",
    "{}: verdict {} needs now": "{}：结论 {} 需要 now",
    "{}: what is not testable has no shown_by": "{}：无法测试的说法不应有 shown_by",
    "{}: verdict {} needs shown_by or tensorflow": "{}：结论 {} 需要 shown_by 或 tensorflow",
    '{}: relation "{}" names {} sides': "{}：关系 “{}” 应给出{}的参数",
    "both": "两侧",
    "{}: a target has exactly one of api, expression, remove": "{}：对应接口须有且仅有 api、expression、remove 之一",
    "{}: a target that is an expression needs an id": "{}：写作 expression 的对应接口需要 id",
    "{}: of `samples`, say which: outcomes, dtypes, kinds, given or message":
        "{}：`samples` 须说明是哪些：outcomes、dtypes、kinds、given 或 message",
    '{}: {} "{}": one of {}': "{}：{} “{}”：应为 {} 之一",
    "{}: {}: such as float32[2, 3], or int64[4] in 0..5": "{}：{}：应形如 float32[2, 3] 或 int64[4] in 0..5",
    "{}: a caveat has either shown_by (or variants) or unverified": "{}：注意事项须有 shown_by（或 variants）与 unverified 之一",
    "{}: `low` is above `high`": "{}：`low` 大于 `high`",
    "{}: `shape`: no size is below 0": "{}：`shape`：大小不能小于 0",
    "{}: {}: the first is the smaller one": "{}：{}：较小的数应写在前面",
    "{}: an input has either shape or values": "{}：输入须有 shape 与 values 之一",
    "{}: `ranks` make their tensors themselves: there are no `inputs`": (
        "{}：`ranks` 检查自行创建张量，不能有 `inputs`"
    ),
    "{}: a record has either targets or missing": "{}：记录须有 targets 与 missing 之一",
    "{}: `covers` shares what is missing or removed: a target is of one API":
        "{}：`covers` 用于共同缺失或删除的名称；对应接口只属于一个 API",
    "{}: {} is no regular expression: {}": "{}：{} 不是正则表达式：{}",
    "{}: {} is not a signature: {}": "{}：{} 不是函数签名：{}",
    "expected {}": "应为 {}",
}  # fmt: skip
