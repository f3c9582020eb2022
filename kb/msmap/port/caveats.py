"""Which caveats of a record one call triggers, and which of these the port sees to."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from msmap.code.source import Source
from msmap.code.tree import children
from msmap.infer import infinities
from msmap.infer.effects import VIEWS, WHOLE
from msmap.infer.uses import Use
from msmap.infer.values.lattice import UNKNOWN, Value
from msmap.model import Caveat, Record, Target, Text, When
from msmap.names import in_place
from msmap.port import arguments as values
from msmap.port import conversion, parameter_groups, statistics
from msmap.port.arguments import Argument
from msmap.port.bind import Bound

# Where nobody wrote when a caveat bites: variants of checks that show it are of other inputs, but
# for these.
_OF_CALLS = ("positional", "keyword", "shuffled", "defaults", "in-place", "weight-decay",
             "momentum", "betas", "groups")  # fmt: skip
# Relations by which the port writes another thing than the code has.
_WRITTEN_OUT = ("default_differs", "renamed", "value_transformed", "type_differs", "merged",
                "split", "reordered", "moved_to_constructor", "moved_to_method",
                "target_only_must_set", "target_only_keep_default")  # fmt: skip

# Names that layers of both frameworks give otherwise.
_NAMES = re.compile(r"(?:[\w.]*\.)?(?:weight|bias|running\w*|num_batches\w*)")
# Layers whose parameters have PyTorch's names, and layers of which some haven't.
_ALIKE = frozenset(
    ("Linear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d",
     "ConvTranspose3d", "Bilinear", "LSTM", "GRU", "RNN")
)  # fmt: skip
_RENAMED = frozenset(
    ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm", "LayerNorm", "GroupNorm",
     "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "Embedding", "EmbeddingBag", "PReLU",
     "Transformer", "TransformerEncoder", "TransformerEncoderLayer", "TransformerDecoder",
     "TransformerDecoderLayer")
)  # fmt: skip
_REGISTERING = ("register_buffer", "register_parameter")
# What says whether a parameter trains.
_FLAG = "requires_grad"


# What the port is written for, so that it doesn't bite.
_MENDED = ("by_hand", "infinite")
# Where rounding that is no more than worth a note elsewhere counts.
_OF_DOUBLES = ("float64", "doubles")
# What the code around a call shows.
_SHOWN = ("always", "float64", "doubles", "frozen", "integers", "numpy", "mixed", "grouped",
          "statistics", "texts", "view", "written", "differentiated")  # fmt: skip
# Methods of modules that set them up, and what turns gradients off.
_SETTING_UP = re.compile(r"__init__|_?(?:init|reset|load|build|make)\w*")
_UNGRADED = ("no_grad", "inference_mode")


@dataclass(slots=True)
class Bite:
    """A caveat that a call triggers, and by what, one of ``TRIGGERS``.

    ``shown`` says that this call or the code around it shows the condition, which most calls of the
    API don't meet.
    """

    caveat: Caveat
    on: str
    shown: bool = False

    @property
    def mended(self) -> bool:
        """Whether the port is written so that it doesn't bite."""
        return self.on in _MENDED

    @property
    def differs(self) -> bool:
        """Whether this very call gives other values, so that the file has to say it."""
        rounds = self.on in _OF_DOUBLES and self.caveat.impact == "note"
        return self.shown and not self.mended and (rounds or self.caveat.impact == "silent")


