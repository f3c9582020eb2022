"""Whole models as people write them: ported, they give PyTorch's outputs and its losses.

Each runs in two processes of its own: PyTorch's as it is written, MindSpore's as it is ported, with
the edits of a person that `edits.yaml` has; fewer are better. The weights are PyTorch's, by the
records. Both trainings are recorded, and `msmap compare` finds nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any

import numpy as np
import pytest
import yaml

from msmap.compare import judge, reading
from msmap.model import Port
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects import compare as comparing
from msmap.recording import numbers
from msmap.recording.model import Recording, Tensor

pytestmark = pytest.mark.frameworks

MODELS = Path(__file__).parent / "models"
EDITS: dict[str, list[dict[str, str]]] = yaml.load(
    (MODELS / "edits.yaml").read_text("utf-8"), yaml.CSafeLoader
)


@dataclass(frozen=True)
class Model:
    """How a model is made, asked and trained, with what its file defines; ``net`` is the model."""

    name: str
    make: str
    predict: str
    train: str


ALL = (
    Model("mlp", "MLP()", "evaluate(net, make_batches())", "train(net, make_batches())"),
    Model("lenet", "LeNet()", "test(net, 'cpu', images())", "fit(net)"),
    Model("resnet", "resnet8()", "evaluate(net)", "train(net)"),
    Model("unet", "UNet()", "predict(net)", "train_net(net, 'cpu')"),
    Model("tagger", "LSTMTagger(12, 10, 30, 5)", "tag(net)", "train(net)"),
    Model("gpt", "GPT(GPTConfig())", "generate(net)", "train(net)"),
    Model("vae", "VAE()", "reconstruct(net)", "train(net)"),
    Model("gan", "(Generator(), Discriminator())", "sample(*net)", "train(*net)"),
    Model("vit", "VisionTransformer()", "predict(net)", "train(net)"),
    Model("senet", "resnet_tiny(num_classes=4)", "predict(net)", "train(net)"),
    Model("moe", "Transformer()", "predict(net)", "train(net)"),
    Model("trainer", "SmallCNN(TrainConfig())", "predict(net)", "train(net)"),
    Model("packed", "PackedEncoder(20, 16, 4, 32, 2)", "evaluate(net)", "train(net)"),
    Model("reinforce", "Policy()", "act(net)", "train(net)"),
    Model("kvgpt", "GPT(Config())", "generate(net)", "train(net)"),
    Model("bert", "BertLM()", "evaluate(net)", "train(net)"),
    Model("flow", "RealNVP()", "predict(net)", "train(net)"),
    Model("ema", "ConvMixer()", "predict(net)", "train(net)"),
    Model("simclr", "Encoder()", "predict(net)", "train(net)"),
    Model("lora", "make()", "predict(net)", "train(net)"),
    Model("ppo", "Agent()", "evaluate(net)", "train(net)"),
    Model("seg", "SegNet()", "predict(net)", "train(net)"),
    Model("registry", "make()", "predict(net)", "train(net)"),
    Model("meters", "build()", "predict(net)", "train(net)"),
    Model("causal", "make()", "predict(net)", "train(net)"),
    Model("accumulate", "Net()", "predict(net)", "train(net)"),
    Model("supcon", "make()", "predict(net)", "train(net)"),
    Model("resume", "AutoEncoder()", "predict(net)", "train(net)"),
    Model("diffusion", "Unet()", "predict(net)", "train(net)"),
    Model("detect", "Detector()", "predict(net)", "train(net)"),
    Model("aspp", "DeepLab()", "predict(net)", "train(net)"),
    Model("a2c", "ActorCritic(3, 8, 2)", "predict(net)", "train(net)"),
    Model("gat", "GAT()", "predict(net)", "train(net)"),
    Model("mdn", "MDN(1, 1, 5)", "predict(net)", "train(net)"),
    Model("sgns", "SkipGramNeg(len(vocab), 6)", "predict(net)", "train(net)"),
    Model("nano", "GPT()", "predict(net)", "train(net)"),
    Model("warmup", "Model(Config())", "predict(net)", "train(net)"),
    Model("transfer", "make()", "predict(net)", "train(net)"),
    Model("siamese", "TripletNet(EmbeddingNet())", "evaluate(net)", "train(net)"),
    Model("seq2seq", "make()", "translate(net)", "train(net)"),
    Model("dqn", "make()", "evaluate(*net)", "train(*net)"),
    Model("wordlm", "make()", "evaluate(net)", "train(net)"),
    Model("tcn", "TCN()", "predict(net)", "train(net)"),
    Model("bptt", "make()", "predict(net)", "train(net)"),
    Model("wgan", "(Generator(), Discriminator())", "predict(*net)", "train(*net)"),
    Model("crf", "make()", "predict(net)", "train(net)"),
    Model("swin", "make()", "predict(net)", "train(net)"),
    Model("pointnet", "make()", "predict(net)", "train(net)"),
    Model("vqvae", "make()", "predict(net)", "train(net)"),
    Model("nerf", "make()", "predict(net)", "train(net)"),
    Model("distill", "(Teacher(), Student())", "evaluate(*net)", "train(*net)"),
    Model("amp", "Net()", "predict(net)", "train(net)"),
    Model("ampaccum", "Net()", "predict(net)", "train(net)"),
    Model("denoise", "DenoisingAE()", "predict(net)", "train(net)"),
    Model("onecycle", "TransformerLM()", "predict(net)", "train(net)"),
    Model("oldstyle", "AE()", "predict(net)", "train(net)"),
    Model("llama", "Decoder()", "predict(net)", "train(net)"),
)


def edited(name: str, code: str) -> str:
    """The code with a person's edits: each is of a place that stands there once."""
    for edit in EDITS[name]:
        was = edit["was"]
        assert code.count(was) == 1, f"{name}: {was!r} stands there {code.count(was)} times"
        code = code.replace(was, edit["is"])
    return code


