import argparse
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Points(Dataset):
    def __init__(self, n, transform=None):
        self.x = np.sin(1 + 0.9 * np.arange(n * 4, dtype=np.float32)).reshape(n, 4)
        self.y = np.arange(n) % 3
        self.transform = transform

    def __len__(self):
        return len(self.x)

    def __getitem__(self, idx):
        if torch.is_tensor(idx):
            idx = idx.tolist()
        x = self.x[idx]
        if self.transform is not None:
            x = self.transform(x)
        return x, self.y[idx]


CONFIG = {
    "test": {"batch_size": 5, "drop_last": False},
    "optim": {"lr": 0.2, "momentum": 0.9},
}


def make_loaders(args, use_cuda):
    train_kwargs = {"batch_size": args.batch_size}
    if use_cuda:
        cuda_kwargs = {"num_workers": 2, "pin_memory": True, "shuffle": True}
        train_kwargs.update(cuda_kwargs)
    train_loader = DataLoader(Points(12, lambda x: x * 2), **train_kwargs)
    test_loader = DataLoader(Points(10), **CONFIG["test"])
    return train_loader, test_loader


def adjust_learning_rate(optimizer, epoch, init_lr):
    lr = init_lr * (0.5 ** epoch)
    for param_group in optimizer.param_groups:
        param_group["lr"] = lr


def train(model, loader, optimizer, epoch):
    model.train()
    for batch_idx, (data, target) in enumerate(loader):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(data), target)
        loss.backward()
        optimizer.step()
        print("epoch {} [{}/{}] loss {:.4f} lr {:.3f}".format(
            epoch, batch_idx * len(data), len(loader.dataset), loss, optimizer.param_groups[0]["lr"]))


def test(model, loader):
    model.eval()
    total, losses = 0, []
    with torch.no_grad():
        for data, target in loader:
            losses.append(F.cross_entropy(model(data), target))
            total += target.size(0)
    print(f"worst {max(losses):.4f} mean {sum(losses) / len(losses):.4f} of {total}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=4)
    parser.add_argument("--no-cuda", action="store_true")
    args = parser.parse_args([])
    use_cuda = not args.no_cuda and torch.cuda.is_available()
    train_loader, test_loader = make_loaders(args, use_cuda)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.fill_(0.05 * (k + 1)).add_(torch.arange(p.numel()).view_as(p) % 5 * 0.1)
    optimizer = torch.optim.SGD(model.parameters(), **CONFIG["optim"])
    for epoch in range(3):
        adjust_learning_rate(optimizer, epoch, CONFIG["optim"]["lr"])
        train(model, train_loader, optimizer, epoch)
        test(model, test_loader)
        for group in optimizer.param_groups:
            group["lr"] *= 0.5


main()
