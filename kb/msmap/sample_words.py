"""Words for samples: where they come from, which inputs they are, and why some can't be had."""

from __future__ import annotations

# Where the inputs come from that a name is tried with: PyTorch's own tests (of operators, layers,
# optimizers, and inputs that raise), examples of its documentation, and what is made from
# signatures: calls of the usual shapes, and values by the types of parameters.
ORIGINS: dict[str, tuple[str, str]] = {
    "op": ("PyTorch's samples of operators", "PyTorch 自带的算子样例"),
    "module": ("PyTorch's samples of layers", "PyTorch 自带的网络层样例"),
    "optimizer": ("PyTorch's samples of optimizers", "PyTorch 自带的优化器样例"),
    "error": ("PyTorch's samples that raise", "PyTorch 自带的报错样例"),
    "docstring": ("examples of PyTorch's documentation", "PyTorch 文档示例"),
    "mindspore": (
        "examples of MindSpore's documentation, turned round",
        "MindSpore 文档示例，反向转写而来",
    ),
    "pattern": (
        "those calls in other forms, and in the shapes of public code",
        "上述调用的其他写法，以及公开代码中的写法",
    ),
    "made": ("made from the signature", "根据签名生成"),
}

# What is special about the inputs of a sample.
KINDS: dict[str, tuple[str, str]] = {
    "plain": ("plain", "普通"),
    "0-d": ("0-d", "0 维"),
    "empty": ("empty", "空 Tensor"),
    "size-1": ("axes of size 1", "大小为 1 的维"),
    "non-contiguous": ("non-contiguous", "非连续内存"),
    "broadcasting": ("broadcasting", "广播"),
    "negative-axis": ("axes from the end", "负数轴"),
    "nonfinite": ("nan and inf", "nan 与 inf"),
}

# Why an input that PyTorch has can't be one here.
GAPS: dict[str, tuple[str, str]] = {
    "callable": ("an argument is a function", "参数是函数"),
    "sparse": ("a tensor isn't dense", "Tensor 不是稠密的"),
    "device": ("an argument is a device, a stream or a generator", "参数是设备、流或随机数生成器"),
    "object": ("an argument can't be written as text", "参数无法写成文本"),
    "dtype": ("a dtype that NumPy lacks", "NumPy 没有的 dtype"),
    "large": ("too many values that matter", "起作用的取值过多"),
    "nested": ("the call isn't a call of the name itself", "并非直接调用该名称"),
    "refused": ("PyTorch doesn't take the call as written here", "PyTorch 不接受此处写出的调用"),
    "crash": ("PyTorch crashes", "PyTorch 崩溃"),
    "timeout": ("PyTorch takes too long", "PyTorch 耗时过长"),
    "opaque": ("the result isn't made of tensors and numbers", "结果不由 Tensor 和数值组成"),
    "signature": ("no signature known here takes the call", "与此处已知的签名不符"),
}
