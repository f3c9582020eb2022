torch = None
def set_it():
    global torch
    class T:
        def ones(self, n): return "own" * n
        def cat(self, xs, dim=0): return "".join(xs)
    torch = T()
def outer():
    F = None
    def inner():
        nonlocal F
        F = {"relu": 1}
    inner()
    return F.get("relu")
set_it()
print(torch.ones(2), torch.cat(["a", "b"], dim=0), outer())
