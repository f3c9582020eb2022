"""Steps whose loss a GradScaler scales: none is taken by gradients that aren't finite."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders.loops import loop, ported

from msmap.query.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param(
            """
            scaler = torch.amp.GradScaler("cuda")
            for x, y in loader:
                optimizer.zero_grad()
                with torch.autocast("cuda", dtype=torch.float16):
                    out = net(x)
                    loss = criterion(out, y)  # of a batch
                scaler.scale(loss).backward()
                scaler.step(optimizer)
                scaler.update()
                print(loss.item())
            """,
            """
            scaler = SCALER(65536)

            def forward_fn(x, y):
                out = net(x)
                loss = criterion(out, y)  # of a batch
                return scaler.scale(loss), loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)

            for x, y in loader:
                (scaled, loss), grads = grad_fn(x, y)
                finite = mindspore.amp.all_finite(grads)
                if finite:
                    optimizer(scaler.unscale(grads))
                scaler.adjust(finite)
                print(loss.item())
            """,
            id="as-the-tutorial-has-it",
        ),
        pytest.param(
            """
            scaler = torch.cuda.amp.GradScaler()
            for x, y in loader:
                with torch.cuda.amp.autocast():
                    loss = criterion(net(x), y)
                optimizer.zero_grad(set_to_none=True)
                scaler.scale(loss).backward()
                scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                scaler.step(optimizer)
                scaler.update()
            """,
            """
            scaler = SCALER(65536)

            def forward_fn(x, y):
                loss = criterion(net(x), y)
                return scaler.scale(loss)

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                scaled, grads = grad_fn(x, y)
                finite = mindspore.amp.all_finite(grads)
                grads = scaler.unscale(grads)
                grads = ops.clip_by_norm(grads, 1.0)
                if finite:
                    optimizer(grads)
                scaler.adjust(finite)
            """,
            id="clipped",
        ),
        pytest.param(
            """
            second = torch.optim.SGD(criterion.parameters(), lr=0.2)
            scaler = torch.cuda.amp.GradScaler(init_scale=8.0)
            for x, y in loader:
                optimizer.zero_grad()
                scaler.scale(criterion(net(x), y)).backward()
                scaler.step(optimizer)
                second.zero_grad()
                scaler.scale(criterion(net(x.detach()), y)).backward()
                scaler.step(second)
                scaler.update()
            """,
            """
            second = mindspore.experimental.optim.SGD(criterion.parameters(), lr=0.2)
            scaler = SCALER(8)

            def forward_fn(x, y):
                return scaler.scale(criterion(net(x), y))

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            def forward_fn_2(x, y):
                return scaler.scale(criterion(net(x.detach()), y))

            grad_fn_2 = mindspore.value_and_grad(forward_fn_2, None, second.parameters)

            for x, y in loader:
                scaled, grads = grad_fn(x, y)
                finite = mindspore.amp.all_finite(grads)
                if finite:
                    optimizer(scaler.unscale(grads))
                scaled_2, grads = grad_fn_2(x, y)
                finite_2 = mindspore.amp.all_finite(grads)
                if finite_2:
                    second(scaler.unscale(grads))
                scaler.adjust(finite and finite_2)
            """,
            id="two-before-an-update",
        ),
        pytest.param(
            """
            scaler = torch.cuda.amp.GradScaler(init_scale=8.0)
            for x, y in loader:
                loss = criterion(net(x), y)
                optimizer.zero_grad()
                scaler.scale(loss).backward()
                if clip:
                    scaler.unscale_(optimizer)
                    nn.utils.clip_grad_norm_(net.parameters(), clip)
                scaler.step(optimizer)
                scheduler.step()
                scaler.update()
            """,
            """
            scaler = SCALER(8)

            def forward_fn(x, y):
                loss = criterion(net(x), y)
                return scaler.scale(loss)

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                scaled, grads = grad_fn(x, y)
                finite = mindspore.amp.all_finite(grads)
                grads = scaler.unscale(grads)
                if clip:
                    grads = ops.clip_by_norm(grads, clip)
                if finite:
                    optimizer(grads)
                scheduler.step()
                scaler.adjust(finite)
            """,
            id="clipped-on-a-condition",
        ),
        pytest.param(
            """
            scaler = torch.amp.GradScaler("cuda")
            optimizer.zero_grad()
            for i, (x, y) in enumerate(loader):
                loss = criterion(net(x), y)
                scaler.scale(loss / 2).backward()
                if (i + 1) % 2 == 0:
                    scaler.step(optimizer)
                    scaler.update()
                    optimizer.zero_grad()
            """,
            """
            scaler = SCALER(65536)
            total = None

            def forward_fn(x, y):
                loss = criterion(net(x), y)
                return scaler.scale(loss / 2)

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for i, (x, y) in enumerate(loader):
                scaled, grads = grad_fn(x, y)
                total = grads if total is None else [a + b for a, b in zip(total, grads)]
                if (i + 1) % 2 == 0:
                    finite = mindspore.amp.all_finite(total)
                    total = scaler.unscale(total)
                    if finite:
                        optimizer(total)
                    scaler.adjust(finite)
                    total = None
            """,
            id="added-up",
        ),
        pytest.param(
            """
            scaler = torch.amp.GradScaler("cuda")
            optimizer.zero_grad()
            for i, (x, y) in enumerate(loader):
                scaler.scale(criterion(net(x), y)).backward()
                if (i + 1) % 2 == 0:
                    if clip:
                        scaler.unscale_(optimizer)
                        nn.utils.clip_grad_norm_(net.parameters(), clip)
                    scaler.step(optimizer)
                    scaler.update()
                    optimizer.zero_grad()
            """,
            """
            scaler = SCALER(65536)
            total = None

            def forward_fn(x, y):
                return scaler.scale(criterion(net(x), y))

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for i, (x, y) in enumerate(loader):
                scaled, grads = grad_fn(x, y)
                total = grads if total is None else [a + b for a, b in zip(total, grads)]
                if (i + 1) % 2 == 0:
                    finite = mindspore.amp.all_finite(total)
                    total = scaler.unscale(total)
                    if clip:
                        total = ops.clip_by_norm(total, clip)
                    if finite:
                        optimizer(total)
                    scaler.adjust(finite)
                    total = None
            """,
            id="added-up-and-clipped-on-a-condition",
        ),
    ],
)
def test_a_step_with_a_scaler_is_ported(facts: KnowledgeBase, code: str, expected: str) -> None:
    done = ported(facts, code)
    found = loop(done)
    for scale in (65536.0, 8.0):
        made = f"DynamicLossScaler(scale_value={scale}, scale_factor=2, scale_window=2000)"
        found = found.replace(f"mindspore.amp.{made}", f"SCALER({scale:.0f})")
    assert found == dedent(expected).lstrip("\n")


LEFT = {
    "added-up-without-update": (
        "scaler.scale(loss).backward()\n    if len(x):\n        scaler.step(optimizer)\n",
        "no update() of the GradScaler follows in the same block",
    ),
    "added-up-and-clipped-too-early": (
        "scaler.scale(loss).backward()\n    if len(x):\n"
        "        nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n"
        "        scaler.unscale_(optimizer)\n"
        "        scaler.step(optimizer)\n        scaler.update()\n",
        "gradients are clipped where they may be scaled still",
    ),
    "added-up-and-scaled-in-part": (
        "scaler.scale(loss).backward()\n    net(x).sum().backward()\n    if len(x):\n"
        "        scaler.step(optimizer)\n        scaler.update()\n",
        "a GradScaler scales more than the loss of this step",
    ),
    "unscaled-in-a-loop": (
        "scaler.scale(loss).backward()\n    if len(x):\n        for _ in range(3):\n"
        "            scaler.unscale_(optimizer)\n"
        "        scaler.step(optimizer)\n        scaler.update()\n",
        "a GradScaler scales more than the loss of this step",
    ),
    "without-update": (
        "scaler.scale(loss).backward()\n    scaler.step(optimizer)\n",
        "no update() of the GradScaler follows in the same block",
    ),
    "another-loss": (
        "scaler.scale(loss).backward()\n    print(scaler.scale(x))\n"
        "    scaler.step(optimizer)\n    scaler.update()\n",
        "a GradScaler scales more than the loss of this step",
    ),
    "two-updates": (
        "scaler.scale(loss).backward()\n    scaler.step(optimizer)\n    scaler.update()\n"
        "    scaler.update()\n",
        "a GradScaler scales more than the loss of this step",
    ),
    "not-scaled": (
        "loss.backward()\n    scaler.step(optimizer)\n    scaler.update()\n",
        "a GradScaler scales more than the loss of this step",
    ),
    "clipped-too-early": (
        "scaler.scale(loss).backward()\n"
        "    nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n    scaler.unscale_(optimizer)\n"
        "    scaler.step(optimizer)\n    scaler.update()\n",
        "gradients are clipped where they may be scaled still",
    ),
    "unscaled-perhaps": (
        "scaler.scale(loss).backward()\n    if clip:\n        scaler.unscale_(optimizer)\n"
        "    nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n"
        "    scaler.step(optimizer)\n    scaler.update()\n",
        "gradients are clipped where they may be scaled still",
    ),
    "no-optimizer": (
        "scaler.scale(loss).backward()\n    scaler.step(what)\n    scaler.update()\n",
        "nothing proves that what the GradScaler steps is an optimizer",
    ),
}


@pytest.mark.parametrize("name", LEFT)
def test_what_a_scaler_does_besides_stays(facts: KnowledgeBase, name: str) -> None:
    rest, why = LEFT[name]
    code = (
        "scaler = torch.amp.GradScaler('cuda')\nfor x, y in loader:\n    optimizer.zero_grad()\n"
        f"    loss = criterion(net(x), y)\n    {rest}"
    )
    done = ported(facts, code)
    assert "value_and_grad(" not in (done.code or "")
    assert [r for r in done.refusals if why in r.reason.en]


def test_a_scaler_that_nothing_proves_is_told(facts: KnowledgeBase) -> None:
    code = (
        "def more(scaler{}):\n    for x, y in loader:\n        optimizer.zero_grad()\n"
        "        scaler.scale(criterion(net(x), y)).backward()\n"
        "        scaler.step(optimizer)\n        scaler.update()\n"
    )
    done = ported(facts, code.format(""))
    assert [r for r in done.refusals if "that `scaler` is a GradScaler" in r.reason.en]
    done = ported(facts, code.format(": torch.cuda.amp.GradScaler"))
    assert done.refusals == ()


def test_a_scaler_that_stays_is_none_of_other_functions(facts: KnowledgeBase) -> None:
    code = """
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            optimizer.step()
        """
    done = ported(
        facts, dedent(code) + "def other():\n    return torch.amp.GradScaler(growth_factor=a)\n"
    )
    assert "optimizer(grads)" in (done.code or "")
    done = ported(
        facts, dedent(code) + "def other():\n    torch.amp.GradScaler(backoff_factor=a)\n"
    )
    assert "optimizer(grads)" in (done.code or "")
    assert "backoff_factor=a" in (done.code or "")


def test_a_scaler_of_ones_own_is_none_of_pytorchs(facts: KnowledgeBase) -> None:
    code = """
        class GradScaler:
            def scale(self, loss):
                return loss
        scaler = GradScaler()
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        """
    done = ported(facts, code)
    assert "scaler.step(optimizer)" in (done.code or "")
    assert "all_finite" not in (done.code or "")
