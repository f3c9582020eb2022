"""What came out of checks as JUnit XML, which CI systems show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from xml.etree import ElementTree

from msmap.evidence.files import Line
from msmap.vocabulary import OUTCOMES

_COUNTS = {"failure": "failures", "error": "errors", "skipped": "skipped"}
# XML 1.0 has no way to write these, not even escaped.
_UNWRITABLE = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def suites(environments: Mapping[str, Iterable[Line]], seconds: float) -> str:
    """A suite for each environment, with a case a check, whose class is its record.

    ``seconds`` is what all of them took together.
    """
    root = ElementTree.Element("testsuites")
    for environment, lines in environments.items():
        _suite(root, environment, lines, seconds)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suite(
    root: ElementTree.Element, environment: str, lines: Iterable[Line], seconds: float
) -> None:
    found = sorted(lines, key=lambda line: (line.record, line.check))
    counts = dict.fromkeys(_COUNTS.values(), 0)
    made = ElementTree.SubElement(root, "testsuite", name=_clean(environment))
    for line in found:
        case = ElementTree.SubElement(
            made, "testcase", classname=_clean(line.record), name=_clean(line.check)
        )
        if name := OUTCOMES[line.outcome].element:
            counts[_COUNTS[name]] += 1
            said = _clean(": ".join(t for t in (line.reason, line.message) if t))
            ElementTree.SubElement(case, name, type=line.outcome, message=said)
    made.attrib |= {"tests": str(len(found)), "time": f"{seconds:.3f}"}
    made.attrib |= {name: str(count) for name, count in counts.items()}


def _clean(text: str) -> str:
    return _UNWRITABLE.sub("", text)
