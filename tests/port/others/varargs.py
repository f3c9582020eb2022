import torch
def call(f, *args, **kwargs): return f(*args, **kwargs)
class V(list):
    def sum(self, dim=None, keepdim=False): return (dim, keepdim)
    def max(self, *a, **k): return a, k
    def split(self, size, dim=0): return [self[i:i + size] for i in range(0, len(self), size)]
v = V([1, 2, 3])
opts = {"dim": 1, "keepdim": True}
print(v.sum(**opts), v.max(*[1, 2], **{"k": 1}), call(v.sum, 2), call(V.sum, v, 3), v.split(2, dim=0))
first, *rest = v.split(1)
print(first, rest)
