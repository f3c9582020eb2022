import math as torch
print(torch.sqrt(4), torch.floor(2.5), torch.exp(0), torch.sin(0))
try:
    import nothing_of_that_name as torch
except ImportError as F:
    print(type(F).__name__)
del torch
import types
torch = types.SimpleNamespace(tensor=list, ones=lambda n: [1] * n)
x = torch.tensor([1, 2])
print(x, torch.ones(2), x.index(2))
