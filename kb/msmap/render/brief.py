"""What a page that fits on a screen says of a record: chosen once for every way to tell it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from msmap import vocabulary
from msmap.evidence import devices
from msmap.model import Caveat, Parameter, Port, Record, Target
from msmap.render.labels import BRIEF, RECORD, word
from msmap.width import cells

# What raises leaves that many rows free for what gives no error.
_KEPT_FREE = {"silent": 0, "error": 4}
# A terminal of 80 cells has 24 rows, and one of them is for the prompt. Of the page, three rows are
# the head, four stand empty or say what else there is.
_ROWS, _ALWAYS = 23, 7
# A page whose other parts take more is longer than the screen.
_AT_LEAST = 7
# Behind the title of a line.
_WIDTH = 69


@dataclass(frozen=True, slots=True)
class Brief:
    """What is told of a record in short.

    ``target`` is the one that the example or the call takes, ``others`` the rest in their order.
    ``left`` counts the caveats that aren't told, by impact. ``parameters`` says in a few words
    what becomes of each that isn't the same.
    """

    target: Target | None
    others: tuple[Target, ...]
    caveats: tuple[Caveat, ...]
    left: dict[str, int]
    parameters: tuple[str, ...]


def brief(found: Record, language: str, device: str = "", key: str | None = None) -> Brief:
    """The short answer.

    Args:
        found: the record.
        language: the language.
        device: the device that it is for, "" for all.
        key: the target that a call takes; else the one that most calls take.
    """
    target = applying(found, key)
    others = tuple(other for other in found.targets if other is not target)
    here = devices.caveats(found, device)[0] if device else found.caveats
    fitting = [c for c in here if target is None or c.target in (None, target.key)]
    parameters = tuple(fates(target, language)) if target else ()
    room = _room(found, target, parameters, others, language)
    told = tuple(_fitting(fitting, room, language))
    shown = {id(caveat) for caveat in told}
    left = {
        impact: n
        for impact in vocabulary.IMPACTS
        if (n := sum(c.impact == impact and id(c) not in shown for c in found.caveats))
    }
    return Brief(target, others, told, left, parameters)


def applying(found: Record, key: str | None = None) -> Target | None:
    """The target of a key; else the best that isn't for some calls alone; else the best.

    Of such a one no call is left where those before it agree and take all calls between them.
    """
    every = found.targets
    by_key = (target for target in every if target.key == key)
    always = next((n for n, t in enumerate(every) if not (t.given or t.absent)), 0)
    before = [t for t in every[:always] if vocabulary.OUTCOMES[t.verification].agrees]
    if any(set(one.given) & set(other.absent) for one in before for other in before):
        always = 0
    return next(by_key, None) or (every[always] if every else None)


def taken(found: Record, port: Port | None) -> str | None:
    """The key of the target that a ported call takes; None where no call was asked for."""
    return dict(port.targets).get(found.owner) if port is not None else None


def _room(
    found: Record, target: Target | None, parameters: Sequence[str], others: Sequence[Target],
    language: str,
) -> int:  # fmt: skip
    """The rows of a screen that the other parts of the page leave to caveats."""
    stop = RECORD[language]["stop"]
    of_record = (found.deprecated, found.missing, found.family, found.covers, others, found.guides)
    of_target = (target.members, target.returns, target.state) if target is not None else ()
    rows = sum(map(bool, (*of_record, *of_target))) + _rows(stop.join(parameters))
    examples = (found.example_torch, found.example_mindspore) if found.example_torch else ()
    rows += sum(_rows(line) for code in examples for line in code.splitlines())
    return max(_ROWS - _ALWAYS - rows, _AT_LEAST)


def _rows(text: str) -> int:
    """How many rows a text takes, broken between its words, and anywhere in Chinese."""
    rows = taken = 0
    for unit in text.split(" ") if text else ():
        size = cells(unit)
        if not rows or (taken + size > _WIDTH and unit.isascii()):
            rows, taken = rows + 1, 0
        more, taken = divmod(taken + size + 1, _WIDTH + 1)
        rows += more
    return rows


def _fitting(caveats: Sequence[Caveat], room: int, language: str) -> Iterator[Caveat]:
    """The dangerous ones that there is room for: the silent first, then those that raise.

    Each is told whole: its end says what to write.
    """
    taken = 0
    for impact, free in _KEPT_FREE.items():
        for caveat in (c for c in caveats if c.impact == impact):
            rows = _rows(caveat.text.get(language))
            if not taken or taken + rows <= room - free:
                taken += rows
                yield caveat


def fates(target: Target, language: str) -> Iterator[str]:
    """What becomes of a target's parameters, a few words each; the dangerous first."""
    labels, comma = BRIEF[language], RECORD[language]["comma"]
    rows = [*target.parameters, *(p for p in target.inputs if not _by_place(p))]
    # Calls that give one of these have another target, which stands beside this one.
    rows = [p for p in rows if not (p.torch and set(p.torch) <= set(target.absent))]
    rows = [_beside_receiver(p, target) for p in rows]
    for p in sorted(rows, key=lambda p: vocabulary.RELATIONS[p.relation].danger):
        if p.relation not in _GROUPED:
            yield _fate(p, labels, comma)
    for label, relations in _GROUPS.items():
        names = [n for p in rows if p.relation in relations for n in p.torch]
        if names := [name for name in dict.fromkeys(names) if name != "self"]:
            yield labels[label].format(comma.join(names))
    same = {p.relation for p in rows} <= {"same", "target_only_keep_default"}
    if any(p.relation == "same" for p in rows):
        yield labels["same" if same else "rest"]


