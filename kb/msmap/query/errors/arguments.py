"""Errors about arguments: what a function of MindSpore's takes, where it was called otherwise."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from msmap import model
from msmap.model import Text
from msmap.query.base.asked import Asked
from msmap.query.errors.explanation import Explanation
from msmap.query.names import pasted_names as pasted

_KEYWORDS = (
    re.compile(r"(?:(?P<call>\w+)(?:\.__init__)?\(\) )?got an unexpected keyword argument"
               r" '(?P<word>\w+)'"),
    re.compile(r"'(?P<word>\w+)' is an invalid keyword argument for (?P<call>\w+)\(\)"),
)  # fmt: skip
_OTHERWISE = (
    re.compile(r"(\w+)(?:\.__init__)?\(\) takes (?:from \d+ to )?\d+ positional arguments?"),
    re.compile(r"(\w+)(?:\.__init__)?\(\) missing \d+ required (?:positional|keyword-only) arg"),
    re.compile(r"(\w+)(?:\.__init__)?\(\) got multiple values for argument"),
    re.compile(r"(?:missing a required|too many positional) argument()"),
)
# Of values that aren't even of the kind that is wanted.
_KINDS = (
    re.compile(r"Failed calling (\w+) with"),
    re.compile(
        r"^TypeError: For (?:Tensor\.)?'?(\w+)'?, the (?:parameter )?'\w+' (?:must|should) be "
        r"(?:an? )?(?:string|str|float|int|integer|bool|tuple|list)\b.* but got"
    ),
)
# Of a value that an argument can't have.
_VALUES = re.compile(
    r"For '(\w+)', (?:the )?(?:type of |argument |parameter |input )?"
    r"[`'](\w+)[`'] (?:must|should) be "
)
# Where the names of a module that isn't MindSpore's begin.
_FOREIGN = ("torch", "np", "numpy", "tf", "jax", "F", "functional", "torchvision", "cv2", "pd")
_CONSTANT = re.compile(r"-?[\d.]+|'\w*'|True|False|None")
_ONLY_RENAMED = ("renamed", "default_differs", "reordered")


def explained(kb: Asked, said: str, text: str, code: str) -> Explanation | None:
    """An argument by PyTorch's name, or other arguments than a function takes."""
    function, keyword, listed = _blamed(said)
    for call, name in _called(kb, function, keyword, code):
        records = _records(kb, name)
        told = (_renamed(record, name, keyword, code) for record in records if keyword)
        found = next(filter(None, told), None) or (
            _elsewhere(kb, call, name, keyword, code)
            or (_listed(kb, name, keyword, records) if listed else None)
        )
        if found is not None:
            return replace(found, error=said)
    return None


def _records(kb: Asked, name: str) -> list[model.Record]:
    """The records with a target of a name, the best first: those that are called so themselves."""
    rows = kb.rows("SELECT torch FROM target WHERE api = ? ORDER BY rank, torch", (name,))
    leaf = name.rpartition(".")[2]
    owners = sorted((torch for (torch,) in rows), key=lambda torch: not torch.endswith(f".{leaf}"))
    return [record for torch in owners if (record := kb.find(torch)) is not None]


def refused(kb: Asked, said: str, text: str, code: str) -> Explanation | None:
    """A value that an argument can't have, which the error names; what a caveat tells of it."""
    if (found := _VALUES.search(said)) is None:
        return None
    for _, name in _called(kb, found[1], "", code):
        records = _records(kb, name)
        if not records:
            continue
        cause = Text(
            f"{name} doesn't take the value that was given for {found[2]}; the error says which it"
            " takes.",
            f"{name} 的参数 {found[2]} 不接受所给的值，报错中写明了可取的值。",
        )
        told = [text for record in records for text in _raising(record, name, found[2])]
        see = tuple(record.torch for record in records[:_FEW])
        return Explanation(said, told[0] if len(told) == 1 else cause, "", see, "call")
    return None


_FEW = 3


def _raising(record: model.Record, name: str, parameter: str) -> Iterator[Text]:
    """What caveats tell of a parameter of a target, where it raises."""
    target = next(target for target in record.targets if target.api == name)
    rows = (*target.parameters, *target.inputs)
    torch = {n for p in rows if parameter in p.mindspore for n in p.torch}
    for caveat in record.caveats:
        here = caveat.target in (None, target.key)
        if here and caveat.impact == "error" and caveat.parameter in torch:
            yield caveat.text


def _blamed(said: str) -> tuple[str | None, str, bool]:
    """The function that an error is about, the keyword that it doesn't take, and whether what it
    takes tells what is wrong.

    The function is None of another error, "" where the error doesn't name it; so is the keyword.
    """
    for pattern in _KEYWORDS:
        if (found := pattern.search(said)) is not None:
            # A class that another is made of is nobody's call.
            call = found["call"] or ""
            return "" if call.startswith("_") else call, found["word"], True
    for patterns, listed in ((_OTHERWISE, True), (_KINDS, False)):
        for pattern in patterns:
            if (found := pattern.search(said)) is not None:
                return found[1], "", listed
    return None, "", False


def _called(kb: Asked, function: str | None, keyword: str, code: str) -> list[tuple[str, str]]:
    """The MindSpore names that were called, as spelled and in full."""
    if function is None:
        return []
    if not code:
        spelled = [function] if function and keyword else []
    else:
        spelled = [
            call for call in pasted.calls(code)
            if (not function or _same(call.rpartition(".")[2], function))
            and call.partition(".")[0] not in _FOREIGN
        ]  # fmt: skip
        if keyword and f"{keyword}=" not in code.replace(" ", ""):
            spelled = [call for call in spelled if function]
    found = [(call, name) for call in spelled if (name := kb.mindspore_name(call)) is not None]
    # Which one of several it is, nothing says.
    return found if function or keyword or len(found) == 1 else []


