"""Names of other packages: what MindSpore has for them, as far as the names say so."""

from __future__ import annotations

from msmap import foreign
from msmap.errors import NotFound
from msmap.query.base.asked import Asked

# Where MindSpore has what a package has, and what it calls otherwise.
_TWINS = {
    "torchvision.transforms": ("mindspore.dataset.vision", "mindspore.dataset.transforms"),
    "torchvision.datasets": ("mindspore.dataset",),
    "torchvision.ops": ("mindspore.ops",),
    "torchaudio.transforms": ("mindspore.dataset.audio",),
    "torchaudio.datasets": ("mindspore.dataset",),
    "torchmetrics": ("mindspore.train",),
    "numpy": ("mindspore.numpy",),
    "jax.numpy": ("mindspore.numpy",),
}
OTHERWISE = {
    "torchvision.transforms": {
        "ColorJitter": "mindspore.dataset.vision.RandomColorAdjust",
        "ConvertImageDtype": "mindspore.dataset.vision.ToType",
        "ToPILImage": "mindspore.dataset.vision.ToPIL",
        "InterpolationMode": "mindspore.dataset.vision.Inter",
        "hflip": "mindspore.dataset.vision.HorizontalFlip",
        "vflip": "mindspore.dataset.vision.VerticalFlip",
        "rgb_to_grayscale": "mindspore.dataset.vision.Grayscale",
        "to_grayscale": "mindspore.dataset.vision.Grayscale",
        "to_pil_image": "mindspore.dataset.vision.ToPIL",
    },
    "torchvision.datasets": {
        "FashionMNIST": "mindspore.dataset.FashionMnistDataset",
        "ImageFolder": "mindspore.dataset.ImageFolderDataset",
        "VOCDetection": "mindspore.dataset.VOCDataset",
        "VOCSegmentation": "mindspore.dataset.VOCDataset",
        "CocoDetection": "mindspore.dataset.CocoDataset",
    },
    "torchvision.ops": {
        "nms": "mindspore.ops.NMSWithMask",
        "batched_nms": "mindspore.ops.NMSWithMask",
        "roi_align": "mindspore.ops.ROIAlign",
        "RoIAlign": "mindspore.ops.ROIAlign",
        "box_iou": "mindspore.ops.iou",
    },
}


def of(kb: Asked, name: str) -> tuple[str, ...]:
    """What MindSpore has for a full name of another package's, as far as its name says so."""
    home = next((home for home in _TWINS if name.startswith(f"{home}.")), None)
    if home is None:
        return ()
    leaf, inner = name.rpartition(".")[2], name[len(home) + 1 :]
    if (other := OTHERWISE.get(home, {}).get(leaf)) is not None:
        return (other,)
    found: list[str] = []
    for module in _TWINS[home]:
        # MindSpore's interface of NumPy has its functions under the very names.
        like = inner if module == "mindspore.numpy" else "*"
        rows = kb.rows(
            "SELECT name FROM api WHERE framework = 'mindspore' AND name GLOB ? ORDER BY name",
            (f"{module}.{like}",),
        )
        ends = {_folded(f"{module}.{end}") for end in (inner, leaf, f"{leaf}Dataset")}
        found += [one for (one,) in rows if _folded(one) in ends]
    return tuple(found)


def _folded(name: str) -> str:
    return name.lower().replace("_", "")


def not_found(kb: Asked, name: str, known: str | None) -> NotFound:
    """The error for a name without a record, which may be of another package."""
    spelled = None if known else foreign.full(name)
    if spelled is None:
        near, guides = kb.nearest(known or name), kb.telling(known or name)
        return NotFound(name, known, near, None, guides)
    told = foreign.told(spelled)
    return NotFound(name, None, of(kb, spelled), None, told.guides, told.said[0])
