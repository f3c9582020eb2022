"""One side of models that are compared: the processes in which PyTorch or MindSpore runs a file.

``python -m tests.builders.modelling torch`` reads a folder a line and runs its ``job.json``: the
code of a file, and expressions over what it defines that make the model, say what it gives, and
train it. Beside PyTorch the weights are written to ``weights-N.ckpt`` under MindSpore's names,
which the other side begins with; ``SIDE.json`` has what came out, ``SIDE.rec`` is a recording of
the training, and ``SIDE.log`` is what was printed. It says how each ended, as ``subprocess`` does.

Each runs in a process of its own, forked where the framework was imported and has done nothing.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from msmap.model import State
from msmap.record import Recorder
from msmap.weights import mapping
from msmap.weights.states import States


def run(side: str, folder: Path) -> None:
    """The outputs before and after training, and the losses in between."""
    job = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    begin(side)
    scope = module(job[side], folder / f"{job['name']}_{side}.py")
    net = scope["net"] = eval(job["make"], scope)
    every = net if isinstance(net, tuple) else (net,)
    carried = [
        (carry if side == "torch" else load)(one, folder / f"weights-{number}.ckpt", job["state"])
        for number, one in enumerate(every)
    ]
    before = plain(eval(job["predict"], scope))
    for one in every:
        (one.train if side == "torch" else one.set_train)()
    with Recorder(net, folder / f"{side}.rec"):
        losses = plain(eval(job["train"], scope))
    after = plain(eval(job["predict"], scope))
    done = json.dumps({"carried": carried, "before": before, "losses": losses, "after": after})
    (folder / f"{side}.json").write_text(done, encoding="utf-8")


def carry(net: Any, path: Path, state: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Write PyTorch's weights as a checkpoint of MindSpore's; what was placed and what wasn't."""
    import torch
    from tests.builders import around

    from msmap.weights import contents
    from msmap.weights.convert import Asked, convert
    from msmap.weights.layers import live

    kept, again = path.with_suffix(".pt"), path.with_suffix(".back.pt")
    torch.save(net.state_dict(), kept)
    by = {
        name: {"": tuple(State(**rule, note=None) for rule in rules)}
        for name, rules in state.items()
    }
    report = convert(Asked(kept, path, live=live(net)), States(by)).report
    convert(Asked(path, again, live=live(net)), States(by))
    torch_before, torch_after = (contents.read(file).tensors for file in (kept, again))
    return {
        "not back": around.differing(torch_before, torch_after),
        "not around": around.lost(path, States(by), live=live(net)),
        "placed": [one.mindspore for one in report.placed],
        "unplaced": [one.name for one in report.unplaced],
        "dropped": [one.name for one in report.dropped],
        "tied": [one.name for one in report.tied],
    }


def load(cell: Any, path: Path, _: object) -> dict[str, Any]:
    """Give a network of MindSpore's what the checkpoint has; which names stay on either side."""
    import mindspore

    from msmap.weights.layers import cells

    found = {name: value.asnumpy() for name, value in mindspore.load_checkpoint(str(path)).items()}
    slots = cells(cell).slots
    mapping.put(cell, {name: value for name, value in found.items() if name in slots})
    first = {slot.path for slot in slots.values()}
    return {"unset": sorted(first - set(found)), "unused": sorted(set(found) - set(slots))}


def prepare(side: str) -> None:
    """Import what takes long, and do nothing with it yet."""
    if side == "torch":
        import torch

        # Threads would not be there after a fork.
        torch.set_num_threads(1)
    else:
        # What is ported needs no PyTorch.
        sys.modules["torch"] = None  # type: ignore[assignment]
        import mindspore  # noqa: F401


def begin(side: str) -> None:
    """Weights that are replaced are drawn too."""
    if side == "torch":
        import torch

        torch.manual_seed(0)
    else:
        import mindspore

        mindspore.set_device("CPU")
        mindspore.runtime.launch_blocking()
        mindspore.set_seed(0)


def serve(side: str) -> None:
    """Run what stands in each folder that is named, and say how it ended."""
    prepare(side)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            be_one(side, Path(line.rstrip("\n")))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def be_one(side: str, folder: Path) -> NoReturn:
    """Run what stands in a folder, and end."""
    log = os.open(folder / f"{side}.log", os.O_WRONLY | os.O_CREAT)
    for stream in (1, 2):
        os.dup2(log, stream)
    status = 1
    try:
        run(side, folder)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def module(code: str, path: Path) -> dict[str, Any]:
    """What a file defines when it is imported."""
    path.write_text(code, encoding="utf-8")
    made = ModuleType(path.stem)
    # Dataclasses look for the module of their class.
    sys.modules[path.stem] = made
    exec(compile(code, str(path), "exec"), made.__dict__)
    return made.__dict__


def plain(value: Any) -> Any:
    """Tensors as lists of numbers, in whatever they stand."""
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if hasattr(value, "asnumpy"):
        return value.asnumpy().tolist()
    return value.tolist() if hasattr(value, "tolist") else value


if __name__ == "__main__":
    serve(sys.argv[1])
