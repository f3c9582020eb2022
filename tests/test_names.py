"""Spellings of names: from what people write to the names it may stand for."""

from __future__ import annotations

import pytest

from msmap import names

ELSEWHERE_IN_TORCH = ["torch.", "torch.nn.", "torch.Tensor.", "torch.nn.functional."]
ELSEWHERE_IN_MINDSPORE = [
    "mindspore.",
    "mindspore.nn.",
    "mindspore.ops.",
    "mindspore.mint.",
    "mindspore.Tensor.",
]


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("torch.nn.Dropout", "torch.nn.Dropout"),
        ("  torch.nn.Dropout  ", "torch.nn.Dropout"),
        ("torch.nn.Dropout()", "torch.nn.Dropout"),
        ("torch", "torch"),
        ("F.dropout", "torch.nn.functional.dropout"),
        ("functional.dropout", "torch.nn.functional.dropout"),
        ("nn.Dropout", "torch.nn.Dropout"),
        ("nn.functional.dropout", "torch.nn.functional.dropout"),
        ("nn.init.xavier_uniform_", "torch.nn.init.xavier_uniform_"),
        ("init.xavier_uniform_()", "torch.nn.init.xavier_uniform_"),
        ("optim.lr_scheduler.StepLR", "torch.optim.lr_scheduler.StepLR"),
        ("lr_scheduler.StepLR", "torch.optim.lr_scheduler.StepLR"),
        ("autograd.grad", "torch.autograd.grad"),
        ("linalg.norm", "torch.linalg.norm"),
        ("cuda.is_available()", "torch.cuda.is_available"),
        ("Tensor.view", "torch.Tensor.view"),
        ("th.zeros", "torch.zeros"),
    ],
)
def test_a_spelling_that_names_its_module_stands_for_one_torch_name(
    spelling: str, name: str
) -> None:
    assert names.torch_spellings(spelling) == [name]


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("mindspore.nn.Dense", "mindspore.nn.Dense"),
        ("ms.Tensor", "mindspore.Tensor"),
        ("msnn.Dense", "mindspore.nn.Dense"),
        ("nn.Dense", "mindspore.nn.Dense"),
        ("mint.nn.functional.relu()", "mindspore.mint.nn.functional.relu"),
        ("ops.softmax", "mindspore.ops.softmax"),
        ("Tensor.view", "mindspore.Tensor.view"),
        ("ds.GeneratorDataset", "mindspore.dataset.GeneratorDataset"),
        ("mnp.arange", "mindspore.numpy.arange"),
    ],
)
def test_a_spelling_that_names_its_module_stands_for_one_mindspore_name(
    spelling: str, name: str
) -> None:
    assert names.mindspore_spellings(spelling) == [name]


@pytest.mark.parametrize("spelling", ["Dropout", "view", "distributions.Normal", "F", "nn"])
def test_any_other_spelling_may_stand_in_every_usual_place(spelling: str) -> None:
    assert names.torch_spellings(spelling) == [home + spelling for home in ELSEWHERE_IN_TORCH]
    assert names.mindspore_spellings(spelling) == [
        home + spelling for home in ELSEWHERE_IN_MINDSPORE
    ]


@pytest.mark.parametrize(
    ("text", "is_torch"),
    [
        ("torch.abs", True),
        ("torch.cuda.amp.autocast", True),
        ("F.relu", True),
        ("nn.Linear", True),
        ("th.abs", True),
        ("torch", False),
        ("nn", False),
        ("relu", False),
        ("self.nn.relu", False),
        ("torchvision.ops.nms", False),
        ("np.abs", False),
        ("mindspore.nn.Dense", False),
        ("", False),
    ],
)
def test_only_names_under_torch_or_its_usual_short_forms_look_like_torch(
    text: str, is_torch: bool
) -> None:
    assert names.is_torch_spelling(text) is is_torch


@pytest.mark.parametrize(
    ("stem", "shared"),
    [
        ("relu", ["torch.relu", "torch.relu_", "torch.nn.ReLU", "torch.nn.functional.relu"]),
        ("layernorm", ["torch.nn.LayerNorm", "torch.nn.functional.layer_norm"]),
        ("crossentropy", ["torch.nn.CrossEntropyLoss", "torch.nn.functional.cross_entropy"]),
        ("loss", ["torch.loss"]),
        ("relu6", ["torch.nn.ReLU6"]),
    ],
)
def test_the_forms_of_an_api_share_a_stem(stem: str, shared: list[str]) -> None:
    assert {names.stem(name) for name in shared} == {stem}