class Around:
    """What the code around a call says of it."""

    def __init__(
        self,
        source: Source,
        uses: Mapping[ast.AST, Use],
        changed: Set[ast.AST] = frozenset(),
        given: Mapping[ast.AST, Value] = MappingProxyType({}),
        doubles: Set[ast.AST] = frozenset(),
        rounded: Set[ast.AST] = frozenset(),
        alone: bool = False,
    ) -> None:
        self._alone = alone
        self.source, self._uses, self._changed, self._given = source, uses, changed, given
        # Calls with a tensor of float64, and those of them with a number that float32 can't hold.
        self.doubles, self.rounded = doubles, rounded

    def place(self, node: ast.AST) -> str:
        """What a call writes to, if it was seen to be a part of another tensor."""
        use = self._uses.get(node)
        return "" if use is None else use.seen

    def takes_infinite(self, node: ast.AST) -> bool:
        """Whether what a call takes first may hold numbers next to -inf."""
        return any(infinities.holds(self._given.get(one, UNKNOWN)) for one in firsts(node))

    def is_of_infinite(self, node: ast.AST) -> bool:
        """Whether the tensor whose method is called may hold numbers next to -inf."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return False
        return infinities.holds(self._given.get(node.func.value, UNKNOWN))

    @cached_property
    def compiles(self) -> bool:
        """Whether any of the code is compiled."""
        named = (name for use in self._uses.values() for name in use.names)
        return any(name == "torch.compile" or name.startswith("torch.jit.") for name in named)

    @cached_property
    def trains(self) -> bool:
        """Whether anything is put into training mode."""
        return self.source.mentions(".train(")

    @cached_property
    def names_parameters(self) -> bool:
        """Whether texts name parameters, such as "norm.weight", that may be called otherwise.

        Of a layer that the code makes its class tells, else all layers that are made.
        """
        calls = list(self.source.nodes.of(ast.Call))
        made = {_leaf(call.func) for call in calls}
        layers = {use.names[0].rpartition(".")[2] for use in self._uses.values() if use.names}
        unclear = not (made & _ALIKE) or bool((made | layers) & _RENAMED)
        return any(self._is_renamed(text, unclear) for text in self._texts())

    def _texts(self) -> Iterator[str]:
        calls = self.source.nodes.of(ast.Call)
        # What the code registers has this name in both.
        own = {one for call in calls if _leaf(call.func) in _REGISTERING for one in call.args[:1]}
        for node in self.source.nodes.of(ast.Constant):
            if isinstance(node.value, str) and _NAMES.fullmatch(node.value) and node not in own:
                yield node.value

    def _is_renamed(self, text: str, unclear: bool) -> bool:
        owner = text.rpartition(".")[0].rpartition(".")[2]
        kinds = self._made_as.get(owner) if owner else None
        return unclear if not kinds else not kinds <= _ALIKE

    @cached_property
    def _made_as(self) -> dict[str, set[str]]:
        """The classes of what is assigned to each attribute."""
        found: dict[str, set[str]] = {}
        for node in self.source.all(ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute):
                    kind = _leaf(node.value.func) if isinstance(node.value, ast.Call) else ""
                    found.setdefault(target.attr, set()).add(kind)
        return found

    @cached_property
    def freezes(self) -> bool:
        """Whether the code sets what makes parameters train."""
        if not self.source.mentions(_FLAG):
            return False
        functions = (getattr(node, "func", None) for node in self._uses)
        set_here = (target for made in self.source.all(ast.Assign) for target in made.targets)
        return any(getattr(one, "attr", "") == f"{_FLAG}_" for one in functions) or any(
            getattr(one, "attr", "") == _FLAG for one in set_here
        )

    def may_hold_statistics(self, node: ast.AST) -> bool:
        """Whether the module whose method is called may hold running statistics."""
        return statistics.may_hold(self.source, self._uses.get(node), self._alone)

    @cached_property
    def written(self) -> frozenset[ast.AST]:
        """The calls and attributes whose results are written to, as far as the code shows it."""
        return frozenset(self._changed).union(*map(_chain, (*self._set_items(), *self._methods())))

    def is_lost(self, node: ast.AST) -> bool:
        """Whether what is written to a result doesn't reach its tensor where gradients are taken.

        All of a tensor as it lies there is written to by methods as the tensor itself.
        """
        if node not in self._run_later:
            return False
        if isinstance(node, ast.Attribute) and node.attr in WHOLE:
            return any(node in _chain(one) for one in self._set_items())
        return node in self.written

    @cached_property
    def differentiated(self) -> frozenset[ast.AST]:
        """What runs where gradients are taken: in methods of modules, and around backward()."""
        found: set[ast.AST] = set()
        for owner in self.source.all(ast.ClassDef):
            methods = [one for one in owner.body if isinstance(one, ast.FunctionDef)]
            if any(one.name == "forward" for one in methods):
                for one in methods:
                    if not _SETTING_UP.fullmatch(one.name):
                        found.update(_graded(one))
        for one in self.source.all(ast.FunctionDef):
            inner = list(_graded(one))
            if any(getattr(node, "attr", "") == "backward" for node in inner):
                found.update(inner)
        return frozenset(found)

    @cached_property
    def _run_later(self) -> frozenset[ast.AST]:
        """What stands in functions that may be called where gradients are taken."""
        functions = self.source.all(ast.FunctionDef)
        later = (one for one in functions if not _SETTING_UP.fullmatch(one.name))
        return frozenset(node for one in later for node in _graded(one))

    def _set_items(self) -> Iterator[ast.expr]:
        """What an item of is assigned."""
        targets = [target for made in self.source.all(ast.Assign) for target in made.targets]
        targets += [changed.target for changed in self.source.all(ast.AugAssign)]
        yield from (target.value for target in targets if isinstance(target, ast.Subscript))

    def _methods(self) -> Iterator[ast.expr]:
        """What an in-place method is called on."""
        for node in self._uses:
            function = node.func if isinstance(node, ast.Call) else None
            if isinstance(function, ast.Attribute) and in_place(function.attr):
                yield function.value


def _chain(node: ast.AST) -> Set[ast.AST]:
    """The calls, attributes and items that a chain is made of."""
    found: set[ast.AST] = set()
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
        found.add(node)
        node = node.func if isinstance(node, ast.Call) else node.value
    return found


def _graded(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function but for the blocks that turn gradients off."""
    if any(_is_ungraded(one) for one in function.decorator_list):
        return
    ahead: list[ast.AST] = [function]
    for node in ahead:
        yield node
        if isinstance(node, ast.With) and any(_is_ungraded(i.context_expr) for i in node.items):
            continue
        ahead += children(node)


