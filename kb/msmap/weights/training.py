"""What a checkpoint of MindSpore's holds besides a model: an optimizer's state, and numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from msmap.weights.carry import Model
from msmap.weights.tensors import Held

# What MindSpore's optimizers keep of each parameter, before its name. What a layer may be called
# too stands there only if the model has no such layer.
_EACH = re.compile(
    r"(moment[12]|moments|accum|accum_update|stat|vhat|exp_avg|exp_avg_sq(?:_row|_col)?|exp_inf"
    r"|max_exp_avg_sq|mean_square|mean_grad|momentum_buf|step_size|ax_?|lamb_[mv]|adam_[mv]"
    r"|mu_product_|mu_|eta_|moment|linear|prev)\.?"
)
_ALSO_LAYERS = {"moment", "linear", "prev", "stat", "accum", "moments"}
# What they keep once, and what scales losses.
_ONCE = re.compile(
    r"global_step|(?:fake_)?learning_rate(?:_group_\d+)?|momentum|weight_decay|beta[12]_power"
    r"|state_step|step_t|afactor_step|cov_step|fake_lr|fake_param|scale_sense|loss_scale"
    r"|current_iterator_step|last_overflow_iterator_step|last_epoch_|cooldown_counter"
)
# What training scripts append.
_NUMBERS = re.compile(
    r"(?:\w+_)?(?:epochs?|steps?|iters?|iterations?|lr|loss|acc|accuracy|score|metric|seed|rank)"
    r"(?:_(?:num|idx|id))?|(?:epoch|step|batch)_(?:num|size)|best|__exception_save__"
)


@dataclass(slots=True)
class Beside:
    """The names that are no model's: ``optimizer``'s state, and ``numbers``.

    ``heads`` are those of the optimizer in short: ``moment1.*`` for one of each parameter.
    """

    optimizer: set[str] = field(default_factory=set)
    heads: dict[str, None] = field(default_factory=dict)
    numbers: list[str] = field(default_factory=list)

    @property
    def names(self) -> set[str]:
        """All of them."""
        return self.optimizer | set(self.numbers)


def beside(model: Model, tensors: Mapping[str, Held], back: bool) -> Beside:
    """What of a file is no part of the model, by what is known of that.

    PyTorch keeps an optimizer's state apart: only a file of MindSpore's (``back``) has it there.
    """
    found = Beside()
    named = {one.mindspore for one in model.tensors.values()}
    for name, tensor in tensors.items():
        if name in (named if back else model.tensors):
            continue
        if back and (head := _of_each(model, name, tensors)):
            found.optimizer.add(name)
            found.heads.setdefault(f"{head}*")
        elif "." not in name and (holds := model.holds(name)) is not True:
            if back and _ONCE.fullmatch(name):
                found.optimizer.add(name)
                found.heads.setdefault(name)
            elif not tensor.shape and (holds is False or _is_number(name, tensor)):
                found.numbers.append(name)
    return found


def _of_each(model: Model, name: str, tensors: Mapping[str, Held]) -> str:
    """What stands before the name of another tensor, if optimizers keep such of a parameter."""
    if (found := _EACH.match(name)) is None:
        return ""
    head, rest = found[0], name[found.end() :]
    if rest not in tensors:
        return ""
    if found[1] in _ALSO_LAYERS and model.layers.kind(model.moved_back(found[1])) is not None:
        return ""
    return head


def _is_number(name: str, tensor: Held) -> bool:
    return tensor.dtype == "bool" or _NUMBERS.fullmatch(name) is not None
