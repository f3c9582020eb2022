"""``%load_ext msmap``: magics that look names up and port cells."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any, get_args

from IPython.core.magic import Magics, line_cell_magic, magics_class

from msmap import model
from msmap.errors import MsmapError
from msmap.notebook import cells, rich
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.query.names import lookup as understood
from msmap.render import View, missing
from msmap.vocabulary import Language

_OPTIONS = {
    "-l": "lang", "--lang": "lang", "-d": "device", "--device": "device",
    "-m": "mindspore", "--mindspore": "mindspore",
}  # fmt: skip
_FLAGS = {"--next": "next"}
_USAGE = "%msmap [-l en|zh] [-d ascend|gpu|cpu] [-m RELEASE] NAME..., or %%msmap [--next]"


@magics_class
class MsmapMagics(Magics):
    """Both magics; what is chosen without a name holds from then on."""

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self._chosen: dict[str, str] = {}
        self._standing = rich.view()
        # What a line chooses for itself holds until its answer is shown.
        shell.events.register("post_run_cell", self._after)

    def _after(self, *_: object) -> None:
        rich.choose(self._standing)

    @line_cell_magic
    def msmap(self, line: str, cell: str | None = None) -> Any:
        """Look up names, or show a cell as PyTorch and as MindSpore.

        ::

            %msmap nn.Conv2d(3, 8, 3)      what becomes of this call, and what bites
            %msmap -d ascend -l zh         choose a device and a language from here on
            %%msmap                        port the cell; it isn't run
            %%msmap --next                 and put the port into the next cell
        """
        try:
            given, text = _read(line)
            chosen = {**self._chosen, **given}
            with _opened(chosen) as kb:
                language = chosen.get("lang") or self._standing.language
                rich.choose(View(language, kb.device))
                if cell is not None:
                    return self._port(kb, cell, "next" in given)
                if text:
                    return _looked_up(kb, text)
        except MsmapError as error:
            # What a person can mend needs no traceback.
            print(f"msmap: {error}")
            return None
        self._standing = rich.view()
        self._chosen = {k: v for k, v in chosen.items() if k in ("lang", "device", "mindspore")}
        if not given:
            print(_USAGE)
        return None

    def _port(self, kb: KnowledgeBase, cell: str, as_next: bool) -> model.Port:
        shell = self.shell
        history = getattr(shell, "history_manager", None)
        earlier = history.input_hist_raw[:-1] if history is not None else []
        # Of a cell that was ported by this magic, what stands below it.
        plain = [text.partition("\n")[2] if _is_ours(text) else text for text in earlier]
        done = cells.port(kb, plain, cell)
        if as_next and done.code and shell is not None:
            shell.set_next_input(done.code)
        return done


def _is_ours(text: str) -> bool:
    return text.lstrip().startswith("%%msmap")


def _read(line: str) -> tuple[dict[str, str], str]:
    """The options at the beginning of a line, and the rest of it as it stands."""
    given: dict[str, str] = {}
    rest = line.strip()
    while rest.startswith("-"):
        option, _, after = rest.partition(" ")
        option, equals, value = option.partition("=")
        if option in _FLAGS and not equals:
            given[_FLAGS[option]] = option
        elif option in _OPTIONS:
            if not equals:
                value, _, after = after.strip().partition(" ")
            if not value:
                raise MsmapError("{} wants a value; {}", option, _USAGE)
            given[_OPTIONS[option]] = value
        else:
            raise MsmapError("{} is no option; {}", option, _USAGE)
        rest = after.strip()
    if given.get("lang", "en") not in get_args(Language):
        raise MsmapError('--lang "{}": one of {}', given["lang"], ", ".join(get_args(Language)))
    return given, rest


def _opened(chosen: dict[str, str]) -> KnowledgeBase:
    return KnowledgeBase.open(mindspore=chosen.get("mindspore"), device=chosen.get("device"))


def _looked_up(kb: KnowledgeBase, text: str) -> answers.Lookup | None:
    found = understood.lookup(kb, _names(text))
    for answer in found.answers:
        if not answer.found:
            said = missing.lines(
                answer.query, rich.view().language, answer.known, answer.elsewhere, answer.guides,
                answer.nearest,
            )  # fmt: skip
            print("msmap: " + "\n".join(said))
    return found if any(answer.found for answer in found.answers) else None


def _names(text: str) -> Sequence[str]:
    """Several names, or one thing that was pasted."""
    try:
        words = shlex.split(text)
    except ValueError:
        return [text]
    plain = all(word.replace(".", "").replace("_", "").isalnum() for word in words)
    return words if plain and words[0] not in ("import", "from") else [text]


def load(shell: Any) -> None:
    """Register the magics with a shell of IPython's."""
    shell.register_magics(MsmapMagics)