def _is_ungraded(node: ast.expr) -> bool:
    return _leaf(node.func if isinstance(node, ast.Call) else node) in _UNGRADED


def _leaf(node: ast.expr) -> str:
    return getattr(node, "attr", "") or getattr(node, "id", "")


def firsts(node: ast.AST) -> list[ast.expr]:
    """What a call is given first, by position or as ``input``."""
    if not isinstance(node, ast.Call):
        return []
    return [*node.args[:1], *(k.value for k in node.keywords if k.arg == "input")]


def bites(
    record: Record, target: Target, bound: Bound | None, node: ast.AST, around: Around, device: str
) -> list[Bite]:
    """The caveats that a call triggers, in the record's order.

    Args:
        record: what is called.
        target: what it was written for.
        bound: its arguments; None of what has none.
        node: the call.
        around: the code that it stands in.
        device: what the answer is for, "" for all.
    """
    found = []
    for caveat in record.caveats:
        if caveat.target not in (None, target.key) or not _holds_on(caveat, device):
            continue
        when = _of_doubles(caveat, caveat.when or _derived(caveat, target))
        if when is not None and _is_triggered(when, bound, node, around):
            found.append(Bite(caveat, when.on, _is_shown(when, node, around)))
    return found


def _is_shown(when: When, node: ast.AST, around: Around) -> bool:
    """Whether a condition is one that a call shows, and not one that every call meets."""
    if when.on == "differentiated" and node not in around.differentiated:
        # Whoever calls the function may take gradients.
        return False
    return when.on in _SHOWN or (
        when.on == "call" and bool(when.given or when.omitted or when.position or when.values)
    )


def seen(record: Record, on: str, device: str) -> list[Bite]:
    """The caveats of a record that bite where one of ``TRIGGERS`` is seen, and by nothing else."""
    return [
        Bite(caveat, on, on in _SHOWN)
        for caveat in record.caveats
        if caveat.when is not None and caveat.when.on == on and _holds_on(caveat, device)
    ]


def told(record: Record, found: list[Bite]) -> Iterator[Text]:
    """What to say of the silent caveats that the port doesn't see to."""
    for bite in found:
        if bite.caveat.impact == "silent" and not bite.mended:
            yield said(record, bite)


