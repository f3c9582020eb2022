import torch
x = torch.zeros(3)
x.sum()
x = [1, 2]
x.index(1); x.sort(); x.copy()
for x in range(3):
    x.bit_length()
y = torch.ones(2)
def f():
    y = "a"
    return y.split("a"), y.index("a")
def g():
    return y.split(1)
class K:
    y = "s"
    z = y.split("s")
[y.upper() for y in "ab"]
y.sum()
with open("f") as y:
    y.read()
y.size
try:
    pass
except Exception as y:
    y.args
del x
