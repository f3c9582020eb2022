"""What is said of checkpoints, in Chinese; {} stands for a value."""

# ruff: noqa: E501

from __future__ import annotations

HELPS = {
    "Carry a checkpoint over: layer by layer, by what the records say of names and shapes.\n\n"
    "Which layer a tensor belongs to is told by --mapping, --model, --source or --into, the first of\n"
    "them that knows; no code of the checkpoint is ever run. With --into (on the way back --model)\n"
    "names and shapes are checked, and what stays without a value is listed.\n\n"
    "With both and --inputs it ends with what msmap compare finds.\n\n"
    "Exit status: 0 all is placed and set, 1 some of it isn't, or the models differ, 2 nothing was\n"
    "written.":
        "转换权重文件：按记录中的名称和形状逐层对应。\n\n"
        "张量属于哪一层由 --mapping、--model、--source 或 --into 中最先能确定的一个说明；绝不运行权重文件中的"
        "代码。给出 --into（反向转换时为 --model）时会核对名称和形状，并列出没有取到值的参数。\n\n"
        "两者与 --inputs 都给出时，最后给出 msmap compare 的比较结果。\n\n"
        "退出状态：0 全部对应并已赋值，1 有部分未能对应或两个模型不一致，2 没有写入任何内容。",
    "A .pt or .pth of torch.save, a .safetensors, a .ckpt; of weights in several files their index or"
    " folder.":
        "torch.save 保存的 .pt 或 .pth、.safetensors 或 .ckpt；权重分为多个文件时给出其索引或所在目录。",
    "A mapping file: what --draft writes, or TroubleShooter's JSON.":
        "映射文件：--draft 写出的文件，或 TroubleShooter 的 JSON。",
    "From MindSpore to PyTorch, or from PyTorch; the suffixes say it if left out.":
        "由 MindSpore 转到 PyTorch，或由 PyTorch 转出；省略则由后缀判断。",
    "MindSpore's optimizer, if not that of mindspore.experimental.optim.":
        "MindSpore 的优化器；省略则为 mindspore.experimental.optim 中的。",
    "The class of PyTorch's model, or what makes it, read and not run.":
        "PyTorch 模型的类或其构造方式；只读取，不运行。",
    "The file to write: .ckpt, .safetensors, .pt or .pth; in several files .safetensors.index.json or"
    " .bin.index.json.":
        "要写入的文件：.ckpt、.safetensors、.pt 或 .pth；分为多个文件时为 .safetensors.index.json 或 .bin.index.json。",
    "The most that each of several files takes.": "分为多个文件时每个文件的最大大小。",
    "What makes the model of MindSpore, to check against.": "MindSpore 模型的构造方式，用于核对。",
    "What makes the model of PyTorch: nets:Net, nets.py:make, 'nets:Net(classes=10)'.":
        "PyTorch 模型的构造方式：nets:Net、nets.py:make、'nets:Net(classes=10)'。",
    "What to take off the names, such as model.": "要从名称中去掉的前缀，如 model。",
    "Where to write the optimizer's state; with --back, where it stands.":
        "优化器状态写入的位置；配合 --back 时为其所在位置。",
    "Which of several state dicts is meant, such as model_ema.": "有多个 state dict 时指哪一个，如 model_ema。",
    "Write a mapping file to finish: YAML, or TroubleShooter's JSON.":
        "写出待补全的映射文件：YAML，或 TroubleShooter 的 JSON。",
}  # fmt: skip
MESSAGES = {
    "--inputs is for both models: give --model and --into": "--inputs 用于两个模型：请给出 --model 和 --into",
    '--lang "{}": one of {}': "--lang “{}”：应为 {} 之一",
    "--to FILE says what to write, or --draft FILE drafts a mapping":
        "用 --to FILE 指定要写入的文件，或用 --draft FILE 起草映射",
    "no optimizer of MindSpore's is known that keeps {}": "没有已知的 MindSpore 优化器保存 {}",
    "optimizer {}: one of {}": "优化器 {}：应为 {} 之一",
    "parameters have done different numbers of steps, and MindSpore counts once for all: {}":
        "各参数的步数不同，而 MindSpore 只统一计数：{}",
    "tensor {} {}: {}": "张量 {} {}：{}",
    "tensor {}: {} has no way back; give `back` in the mapping":
        "张量 {}：{} 无法反向转换；请在映射中给出 `back`",
    "tensors {} and {} would both be {}: say with --mapping which is meant":
        "张量 {} 和 {} 都会成为 {}：请用 --mapping 说明指哪一个",
    "the optimizer has groups of {} parameters, and that of --model of {}: give the one that the file is"
    " of":
        "文件中优化器各组的参数个数为 {}，--model 的优化器为 {}：请给出该文件所属的优化器",
    "which parameters stand in which group of the optimizer isn't told by their shapes: let --model give"
    " the optimizer too, as (model, inputs, loss, optimizer), or save one that is made of"
    " model.named_parameters()":
        "仅凭形状无法确定优化器各组含哪些参数：请让 --model 同时返回优化器，即 (model, inputs, loss, optimizer)，"
        "或保存由 model.named_parameters() 创建的优化器",
    "the optimizer has {} parameters, and the model {}: give the model with --model, as it was when"
    " the optimizer was made":
        "优化器有 {} 个参数，而模型有 {} 个：请用 --model 给出创建优化器时的模型",
    "{} has no class {}: has {}": "{} 中没有类 {}：已有 {}",
    "{} has no keys: leave --key out": "{} 没有键：请去掉 --key",
    "{} has no mapping: `msmap weights FILE --draft {}` drafts one":
        "{} 没有映射：用 `msmap weights FILE --draft {}` 起草",
    "{} has no state of an optimizer that is known: name it with --class":
        "{} 中没有已知优化器的状态：请用 --class 指明",
    "{} has no state of an optimizer: leave --optimizer out": "{} 中没有优化器状态：请去掉 --optimizer",
    "{} has no tensors": "{} 中没有张量",
    "{} has no tensors in what it holds ({}{}): write it with torch.save(model.state_dict(), ...)":
        "{} 的内容（{}{}）中没有张量：请用 torch.save(model.state_dict(), ...) 写出",
    "{} has no weights under {}: has {}": "{} 中 {} 之下没有权重：已有 {}",
    "{} has several: choose one with --key: {}": "{} 中有多个：请用 --key 选择一个：{}",
    "{} has the values' bytes in big-endian order": "{} 中的数值为大端字节序",
    "{} holds {}: write it with torch.save(model.state_dict(), ...)":
        "{} 中是 {}：请用 torch.save(model.state_dict(), ...) 写出",
    "{} is a compiled model of torch.jit.save: save its state_dict() instead, with torch.save":
        "{} 是 torch.jit.save 保存的编译模型：请改用 torch.save 保存其 state_dict()",
    "--shard-size {}: a size such as 500MB or 5GB": "--shard-size {}：应为大小，如 500MB 或 5GB",
    "{} has several indices: name the one that is meant: {}": "{} 中有多个索引：请指明是哪一个：{}",
    "{} holds {}, no tensor": "{} 中是 {}，不是张量",
    "{} is a folder with no index of shards ({}): name the file in it that has the weights":
        "{} 是目录，其中没有分片索引（{}）：请指明其中的权重文件",
    "{} is too large for an index": "{} 作为索引过大",
    "{}: MindSpore reads no checkpoint in shards: write .safetensors":
        "{}：MindSpore 不能读取分片的 checkpoint：请写成 .safetensors",
    "{}: an optimizer's state stands beside the weights in one file: write a .pt":
        "{}：优化器状态与权重在同一个文件中：请写成 .pt",
    "{}: no index of shards: no weight_map in it": "{}：不是分片索引：其中没有 weight_map",
    "{}: no index of shards: weight_map isn't of names and files":
        "{}：不是分片索引：weight_map 的内容不是名称和文件",
    "{}: {} has no tensor {}; is it another model's?": "{}：{} 中没有张量 {}；是否属于另一个模型？",
    "{}: {} is no name of a file beside it": "{}：{} 不是同一目录中的文件名",
    "{}: {} isn't there; write or download it again": "{}：{} 不存在；请重新写出或下载",
    "{} is a folder: name the file to write": "{} 是目录：请指明要写入的文件",
    "{} is a pickle, but none of torch.save: write it with torch.save(model.state_dict(), ...)":
        "{} 是 pickle，但不是 torch.save 写出的：请用 torch.save(model.state_dict(), ...) 写出",
    "{} is a pointer of Git LFS: run `git lfs pull`": "{} 是 Git LFS 指针：请运行 `git lfs pull`",
    "{} is an archive, but none of torch.save": "{} 是压缩包，但不是 torch.save 写出的",
    "{} is empty: write or download it again": "{} 为空：请重新写出或下载",
    "{} is no file": "{} 不是文件",
    "{} is no file of weights: neither of torch.save, nor safetensors, nor a checkpoint of MindSpore's":
        "{} 不是权重文件：既不是 torch.save 或 safetensors 的，也不是 MindSpore 的 checkpoint",
    "{} is no option; {}": "{} 不是选项；{}",
    "{} is no text in UTF-8": "{} 不是 UTF-8 文本",
    "{} is no weight map: [{name: name}, {name: function}]": "{} 不是权重映射：应为 [{name: name}, {name: function}]",
    "{} is no {}: {}": "{} 不是 {}：{}",
    "{} makes an object of {}, no {}": "{} 得到的是 {} 对象，而不是 {}",
    "{} wants a value; {}": "{} 需要一个值；{}",
    "{}: a file and a class, such as net.py:Net": "{}：应为文件和类，如 net.py:Net",
    "{}: a suffix of {} says how to write it": "{}：由后缀 {} 决定写出的格式",
    "{}: layers: {}: a class such as torch.nn.Conv2d": "{}：layers：{}：应为类，如 torch.nn.Conv2d",
    "{}: no name begins with {}": "{}：没有以 {} 开头的名称",
    "{}: of `value` only slices, axes and shapes may be changed, as in value[:, :, None, :],"
    " value.reshape(8, -1) or np.expand_dims(value, 2)":
        "{}：对 `value` 只能改变切片、轴和形状，如 value[:, :, None, :]、value.reshape(8, -1) 或 "
        "np.expand_dims(value, 2)",
    "{}: tensors: {}: a name in MindSpore, null, or {}": "{}：tensors：{}：应为 MindSpore 中的名称、null 或 {}",
    "{}: the layer of tensor {} {} isn't known: give --model, --source or --mapping":
        "{}：张量 {} {} 属于哪一层未知：请给出 --model、--source 或 --mapping",
    "{}: the pickle can't be read ({}); write or download it again":
        "{}：无法读取该 pickle（{}）；请重新写出或下载",
    "{}: the pickle is cut short; write or download it again": "{}：该 pickle 不完整；请重新写出或下载",
    "{}: the pickle is nested too deeply": "{}：该 pickle 嵌套过深",
    "{}: written{}": "{}：已写入{}",
    "{}: {} in the archive is too large for a pickle of names": "{}：压缩包中的 {} 作为名称的 pickle 过大",
    "{}: {}: lines of `name: value`": "{}：{}：应为 `name: value` 的各行",
    "{}: {}: {} can't be run; write it as YAML": "{}：{}：{} 无法运行；请写成 YAML",
    "{}: {}; write or download it again": "{}：{}；请重新写出或下载",
}  # fmt: skip
