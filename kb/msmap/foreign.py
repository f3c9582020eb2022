"""Names of other packages, which msmap has no records of: they are recognised, never guessed at."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from importlib import import_module

from msmap import packages


class Foreign:
    """A name of another package: in full, what is said of it in two languages, guides on it."""

    # As of packages.Package.
    __slots__ = ("guides", "name", "said")

    def __init__(self, name: str, said: tuple[str, str], guides: tuple[str, ...]) -> None:
        self.name, self.said, self.guides = name, said, guides


# How the usual imports shorten the names of packages.
_SHORT = {
    "np": "numpy", "onp": "numpy", "jnp": "jax.numpy", "jsp": "jax.scipy", "lax": "jax.lax",
    "pd": "pandas", "tf": "tensorflow", "tfp": "tensorflow_probability", "tfds":
    "tensorflow_datasets", "plt": "matplotlib.pyplot", "mpl": "matplotlib", "sns": "seaborn",
    "sk": "sklearn", "tv": "torchvision", "tvf": "torchvision.transforms.functional",
    "tvt": "torchvision.transforms", "vutils": "torchvision.utils", "pl": "pytorch_lightning",
    "hf": "transformers", "cp": "cupy", "xp": "cupy", "mx": "mxnet", "flow": "oneflow",
    "jt": "jittor", "hk": "haiku", "ort": "onnxruntime", "nib": "nibabel", "nx": "networkx",
    "sp": "scipy", "Image": "PIL.Image", "ImageOps": "PIL.ImageOps",
    "ImageDraw": "PIL.ImageDraw", "ImageFilter": "PIL.ImageFilter",
    "ImageEnhance": "PIL.ImageEnhance", "pyg": "torch_geometric", "smp":
    "segmentation_models_pytorch", "ta": "torchaudio", "tm": "torchmetrics",
    "TVF": "torchvision.transforms.functional",
}  # fmt: skip
# Short forms that tensors and an own module may have too: they count before a class, whose name
# begins with a capital and goes on otherwise.
_BEFORE_CLASSES = {
    "T": "torchvision.transforms", "transforms": "torchvision.transforms",
    "trans": "torchvision.transforms", "v2": "torchvision.transforms.v2",
    "A": "albumentations", "datasets": "torchvision.datasets", "tv_tensors":
    "torchvision.tv_tensors",
}  # fmt: skip
_CLASS = re.compile(r"[A-Z]\w*[a-z]\w*$|[A-Z]+[A-Z0-9]{2,}$")
# Of torch.distributions.transforms.
_TRANSFORM = re.compile(r"\w+Transform$")
_MODELS = re.compile(
    r"(?:wide_)?res(?:net|next)\d|vgg\d|densenet\d|alexnet$|squeezenet|mobilenet_v|efficientnet_"
    r"|inception_v3$|googlenet$|shufflenet_v|mnasnet|regnet_|convnext_|vit_[blh]_|swin_|maxvit_"
    r"|(?:ResNet|VGG|DenseNet|EfficientNet|ConvNeXt|ViT|Swin)\w*_Weights$"
)
# Functions of torchvision.transforms.functional, which F stands for as well.
FUNCTIONAL = frozenset(
    ("adjust_brightness", "adjust_contrast", "adjust_gamma", "adjust_hue",
     "adjust_saturation", "adjust_sharpness", "affine", "autocontrast", "center_crop",
     "convert_image_dtype", "crop", "elastic_transform", "equalize", "erase", "five_crop",
     "gaussian_blur", "get_dimensions", "get_image_size", "hflip", "invert", "perspective",
     "pil_to_tensor", "posterize", "resize", "resized_crop", "rgb_to_grayscale", "rotate",
     "solarize", "ten_crop", "to_grayscale", "to_image", "to_pil_image", "to_tensor", "vflip")
)  # fmt: skip
# Frameworks beside PyTorch, whose names msmap doesn't map.
_FRAMEWORKS = frozenset(
    ("tensorflow", "tensorflow_probability", "tensorflow_datasets", "tf_keras", "keras",
     "paddle", "paddlenlp", "jax", "flax", "optax", "haiku", "equinox", "mxnet", "gluon",
     "chainer", "theano", "caffe", "oneflow", "jittor", "megengine", "mlx", "tinygrad",
     "onnx", "onnxruntime", "cntk", "cupy", "tensorrt", "openvino", "coremltools")
)  # fmt: skip
# What works on arrays, files and text, so that code that uses it stays.
_BESIDE = frozenset(
    ("numpy", "pandas", "scipy", "sklearn", "skimage", "matplotlib", "seaborn", "PIL", "cv2",
     "imageio", "tqdm", "wandb", "tensorboardX", "h5py", "yaml", "requests", "nltk", "plotly",
     "networkx", "sympy", "numba", "gym", "gymnasium", "albumentations", "hydra", "omegaconf",
     "mlflow", "nibabel", "SimpleITK", "pycocotools", "librosa", "soundfile", "tokenizers",
     "sentencepiece", "datasets", "evaluate", "joblib", "psutil", "pytest", "click", "rich",
     "loguru", "ray", "faiss", "xgboost", "lightgbm", "statsmodels", "lmdb", "msgpack",
     "polars", "pyarrow", "spacy", "jieba", "gensim")
)  # fmt: skip
# What is made for MindSpore.
_OURS = frozenset(
    ("mindcv", "mindformers", "mindnlp", "mindone", "mindocr", "mindyolo", "mindaudio",
     "mindspore_gl", "mindspore_lite", "mindspore_gs", "mindquantum", "mindsponge", "mindflow")
)  # fmt: skip


def full(spelling: str) -> str | None:
    """The full name of what another package has, by how code spells it; None of any other name.

    >>> full("np.sum"), full("T.Resize"), full("T.sum"), full("x.sum")
    ('numpy.sum', 'torchvision.transforms.Resize', None, None)
    """
    head, _, rest = spelling.partition(".")
    first = rest.partition(".")[0]
    if head in ("torch", "mindspore"):
        return None
    if not rest:
        return spelling if _package(spelling) else None
    if head in ("F", "TF") and first in FUNCTIONAL:
        return f"torchvision.transforms.functional.{rest}"
    if head in _BEFORE_CLASSES:
        of_class = _CLASS.match(first) and not _TRANSFORM.match(first)
        if of_class or first in ("functional", "v2"):
            return f"{_BEFORE_CLASSES[head]}.{rest}"
    if head == "models" and _MODELS.match(rest.rpartition(".")[2]):
        return f"torchvision.{spelling}"
    for written in (head, head.lower()):
        known = f"{_SHORT.get(written, written)}.{rest}"
        if _package(known):
            return known
    return spelling if _is_in_python(head, first) else None


def is_module(name: str) -> bool:
    """Whether a full name, as an import has it, is of another package that is known."""
    return _package(name) is not None or _is_of_python(name.partition(".")[0])


def _is_of_python(head: str) -> bool:
    return head in sys.stdlib_module_names


def _package(name: str) -> str | None:
    """The package that a full name begins with, if it is one of those that are known."""
    head = name.partition(".")[0]
    if (found := packages.of(name)) is not None:
        return found[0]
    return head if head in _FRAMEWORKS or head in _BESIDE or head in _OURS else None


# Modules of Python whose functions tensors have methods like; importing them does nothing.
_PYTHON = frozenset(
    ("bisect", "cmath", "collections", "copy", "functools", "gc", "glob", "heapq", "io",
     "itertools", "json", "logging", "math", "operator", "os", "pathlib", "pickle", "random", "re",
     "shutil", "statistics", "string", "struct", "sys", "time", "typing", "warnings")
)  # fmt: skip


def _is_in_python(head: str, first: str) -> bool:
    """Whether a module of Python's has a name: a tensor may be called ``time`` as well."""
    return head in _PYTHON and hasattr(import_module(head), first)


