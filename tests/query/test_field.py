"""Errors that people reported in public, and the page that explains each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from msmap.query.errors.explain import explain
from msmap.query.knowledge_base import KnowledgeBase


@pytest.fixture(scope="module")
def kb(shipped: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(shipped) as found:
        yield found


EINSUM = """\
RuntimeError:
----------------------------------------------------
- Kernel select failed:
----------------------------------------------------
Unsupported op [Einsum] on CPU, Please confirm whether the device target setting is correct
"""


@pytest.mark.parametrize(
    ("says", "see", "instead"),
    [
        ("TypeError: For Tensor, the input_data is [1, None] that contain unsupported element.",
         "guide:tensors-and-parameters", "np.asarray(rows, np.float32)"),
        ("TypeError: initializing tensor by numpy array failed, because the element type"
         " '<class 'str'>' of array is not supported.", "torch.tensor", "np.asarray"),
        ("RuntimeError: Unsupported data type!", "torch.tensor", "np.asarray"),
        ("TypeError: For 'Zeros', the input 'dtype' should be mindspore dtype, but got <class"
         " 'int'>.", "torch.zeros", "dtype=mindspore.int64"),
        ('TypeError: Failed calling Mul with "Mul()(input=Tuple<Tensor, Tensor>, other=Tensor)".',
         "torch.stack", "lstm(x)[0]"),
        ('TypeError: Failed calling Add with "Add()(input=Tensor, other=List<Tensor, Tensor>)".',
         "torch.stack", "mindspore.ops.stack(results)"),
        ('TypeError: Failed calling Sub with "Sub()(input=None, other=Tensor)".',
         "guide:tensors-and-parameters", "mindspore.Tensor(value)"),
        ("ModuleNotFoundError: No module named 'mindspore.ops._grad'", "guide:custom-backward",
         "def bprop("),
        ("RuntimeError: Data type conversion of 'Parameter' is not supported, so data type int32"
         " cannot be converted to data type float32 automatically.", "torch.nn.Parameter",
         "value.astype(p.dtype)"),
        ("TypeError: Data type conversion is not supported for a 'Parameter', nor for the input"
         " tensor of an in-place operator, so data type Int32, which cannot be converted to data"
         " type Float32 automatically.", "torch.nn.Parameter", "value.astype(p.dtype)"),
        ("ValueError: For 'set_context', package type mindspore support 'device_target' type cpu,"
         " but got Ascend.", "guide:devices-and-context", 'mindspore.set_device("CPU")'),
        ("TypeError: For 'Cell', the function construct requires 1 positional argument and 0"
         " default argument, total 1, but got 2.", "torch.nn.Module.forward", "def construct("),
        (EINSUM, "torch.einsum", "mindspore.ops.matmul("),
        ("RuntimeError: Device(id:0) memory isn't enough and alloc failed, alloc size: 42B.",
         "torch.utils.checkpoint.checkpoint", "float(loss)"),
        ("ModuleNotFoundError: No module named 'mindspore._c_expression'",
         "guide:devices-and-context", ""),
        ("ERROR: Could not find a version that satisfies the requirement mindspore==2.2.0 (from"
         " versions: none)", "guide:devices-and-context", "pip install mindspore=="),
        ("ImportError: cannot import name 'ms_function' from 'mindspore'", "guide:graph-mode",
         "@mindspore.jit\n"),
        ("AttributeError: module 'mindspore' has no attribute 'ms_class'", "guide:graph-mode",
         "@mindspore.jit_class"),
        ("ModuleNotFoundError: No module named 'mindspore.dataset.vision.c_transforms'",
         "guide:image-transforms", "from mindspore.dataset import transforms, vision"),
        ("ImportError: cannot import name 'py_transforms' from 'mindspore.dataset.transforms'",
         "guide:image-transforms", "from mindspore.dataset import transforms, vision"),
        ("TypeError: Data type of 4th item of the input or its converted Numpy array is expected to"
         " be int or float or str, but got object.", "torch.utils.data.Dataset", "np.asarray"),
        ("TypeError: For primitive[BinaryCrossEntorpy], the input and target should have same type,"
         " but got: Float32 and Int64.", "torch.nn.BCELoss", "targets.astype("),
        ("TypeError: For 'CrossEntropyLoss', the 'labels' should be one of [mindspore.float16,"
         " mindspore.float32], but got 'mindspore.int32'.", "torch.nn.CrossEntropyLoss",
         "labels.squeeze(-1)"),
        ("TypeError: transpose() takes 2 positional arguments but 3 were given", "torch.transpose",
         "x.swapaxes(0, 1)"),
        ("TypeError: ones_like() takes 1 positional argument but 2 were given", "torch.ones_like",
         "dtype=mindspore.float32"),
        ("IndexError: The tensor index must be int or bool type, but got [0.]", "", ".astype("),
        ("AttributeError: The 'LayerNorm' object has no attribute 'bias'.", "torch.nn.LayerNorm",
         "layer.beta"),
        ("AttributeError: The 'BatchNorm2d' object has no attribute 'running_mean'.",
         "torch.nn.BatchNorm2d", "layer.moving_mean"),
        ("Invalid Python function, the 'source' of 'GeneratorDataset' should return same number of"
         " NumPy arrays as specified in column_names, the size of column_names is:1",
         "torch.utils.data.Dataset", '["image", "label"]'),
    ],
)  # fmt: skip
def test_what_people_meet_is_explained(
    says: str, see: str, instead: str, kb: KnowledgeBase
) -> None:
    """In both languages, with what to write and where to read on."""
    found = explain(kb, says)
    assert found is not None
    assert not see or see in found.see
    assert instead in found.instead
    assert bool(found.instead) is bool(instead)
    assert found.cause.zh
    assert found.cause.zh != found.cause.en


@pytest.mark.parametrize(
    "says",
    [
        "ERROR: Could not find a version that satisfies the requirement garbage==2.2.0",
        "TypeError: transpose() takes 3 positional arguments but 4 were given",
        "ImportError: cannot import name 'garbage' from 'mindspore'",
        "AttributeError: The 'LayerNorm' object has no attribute 'garbage'.",
        "ModuleNotFoundError: No module named 'mindspore.garbage'",
        "RuntimeError:\n---\n",
    ],
)
def test_what_is_like_it_gets_nothing(says: str, kb: KnowledgeBase) -> None:
    assert explain(kb, says) is None