def _beside_receiver(p: Parameter, target: Target) -> Parameter:
    """A parameter that is where it was, but for the receiver that stands before it on one side."""
    if p.relation != "reordered" or p.keyword or None in (p.torch_position, p.mindspore_position):
        return p
    theirs = any("self" in other.torch for other in target.parameters)
    ours = any("self" in other.mindspore for other in target.parameters)
    moved = (p.mindspore_position or 0) - (p.torch_position or 0)
    return replace(p, relation="same") if moved == theirs - ours else p


_GROUPS = {
    "no": ("source_only_unsupported",),
    "dropped": ("source_only_droppable", "universal_absent"),
}
# What a reader has to do nothing about is told in two words, or not at all.
_GROUPED = {name for names in _GROUPS.values() for name in names}
_GROUPED |= {"same", "target_only_keep_default"}


def _by_place(parameter: Parameter) -> bool:
    """An input of a layer under another name, which nobody writes, or under the same."""
    same = vocabulary.RELATIONS[parameter.relation].quiet
    return same or (parameter.relation == "renamed" and parameter.derived)


def _fate(p: Parameter, labels: dict[str, str], comma: str) -> str:
    defaults = p.torch_default, p.mindspore_default
    differs = len(p.torch) == len(p.mindspore) == 1 and defaults[0] != defaults[1]
    plain = differs and p.relation == "default_differs"
    left = _side(p.torch, defaults[0] if plain else None)
    right = _side(p.mindspore, defaults[1] if plain else None)
    if not p.torch:
        return labels["must"].format(right)
    if not p.mindspore:
        return f"{left} -> {p.value}" if p.value else labels["rewrite"].format(left)
    if p.relation == "accepted_ignored":
        return labels["ignored"].format(left)
    right = _value(p, comma) or right
    if left == right and p.relation in _REMARKS:
        return labels[p.relation].format(left)
    said = left if left == right else f"{left} -> {right}"
    return labels["keyword"].format(said) if p.keyword else said


# What is said of a parameter that has the same name on both sides.
_REMARKS = ("reordered", "value_transformed", "type_differs")


def _value(p: Parameter, comma: str) -> str:
    """What is given to it if that is the same for all arguments, "" if it depends."""
    value = p.value or ""
    if (
        not value
        and p.relation == "value_transformed"
        and p.cases[-1:]
        and p.cases[-1].when == "any"
    ):
        value = comma.join(f"{name}={given}" for name, given in p.cases[-1].set.items())
    return value.replace("{", "").replace("}", "")


def _side(names: Iterable[str], default: str | None) -> str:
    text = ", ".join(names)
    short = (default or "").replace("mindspore.", "").replace("torch.", "")
    return f"{text}={short}" if default is not None else text


def conditions(target: Target, language: str) -> str:
    """For which calls a target is, "" for all."""
    labels = RECORD[language]
    when = [labels["given"].format(name) for name in target.given]
    when += [labels["without"].format(name) for name in target.absent]
    return labels["comma"].join(when)


def beside(told: Brief, found: Record, language: str) -> Iterator[str]:
    """What the full page has beside the short one, a few words each."""
    labels = BRIEF[language]
    for impact, n in told.left.items():
        yield labels["count"].format(n, word(vocabulary.IMPACTS, impact, language))
    if told.others:
        yield labels["targets"].format(len(found.targets))
    if found.checks:
        yield labels["evidence"]
