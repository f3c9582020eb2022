"""Image classifiers by name, from a registry, with argparse."""

import argparse
import logging

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

logger = logging.getLogger(__name__)


class SmallCNN(nn.Module):
    def __init__(self, num_classes=4, width=6):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width * 2, 3, stride=2)
        self.fc = nn.Linear(width * 2, num_classes)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        x = F.relu(self.conv2(x))
        x = F.adaptive_avg_pool2d(x, 1)
        x = torch.flatten(x, 1)
        return self.fc(x)


class MLP(nn.Module):
    def __init__(self, num_classes=4, width=6):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(64, width), nn.ReLU(), nn.Linear(width, num_classes))

    def forward(self, x):
        return self.net(x)


MODELS = {"cnn": SmallCNN, "mlp": MLP}
OPTIMIZERS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}
LOSSES = {"ce": nn.CrossEntropyLoss(), "mse": nn.MSELoss()}


def build_model(args):
    return MODELS[args.model](num_classes=args.num_classes)


def build_optimizer(args, params):
    if args.opt == "sgd":
        return torch.optim.SGD(params, lr=args.lr, momentum=0.9)
    return OPTIMIZERS[args.opt](params, lr=args.lr)


def get_args(argv=None):
    parser = argparse.ArgumentParser(description="train")
    parser.add_argument("--model", choices=sorted(MODELS), default="cnn")
    parser.add_argument("--opt", default="sgd")
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--num-classes", type=int, default=4)
    parser.add_argument("--no-cuda", action="store_true", default=False)
    return parser.parse_args(argv)


def loaders():
    rng = np.random.RandomState(0)
    x = torch.from_numpy(rng.randn(20, 1, 8, 8).astype(np.float32))
    y = torch.from_numpy(rng.randint(0, 4, 20)).long()
    return DataLoader(TensorDataset(x, y), batch_size=4), DataLoader(TensorDataset(x[:8], y[:8]), batch_size=4)


def train_one_epoch(model, loader, criterion, optimizer, device):
    model.train()
    losses = []
    for i, (images, target) in enumerate(loader):
        images = images.to(device, non_blocking=True)
        target = target.to(device, non_blocking=True)
        output = model(images)
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        logger.info("step %d loss %.4f", i, loss.item())
    return losses


@torch.no_grad()
def validate(model, loader, device):
    model.eval()
    scores = []
    for images, target in loader:
        images, target = images.to(device), target.to(device)
        scores.append(model(images))
    return torch.cat(scores)


def make(argv=()):
    args = get_args(list(argv))
    use_cuda = not args.no_cuda and torch.cuda.is_available()
    device = torch.device("cuda" if use_cuda else "cpu")
    return build_model(args).to(device)


def train(model, argv=()):
    args = get_args(list(argv))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader, _ = loaders()
    criterion = LOSSES["ce"]
    optimizer = build_optimizer(args, model.parameters())
    return train_one_epoch(model, train_loader, criterion, optimizer, device)


def predict(model):
    return validate(model, loaders()[1], torch.device("cpu"))


if __name__ == "__main__":
    net = make(None)
    print(train(net, ()))
    print(predict(net))
