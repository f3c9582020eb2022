try:
    import torch as backend
except ImportError:
    import numpy as backend
def f():
    return backend.zeros((2, 3)), backend.sum(backend.ones(3), 0)
