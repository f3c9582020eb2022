src = "torch = type('T', (), {'zeros': staticmethod(lambda n: n)})"
exec(src)
print(torch.zeros(3))
ns = {}
exec("nn = 3", ns)
print(ns["nn"], eval("1+1"), (lambda: globals().__setitem__("F", str))() or F.upper("a"))