def said(record: Record, bite: Bite) -> Text:
    """The text of a caveat with the name that it is about."""
    text = bite.caveat.text
    return Text(f"{record.torch}: {text.en}", f"{record.torch}：{text.zh}")


def _holds_on(caveat: Caveat, device: str) -> bool:
    return not caveat.device or not device or device in caveat.device


def _derived(caveat: Caveat, target: Target) -> When | None:
    """When a caveat bites of which nobody wrote it; None: no call shows it.

    What raises shows itself. What is silent is told by every call unless something says otherwise.
    """
    if caveat.parameter is not None:
        return _by_parameter(caveat.parameter, target)
    if caveat.impact != "silent":
        return None
    if "import-only" in caveat.variants:
        return When("by_hand")
    if "graph" in caveat.variants:
        return When("graph")
    if any(variant not in _OF_CALLS for variant in caveat.variants):
        return When("inputs")
    return When()


def _of_doubles(caveat: Caveat, when: When | None) -> When | None:
    """When a caveat of some inputs bites, of which its variants show that float64 is one."""
    if when is None or when.on != "inputs" or caveat.impact != "silent":
        return when
    return replace(when, on="float64") if "float64" in caveat.variants else when


def _by_parameter(name: str, target: Target) -> When:
    """When a caveat of a parameter bites: by what becomes of it."""
    for parameter in (*target.parameters, *target.inputs):
        if name not in (*parameter.torch, *parameter.mindspore):
            continue
        on = "by_hand" if parameter.relation in _WRITTEN_OUT else "call"
        if parameter.relation == "default_differs":
            return When(on, omitted=parameter.torch)
        return When(on, given=parameter.torch)
    return When()


def _is_triggered(when: When, bound: Bound | None, node: ast.AST, around: Around) -> bool:
    if not _stands(when.on, node, around):
        return False
    if not (when.given or when.omitted or when.position or when.values):
        return True
    if bound is None:
        return False
    given = bound.given
    if not given.keys() >= {*when.given} or not given.keys().isdisjoint(when.omitted):
        return False
    if any(name not in given or given[name].by != "position" for name in when.position):
        return False
    every = conversion.with_defaults(bound) if when.values else {}
    return all(name in every and _fits(every[name], is_) for name, is_ in when.values.items())


_NOT = "not "


def _fits(found: Argument, is_: str) -> bool:
    """Whether an argument is what a condition asks for, or none of what it leaves out."""
    if is_.startswith(_NOT):
        return not any(values.fits(found, one) for one in is_.removeprefix(_NOT).split("|"))
    return values.fits(found, is_)


def _stands(on: str, node: ast.AST, around: Around) -> bool:
    """Whether a call stands where a caveat bites."""
    if on == "mode":
        return not around.trains
    if on == "graph":
        return around.compiles
    if on == "texts":
        return around.names_parameters
    if on == "frozen":
        return around.freezes
    if on == "statistics":
        return around.may_hold_statistics(node)
    if on == "grouped":
        return bool(parameter_groups.decay(around.source, node))
    if on == "float64":
        return node in around.doubles
    if on == "doubles":
        return node in around.rounded
    if on == "infinite":
        return around.takes_infinite(node)
    if on == "boundless":
        return around.takes_infinite(node) or around.is_of_infinite(node)
    if on == "written":
        return node in around.written
    if on == "view":
        place = around.place(node)
        return place in ("view", "part") or (place not in ("item", "any") and _on_part(node))
    if on == "differentiated":
        return around.is_lost(node)
    return on in ("call", "always", "some_inputs", "by_hand")


def _on_part(node: ast.AST) -> bool:
    """Whether a method is called on what is seen to be a part of a tensor."""
    function = node.func if isinstance(node, ast.Call) else node
    on = function.value if isinstance(function, ast.Attribute) else None
    if isinstance(on, ast.Call):
        on = on.func
    while isinstance(on, ast.Attribute) and on.attr in WHOLE:
        on = on.value
    return isinstance(on, ast.Subscript) or (isinstance(on, ast.Attribute) and on.attr in VIEWS)
