"""What a user's code raises is told in one line."""

from __future__ import annotations

import pytest

from msmap.errors import BadRecording
from msmap.record import factories


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("of no use\nand more", "nets:make: raised RuntimeError: of no use"),
        # As MindSpore writes.
        ("-----\n- No kernel\n-----\n", "nets:make: raised RuntimeError: - No kernel"),
        ("", "nets:make: raised RuntimeError"),
    ],
)
def test_the_first_line_that_says_something_is_told(said: str, told: str) -> None:
    def raising() -> None:
        raise RuntimeError(said)

    with pytest.raises(BadRecording) as caught:
        factories.guarded("nets:make", raising)
    assert str(caught.value).startswith(told)
