"""Files of weights: each format gives back the same bytes, and damaged ones are told."""

from __future__ import annotations

import io
import pickle
import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from msmap.errors import WeightsError
from msmap.weights import ckpt, contents, safetensors, torch_write
from msmap.weights.tensors import DTYPES, Held, held, raw


def one(dtype: str, *shape: int) -> Held:
    """A tensor of any bits."""
    size = DTYPES[dtype][0] * int(np.prod(shape))
    random = np.random.RandomState(0)
    bits = random.randint(0, 2 if dtype == "bool" else 256, size).astype(np.uint8)
    array = np.frombuffer(bits.tobytes(), DTYPES[dtype][1]).reshape(shape)
    return held(array, dtype)


FORMATS: dict[str, tuple[str, Callable[[Path, dict[str, Held]], None], Any]] = {
    "pt": ("net.pt", torch_write.write, DTYPES),
    "safetensors": (
        "net.safetensors",
        lambda path, tensors: safetensors.write(path, tensors, {}),
        safetensors.NAMES,
    ),
    "ckpt": ("net.ckpt", ckpt.write, ckpt.NAMES),
}


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_gives_back_the_same_bytes(form: str, tmp_path: Path) -> None:
    name, write, dtypes = FORMATS[form]
    tensors = {f"of.{dtype}": one(dtype, 3, 2) for dtype in dtypes}
    tensors |= {"number": one("int64"), "none": one("float32", 0, 3), "名": one("float16", 5)}
    write(tmp_path / name, tensors)
    found = contents.read(tmp_path / name)
    assert found.format == form
    told = {name: (t.dtype, t.shape, bytes(raw(t))) for name, t in found.tensors.items()}
    assert told == {name: (t.dtype, t.shape, bytes(raw(t))) for name, t in tensors.items()}


def test_tensors_of_one_place_are_written_once_in_a_pt(tmp_path: Path) -> None:
    tensor = one("float32", 4)
    torch_write.write(tmp_path / "net.pt", {"a": tensor, "b": tensor, "c": one("float32", 4)})
    assert contents.read(tmp_path / "net.pt").ties == [("a", "b")]


def test_a_large_tensor_stands_in_several_pieces_of_a_ckpt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ckpt, "_SLICE", 16)
    tensor = one("float32", 3, 5)
    ckpt.write(tmp_path / "net.ckpt", {"a": tensor, "b": tensor})
    found = contents.read(tmp_path / "net.ckpt").tensors
    assert {name: bytes(raw(t)) for name, t in found.items()} == {
        "a": bytes(raw(tensor)), "b": bytes(raw(tensor)),
    }  # fmt: skip


def header(told: str, content: bytes = b"") -> bytes:
    return struct.pack("<Q", len(told)) + told.encode() + content


class Hostile:
    """What makes a file when it is read as a pickle."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (open, (str(self.path), "w"))


def archive(content: bytes) -> bytes:
    """A file of torch.save with that pickle."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        file.writestr("net/data.pkl", content)
        file.writestr("net/data/0", b"\0" * 16)
        file.writestr("net/version", b"3\n")
    return made.getvalue()


def tensor(shape: str, stride: str, offset: int = 0, numel: int = 4) -> bytes:
    """The pickle of `{"w": tensor}`, shape and stride as opcodes."""
    return (
        b"\x80\x02}X\x01\x00\x00\x00wctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storage"
        b"ctorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuI"
        + f"{numel}\ntQI{offset}\n({shape}t({stride}tI00\n".encode()
        + b"ccollections\nOrderedDict\n)RtRs."
    )


