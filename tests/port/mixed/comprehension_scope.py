import torch
fs = [torch.sum() for torch in [make()]]
gs = {torch: torch.mean() for torch in objs}
x = torch.sum(torch.ones(3))  # outer
ys = [y for torch in things for y in torch.split(1)]