def _same(leaf: str, function: str) -> bool:
    """Whether a function is the one that an error names, of which it may name the operator."""
    return leaf == function or pasted.operators(f"operator[{function}]") == [leaf]


def _renamed(record: model.Record, name: str, keyword: str, code: str) -> Explanation | None:
    """What an argument of PyTorch's is called by a target of a record."""
    target = next(target for target in record.targets if target.api == name)
    told = (p for p in (*target.parameters, *target.inputs) if keyword in p.torch)
    p = next(told, None)
    if p is None or p.mindspore == p.torch:
        return None
    note = p.note or Text("", "")
    other = ", ".join(p.mindspore)
    if not other:
        en = f"{name} has no {keyword}, as {record.torch} has it. {note.en}"
        zh = f"{name} 没有 {record.torch} 的参数 {keyword}。{note.zh}"
        instead = record.example_mindspore
    else:
        en = f"{keyword} of {record.torch} is {other} of {name}. {note.en}"
        zh = f"{record.torch} 的 {keyword} 在 {name} 中为 {other}。{note.zh}"
        instead = f"{other}={p.value or '...'}"
        if p.relation in _ONLY_RENAMED and re.search(rf"\b{keyword}\s*=", code):
            instead = re.sub(rf"\b{keyword}\s*=\s*", f"{other}=", code)
    return Explanation("", Text(en.strip(), zh.strip()), instead, (record.torch,), "keyword")


def _elsewhere(kb: Asked, call: str, name: str, keyword: str, code: str) -> Explanation | None:
    """Another function of MindSpore's that is called as the PyTorch function of that name is."""
    module, _, leaf = name.rpartition(".")
    for spelling in pasted.at_home(module, leaf):
        known = kb.torch_name(spelling)
        record = kb.find(known) if known else None
        if record is None or any(target.api == name for target in record.targets):
            continue
        for target in record.targets[:1]:
            if not target.api:
                continue
            taken = {n for p in (*target.parameters, *target.inputs) for n in p.mindspore}
            ported = _ported(kb, call, record.torch, code)
            if keyword in taken:
                instead = code.replace(f"{call}(", f"{target.api}(") or record.example_mindspore
                en, zh = f"{name} has no {keyword}", f"{name} 没有参数 {keyword}"
            elif ported:
                instead = ported
                en = f"{name} takes other arguments than {record.torch}"
                zh = f"{name} 的参数与 {record.torch} 不同"
            else:
                continue
            cause = Text(
                f"{en}; {target.api} takes the arguments of {record.torch}.",
                f"{zh}；{target.api} 接受 {record.torch} 的参数。",
            )
            return Explanation(
                "", cause, instead, (record.torch,), "keyword" if keyword else "call"
            )
    return None


def _ported(kb: Asked, call: str, torch: str, code: str) -> str:
    """The line of code, had it called PyTorch's function, ported; "" if the call can't be."""
    try:
        calls = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Call)]
    except SyntaxError:
        return ""
    for node in calls:
        if ast.unparse(node.func) != call or not all(
            _plain(a) for a in (*node.args, *node.keywords)
        ):
            continue
        # What is called in the arguments is MindSpore's, and stays as it is.
        given = [ast.unparse(a) for a in (*node.args, *(k.value for k in node.keywords))]
        told = [text if _CONSTANT.fullmatch(text) else f"given_{i}" for i, text in enumerate(given)]
        first = len(node.args)
        named = [f"{k.arg}={text}" for k, text in zip(node.keywords, told[first:], strict=True)]
        port = kb.port(f"{torch}({', '.join((*told[:first], *named))})")
        if port.code and port.edits and not port.refusals:
            # Texts and names of the arguments stand at odd places.
            parts = re.split(r"\bgiven_(\d+)\b", port.code.strip())
            parts[1::2] = (given[int(number)] for number in parts[1::2])
            return code.replace(ast.get_source_segment(code, node) or "", "".join(parts))
    return ""


def _plain(given: ast.AST) -> bool:
    """Whether an argument is one, and not as many as there are in something."""
    return not isinstance(given, ast.Starred) and getattr(given, "arg", "") is not None


def _listed(kb: Asked, name: str, keyword: str, records: list[model.Record]) -> Explanation | None:
    """What a function takes, which its signature says."""
    api = kb.api(name)
    if api is None or len(api.signatures) != 1:
        return None
    taken = api.signatures[0]
    en, zh = f"{name} takes {taken}", f"{name} 的参数为 {taken}"
    if taken == "()":
        en, zh = f"{name} takes no arguments", f"{name} 没有参数"
    if keyword:
        if re.search(rf"\b{keyword}\b|\*\*", taken):
            return None
        en, zh = f"{en}, and no {keyword}", f"{zh}，没有 {keyword}"
    mapped = kb.mapped(name)
    names = [s.torch for _, s in mapped.sources] if mapped is not None else []
    names += [s.torch for s in kb.found_as(name)[1]]
    pages = [*(r.torch for r in records), *(torch for torch in names if kb.find(torch))]
    # A function is the port of a method too, and a part of others; who calls it meant the function.
    method, leaf = name.startswith("mindspore.Tensor."), name.rpartition(".")[2]
    pages.sort(key=lambda torch: (
        torch.rpartition(".")[2] != leaf, torch.startswith("torch.Tensor.") != method,
    ))  # fmt: skip
    by = "keyword" if keyword else "call"
    return Explanation("", Text(f"{en}.", f"{zh}。"), "", tuple(dict.fromkeys(pages))[:2], by)
