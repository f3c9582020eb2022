"""LeNet-5 on pictures of one channel."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.optim.lr_scheduler import StepLR


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, kernel_size=5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.dropout = nn.Dropout(0.0)
        self.fc1 = nn.Linear(16 * 5 * 5, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), (2, 2))
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        x = self.dropout(x)
        x = F.relu(self.fc2(x))
        x = self.fc3(x)
        return F.log_softmax(x, dim=1)


def images(count=5, batch_size=8):
    rng = np.random.RandomState(1)
    for _ in range(count):
        data = rng.rand(batch_size, 1, 28, 28).astype(np.float32)
        target = rng.randint(10, size=batch_size)
        yield torch.tensor(data), torch.tensor(target, dtype=torch.long)


def train(model, device, optimizer, loader):
    history = []
    model.train()
    for batch_idx, (data, target) in enumerate(loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        output = model(data)
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()
        if batch_idx % 2 == 0:
            print(f"{batch_idx}: {loss.item():.6f}")
        history.append(loss.item())
    return history


def test(model, device, loader):
    model.eval()
    outputs = []
    with torch.no_grad():
        for data, target in loader:
            data, target = data.to(device), target.to(device)
            outputs.append(model(data))
    return outputs


def fit(model):
    device = torch.device("cpu")
    model = model.to(device)
    optimizer = optim.Adadelta(model.parameters(), lr=1.0)
    scheduler = StepLR(optimizer, step_size=1, gamma=0.7)
    history = train(model, device, optimizer, images())
    scheduler.step()
    return history


def main():
    torch.manual_seed(1)
    model = LeNet()
    fit(model)
    test(model, torch.device("cpu"), images())


if __name__ == "__main__":
    main()
