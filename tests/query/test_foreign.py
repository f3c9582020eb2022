"""Names of other packages: recognised in every spelling, and never answered as PyTorch's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from msmap import foreign, render
from msmap.errors import NotFound
from msmap.query.errors import explain
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers, twins
from msmap.query.names import lookup as understood
from msmap.render import missing
from msmap.render.layout import Line


@pytest.fixture(scope="module")
def kb(shipped: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(shipped) as found:
        yield found


OTHERS = [
    ("torchvision.transforms.Resize", "torchvision.transforms.Resize"),
    ("TORCHVISION.transforms.Resize", "torchvision.transforms.Resize"),
    ("torchvision.transforms.Resize((3, 4))", "torchvision.transforms.Resize"),
    ("T.Resize", "torchvision.transforms.Resize"),
    ("T.Rand*", "torchvision.transforms"),
    ("img = T.Resize(224)(img)", "torchvision.transforms.Resize"),
    ("transforms.Compose([transforms.ToTensor()])", "torchvision.transforms.Compose"),
    ("v2.Normalize", "torchvision.transforms.v2.Normalize"),
    ("F.resize", "torchvision.transforms.functional.resize"),
    ("TF.to_tensor(x)", "torchvision.transforms.functional.to_tensor"),
    ("tv.models.resnet18", "torchvision.models.resnet18"),
    ("models.resnet50(weights=None)", "torchvision.models.resnet50"),
    ("datasets.CIFAR10", "torchvision.datasets.CIFAR10"),
    ("import torchvision", "torchvision"),
    ("import torchvision.transforms as T", "torchvision.transforms"),
    ("from torchvision import models, transforms", "torchvision.models"),
    ("torchvision.*", "torchvision"),
    ("einops", "einops"),
    ("einops.repeat", "einops.repeat"),
    ('einops.rearrange(x, "b c -> c b")', "einops.rearrange"),
    ("repeat(x, 'h w -> h w c', c=3)", "einops.repeat"),
    ("from einops import rearrange", "einops.rearrange"),
    ("tf.transpose", "tensorflow.transpose"),
    ("tf.keras.layers.Dense(3)", "tensorflow.keras.layers.Dense"),
    ("keras.layers.Dense", "keras.layers.Dense"),
    ("paddle.nn.Linear", "paddle.nn.Linear"),
    ("jax.numpy.add", "jax.numpy.add"),
    ("jnp.sum(x)", "jax.numpy.sum"),
    ("np.sum", "numpy.sum"),
    ("np.s*", "numpy"),
    ("numpy.sum", "numpy.sum"),
    ("NP.sum", "numpy.sum"),
    ("import numpy as np", "numpy"),
    ("x = np.concatenate([a, b])", "numpy.concatenate"),
    ("pd.DataFrame.sum", "pandas.DataFrame.sum"),
    ("scipy.linalg.lu", "scipy.linalg.lu"),
    ("cv2.resize", "cv2.resize"),
    ("Image.resize", "PIL.Image.resize"),
    ("timm.create_model", "timm.create_model"),
    ("transformers.Trainer.train", "transformers.Trainer.train"),
    ("mindcv.create_model", "mindcv.create_model"),
    ("math.sqrt", "math.sqrt"),
    ("random.seed(0)", "random.seed"),
    ("itertools.repeat", "itertools.repeat"),
    ("import copy", "copy"),
    ("from functools import reduce", "functools.reduce"),
    ("ModuleNotFoundError: No module named 'einops'", "einops"),
    ("AttributeError: module 'numpy' has no attribute 'relu'", "numpy.relu"),
    ("ImportError: cannot import name 'stack' from 'torchvision'", "torchvision.stack"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), OTHERS)
def test_a_name_of_another_package_is_not_answered_as_one_of_pytorchs(
    text: str, name: str, kb: KnowledgeBase
) -> None:
    """All that is said is about the package, and nothing is found."""
    (answer,) = understood.answer(kb, text)
    told = foreign.told(name)
    assert [answer.found, answer.record, answer.reverse, answer.probe, answer.group] == (
        [False, None, None, None, None]
    )
    assert (answer.guides, answer.nearest) == (told.guides, twins.of(kb, name))
    assert [missing.words(text, language) for language in ("en", "zh")] == list(told.said)
    assert all(word in told.said[0] for word in ("msmap has no records", "records"))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("T.sum()", "torch.Tensor.sum"),
        ("T", "torch.Tensor.T"),
        ("x.T", "torch.Tensor.T"),
        ("x.repeat(2)", "torch.Tensor.repeat"),
        ("repeat(x, 2)", "torch.Tensor.repeat"),
        ("time.float()", "torch.Tensor.float"),
        ("numpy", "torch.Tensor.numpy"),
        ("x.cpu().numpy()", "torch.Tensor.cpu"),
        ("random.manual_seed", "torch.random.manual_seed"),
        ("F.relu", "torch.nn.functional.relu"),
        ("nn.Linear", "torch.nn.Linear"),
        ("optim.SGD", "torch.optim.SGD"),
        ("dist.all_reduce", "torch.distributed.all_reduce"),
        ("Tensor.repeat", "torch.Tensor.repeat"),
        ("NN.LINEAR", "torch.nn.Linear"),
        ("torch.ones(np.prod(s))", "torch.ones"),
        ("onnx.export", "torch.onnx.export"),
    ],
)
def test_a_usual_spelling_of_pytorchs_is_answered(text: str, name: str, kb: KnowledgeBase) -> None:
    (answer,) = understood.answer(kb, text)
    assert answer.record is not None
    assert answer.record.torch == name


@pytest.mark.parametrize(
    "name",
    [
        "mindspore.garbage.trainable_params", "mindspore.nn.garbage.Dense", "mindspore.garbage",
        "mindspore.nn.Garbage", "mindspore.nn.Dense.garbage", "mindspore.Tensor.garbage",
        "mindspore.nn.Momentum.param_groups", "mindspore.nn.trainable_params",
        "torch.garbage.relu", "torch.nn.Linear.garbage", "torch.relu.garbage",
        "torch.Tensor.add.garbage", "nn.garbage.Linear", "F.garbage", "garbage.Resize",
        "torch.nn.functional.relu.garbage(x)", "from garbage import relu",
    ],
)  # fmt: skip
def test_a_name_that_neither_framework_has_is_not_found(name: str, kb: KnowledgeBase) -> None:
    assert [answer.found for answer in understood.answer(kb, name)] == [False]


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("mindspore.nn.Dense.trainable_params", "mindspore.nn.Cell.trainable_params"),
        ("mindspore.nn.Cell.bprop", "mindspore.nn.Cell.bprop"),
    ],
)
def test_what_a_class_inherits_or_users_write_in_it_is_known(
    name: str, known: str, kb: KnowledgeBase
) -> None:
    (answer,) = understood.answer(kb, name)
    assert (answer.found, answer.known, bool(answer.guides)) == (True, known, True)


def test_the_library_says_whose_name_it_is(kb: KnowledgeBase) -> None:
    with pytest.raises(NotFound) as caught:
        kb.lookup("einops.repeat")
    assert str(caught.value).startswith("einops.repeat is a name of einops, of which msmap has no")
    assert (caught.value.known, caught.value.guides) == (None, ("transpose-and-permute",))


def test_what_mindspore_calls_otherwise_is_there(kb: KnowledgeBase) -> None:
    """A table that leads to a name that is gone would be noticed by nobody."""
    named = {name for table in twins.OTHERWISE.values() for name in table.values()}
    assert sorted(name for name in named if kb.api(name) is None) == []


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("torchvision.transforms.Resize", ("mindspore.dataset.vision.Resize",)),
        ("torchvision.transforms.ColorJitter", ("mindspore.dataset.vision.RandomColorAdjust",)),
        ("torchvision.transforms.Compose", ("mindspore.dataset.transforms.Compose",)),
        ("torchvision.datasets.MNIST", ("mindspore.dataset.MnistDataset",)),
        ("numpy.sum", ("mindspore.numpy.sum",)),
        ("numpy.no_such", ()),
        ("torchvision.models.resnet18", ()),
    ],
)
def test_what_mindspore_has_of_another_package(
    name: str, near: tuple[str, ...], kb: KnowledgeBase
) -> None:
    assert twins.of(kb, name) == near


@pytest.mark.parametrize(
    ("text", "guides"),
    [
        ("torchvision.transforms.Resize", ["image-transforms"]),
        ("einops.repeat", ["transpose-and-permute"]),
        ("tf.transpose", []),
    ],
)
def test_a_search_for_such_a_name_leads_to_guides_alone(
    text: str, guides: list[str], kb: KnowledgeBase
) -> None:
    hits = kb.search(text)
    assert {hit.kind for hit in hits} <= {"guide"}
    assert [hit.name for hit in hits[: len(guides)]] == guides


def test_a_sentence_that_names_a_package_is_words(kb: KnowledgeBase) -> None:
    assert {hit.kind for hit in kb.search("replace np.sum with torch.sum")} == {"guide", "record"}


def test_a_package_that_is_not_installed_is_explained(kb: KnowledgeBase) -> None:
    found = explain.explain(kb, "ModuleNotFoundError: No module named 'torchvision'")
    assert found is not None
    assert found.cause.en.startswith("torchvision isn't installed; msmap has no records of")
    assert found.see == ("guide:data-loading",)
    assert explain.explain(kb, "ModuleNotFoundError: No module named 'garbage'") is None


def test_a_page_says_so_in_both_languages(kb: KnowledgeBase) -> None:
    found = answers.Lookup({}, (understood.answer(kb, "mindspore.nn.Dense.trainable_params")[0],))
    pages = (render.tell(found, "text", render.View(language)) for language in ("en", "zh"))
    told = [next(one.text for one in page if isinstance(one, Line)) for page in pages]
    assert told == [
        "mindspore.nn.Cell.trainable_params is known, but no record maps to it",
        "mindspore.nn.Cell.trainable_params 已知，但没有记录对应到它",
    ]
