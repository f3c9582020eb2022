mods = [type("M", (), {"zeros": staticmethod(lambda n, k=k: [k] * n)}) for k in range(2)]
print([torch.zeros(2) for torch in mods], {F: F for F in "ab"}, (lambda nn: nn.upper())("x"))
print([(torch, nn) for torch in (1, 2) for nn in (3,)], [y for x in [[1]] for y in x])
with open(__file__) as torch:
    print(torch.readable(), torch.read(2) and 1)
try:
    raise ValueError("torch.zeros(3)")
except ValueError as torch:
    print(torch.args)
if (torch := "a,b").split(","):
    print(torch.split(","), torch.index("b"), torch.count("a"))
match {"torch": 1}:
    case {"torch": torch}:
        print(torch)
def g(*torch, **nn):
    return torch.index(1), nn.get("F")
print(g(1, F=2))
