"""Files ported and scanned against `ast.parse` alone on the same, in processor time of one run.

All three run without looking for what can be thrown away, as the commands do: with it, parsing
takes twice as long and the rest a third more.

Goals: 9 times as long for public code, and so many times the calls, the models or the training
steps in so many times the time. A folder of public repositories is measured too if it is named:
`python benchmarks/porting.py FOLDER`. Of the standard library
nothing may be edited or refused; of PyTorch's own sources every port parses, keeps all comments and
stays as it is in a second run.
"""

from __future__ import annotations

import ast
import gc
import io
import sys
import sysconfig
import time
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from textwrap import indent

from msmap.infer.modules import Modules
from msmap.port.rewrite import rewrite
from msmap.query.knowledge_base import KnowledgeBase
from msmap.scan import find

PARTS = ("nn", "optim", "distributions")
MODEL = """
class Block{n}(nn.Module):
    def __init__(self, width, rate=0.1):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)  # keeps the size
        self.norm = nn.BatchNorm2d(width)
        self.drop = nn.Dropout(rate)

    def forward(self, x, mask=None):
        y = self.drop(F.relu(self.norm(self.conv(x))))
        if mask is not None:
            y = y * mask.unsqueeze(1)
        return torch.cat([x, y], dim=1).view(x.size(0), -1)


def train{n}(model: Block{n}, loader, optimizer, epochs=3):
    losses = []
    for epoch in range(epochs):
        for data, target in loader:
            loss = F.cross_entropy(model(data), target)
            losses.append(loss.item())
        print(epoch, sum(losses) / len(losses))
    return torch.tensor(losses).mean()
"""
# A training step, as it stands in a script and in a function.
STEP = """
x, y = torch.randn(4, 3), torch.randn(4, 2)
optimizer.zero_grad()
loss = loss_fn(model(x), y)
loss.backward()
torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
optimizer.step()
scheduler.step()
print(loss.item())
"""
SET_UP = """
model, loss_fn = nn.Linear(3, 2), nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
"""
IMPORTS = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"


def read(paths: Iterable[Path]) -> Iterator[str]:
    """The texts of those files that are Python of this version."""
    for path in sorted(paths):
        try:
            text = path.read_text(encoding="utf-8")
            ast.parse(text)
        except (ValueError, SyntaxError):
            continue
        yield text


def standard_library() -> Iterator[str]:
    """Code without PyTorch."""
    folder = Path(sysconfig.get_path("stdlib"))
    return read(p for p in folder.rglob("*.py") if "site-packages" not in p.parts)


def pytorch() -> Iterator[str]:
    """PyTorch's own sources, as far as they say what users say."""
    spec = find_spec("torch")
    folders = spec.submodule_search_locations if spec else None
    return read(p for f in folders or () for part in PARTS for p in Path(f, part).rglob("*.py"))


def models(count: int) -> str:
    """A file of so many models with their training."""
    return IMPORTS + "".join(MODEL.replace("{n}", str(n)) for n in range(count))


def calls(count: int) -> str:
    """A file of so many calls."""
    return IMPORTS + "".join(f"y{n} = torch.abs(F.relu(x))\n" for n in range(count // 2))


def steps(count: int) -> str:
    """A script of so many training steps."""
    return IMPORTS + SET_UP + STEP * count


def trainings(count: int) -> str:
    """A file of so many functions with a training step each."""
    body = indent(SET_UP + "for epoch in range(3):\n" + indent(STEP, "    "), "    ")
    return IMPORTS + "".join(f"\ndef train{n}():\n{body}" for n in range(count))


def comments(text: str) -> Counter[str]:
    """The comments of a source, each as often as it stands there."""
    words = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(word.string for word in words if word.type == tokenize.COMMENT)


def measured(texts: list[str], kb: KnowledgeBase) -> tuple[float, float]:
    """The processor time of parsing some files and of porting them, in seconds."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    for text in texts:
        ast.parse(text)
    parsed = time.process_time()
    for text in texts:
        rewrite(text, kb)
    ported = time.process_time()
    gc.enable()
    return parsed - start, ported - parsed


def scanned(texts: list[str], kb: KnowledgeBase) -> float:
    """The processor time of scanning some files, in seconds."""
    files = {Path(f"/made/{number}.py"): text for number, text in enumerate(texts)}
    modules = Modules(files, kb, files.__getitem__)
    gc.collect()
    gc.disable()
    start = time.process_time()
    for path in files:
        find.scan(path, modules, path.name)
    taken = time.process_time() - start
    gc.enable()
    return taken


def faults(texts: list[str], kb: KnowledgeBase) -> Counter[str]:
    """How many ports don't parse, lost comments, or change in a second run."""
    found: Counter[str] = Counter()
    for text in texts:
        code = rewrite(text, kb).code or ""
        try:
            ast.parse(code)
        except SyntaxError:
            found["don't parse"] += 1
            continue
        found["lost comments"] += comments(text) != comments(code)
        found["changed again"] += rewrite(code, kb).code != code
    return found


if __name__ == "__main__":
    with KnowledgeBase.open() as kb:
        groups = {
            "standard library": list(standard_library()),
            "PyTorch's own": list(pytorch()),
            "a model a file": [models(1)] * 200,
            "200 models in a file": [models(200)],
            "2,000 calls in a file": [calls(2000)],
            "20,000 calls in a file": [calls(20_000)],
            "100 steps in a file": [steps(100)],
            "400 steps in a file": [steps(400)],
            "100 functions with a step": [trainings(100)],
            "400 functions with a step": [trainings(400)],
        }
        for folder in sys.argv[1:]:
            groups[folder] = list(read(Path(folder).rglob("*.py")))
        for name, texts in groups.items():
            # What is read of the base is kept: the first file pays for all.
            rewrite(texts[0], kb)
            parsing, porting = measured(texts, kb)
            scanning = scanned(texts, kb)
            done = [rewrite(text, kb) for text in texts[:2000]]
            edits, refusals = sum(len(d.edits) for d in done), sum(len(d.refusals) for d in done)
            print(
                f"{name}: {len(texts)} files, {sum(t.count(chr(10)) for t in texts)} lines,"
                f" {porting / parsing:.2f}x of {parsing:.2f} s, scanned {scanning / parsing:.2f}x;"
                f" {edits} edits, {refusals} refusals"
            )
        print("PyTorch's own:", dict(faults(groups["PyTorch's own"], kb)))
