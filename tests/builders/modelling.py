"""One side of a model that is compared: the process in which PyTorch or MindSpore runs its file.

``python -m tests.builders.modelling torch FOLDER`` runs ``FOLDER/job.json``: the code of a file,
and expressions over what it defines that make the model, say what it gives, and train it. Beside
PyTorch the weights are written to ``weights-N.npz`` under MindSpore's names, which the other side
begins with; ``SIDE.json`` has what came out, and ``SIDE.rec`` is a recording of the training.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from msmap.record import Recorder
from msmap.weights import mapping, model


def run(side: str, folder: Path) -> None:
    """The outputs before and after training, and the losses in between."""
    job = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    seed(side)
    scope = module(job[side], folder / f"{job['name']}_{side}.py")
    net = scope["net"] = eval(job["make"], scope)
    every = net if isinstance(net, tuple) else (net,)
    for number, one in enumerate(every):
        path = folder / f"weights-{number}.npz"
        if side == "torch":
            np.savez(path, **model.carried(one, lambda name: job["state"].get(name, [])))
        else:
            mapping.put(one, dict(np.load(path)))
            # As a model of PyTorch's begins.
            one.set_train()
    before = plain(eval(job["predict"], scope))
    for one in every:
        (one.train if side == "torch" else one.set_train)()
    with Recorder(net, folder / f"{side}.rec"):
        losses = plain(eval(job["train"], scope))
    after = plain(eval(job["predict"], scope))
    done = json.dumps({"before": before, "losses": losses, "after": after})
    (folder / f"{side}.json").write_text(done, encoding="utf-8")


def seed(side: str) -> None:
    """Weights that are replaced are drawn too."""
    if side == "torch":
        import torch

        torch.set_num_threads(1)
        torch.manual_seed(0)
    else:
        # What is ported needs no PyTorch.
        sys.modules["torch"] = None  # type: ignore[assignment]
        import mindspore

        mindspore.set_device("CPU")
        mindspore.runtime.launch_blocking()
        mindspore.set_seed(0)


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
    run(sys.argv[1], Path(sys.argv[2]))
