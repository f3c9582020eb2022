"""Misspelt words of a question, read as the words of the base that are like them."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches
from functools import cache

from msmap.query.base.asked import Asked
from msmap.query.search import tokens as words

# What has fewer letters is like too much; two words less alike are two.
_SHORTEST, _ALIKE = 6, 0.75
# Two words of letters, with nothing but a space between.
_APART = re.compile(r"(?<![\w.])([A-Za-z]{3,}) ([A-Za-z]{2,})(?![\w.(])")


def spelt(kb: Asked, text: str, known: Collection[str]) -> str:
    """A text in which every word that no page has stands as the one most like it, if any is.

    Names of code beside other words are read as the names that there are; alone they stay as they
    are, since what is like them is found as a name. The last word may be unfinished.

    Args:
        kb: the knowledge base.
        text: what was typed.
        known: words that have synonyms, in lower case.
    """
    text = _joined(kb, text)
    pieces = list(words.PIECE.finditer(text))
    several = " " in text.strip()

    # What is pasted says the same word again and again.
    @cache
    def like(typed: str, end: str) -> str:
        word = typed.lower()
        # What has a capital within is a name of code.
        is_word = typed.isascii() and word.isalpha() and typed[1:] in (word[1:], word[1:].upper())
        if len(word) < _SHORTEST or word in known or not (is_word or several):
            return typed
        asked = (f'"{word}"{end}',)
        if kb.rows("SELECT 1 FROM document_fts WHERE document_fts MATCH ? LIMIT 1", asked):
            return typed
        if not is_word:
            return next(iter(get_close_matches(word, _last_parts(kb), 1, _ALIKE)), typed)
        # Whole words before what the index's stemmer has left of them.
        whole = dict.fromkeys((*known, *_called(kb)))
        written = [*(k for k in whole if k[0] == word[0]), *_written(kb, word[0])]
        return next(iter(get_close_matches(word, written, 1, _ALIKE)), typed)

    def meant(found: re.Match[str]) -> str:
        return like(found[0], "*" if found.start() == pieces[-1].start() else "")

    return words.PIECE.sub(meant, text)


def _joined(kb: Asked, text: str) -> str:
    """A text in which two words that stand together nowhere are one, if names have that."""

    def joined(found: re.Match[str]) -> str:
        one = f'"{found[1]}{found[2]}"'.lower()
        for asked, wanted in (
            (f'"{found[1]} {found[2]}"'.lower(), False),
            (f"names : {one}", True),
        ):
            sql = "SELECT 1 FROM document_fts WHERE document_fts MATCH ? LIMIT 1"
            if bool(kb.rows(sql, (asked,))) is not wanted:
                return found[0]
        return found[1] + found[2]

    return _APART.sub(joined, text)


def _last_parts(kb: Asked) -> list[str]:
    """What names that have an answer end in, in lower case."""
    rows = kb.rows("SELECT name FROM document WHERE kind != 'guide'")
    return list(dict.fromkeys(name.rpartition(".")[2].lower() for (name,) in rows))


def _called(kb: Asked) -> list[str]:
    """The words of what names that have an answer end in."""
    rows = kb.rows("SELECT name FROM document WHERE kind != 'guide'")
    return [word for (name,) in rows for word in words.cut(name.rpartition(".")[2]).split()]


def _written(kb: Asked, first: str) -> list[str]:
    """All words of the index with some first letter, as its stemmer leaves them."""
    kb.rows(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.written USING fts5vocab(main, document_fts, row)"
    )
    rows = kb.rows(
        "SELECT term FROM temp.written WHERE term >= ?1 AND term < ?2 AND length(term) > 3",
        (first, chr(ord(first) + 1)),
    )
    return [term for (term,) in rows]
