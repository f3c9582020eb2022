"""A model run as a recording wants it: forward, backward, a step, and once in evaluation."""

from __future__ import annotations

from typing import Any

from msmap.errors import BadRecording
from msmap.record import factories
from msmap.record.factories import Job
from msmap.record.inputs import as_tensors, cotangent, is_floating
from msmap.record.recorder import Recorder

MODES = ("both", "train", "eval", "kept")


def run(job: Job, recorder: Recorder, mode: str = "both") -> None:
    """Run a job while its recorder is open.

    Each batch is a step: forward, loss, backward, and the optimizer's step if there is one; then
    the first batch once more in evaluation mode. ``train`` of the job does everything itself.

    Raises:
        BadRecording: it raised, or there are no inputs.
    """
    if job.train is not None:
        train = job.train
        factories.guarded(job.name, lambda: train(job.model))
        return
    if job.inputs is None:
        raise BadRecording(
            "{}: gives a model and no inputs; let it return (model, inputs), or give --inputs "
            "'float32[2, 3]', --inputs FILE.npz or --train NAME",
            job.name,
        )
    framework = recorder.side.framework
    step = _torch if framework == "torch" else _mindspore
    batches = [_given(as_tensors(one, framework)) for one in job.batches()]
    for batch in batches:
        if mode != "eval":
            _set_mode(job.model, mode)
            factories.guarded(job.name, lambda batch=batch: step(job, *batch))  # type: ignore[misc]
            recorder.step()
    if mode in ("both", "eval"):
        _set_mode(job.model, "eval")
        for args, kwargs in batches if mode == "eval" else batches[:1]:
            factories.guarded(
                job.name, lambda args=args, kwargs=kwargs: job.model(*args, **kwargs)  # type: ignore[misc]
            )  # fmt: skip
            recorder.step()


def _given(inputs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if isinstance(inputs, dict):
        return (), inputs
    return (inputs if isinstance(inputs, tuple) else (inputs,)), {}


def _set_mode(model: Any, mode: str) -> None:
    if mode == "kept":
        return
    switch = model.train if hasattr(model, "train") else model.set_train
    switch(mode != "eval")


def _loss(job: Job, out: Any, leaves: Any, tensor: Any) -> Any:
    if job.loss is not None:
        return job.loss(out)
    total = None
    for number, one in enumerate(leaves(out)):
        if is_floating(one):
            part = (one * tensor(cotangent(one.shape, number))).sum()
            total = part if total is None else total + part
    return total


def _torch(job: Job, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    import torch

    out = job.model(*args, **kwargs)
    loss = _loss(job, out, _flat, torch.from_numpy)
    if loss is None or not loss.requires_grad:
        return
    if job.optimizer is not None:
        job.optimizer.zero_grad()
    else:
        job.model.zero_grad()
    loss.backward()
    if job.optimizer is not None:
        job.optimizer.step()


def _mindspore(job: Job, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    import mindspore

    def forward() -> Any:
        out = job.model(*args, **kwargs)
        return _loss(job, out, _flat, mindspore.Tensor)

    weights = job.model.trainable_params()
    if not weights:
        job.model(*args, **kwargs)
        return
    _, gradients = mindspore.value_and_grad(forward, None, weights)()
    if job.optimizer is not None:
        job.optimizer(gradients)


def _flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, tuple | list):
        return [leaf for one in value for leaf in _flat(one)]
    return [value] if hasattr(value, "dtype") else []