GOOD = '{"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}'
ENTRY = '"dtype": "F32", "shape": [2], "data_offsets"'
BAD: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "FILE is empty: write or download it again"),
    "a page": (
        b"<!DOCTYPE html><html>not found</html>",
        "FILE is no file of weights: neither of torch.save, nor safetensors, nor a checkpoint of "
        "MindSpore's",
    ),
    "a pointer": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n",
        "FILE is a pointer of Git LFS: run `git lfs pull`",
    ),
    "a header too long": (
        struct.pack("<Q", 1 << 40) + b"{}",
        "FILE: the header says that it takes 1,099,511,627,776 bytes, and the file has 10; write "
        "or download it again",
    ),
    "a header that isn't JSON": (
        header("{nothing}"), "FILE: the header isn't JSON; write or download it again",
    ),
    "a header nested deeply": (
        header('{"a":' + "[" * 100_000), "FILE: the header isn't JSON; write or download it again",
    ),
    "a tensor beyond the end": (
        header(GOOD, b"\0" * 4),
        "FILE: tensor w ends at byte 77, and the file at 73; write or download it again",
    ),
    "a shape that lies": (
        header(GOOD.replace("[2]", "[3]"), b"\0" * 8),
        "FILE: tensor w: float32 [3] takes 12 bytes, and the header gives it 8; write or download "
        "it again",
    ),
    "negative bytes": (
        header(f'{{"w": {{{ENTRY}: [8, 0]}}}}', b"\0" * 8),
        "FILE: tensor w: shape [2] and bytes 8 to 0 can't be; write or download it again",
    ),
    "tensors that overlap": (
        header(f'{{"v": {{{ENTRY}: [0, 8]}}, "w": {{{ENTRY}: [4, 12]}}}}', b"\0" * 12),
        "FILE: tensors v and w overlap; write or download it again",
    ),
    "a name twice": (
        header(f'{{"w": {{{ENTRY}: [0, 8]}}, "w": {{{ENTRY}: [8, 16]}}}}', b"\0" * 16),
        "FILE: w stands twice in the header; write or download it again",
    ),
    "a dtype of nobody": (
        header(GOOD.replace("F32", "F7"), b"\0" * 8),
        "FILE: tensor w: dtype F7 is none of "
        f"{', '.join(safetensors.NAMES.values())}; write or download it again",
    ),
    "no dtype": (
        header('{"w": {"shape": [2]}}'),
        "FILE: tensor w: the header lacks dtype, shape or data_offsets; write or download it again",
    ),
    "a ckpt cut short": (
        b"\x0a\x40\x0a\x01w\x12",
        "FILE: it ends at byte 6, within a tensor; write or download it again",
    ),
    "a ckpt that lies": (
        b"\x0a\x18\x0a\x01w\x12\x13\x08\x03\x12\x07Float32\x1a\x06123456",
        "FILE: tensor w: float32 [3] and its 6 bytes don't fit; write or download it again",
    ),
    "a ckpt of nobody": (
        b"\x0a\x02\x10\x01",
        "FILE is no file of weights: neither of torch.save, nor safetensors, nor a checkpoint of "
        "MindSpore's",
    ),
    "an archive cut short": (
        archive(tensor("I4\n", "I1\n"))[:-30],
        "FILE: the archive is cut short or damaged; write or download it again",
    ),
    "another archive": (
        b"PK\x05\x06" + b"\0" * 18,
        "FILE is no file of weights: neither of torch.save, nor safetensors, nor a checkpoint of "
        "MindSpore's",
    ),
    "a stride beyond": (
        archive(tensor("I4\n", "I1000000\n")),
        "FILE: a tensor of shape (4,) and stride (1000000,) at 0 needs 3,000,001 values, and its "
        "storage 0 has 4; write or download it again",
    ),
    "a negative stride": (
        archive(tensor("I4\n", "I-1\n")),
        "FILE: a tensor has shape (4,), stride (-1,) and offset 0; write or download it again",
    ),
    "a storage that lies": (
        archive(tensor("I4\n", "I1\n", numel=400)),
        "FILE: storage 0 is to have 400 values of float32, and the file ends before; write or "
        "download it again",
    ),
    "a pickle cut short": (
        archive(tensor("I4\n", "I1\n")[:-8]),
        "FILE: the pickle is cut short; write or download it again",
    ),
    "a pickle of numbers": (
        archive(pickle.dumps([1, 2], 2)),
        "FILE holds list: write it with torch.save(model.state_dict(), ...)",
    ),
    "no weights": (
        archive(pickle.dumps({"epoch": 3}, 2)),
        "FILE has no tensors in what it holds (epoch): write it with "
        "torch.save(model.state_dict(), ...)",
    ),
    "another pickle": (
        pickle.dumps({"epoch": 3}, 2),
        "FILE is a pickle, but none of torch.save: write it with "
        "torch.save(model.state_dict(), ...)",
    ),
    "a memo of all memory": (
        archive(b"\x80\x02}r\xff\xff\xff\xff."),
        "FILE has no tensors in what it holds (nothing): write it with "
        "torch.save(model.state_dict(), ...)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_file_of_weights_is_told(name: str, tmp_path: Path) -> None:
    content, expected = BAD[name]
    path = tmp_path / "net.pt"
    path.write_bytes(content)
    with pytest.raises(WeightsError) as caught:
        contents.read(path)
    assert str(caught.value).replace(str(path), "FILE") == expected


@pytest.mark.parametrize("make", [lambda c: c, archive], ids=["old", "archive"])
def test_no_code_of_a_pickle_runs(make: Callable[[bytes], bytes], tmp_path: Path) -> None:
    made = tmp_path / "made"
    (tmp_path / "net.pt").write_bytes(make(pickle.dumps({"w": Hostile(made)}, 2)))
    with pytest.raises(WeightsError):
        contents.read(tmp_path / "net.pt")
    assert not made.exists()


def test_a_device_is_no_file() -> None:
    with pytest.raises(WeightsError, match="/dev/null is no file"):
        contents.read(Path("/dev/null"))


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="is a folder with no index of shards"):
        contents.read(tmp_path)


@pytest.mark.parametrize("form", FORMATS)
def test_a_damaged_file_is_read_or_told(form: str, tmp_path: Path) -> None:
    name, write, _ = FORMATS[form]
    path = tmp_path / name
    write(path, {"layer.weight": one("float32", 3, 2), "steps": one("int64")})
    whole, random = path.read_bytes(), np.random.RandomState(0)
    for _ in range(300):
        content = bytearray(whole)
        for place in random.randint(0, len(content), 3):
            content[place] = random.choice([0, 255, random.randint(256)])
        path.write_bytes(content[: random.choice([len(whole), random.randint(1, len(whole))])])
        with suppress(WeightsError):
            for tensor in contents.read(path).tensors.values():
                assert len(bytes(raw(tensor))) == tensor.nbytes


def test_a_header_may_begin_with_the_byte_of_a_pickle(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    for length in range(1, 100):
        safetensors.write(path, {"w" * length: held(np.ones(2, np.float32))}, {})
        assert list(contents.read(path).tensors) == ["w" * length]
