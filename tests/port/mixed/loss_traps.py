import torch
from torch import nn
def train(model: nn.Module, loader, log):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        opt.zero_grad()
        if (loss := model(x).mean()) > 3: continue
        loss.backward()
        opt.step()
    for x, y in loader:
        opt.zero_grad(); loss = model(x).sum(); loss.backward(); opt.step()  # one line
    for x, y in loader:
        opt.zero_grad()
        out = model(x)
        log.append(out)
        loss = out.sum() if y is None else (out - y).pow(2).sum()
        loss.backward(); opt.step()
    return [loss.backward() for loss in losses(model)]
