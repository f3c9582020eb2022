"""What in MindSpore may be the counterpart of a PyTorch name, best guess first; nothing is run."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from msmap import names
from msmap.curated import schema
from msmap.signatures.files import Api
from msmap.signatures.release import Signatures

# How many candidates a name has at most.
MOST = 8

# Where counterparts live, by what kind of PyTorch name looks for one; the first is likeliest.
_FUNCTIONS = (
    "mindspore.mint", "mindspore.mint.nn.functional", "mindspore.mint.linalg",
    "mindspore.mint.special", "mindspore.ops", "mindspore.Tensor", "mindspore",
    "mindspore.scipy.linalg", "mindspore.numpy", "mindspore.nn",
)  # fmt: skip
_FUNCTIONAL = (
    "mindspore.mint.nn.functional", "mindspore.mint", "mindspore.ops", "mindspore.Tensor",
    "mindspore.nn", "mindspore.numpy",
)  # fmt: skip
_METHODS = (
    "mindspore.Tensor", "mindspore.mint", "mindspore.mint.nn.functional", "mindspore.mint.linalg",
    "mindspore.mint.special", "mindspore.ops", "mindspore.numpy",
)  # fmt: skip
_LAYERS = ("mindspore.mint.nn", "mindspore.nn")
_OPTIMIZERS = ("mindspore.mint.optim", "mindspore.experimental.optim", "mindspore.nn")
_SCHEDULERS = ("mindspore.experimental.optim.lr_scheduler",)
_ROOMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("torch.Tensor.", _METHODS),
    ("torch.nn.functional.", _FUNCTIONAL),
    ("torch.nn.utils.", ("mindspore.ops", "mindspore.nn", "mindspore.mint", "mindspore")),
    ("torch.nn.init.", ("mindspore.common.initializer",)),
    ("torch.nn.Module.", ("mindspore.nn.Cell",)),
    ("torch.nn.ParameterList.", ("mindspore.ParameterTuple",)),
    ("torch.nn.ModuleDict.", ("mindspore.nn.CellDict",)),
    ("torch.nn.ModuleList.", ("mindspore.nn.CellList",)),
    ("torch.nn.", _LAYERS),
    ("torch.optim.lr_scheduler.", _SCHEDULERS),
    ("torch.optim.", _OPTIMIZERS),
    ("torch.distributions.", ("mindspore.nn.probability.distribution",
                              "mindspore.nn.probability.bijector")),
    ("torch.distributed.", ("mindspore.mint.distributed", "mindspore.communication",
                            "mindspore.communication.comm_func", "mindspore.ops")),
    ("torch.cuda.", ("mindspore.runtime", "mindspore.hal")),
    ("torch.utils.data.", ("mindspore.dataset",)),
    ("torch.Generator.", ("mindspore.Generator",)),
    ("torch.profiler.", ("mindspore.profiler",)),
    ("torch.multiprocessing.", ("mindspore.multiprocessing",)),
    ("torch.linalg.", ("mindspore.mint.linalg", "mindspore.mint", "mindspore.ops",
                       "mindspore.Tensor", "mindspore.scipy.linalg", "mindspore.numpy")),
    ("torch.special.", ("mindspore.mint.special", "mindspore.mint", "mindspore.ops",
                        "mindspore.Tensor", "mindspore.numpy")),
    ("torch.signal.windows.", ("mindspore.mint", "mindspore.ops", "mindspore.numpy")),
    ("torch.", _FUNCTIONS),
)  # fmt: skip
# Rooms of PyTorch whose names of one leaf are the same computation.
_KIN = (
    "torch", "torch.Tensor", "torch.nn.functional", "torch.nn", "torch.special", "torch.linalg",
    "torch.fft", "torch.signal.windows", "torch.nn.init",
)  # fmt: skip
_CALLABLE = ("function", "method", "class", "property")
_VALUES = ("dtype", "constant")
# What may stand at the end of a name beside what it computes: cross_entropy, CrossEntropyLoss.
_ENDINGS = ("loss",)
# What is paired although it is spelled otherwise.
_PAIRED: dict[str, tuple[str, ...]] = {
    "torch.Tensor.gather": ("mindspore.Tensor.gather_elements",),
    "torch.Tensor.scatter_": ("mindspore.ops.tensor_scatter_elements",),
    "torch.Tensor.stride": ("mindspore.Tensor.strides",),
    "torch.Tensor.sub": ("mindspore.Tensor.subtract",),
    "torch.bartlett_window": ("mindspore.numpy.bartlett",),
    "torch.blackman_window": ("mindspore.numpy.blackman",),
    "torch.distributed.all_gather": ("mindspore.communication.comm_func.all_gather_into_tensor",),
    "torch.distributed.all_to_all": (
        "mindspore.communication.comm_func.all_to_all_with_output_shape",
    ),
    "torch.distributed.all_to_all_single": (
        "mindspore.communication.comm_func.all_to_all_single_with_output_shape",
    ),
    "torch.distributed.gather": ("mindspore.communication.comm_func.gather_into_tensor",),
    "torch.distributed.new_group": ("mindspore.communication.create_group",),
    "torch.distributed.reduce_scatter": (
        "mindspore.communication.comm_func.reduce_scatter_tensor",
    ),
    "torch.distributed.scatter": ("mindspore.communication.comm_func.scatter_tensor",),
    "torch.dot": ("mindspore.ops.tensor_dot",),
    "torch.hamming_window": ("mindspore.numpy.hamming",),
    "torch.hann_window": ("mindspore.numpy.hanning",),
    "torch.nn.Bilinear": ("mindspore.nn.BiDense",),
    "torch.nn.functional.bilinear": ("mindspore.ops.bidense",),
    "torch.nn.ConvTranspose1d": ("mindspore.nn.Conv1dTranspose",),
    "torch.nn.ConvTranspose2d": ("mindspore.nn.Conv2dTranspose",),
    "torch.nn.ConvTranspose3d": ("mindspore.nn.Conv3dTranspose",),
    "torch.nn.LocalResponseNorm": ("mindspore.nn.LRN",),
    "torch.nn.functional.local_response_norm": ("mindspore.ops.lrn",),
    "torch.nn.ModuleDict": ("mindspore.nn.CellDict",),
    "torch.nn.ParameterList": ("mindspore.ParameterTuple",),
    "torch.nn.utils.clip_grad_value_": ("mindspore.ops.clip_by_value",),
    "torch.optim.SparseAdam": ("mindspore.nn.LazyAdam",),
    "torch.poisson": ("mindspore.ops.random_poisson",),
    "torch.repeat_interleave": ("mindspore.ops.repeat_elements",),
    "torch.sparse_coo_tensor": ("mindspore.COOTensor",),
    "torch.sparse_csr_tensor": ("mindspore.CSRTensor",),
    "torch.special.i0": ("mindspore.ops.bessel_i0",),
    "torch.special.i0e": ("mindspore.ops.bessel_i0e",),
    "torch.special.i1": ("mindspore.ops.bessel_i1",),
    "torch.special.i1e": ("mindspore.ops.bessel_i1e",),
    "torch.special.bessel_j0": ("mindspore.ops.bessel_j0",),
    "torch.special.bessel_j1": ("mindspore.ops.bessel_j1",),
    "torch.special.bessel_y0": ("mindspore.ops.bessel_y0",),
    "torch.special.bessel_y1": ("mindspore.ops.bessel_y1",),
    "torch.special.modified_bessel_k0": ("mindspore.ops.bessel_k0",),
    "torch.special.modified_bessel_k1": ("mindspore.ops.bessel_k1",),
    "torch.special.scaled_modified_bessel_k0": ("mindspore.ops.bessel_k0e",),
    "torch.special.scaled_modified_bessel_k1": ("mindspore.ops.bessel_k1e",),
}
# The number of axes in a name.
_RANK = re.compile(r"[123]([dD])(?![a-z])")
# Names that only resemble another are tried where fewer than this many are known.
_FEW = 2
# What may follow a name in a like one, and how long a name must be to be told by its beginning.
_AFTER = ("_", "2", "V")
# What gives an address gives another one in every run.
_ADDRESSES = ("_ptr",)
_SHORTEST = 4


@dataclass(frozen=True, slots=True)
class Idea:
    """One candidate: a name of MindSpore, or a target that a record has, and why it is one.

    ``found`` is one of ``vocabulary.FOUND``; ``like`` the target of a record to take over.
    """

    api: str
    found: str
    like: schema.Target | None = None
    owner: str = ""


def ranked(name: str) -> str:
    """The number of axes that a name tells, Conv3d's; "" if none, or of no name."""
    found = _RANK.search(name)
    return found[0] if found is not None else ""


