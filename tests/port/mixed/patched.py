import torch
from unittest import mock
from unittest.mock import patch
@patch("torch.abs")
def test(m):
    torch.abs(-1)
def test2():
    with patch.object(torch, "ones"):
        torch.ones(2)
    with mock.patch("torch.nn.functional.relu", print), mock.patch("os.path"):
        torch.nn.functional.relu(3)
def test3(monkeypatch):
    monkeypatch.setattr("torch.zeros", list)
    torch.zeros(3), torch.eye(2)
