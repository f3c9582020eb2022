"""Names over releases: since when, until when, and what changed them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.builders.support import function, layer

from msmap.signatures import lifetimes
from msmap.signatures.files import Api
from msmap.signatures.lifetimes import Lifetime, Span

RELEASES = ["2.8.0", "2.9.0", "2.10.0"]
PLAIN = function("mindspore.f", "(x)")
WIDER = function("mindspore.f", "(x, y=1)")


def told(*history: Api | None) -> Lifetime:
    """What there is to say of a name that was so in each release."""
    spans = lifetimes.spans([{api.name: api} if api else {} for api in history])
    return lifetimes.lifetime(spans["mindspore.f"], RELEASES)


@pytest.mark.parametrize(
    ("history", "lifetime"),
    [
        ((PLAIN, PLAIN, PLAIN), Lifetime()),
        ((None, PLAIN, PLAIN), Lifetime(since="2.9.0")),
        ((PLAIN, PLAIN, None), Lifetime(until="2.9.0")),
        ((None, PLAIN, None), Lifetime(since="2.9.0", until="2.9.0")),
        ((PLAIN, None, PLAIN), Lifetime()),
        ((PLAIN, WIDER, WIDER), Lifetime(changed=("2.9.0",))),
        ((PLAIN, WIDER, PLAIN), Lifetime(changed=("2.9.0", "2.10.0"))),
        ((None, PLAIN, WIDER), Lifetime(since="2.9.0", changed=("2.10.0",))),
    ],
)
def test_a_name_lives_from_one_release_to_another(
    history: tuple[Api | None, ...], lifetime: Lifetime
) -> None:
    assert told(*history) == lifetime


@pytest.mark.parametrize(
    ("other", "differs"),
    [
        ("(x, y)", True),
        ("(x=1)", True),
        ("(z)", True),
        ("(*, x)", True),
        ("(x: Tensor)", False),
        ("(x) -> Tensor", False),
    ],
)
def test_a_signature_changed_if_a_call_can_tell(other: str, differs: bool) -> None:
    now = function("mindspore.f", other)
    assert told(PLAIN, PLAIN, now) == Lifetime(changed=("2.10.0",) if differs else ())


def test_nobody_knows_what_changed_where_a_signature_is_unknown() -> None:
    assert told(function("mindspore.f"), PLAIN, function("mindspore.f")) == Lifetime()


def test_what_a_layer_is_called_with_belongs_to_it() -> None:
    old, new = layer("mindspore.f", "()", call="(x)"), layer("mindspore.f", "()", call="(x, y)")
    assert told(old, old, new) == Lifetime(changed=("2.10.0",))


def test_a_span_goes_on_until_something_changes_that_readers_see() -> None:
    """Where a name is defined is the newest release's word for all of the span."""
    moved = replace(PLAIN, defined="mindspore.there.f", source="inspect")
    on_ascend = replace(moved, platforms=("Ascend",))
    found = lifetimes.spans([{api.name: api} for api in (PLAIN, moved, on_ascend)])
    assert found == {"mindspore.f": [Span(moved, 0, 1), Span(on_ascend, 2, 2)]}