class Catalogue:
    """The names of both frameworks and what records say, for the candidates of any name."""

    def __init__(
        self,
        torch: Signatures,
        mindspore: Signatures,
        written: Mapping[str, schema.Record],
        published: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.torch, self.mindspore, self.written = torch, mindspore, written
        self._published = published or {}
        self._rooms: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for name, api in mindspore.apis.items():
            if api.kind in _CALLABLE:
                room, _, leaf = name.rpartition(".")
                self._rooms[room][_stem(leaf)].append(name)
        # What begins with a name stands together, without looking at all others.
        self._leaves = {
            room: sorted(
                (api.rpartition(".")[2], place, api)
                for place, api in enumerate(api for apis in stems.values() for api in apis)
            )
            for room, stems in self._rooms.items()
        }
        self._aliases: dict[str, list[str]] = defaultdict(list)
        for name, api in torch.apis.items():
            for home in {name, api.alias_of or name}:
                self._aliases[home].append(name)
        self._kin: dict[str, list[str]] = defaultdict(list)
        for name, api in torch.apis.items():
            room, _, leaf = name.rpartition(".")
            if room in _KIN and api.kind in _CALLABLE:
                self._kin[_stem(leaf)].append(name)

    def of(self, name: str) -> tuple[Idea, ...]:
        """The candidates of a canonical PyTorch name, the likeliest first, at most ``MOST``."""
        found = self._chosen(name, self._ideas(name))
        if not found and name.startswith("torch.nn."):
            # What has no layer may have a function.
            ideas = (Idea(api, "form") for room in _FUNCTIONAL for api in self._leaf(name, room))
            found = self._chosen(name, ideas)
        if len(found) < _FEW:
            found = found | self._chosen(name, self._alike(name)) | found
        kept = dict(list(found.items())[:MOST])
        # What tables say is tried in any case, behind all that was thought of.
        known = {self._same(idea.api) for idea in kept.values()}
        said = [api for api in sorted(self.published(name)) if api not in known]
        return (*kept.values(), *self._chosen(name, (Idea(a, "published") for a in said)).values())

    def published(self, name: str) -> Collection[str]:
        """What published tables pair with a canonical name: canonical names."""
        return self._published.get(name, ())

    def _chosen(self, name: str, ideas: Iterable[Idea]) -> dict[str, Idea]:
        found: dict[str, Idea] = {}
        seen: set[str] = set()
        for idea in ideas:
            key = idea.like.key if idea.like is not None and not idea.api else idea.api
            if idea.found == "record" and idea.like is not None:
                # Several may rest on one API, one for each overload.
                found.setdefault(idea.like.key, idea)
                seen.add(key)
                continue
            key = self._same(key)
            if key not in seen and self._fits(name, idea):
                found[key] = idea
                seen.add(key)
        return found

    def siblings(self, name: str) -> tuple[str, ...]:
        """Function, method, in-place, functional and layer form of a name, and its aliases."""
        leaf = name.rpartition(".")[2]
        api = self.torch.apis.get(name)
        home = api.alias_of or name if api is not None else name
        aliases = [n for n in self._aliases.get(home, ()) if n != name]
        stems = dict.fromkeys([_stem(leaf), *(_stem(n.rpartition(".")[2]) for n in aliases)])
        if api is None:
            return ()
        if name.rpartition(".")[0] not in _KIN:
            return tuple(aliases)
        kin = [n for stem in stems for n in self._kin[stem] if n != name]
        # An initialiser shares its leaf with what it fills by chance alone: zeros_, ones_.
        return tuple(dict.fromkeys([*aliases, *kin]))

    def recorded(self, name: str) -> list[str]:
        """The siblings that have a record, the nearest first."""
        found = [s for s in self.siblings(name) if s in self.written]
        return sorted(found, key=lambda sibling: _distance(name, sibling))

    def _ideas(self, name: str) -> Iterator[Idea]:
        own = self.written.get(name)
        for target in own.targets if own is not None else ():
            if not target.remove:
                yield Idea(target.api or "", "record", target, name)
        for sibling in self.recorded(name):
            for target in self.written[sibling].targets:
                if not target.remove:
                    yield Idea(target.api or "", "sibling", target, sibling)
        if self._kind(name) in _VALUES:
            yield from self._values(name)
            return
        yield from self._of_other_ranks(name)
        yield from self._named(name, self.siblings(name))

    def _values(self, name: str) -> Iterator[Idea]:
        """The dtype or constant of the same name."""
        leaf = name.rpartition(".")[2]
        for api in (*names.mindspore_dtypes(f"torch.{leaf}"), f"mindspore.numpy.{leaf}"):
            found = self.mindspore.apis.get(api)
            if found is not None and found.kind in _VALUES:
                yield Idea(api, "same_name")

    def _of_other_ranks(self, name: str) -> Iterator[Idea]:
        """What the record of a name for another number of axes maps to: Conv3d as Conv2d."""
        found = _RANK.search(name)
        if found is None:
            return
        for digit in "213":
            other = f"{name[: found.start()]}{digit}{found[1]}{name[found.end() :]}"
            if other == name or other not in self.written:
                continue
            for target in self.written[other].targets:
                mark = _RANK.search(target.api or "")
                if target.api is None or mark is None:
                    continue
                api = (
                    f"{target.api[: mark.start()]}{found[0][0]}{mark[1]}{target.api[mark.end() :]}"
                )
                if api in self.mindspore.apis:
                    yield Idea(api, "sibling", target.model_copy(update={"api": api}), other)

    def _named(self, name: str, siblings: Iterable[str]) -> Iterator[Idea]:
        """Names of the same leaf, those that tables pair, then those of its other forms."""
        leaf = name.rpartition(".")[2]
        forms: list[Idea] = []
        # An alias may be spelled otherwise: sub and subtract.
        for other in dict.fromkeys([leaf, *(s.rpartition(".")[2] for s in siblings)]):
            for room in _rooms(name):
                for api in self._rooms[room][_stem(other)]:
                    if api.rpartition(".")[2] == leaf:
                        yield Idea(api, "same_name")
                    else:
                        forms.append(Idea(api, "form"))
        yield from (Idea(api, "published") for api in _PAIRED.get(name, ()))
        # One that changes its input stands for one that does, before one that doesn't.
        yield from sorted(forms, key=lambda idea: idea.api.endswith("_") != leaf.endswith("_"))

    def _alike(self, name: str) -> Iterator[Idea]:
        """Names that begin with this one: one_hot_ext for one_hot."""
        leaf = name.rpartition(".")[2].strip("_")
        if len(leaf) < _SHORTEST:
            return
        for room in _rooms(name):
            leaves = self._leaves.get(room, [])
            found = []
            for other, place, api in islice(leaves, bisect_left(leaves, (leaf, 0, "")), None):
                if not other.startswith(leaf):
                    break
                if other[len(leaf) :][:1] in _AFTER and not other.endswith(_ADDRESSES):
                    found.append((place, api))
            yield from (Idea(api, "likeness") for _, api in sorted(found))

    def _leaf(self, name: str, room: str) -> list[str]:
        return self._rooms[room][_stem(name.rpartition(".")[2])]

    def _same(self, api: str) -> str:
        """One name for all that are the same thing."""
        found = self.mindspore.apis.get(api)
        return found.alias_of or api if found is not None else api

    def _fits(self, name: str, idea: Idea) -> bool:
        """Whether a call of one can be written as a call of the other at all."""
        source = self.torch.apis[name]
        if idea.like is not None and idea.like.expression is not None:
            return (source.kind == "class") == (self._kind(idea.owner) == "class")
        target = self.mindspore.apis.get(idea.api)
        if target is None or source.kind in _VALUES:
            return target is not None and target.kind in _VALUES
        if source.kind == "class":
            return target.kind == "class" or (target.kind == "function" and bool(source.call))
        return target.kind != "class" or _is_layer(target)

    def _kind(self, name: str) -> str:
        api = self.torch.apis.get(name)
        return api.kind if api is not None else ""


def _is_layer(api: Api) -> bool:
    """Whether a class is made and then called on tensors: a function may become both."""
    return api.name.startswith(("mindspore.nn.", "mindspore.mint.nn.")) and bool(api.call)


def _rooms(name: str) -> tuple[str, ...]:
    if name.startswith("torch.fft."):
        return "mindspore.mint.fft", "mindspore.ops", "mindspore.numpy.fft"
    return next((rooms for start, rooms in _ROOMS if name.startswith(start)), ())


def _stem(leaf: str) -> str:
    """What forms of a name have in common: LeakyReLU, leaky_relu and leaky_relu_ are one."""
    plain = leaf.replace("_", "").lower()
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) > len(ending):
            plain = plain.removesuffix(ending)
    return plain


def _distance(name: str, sibling: str) -> tuple[bool, bool, str]:
    """How far a sibling is: the same leaf first, then the same room."""
    room, _, leaf = name.rpartition(".")
    other_room, _, other = sibling.rpartition(".")
    return other.removesuffix("_") != leaf.removesuffix("_"), other_room != room, sibling
