"""Doc: torch.zeros(3), nn.Linear(1, 2)

>>> import torch
>>> torch.zeros(3).sum()
tensor(0.)
"""
CODE = "import torch\nx = torch.zeros(3)\n"
RAW = r"torch\.nn\.functional\.relu"
NESTED = f"{'torch.zeros(3)'} {f'{1 + 1} torch'} {{torch.ones}}"
TABLE = {"torch.nn.Linear": 1, "F.relu": 2}
print(len(CODE), RAW, NESTED, TABLE["torch.nn.Linear"], "torch" in CODE, 'import torch' in CODE)  # torch.zeros(3)
b = b"torch.zeros"; print(b.split(b".")[0])
