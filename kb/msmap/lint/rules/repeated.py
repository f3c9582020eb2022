"""Rules about what follows from elsewhere: from families, and from names."""

from __future__ import annotations

import re

from msmap.curated import folding, load, references
from msmap.curated.families import KINDS, Family
from msmap.lint.rule import Found, Subject, Topic, rule
from msmap.messages import Message


@rule("record")
def family_says_it(subject: Subject) -> Found:
    """What a family says is not said again by a record that is like it.

    `msmap lint --fix` leaves it to the family.
    """
    loaded = subject.loaded
    if not load.is_like(loaded.text.encode()):
        return
    written = load.plain(loaded.path, loaded.text)
    whole = load.plain(loaded.path, loaded.text, loaded.families)
    named = written["like"]
    alike = [loaded.families[n].item for n in ([named] if isinstance(named, str) else named)]
    for where, name, family in folding.repeated(written, whole, alike):
        yield Message("`{}` of {} says this", name, family), where


@rule("record")
def reference_is_needed(subject: Subject) -> Found:
    """No reference is written that follows from the name and the APIs of the targets.

    What is written of a framework's documentation stands for what would follow. `msmap lint --fix`
    leaves out what does.
    """
    loaded = subject.loaded
    if "\nreferences:" not in loaded.text:
        return
    written = load.plain(loaded.path, loaded.text).get("references", [])
    targets = [{"api": t.api, "expression": t.expression} for t in subject.written.targets]
    kept = references.needed(subject.written.torch, targets, written)
    for index, page in enumerate(written):
        if page not in kept:
            yield Message("{} follows from the names", page["url"]), ("references", index)


@rule("family")
def family_is_used(topic: Topic[Family]) -> Found:
    """Every entry and value of a family is used, by records that are like it or by itself."""
    family, own = topic.written, topic.loaded.text
    # What was read may be what has changed alone.
    paths = load.paths(topic.found.directory)["records"]
    texts = [text for path in paths if load.is_like(text := path.read_bytes())]
    texts = [t for t in texts if re.search(rb"^like:.*\b" + family.id.encode() + rb"\b", t, re.M)]
    if not texts:
        yield Message("no record is like {}", family.id), ("id",)
        return
    for kind in KINDS:
        for name in getattr(family, kind):
            named = re.compile(rb"(?:like: |- |[\[,] ?)" + name.encode() + rb"(?=[],}\s]|$)", re.M)
            if not any(named.search(text) for text in (*texts, own.encode())):
                yield Message("no record has `{}`", name), (kind, name)
    for name in family.values:
        if f"{{{name}}}" not in own and not (name == "arguments" and "{call " in own):
            yield Message("no text has the placeholder `{}`", name), ("values", name)
