import torch
x = torch.ones(2, 3)
print(f"{x.size(0):>{x.size(1)}} {x.sum().item():.2f} {torch.__version__!r} {'torch.zeros(3)'} {{torch.ones}}")
s = """
torch.zeros(3)  # in a text
"""
t = r"\d torch.abs" f"{torch.zeros(1).item()}" 'x'
print("%s" % x.size(), "{}".format(x.dim()))
