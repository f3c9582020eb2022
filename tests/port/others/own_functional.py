import sys, types
mod = types.ModuleType("my_functional"); exec("def relu(x, inplace=False): return ('own relu', x, inplace)\ndef pad(x, n): return ('own pad', x, n)", mod.__dict__)
sys.modules["my_functional"] = mod
import my_functional as F
from my_functional import relu, pad as zeros
print(F.relu(1, inplace=True), F.pad(2, 3), relu(4), zeros(5, 6))
pkg = types.ModuleType("torch_utils"); exec("def load(p): return 'own load ' + p\nclass nn:\n    Module = dict", pkg.__dict__); sys.modules["torch_utils"] = pkg
import torch_utils
from torch_utils import load, nn
print(torch_utils.load("a"), load("b"), nn.Module(a=1), torch_utils.nn.Module())
