import numpy as np
import torch
def rearrange(x, p, **k): return ("rearranged", x.shape, p)
def reduce(x, p, op): return x.sum() if op == "sum" else x.mean()
x = np.arange(6).reshape(2, 3)
print(rearrange(x, "a b -> b a"), reduce(x, "a b -> ()", "sum"), np.einsum("ij->ji", x).shape, np.einsum("ij,ij->", x, x))
