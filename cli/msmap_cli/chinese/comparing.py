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
    "Inputs as .npz, in the order of the arrays or by name.": ".npz 形式的输入，按数组顺序或名称对应。",
    "Keep whole tensors, or statistics of them.": "保存完整张量，或只保存其统计量。",
    "List everything that differs.": "列出所有不同之处。",
    "Mode of the model: training and then evaluation, or as it comes.":
        "模型的模式：先训练再推理，或保持原样。",
    "Of two models: begin random numbers.": "用于两个模型：随机数种子。",
    "Of two models: drop out, or nothing.": "用于两个模型：是否启用 dropout。",
    "Of two models: inputs as .npz.": "用于两个模型：.npz 形式的输入。",
    "Of two models: only layers of this path or pattern.": "用于两个模型：只处理此路径或模式的层。",
    "Of two models: only these steps.": "用于两个模型：只处理这些步。",
    "Of two models: the function of each that trains it.": "用于两个模型：各自负责训练的函数。",
    "Of two models: their mode.": "用于两个模型：模型的模式。",
    "Of two models: what is compared.": "用于两个模型：要比较的内容。",
    "Only layers of this path or pattern.": "只处理此路径或模式的层。",
    "Only these steps; all if left out.": "只处理这些步；省略则为全部。",
    "Run PyTorch in float64 beside, the yardstick of a comparison.":
        "同时以 float64 运行 PyTorch，作为比较的尺度。",
    "Run the checks of the caveats that explain a difference.": "运行可解释差异的注意事项所附的检查项。",
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
    '--steps "{}": numbers between commas, such as 0,1,5': "--steps “{}”：应为逗号分隔的数字，如 0,1,5",
    "{}: {} steps, {} layers, {} calls": "{}：{} 步，{} 层，{} 次调用",
    "running checks needs {}": "运行检查项需要 {}",
    "{} and {}: two recordings, or two factories": "{} 和 {}：应为两份记录，或两个构造函数",
}  # fmt: skip
