"""Names of environments: parsed, written and put in order."""

from __future__ import annotations

import pytest

from msmap.evidence import names
from msmap.evidence.names import Environment

LINUX = "torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64"


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        (LINUX, ("2.13.0", "2.10.0", "cpu", "linux-x86_64")),
        ("torch-2.13.0_mindspore-2.10.0_ascend_linux-aarch64",
         ("2.13.0", "2.10.0", "ascend", "linux-aarch64")),
        ("torch-2.13.0_mindspore-2.10.0_gpu", ("2.13.0", "2.10.0", "gpu", "")),
        ("torch-2.13.0_mindspore-2.10.0", ("2.13.0", "2.10.0", "", "")),
        ("torch-2.13.0_cpu", ("2.13.0", "", "cpu", "")),
        ("mindspore-2.10.0_gpu_box", ("", "2.10.0", "gpu", "box")),
        ("cpuinfo", ("", "", "", "cpuinfo")),
        ("elsewhere", ("", "", "", "elsewhere")),
        ("", ("", "", "", "")),
    ],
)  # fmt: skip
def test_a_name_is_what_its_parts_say(name: str, parts: tuple[str, ...]) -> None:
    assert names.parse(name) == Environment(*parts)
    assert names.parse(name).name == name


def test_an_environment_is_the_same_in_every_release() -> None:
    assert names.parse(LINUX).elsewhere == "torch-2.13.0_cpu_linux-x86_64"
    assert names.parse(LINUX).within("2.9.0") == LINUX.replace("2.10.0", "2.9.0")
    assert names.parse("torch-2.13.0_cpu").within("2.9.0") == "torch-2.13.0_cpu"


def test_environments_stand_in_the_order_of_their_releases() -> None:
    ordered = [
        "torch-2.13.0_mindspore-2.7.2_cpu_linux-x86_64",
        "torch-2.13.0_mindspore-2.9.0_cpu_linux-x86_64",
        "torch-2.9.0_mindspore-2.10.0_cpu_linux-x86_64",
        "torch-2.13.0_mindspore-2.10.0_cpu_linux-aarch64",
        LINUX,
    ]
    assert names.ordered(sorted(ordered)) == ordered
