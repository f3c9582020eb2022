"""What is said of recordings and their comparison, in Chinese; {} stands for a value."""

# ruff: noqa: E501

from __future__ import annotations

HELPS = {
    "Record what a model of PyTorch's or MindSpore's does, for msmap compare.\n\n"
    "Inputs, outputs and gradients of every layer and of the functions between them, in the order\n"
    "of their calls; parameters, buffers and the loss after every step. The folder holds JSON and\n"
    ".npz files, and is read without a framework.\n\n"
    "Exit status: 0 recorded, 1 not, 2 wrong usage.":
        "记录 PyTorch 或 MindSpore 模型的运行过程，供 msmap compare 使用。\n\n"
        "按调用顺序记录每一层及其间各函数的输入、输出和梯度，以及每步之后的参数、缓冲区和损失。"
        "目录中为 JSON 和 .npz 文件，读取时不需要框架。\n\n"
        "退出状态：0 已记录，1 未记录，2 用法有误。",
    "Tell where the numbers of a port part from PyTorch's, and why.\n\n"
    "A and B are recordings of msmap record, or folders of msProbe's dump; no framework is needed.\n"
    "With two factories both models run here, with PyTorch's weights and the same inputs.\n\n"
    "Layers are paired by their records, differences are measured by PyTorch's own noise, and what\n"
    "differs is explained by the caveats of the records, or said to be none of them.\n\n"
    "Exit status: 0 all agrees, 1 something differs or has no partner, 2 wrong usage.":
        "说明移植后的数值从何处开始与 PyTorch 不同，以及原因。\n\n"
        "A 和 B 是 msmap record 的记录，或 msProbe 的 dump 目录；不需要框架。给出两个构造函数时，"
        "两个模型在此处以 PyTorch 的权重和相同输入运行。\n\n"
        "各层按记录配对，差异以 PyTorch 自身的噪声为尺度；不同之处由记录中的注意事项解释，或说明不属于其中任何一条。\n\n"
        "退出状态：0 全部一致，1 有不同或没有对应的部分，2 用法有误。",
    "A function of the module that is called with the model, and trains it.":
        "模块中以模型为参数、负责训练的函数。",
    "A recording, or MODULE:FACTORY of a model.": "一份记录，或模型的 MODULE:FACTORY。",
    "Begin random numbers anew with this.": "以此作为随机数种子。",
    "Drop out, or drop nothing out.": "是否启用 dropout。",
    "'float32[2, 3, 32, 32]' or 'int64[2, 8] in 0..100' once for each input, or an .npz, in the order"
    " of its arrays or by name.":
        "每个输入各给一次 'float32[2, 3, 32, 32]' 或 'int64[2, 8] in 0..100'；或给出 .npz，按数组顺序或名称对应。",
    "Of both models: 'float32[2, 3, 32, 32]' or 'int64[2, 8] in 0..100' once for each input, or an .npz"
    " with all of them.":
        "用于两个模型：每个输入各给一次 'float32[2, 3, 32, 32]' 或 'int64[2, 8] in 0..100'；或给出含全部输入的 .npz。",
    "Of two models: 'float32[2, 3, 32, 32]' or 'int64[2, 8] in 0..100' once for each input, or an .npz.":
        "用于两个模型：每个输入各给一次 'float32[2, 3, 32, 32]' 或 'int64[2, 8] in 0..100'；或给出 .npz。",
    "Keep whole tensors, or statistics of them.": "保存完整张量，或只保存其统计量。",
    "List everything that differs.": "列出所有不同之处。",
    "Mode of the model: training and then evaluation, or as it comes.":
        "模型的模式：先训练再推理，或保持原样。",
    "Of two models: begin random numbers.": "用于两个模型：随机数种子。",
    "Of two models: drop out, or nothing.": "用于两个模型：是否启用 dropout。",
    "Of two models: only layers of this path or pattern.": "用于两个模型：只处理此路径或模式的层。",
    "Of two models: only these steps.": "用于两个模型：只处理这些步。",
    "Of two models: the function of each that trains it.": "用于两个模型：各自负责训练的函数。",
    "Of two models: their mode.": "用于两个模型：模型的模式。",
    "Of two models: what is compared.": "用于两个模型：要比较的内容。",
    "Only layers of this path or pattern.": "只处理此路径或模式的层。",
    "Only these steps; all if left out.": "只处理这些步；省略则为全部。",
    "Run PyTorch in float64 beside, the yardstick of a comparison.":
        "同时以 float64 运行 PyTorch，作为比较的尺度。",
    "Of two recordings too: run the checks of the caveats that explain a difference.":
        "对两份记录也运行可解释差异的注意事项所附的检查项。",
    "The folder to write.": "要写入的目录。",
    "The same of the other framework.": "另一个框架的同类内容。",
    "What makes the model, such as net:make or net.py:make: a class, or a function that gives a model,"
    " or model, inputs, loss and optimizer.":
        "模型的构造方式，如 net:make 或 net.py:make：一个类，或返回模型（或模型、输入、损失和优化器）的函数。",
    "Write which layer is which for msProbe, as YAML.": "以 YAML 写出供 msProbe 使用的层对应关系。",
}  # fmt: skip
MESSAGES = {
    "--inputs and --train: a function that trains makes its own inputs":
        "--inputs 与 --train：训练函数自行产生输入",
    "--inputs {}: more values than a model is tried with": "--inputs {}：数值过多，不适合用来试运行模型",
    "--inputs {}: one FILE.npz, or for each input a dtype and a shape, such as 'float32[2, 3]' or"
    " 'int64[4] in 0..5'":
        "--inputs {}：应为一个 FILE.npz，或每个输入的 dtype 和形状，如 'float32[2, 3]' 或 'int64[4] in 0..5'",
    '--steps "{}": numbers between commas, such as 0,1,5': "--steps “{}”：应为逗号分隔的数字，如 0,1,5",
    "running checks needs {}": "运行检查项需要 {}",
    "values={}: tensors or statistics": "values={}：应为 tensors 或 statistics",
    "{} and {} are both of {}: one of PyTorch and one of MindSpore are compared":
        "{} 和 {} 都属于 {}：应比较一份 PyTorch 的和一份 MindSpore 的",
    "{} and {}: two recordings, or two factories": "{} 和 {}：应为两份记录，或两个构造函数",
    "{} has steps {}, {} has steps {}: none in common; record the same ones":
        "{} 有步 {}，{} 有步 {}：没有共同的步；请记录相同的步",
    "{} is no model: give a torch.nn.Module, a mindspore.nn.Cell or a tuple of them":
        "{} 不是模型：请给出 torch.nn.Module、mindspore.nn.Cell 或由它们组成的元组",
    "{} is of {}, {} of {}: one of PyTorch and one of MindSpore are compared":
        "{} 属于 {}，{} 属于 {}：应比较一份 PyTorch 的和一份 MindSpore 的",
    "{}: array {} can't be read ({}); record it again": "{}：无法读取数组 {}（{}）；请重新记录",
    "{}: array {} is no array; record it again": "{}：{} 不是数组；请重新记录",
    "{}: gave a mapping with {}; it has model, and may have inputs, loss and optimizer":
        "{}：返回的字典含有 {}；应有 model，可以有 inputs、loss 和 optimizer",
    "{}: gave {} things; it gives {}": "{}：返回了 {} 项；应返回 {}",
    "{}: gives a model and no inputs; let it return (model, inputs), or give --inputs 'float32[2, 3]',"
    " --inputs FILE.npz or --train NAME":
        "{}：只返回了模型而没有输入；请让它返回 (model, inputs)，或给出 --inputs 'float32[2, 3]'、"
        "--inputs FILE.npz 或 --train NAME",
    "{}: holds {} too; name a folder for recordings": "{}：其中还有 {}；请指定专用于记录的目录",
    "{}: name a module and what makes the model, such as nets:Net, nets.py:make or"
    " 'nets:Net(classes=10)'":
        "{}：请给出模块和模型的构造方式，如 nets:Net、nets.py:make 或 'nets:Net(classes=10)'",
    "{}: no .npz of plain arrays ({})": "{}：不是由普通数组组成的 .npz（{}）",
    "{}: no array can be read from it ({})": "{}：无法从中读取数组（{}）",
    "{}: no array {} in it; record it again": "{}：其中没有数组 {}；请重新记录",
    "{}: no arrays in it": "{}：其中没有数组",
    "{}: no modules in it (level {}); dump with level L0 or mix":
        "{}：其中没有模块级数据（level 为 {}）；请以 level L0 或 mix 采集",
    "{}: no recording of msmap's: it has no format {}": "{}：不是 msmap 的记录：没有 format {}",
    "{}: no such file": "{}：没有这个文件",
    "{}: no whole JSON ({}); record it again": "{}：JSON 不完整（{}）；请重新记录",
    "{}: no {} in it": "{}：其中没有 {}",
    "{}: no {} in it; `msmap record` writes one when it is done":
        "{}：其中没有 {}；`msmap record` 结束时会写出",
    "{}: not as a recording is ({}); record it again": "{}：与记录的格式不符（{}）；请重新记录",
    "{}: not as msProbe writes it ({})": "{}：与 msProbe 写出的格式不符（{}）",
    "{}: not there, and {} says so; record it again": "{}：不存在，而 {} 提到了它；请重新记录",
    "{}: raised {}{}": "{}：抛出 {}{}",
    "{}: version {}; this msmap reads {}: record it again":
        "{}：版本为 {}；此 msmap 读取 {}：请重新记录",
    "{}: {} has no function or class {}; it has {}": "{}：{} 中没有函数或类 {}；已有 {}",
    "{}: {} has no function {} to train with": "{}：{} 中没有用于训练的函数 {}",
    "{}: {} has the shape {}, not the {} that recording.json says; record it again":
        "{}：{} 的形状为 {}，而 recording.json 中为 {}；请重新记录",
    "{}: {} is no name of an array in this folder": "{}：{} 不是此目录中数组的名称",
    "{}: steps: {}, layers: {}, calls: {}": "{}：{} 步，{} 层，{} 次调用",
}  # fmt: skip
