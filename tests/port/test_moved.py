"""What ``to`` is given: a dtype, a device, or what nothing proves."""

from __future__ import annotations

from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase


def last(code: str, facts: KnowledgeBase) -> tuple[str, list[str]]:
    """The last line of a port, and the kinds of what it refuses."""
    done = facts.port(f"import torch\nfrom torch import nn\n{dedent(code).strip()}\n")
    assert done.code is not None
    return done.code.splitlines()[-1].strip(), [refusal.kind for refusal in done.refusals]


HEAD = "def f(x: torch.Tensor, net: nn.Module, d, "


@pytest.mark.parametrize(
    ("code", "becomes"),
    [
        (f"{HEAD}e):\n    return x.to(torch.float16)", "return x.to(mindspore.float16)"),
        (f"{HEAD}e):\n    return x.to(mindspore.float16)", "return x.to(mindspore.float16)"),
        (f"{HEAD}e=torch.float16):\n    return x.to(e)", "return x.to(e)"),
        (f"{HEAD}e: torch.dtype):\n    return x.to(e)", "return x.to(e)"),
        (f"{HEAD}e):\n    e = torch.int64\n    return x.to(e)", "return x.to(e)"),
        (f"{HEAD}param_dtype):\n    return x.to(param_dtype)", "return x.to(param_dtype)"),
        (f"{HEAD}e):\n    return x.to(d.dtype)", "return x.to(d.dtype)"),
        (f"{HEAD}e):\n    return net.to(e.device)", "return net"),
        (f"{HEAD}e: torch.device):\n    return x.to(e)", "return x"),
        (f"{HEAD}e: 'str | torch.device | None' = None):\n    return x.to(e)", "return x"),
        (f"{HEAD}device, e: torch.dtype):\n    return x.to(device, e)", "return x.to(e)"),
        (
            f"{HEAD}e):\n    e = f'cuda:{{d}}'\n    return x.to(e, torch.float16)",
            "return x.to(mindspore.float16)",
        ),
        (f"{HEAD}e=0):\n    e = x.dtype\n    return net.to(e)", "return net.to(e)"),
        (f"{HEAD}e='cuda'):\n    return x.to(e)", "return x"),
        (f"{HEAD}e):\n    e = 'cuda'\n    return net.to(e)", "return net"),
        (f"{HEAD}e):\n    e = 'cuda' if d else 'cpu'\n    return x.to(e)", "return x"),
        (f"{HEAD}e):\n    return x.to(f'cuda:{{e}}')", "return x"),
    ],
)
def test_what_the_code_shows_is_taken(code: str, becomes: str, facts: KnowledgeBase) -> None:
    assert last(code, facts) == (becomes, [])


def asked(name: str) -> str:
    """What stands for something that may be a device: nothing is moved, all else is cast to."""
    return f"None if isinstance({name}, (str, int)) else {name}"


@pytest.mark.parametrize(
    ("argument", "on"),
    [
        ("e", "x"),
        ("e", "net"),
        ("device", "x"),
        ("other_on_device", "x"),
        ("d['device']", "x"),
        ("d.device_mask", "x"),
        ("rank", "x"),
    ],
)
def test_what_nothing_proves_is_asked_when_the_program_runs(
    argument: str, on: str, facts: KnowledgeBase
) -> None:
    code = f"{HEAD}e, device, other_on_device, rank):\n    return {on}.to({argument})"
    becomes = f"return {on}.to({asked(argument)})"
    assert last(code, facts) == (becomes, [])
    assert last(code.replace(f"to({argument})", f"to({asked(argument)})"), facts) == (becomes, [])


CALLED = """
def move(x: torch.Tensor, device):
    return x.to(device)
move(torch.ones(2), {given})
"""


@pytest.mark.parametrize(
    ("given", "becomes"),
    [
        ("torch.device('cpu')", "return x"),
        ("'cuda'", "return x"),
        ("0", "return x"),
        ("torch.float16", "return x.to(device)"),
        ("torch.ones(2).dtype", "return x.to(device)"),
        ("torch.ones(2)", "return x.to(device)"),
        ("unknown()", f"return x.to({asked('device')})"),
    ],
)
def test_what_all_calls_pass_is_proof(given: str, becomes: str, facts: KnowledgeBase) -> None:
    done = facts.port(f"import torch\n{CALLED.format(given=given)}")
    assert done.code is not None
    assert [line.strip() for line in done.code.splitlines() if "return" in line] == [becomes]
    assert done.refusals == ()


def test_a_dtype_and_a_text_from_two_calls_are_asked_for(facts: KnowledgeBase) -> None:
    code = CALLED.format(given="'cpu'") + "move(torch.ones(2), torch.float16)\n"
    done = facts.port(f"import torch\n{code}")
    assert f"return x.to({asked('device')})" in str(done.code)


LAYER = """
class Net(nn.Module):
    def __init__(self, given):
        super().__init__()
        self.device = {given}
    def forward(self, x: torch.Tensor):
        return x.to(self.device)
"""


@pytest.mark.parametrize(
    ("given", "becomes"),
    [
        ("given", "return x"),
        ("'cpu'", "return x"),
        ("torch.float16", "return x.to(self.device)"),
        ("given or torch.float16", f"return x.to({asked('self.device')})"),
    ],
)
def test_an_attribute_called_device_is_one_unless_the_code_sets_it_otherwise(
    given: str, becomes: str, facts: KnowledgeBase
) -> None:
    assert last(LAYER.format(given=given), facts) == (becomes, [])


SETTINGS = """
parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
args = parser.parse_args()
x = torch.ones(2)
"""


def test_an_attribute_that_is_set_to_the_same_of_another_ends_there(facts: KnowledgeBase) -> None:
    code = """
        class Scaled(nn.Module):
            def __init__(self, other):
                super().__init__()
                self.device = other.device

            def forward(self, x):
                return x.to(self.device)
    """
    assert last(code, facts) == ("return x", [])


@pytest.mark.parametrize("name", ["args.device", "args.local_rank", "int(os.environ['RANK'])"])
def test_settings_are_devices(name: str, facts: KnowledgeBase) -> None:
    code = f"import argparse, os\n{SETTINGS}y = x.to({name})"
    assert last(code, facts) == ("y = x", [])


@pytest.mark.parametrize("argument", ["pick()", "e, False, True", "e, copy=True"])
def test_what_would_run_twice_stays_and_is_told(argument: str, facts: KnowledgeBase) -> None:
    code = f"{HEAD}e):\n    return x.to({argument})"
    assert last(code, facts) == (code.splitlines()[-1].strip(), ["ambiguous"])