@lru_cache(maxsize=1 << 8)
def told(name: str) -> Foreign:
    """What is said of the full name of something of another package."""
    head, guide = name.partition(".")[0], ""
    if (found := packages.of(name)) is not None:
        instead, guide = found[1].instead, found[1].guide
    elif head in _FRAMEWORKS:
        instead = _FRAMEWORK
    else:
        instead = _MADE if head in _OURS else _KEPT
    if name == head:
        en, zh = f"msmap has no records of {head}", f"msmap 没有 {head} 的记录"
    elif _is_of_python(head):
        en = f"{name} is in Python's standard library, of which msmap has no records"
        zh = f"{name} 属于 Python 标准库，msmap 没有它的记录"
    else:
        en = f"{name} is a name of {head}, of which msmap has no records"
        zh = f"{name} 是 {head} 的名称，msmap 没有 {head} 的记录"
    return Foreign(name, (f"{en}: {instead[0]}", f"{zh}：{instead[1]}"), (guide,) if guide else ())


_KEPT = (
    "it doesn't depend on PyTorch, so code that uses it is left unchanged; where it is given a"
    " tensor, pass x.asnumpy()",
    "它不依赖 PyTorch，使用它的代码保持不变；传入 Tensor 处改为 x.asnumpy()",
)
_FRAMEWORK = (
    "msmap maps names of PyTorch to those of MindSpore, and of no other framework",
    "msmap 只提供 PyTorch 与 MindSpore 之间的对应关系，不含其他框架",
)
_MADE = ("it is made for MindSpore already", "它本就用于 MindSpore")
