"""One bit of a tensor's values turned: told wherever a file has a checksum of them."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from msmap.errors import WeightsError
from msmap.weights import ckpt, contents, safetensors, torch_write
from msmap.weights.contents import Contents
from msmap.weights.tensors import Held, held, pieces, raw

VALUES = np.arange(1, 13, dtype=np.float32).reshape(3, 4)
TENSORS = {"fc.weight": held(VALUES), "fc.bias": held(np.ones(3, np.float32))}


def turned(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[bytes(content).index(VALUES.tobytes()) + 7] ^= 4
    path.write_bytes(content)


def said(path: Path, use: Callable[[], object]) -> str:
    with pytest.raises(WeightsError) as caught:
        use()
    return str(caught.value).replace(str(path), "FILE")


def weight(found: Contents) -> Held:
    return found.tensors["fc.weight"]


def moment(found: Contents) -> Any:
    assert found.optimizer is not None
    return found.optimizer["state"][0]["exp_avg"]


@pytest.mark.parametrize("whole", [raw, lambda tensor: list(pieces(tensor))], ids=["read", "copy"])
@pytest.mark.parametrize(
    ("content", "taken", "name"),
    [
        (TENSORS, weight, "fc.weight"),
        ({"state_dict": TENSORS, "epoch": 3}, weight, "state_dict.fc.weight"),
        (
            {
                "model": {"fc.bias": TENSORS["fc.bias"]},
                "optimizer": {
                    "state": {0: {"exp_avg": TENSORS["fc.weight"]}},
                    "param_groups": [{"params": [0]}],
                },
            },
            moment,
            "optimizer.state.0.exp_avg",
        ),
    ],
    ids=["state dict", "within a dictionary", "of an optimizer"],
)
def test_an_archive_of_torch_names_the_tensor(
    content: dict[str, Any], taken: Callable[[Contents], Held], name: str,
    whole: Callable[[Held], object], tmp_path: Path,
) -> None:  # fmt: skip
    path = tmp_path / "net.pt"
    torch_write.write(path, content)
    turned(path)
    tensor = taken(contents.read(path))
    assert said(path, lambda: whole(tensor)) == (
        f"FILE: the values of tensor {name} aren't those that its checksum was made of; write or"
        " download it again"
    )


def unsummed(path: Path) -> None:
    """Leave all checksums of an archive 0, as `torch.serialization.set_crc32_options` does."""
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for info in archive.infolist():
            content[info.header_offset + 14 : info.header_offset + 18] = bytes(4)
            name = info.filename.encode()
            at = bytes(content).rindex(name) - 46
            content[at + 16 : at + 20] = bytes(4)
    path.write_bytes(content)


def test_an_archive_without_checksums_is_read(tmp_path: Path) -> None:
    path = tmp_path / "net.pt"
    torch_write.write(path, TENSORS)
    unsummed(path)
    assert bytes(raw(weight(contents.read(path)))) == VALUES.tobytes()


WHOLE = "FILE: its content isn't what its checksum was made of; write or download it again"


def summed_ckpt(path: Path) -> None:
    """As `mindspore.save_checkpoint(crc_check=True)` writes."""
    ckpt.write(path, TENSORS)
    content = path.read_bytes()
    path.write_bytes(content + b"crc_num" + zlib.crc32(content).to_bytes(10, "big"))


def summed_safetensors(path: Path) -> None:
    """The same with `format="safetensors"`."""
    found = 0
    for name in sorted(TENSORS):
        found = zlib.crc32(bytes(raw(TENSORS[name])), zlib.crc32(name.encode(), found))
    safetensors.write(path, TENSORS, {"format": "ms", "crc_num": str(found)})


@pytest.mark.parametrize("write", [summed_ckpt, summed_safetensors])
def test_a_checkpoint_of_mindspore_is_held_to_its_own(
    write: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "net"
    write(path)
    assert bytes(raw(weight(contents.read(path)))) == VALUES.tobytes()
    turned(path)
    assert said(path, lambda: contents.read(path)) == WHOLE
