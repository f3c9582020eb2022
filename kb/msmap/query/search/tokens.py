"""Text cut into words that FTS5 can match, in English and in Chinese, and queries made of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

PIECE = re.compile(r"[A-Za-z0-9_]+|[\u3400-\u9fff\uf900-\ufaff]+")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
# The longest phrase of synonyms, in words.
_PHRASE = 4
_LITTLE = 0.25
# The top 5 are the top k.
_COUNT = re.compile(r"\b\d+$")

# Words that say little of what is looked for, where others say more.
_FAINT = frozenset(
    re.findall(
        r"\w+",
        """
        training train model layer code function only just turn make get want need use using
        unexpected keyword argument arguments positional required given takes missing init
        class method op operator operation container tensor tensors new check
        训练 模型 张量 算子 接口
        """,
    )
)
# Words that say nothing of it.
_FILLING = frozenset(
    re.findall(
        r"\w+",
        """
        a an the of to in on for with is are was be do does how i my what which why can should it
        its this that and or not when where from by as at during into there have has got but
        if whether before after between both each some given
        """,
    )
)
# Words that stand nearly everywhere, and are looked for where there is nothing else.
_COMMON = frozenset(
    re.findall(
        r"\w+",
        """
        mindspore pytorch torch ms nn ops self import object attribute module no equivalent error
        errors attributeerror typeerror valueerror runtimeerror keyerror nameerror importerror
        modulenotfounderror indexerror notimplementederror
        """,
    )
)
_NAMESPACE = re.compile(r"\b(?:torch|mindspore)\.(?:\w+\.)*(?=\w)")
_IDLE_CHINESE = re.compile(
    "怎么办|怎么写|怎么样|怎么改代码|怎么改|怎么|怎样|会不会|能不能|有没有|是不是|应该|会影响|影响|如何|什么|为什么|哪些|哪个|报错|出错|错误|请问|实现|使用|可以"
    "|需要|对应|等价|[的了和与及或在是吗呢把被用时后]"
)


@dataclass(frozen=True, slots=True)
class Term:
    """Something looked for: FTS5 expressions, any of which will do; the first is what was typed.

    ``weight`` is how much it counts.
    """

    forms: tuple[str, ...]
    weight: float = 1.0

    @property
    def query(self) -> str:
        """The term as one FTS5 expression."""
        return " OR ".join(self.forms)

    @property
    def faint(self) -> bool:
        """Whether what lacks it may have all that matters."""
        return self.weight <= _LITTLE


def cut(text: str) -> str:
    """Words separated by spaces: identifiers whole and in parts, Chinese as overlapping pairs.

    >>> cut("LayerNorm 的 epsilon")
    'layernorm layer norm 的 epsilon'
    >>> cut("学习率")
    '学习 习率 率'
    """
    return " ".join([word for piece in PIECE.findall(text) for word in _words(piece)])


def folded(phrase: str) -> str:
    """A phrase as synonyms are compared: its words in lower case.

    >>> folded("Multi-GPU")
    'multi gpu'
    """
    return " ".join(PIECE.findall(phrase.lower()))


def terms(text: str, synonyms: Mapping[str, Sequence[str]]) -> list[Term]:
    """What is looked for, without what says nothing.

    Quotes and operators in the text are only characters: there is no syntax to get wrong. The last
    word may be unfinished.

    Args:
        text: what was typed.
        synonyms: by a folded phrase, all of its group.
    """
    # Of a name that nobody knows the last part is what is looked for; the rest says where.
    pieces = PIECE.findall(_NAMESPACE.sub("", text))
    return list(_terms(pieces, synonyms, _COMMON)) or list(_terms(pieces, synonyms, frozenset()))


def _terms(
    pieces: Sequence[str], synonyms: Mapping[str, Sequence[str]], common: frozenset[str]
) -> Iterator[Term]:
    place = 0
    while place < len(pieces):
        piece = pieces[place]
        if not piece.isascii():
            yield from _chinese(piece, synonyms, bool(common))
            place += 1
            continue
        for count in range(min(_PHRASE, len(pieces) - place), 0, -1):
            phrase = " ".join(pieces[place : place + count]).lower()
            alike = (phrase, phrase.removesuffix("s"), _COUNT.sub("k", phrase))
            known = next((p for p in alike if p in synonyms), None)
            if known is not None:
                yield _known(known, synonyms)
                break
        else:
            count, word, last = 1, piece.lower(), place == len(pieces) - 1
            noise = len(word) == 1 or word.isdigit()
            if word not in _FILLING and word not in common and not (common and noise):
                weight = _LITTLE if word.strip("_") in _FAINT else 1.0
                yield Term((f"{_quoted(word)}{'*' if last and not noise else ''}",), weight)
        place += count


def _chinese(run: str, synonyms: Mapping[str, Sequence[str]], strict: bool) -> Iterator[Term]:
    """Known words of a run of Chinese, longest first, and pairs of what is left."""
    if len(run) == 1:
        yield Term((f'"{run}"*',))
        return
    # However long a run is, no word in it is longer than those that are known.
    longest = max(map(len, synonyms), default=0)
    for part in _IDLE_CHINESE.split(run) if strict else [run]:
        rest = ""
        place = 0
        while place < len(part):
            ends = range(min(len(part), place + longest), place + 1, -1)
            end = next((end for end in ends if part[place:end] in synonyms), None)
            if end is None:
                rest, place = rest + part[place], place + 1
                continue
            yield from _pair_terms(rest)
            yield _known(part[place:end], synonyms)
            rest, place = "", end
        yield from _pair_terms(rest)


def _known(phrase: str, synonyms: Mapping[str, Sequence[str]]) -> Term:
    """A term that has synonyms."""
    group = dict.fromkeys((phrase, *synonyms[phrase]))
    return Term(tuple(map(_quoted, group)), _LITTLE if _FAINT.issuperset(group) else 1.0)


def _pair_terms(rest: str) -> Iterator[Term]:
    pairs = _pairs(rest) if len(rest) > 1 else []
    for pair in pairs:
        yield Term((f'"{pair}"',), _LITTLE if pair in _FAINT else 1 / len(pairs) ** 0.5)


def _quoted(phrase: str) -> str:
    """A phrase as FTS5 finds it in what was cut."""
    found: list[str] = []
    for piece in PIECE.findall(phrase):
        found += [piece.lower()] if piece.isascii() else _pairs(piece)
    return '"' + " ".join(found) + '"'


@lru_cache(maxsize=1 << 14)
def _words(piece: str) -> Sequence[str]:
    if not piece.isascii():
        # The last character stands alone too, so that a search for one finds every place.
        return [*_pairs(piece), *([piece[-1]] if len(piece) > 1 else [])]
    parts = [p.lower() for p in _CAMEL.findall(piece)]
    whole = piece.lower()
    return [whole] if parts in ([], [whole]) else [whole, *parts]


def _pairs(piece: str) -> list[str]:
    return [piece] if len(piece) == 1 else [piece[i : i + 2] for i in range(len(piece) - 1)]