def touched(name: str) -> int:
    """How many lines a person changes, adds or deletes."""
    return sum(
        max(len(edit["was"].splitlines()), len(edit["is"].splitlines())) for edit in EDITS[name]
    )


def states(kb: KnowledgeBase, done: Port) -> dict[str, list[dict[str, Any]]]:
    """The state mappings of layers under the targets that a port took, else under the best."""
    chosen = dict(done.targets)
    found: dict[str, list[dict[str, Any]]] = {}
    for summary in kb.records("torch.nn"):
        record = kb.lookup(summary.torch)
        targets = [t for t in record.targets if t.key == chosen.get(record.torch, t.key)]
        if targets and targets[0].state:
            found[record.torch] = [
                {"torch": s.torch, "mindspore": s.mindspore, "value": s.value, "back": s.back}
                for s in targets[0].state
            ]
    return found


class Side:
    """A process that has imported a framework, and runs its side of each model that it is given."""

    def __init__(self, side: str) -> None:
        self.side = side
        command = [sys.executable, "-m", "tests.builders.modelling", side]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, folder: Path) -> dict[str, Any]:
        """What came of the job in a folder."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        late = Timer(300, self.process.kill)
        late.start()
        try:
            print(folder, file=self.process.stdin, flush=True)
            status = self.process.stdout.readline().strip()
        finally:
            late.cancel()
        log = folder / f"{self.side}.log"
        assert status == "0", log.read_text("utf-8")[-3000:] if log.exists() else "it did not start"
        found: dict[str, Any] = json.loads((folder / f"{self.side}.json").read_text("utf-8"))
        return found


@pytest.fixture(scope="module")
def sides() -> Iterator[list[Side]]:
    """PyTorch's side and MindSpore's."""
    found = [Side("torch"), Side("mindspore")]
    yield found
    for side in found:
        # It ends when nobody can ask any more.
        side.process.communicate()


def same_numbers(model: Model, anywhere: KnowledgeBase, sides: list[Side], tmp_path: Path) -> None:
    """Run both sides, whose weights, outputs and losses are the same."""
    written = (MODELS / f"{model.name}.py").read_text("utf-8")
    done = anywhere.port(written)
    assert done.code is not None
    job = {
        "name": model.name, "make": model.make, "predict": model.predict, "train": model.train,
        "torch": written, "mindspore": edited(model.name, done.code),
        "state": states(anywhere, done),
    }  # fmt: skip
    (tmp_path / "job.json").write_text(json.dumps(job), encoding="utf-8")
    expected, found = (side.run(tmp_path) for side in sides)
    for carried, loaded in zip(expected["carried"], found["carried"], strict=True):
        assert carried["unplaced"] == []
        # What counts batches has no counterpart, and begins anew.
        assert carried["not back"] == sorted(carried["dropped"])
        assert carried["not around"] == []
        assert loaded == {"unset": [], "unused": []}
    assert len(expected["losses"]) == 5
    assert expected["losses"] == pytest.approx(found["losses"], rel=1e-4, abs=1e-5)
    for when in ("before", "after"):
        for one, other in zip(leaves(expected[when]), leaves(found[when]), strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-3, atol=2e-4, err_msg=when)


@pytest.mark.moving(16)
@pytest.mark.parametrize("model", ALL, ids=lambda model: model.name)
def test_a_ported_model_gives_the_same(
    model: Model, anywhere: KnowledgeBase, sides: list[Side], tmp_path: Path
) -> None:
    same_numbers(model, anywhere, sides, tmp_path)
    recordings = [reading.read(tmp_path / f"{side}.rec") for side in ("torch", "mindspore")]
    compared = judge.compare(recordings[0], recordings[1], comparing.facts(anywhere))
    assert [f"{f.stage} {f.torch}: {f.en}" for f in compared.findings] == []
    assert compared.verdict == "agrees"
    by_statistics(recordings, anywhere)


def by_statistics(recordings: list[Recording], anywhere: KnowledgeBase) -> None:
    """Statistics of the same tensors agree too, and tell where a layer is off by two hundredths."""
    one, other = recordings
    layers = {layer.path: layer for layer in one.layers}
    step = other.steps[0]
    calls = [c for c in step.calls if c.layer and c.path in layers and not layers[c.path].own]
    floats = [c for c in calls if c.outputs and "float" in step.tensors[c.outputs[0][1]].dtype]
    call = floats[len(floats) // 2]
    tensor = step.tensors[call.outputs[0][1]]
    # Where nothing is dropped out, several layers give the same one.
    gave = [c for c in step.calls if c.layer and {at for _, at in c.outputs} & {call.outputs[0][1]}]
    first = min(gave, key=lambda c: c.ended)
    other_values = numbers.statistics(other.value(tensor) * 1.02)
    for recording in recordings:
        recording.values = "statistics"
        for held in tensors(recording):
            if held.data:
                held.statistics, held.data = numbers.statistics(recording.value(held)), ""
    known = comparing.facts(anywhere)
    assert [f.en for f in judge.compare(one, other, known).findings] == []
    tensor.statistics = other_values
    found = judge.compare(one, other, known)
    assert (found.verdict, found.findings[0].stage) == ("differs", "forward")
    assert found.findings[0].mindspore == first.path


def tensors(recording: Recording) -> list[Tensor]:
    """All tensors of a recording, gradients too."""
    found = [*recording.initial.values()]
    for step in recording.steps:
        found += [*step.tensors, *step.gradients.values(), *step.state.values()]
        found += [step.loss] if step.loss else []
    return found + [one.gradient for one in found if one.gradient]


def leaves(value: Any) -> list[float]:
    """All numbers, in order."""
    return [v for one in value for v in leaves(one)] if isinstance(value, list) else [value]


# Of each file, how many lines a person touches: those that nobody has to are the aim.
TOUCHED = {
    "a2c": 0,
    "accumulate": 1,
    "amp": 0,
    "ampaccum": 0,
    "aspp": 0,
    "bert": 0,
    "bptt": 0,
    "causal": 0,
    "crf": 0,
    "denoise": 0,
    "detect": 0,
    "diffusion": 0,
    "distill": 0,
    "dqn": 0,
    "ema": 0,
    "flow": 0,
    "gan": 0,
    "gat": 0,
    "gpt": 7,
    "kvgpt": 0,
    "lenet": 0,
    "llama": 0,
    "lora": 0,
    "mdn": 0,
    "meters": 0,
    "mlp": 3,
    "moe": 14,
    "nano": 1,
    "nerf": 0,
    "oldstyle": 0,
    "onecycle": 0,
    "packed": 1,
    "pointnet": 0,
    "ppo": 0,
    "registry": 0,
    "reinforce": 0,
    "resnet": 0,
    "resume": 17,
    "seg": 0,
    "senet": 4,
    "seq2seq": 0,
    "sgns": 0,
    "siamese": 0,
    "simclr": 0,
    "supcon": 0,
    "swin": 0,
    "tagger": 1,
    "tcn": 0,
    "trainer": 8,
    "transfer": 9,
    "unet": 0,
    "vae": 0,
    "vit": 0,
    "vqvae": 0,
    "warmup": 2,
    "wgan": 0,
    "wordlm": 18,
}


def test_so_many_lines_a_person_touches() -> None:
    assert {name: touched(name) for name in EDITS} == TOUCHED
