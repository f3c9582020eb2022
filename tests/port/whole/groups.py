import argparse
import math
import torch
import torch.nn as nn


def parse_args(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--accum", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.05)
    return parser.parse_args(argv or [])


class MLP(nn.Module):
    def __init__(self, dims=(6, 12, 12, 3), act=nn.GELU):
        super().__init__()
        layers = []
        for a, b in zip(dims[:-2], dims[1:-1]):
            layers += [nn.Linear(a, b), nn.LayerNorm(b), act()]
        layers.append(nn.Linear(dims[-2], dims[-1]))
        self.net = nn.Sequential(*layers)
        self.apply(self._init)

    @staticmethod
    def _init(m):
        if isinstance(m, nn.Linear):
            n = m.weight.numel()
            with torch.no_grad():
                m.weight.copy_(torch.linspace(-0.4, 0.4, n).reshape(m.weight.shape))
            nn.init.zeros_(m.bias)
        elif isinstance(m, nn.LayerNorm):
            nn.init.ones_(m.weight)
            nn.init.zeros_(m.bias)

    def forward(self, x):
        return self.net(x)


def accuracy(output, target, topk=(1,)):
    with torch.no_grad():
        maxk = max(topk)
        batch_size = target.size(0)
        _, pred = output.topk(maxk, 1, True, True)
        pred = pred.t()
        correct = pred.eq(target.view(1, -1).expand_as(pred))
        res = []
        for k in topk:
            correct_k = correct[:k].reshape(-1).float().sum(0, keepdim=True)
            res.append(correct_k.mul_(100.0 / batch_size))
        return res


class AverageMeter(object):
    def __init__(self, name, fmt=":f"):
        self.name, self.fmt = name, fmt
        self.reset()

    def reset(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count

    def __str__(self):
        fmtstr = "{name} {val" + self.fmt + "} ({avg" + self.fmt + "})"
        return fmtstr.format(**self.__dict__)


def main():
    args = parse_args()
    model = MLP()
    decay, no_decay = [], []
    for name, param in model.named_parameters():
        if not param.requires_grad:
            continue
        if param.ndim == 1 or name.endswith(".bias"):
            no_decay.append(param)
        else:
            decay.append(param)
    optimizer = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.05}, {"params": no_decay, "weight_decay": 0.0}], lr=args.lr, betas=(0.9, 0.95)
    )
    steps = 8
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: (s + 1) / 4 if s < 4 else 0.5 * (1 + math.cos(math.pi * (s - 4) / (steps - 4)))
    )
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    x = torch.sin(torch.arange(8 * 6).float()).view(8, 6)
    y = torch.arange(8) % 3
    losses = AverageMeter("Loss", ":.4f")
    top1 = AverageMeter("Acc@1", ":6.2f")
    for epoch in range(args.epochs):
        for i in range(4):
            xb, yb = x[2 * i : 2 * i + 2], y[2 * i : 2 * i + 2]
            output = model(xb)
            loss = criterion(output, yb)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
            optimizer.step()
            scheduler.step()
            acc1, acc2 = accuracy(output, yb, topk=(1, 2))
            losses.update(loss.item(), xb.size(0))
            top1.update(acc1[0].item(), xb.size(0))
        print(epoch, losses, top1, "lr %.5f" % scheduler.get_last_lr()[0])


if __name__ == "__main__":
    main()
