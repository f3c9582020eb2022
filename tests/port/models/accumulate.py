"""Gradient accumulation with early stopping."""

import copy

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split


class EarlyStopping:
    def __init__(self, patience=3, min_delta=0.0):
        self.patience = patience
        self.min_delta = min_delta
        self.counter = 0
        self.best_loss = None
        self.best_state = None
        self.early_stop = False

    def __call__(self, val_loss, model):
        if self.best_loss is None or val_loss < self.best_loss - self.min_delta:
            self.best_loss = val_loss
            self.best_state = copy.deepcopy(model.state_dict())
            self.counter = 0
        else:
            self.counter += 1
            if self.counter >= self.patience:
                self.early_stop = True


class Net(nn.Module):
    def __init__(self, p=0.0):
        super().__init__()
        self.fc1 = nn.Linear(5, 16)
        self.fc2 = nn.Linear(16, 3)
        self.drop = nn.Dropout(p)

    def forward(self, x):
        return self.fc2(self.drop(F.silu(self.fc1(x))))


def data(n=24):
    rng = np.random.RandomState(2)
    x = rng.randn(n, 5).astype(np.float32)
    y = (x[:, 0] > 0).astype(np.int64) + (x[:, 1] > 0)
    return TensorDataset(torch.from_numpy(x), torch.from_numpy(y))


def validate(model, val_loader, criterion):
    model.eval()
    val_loss = 0
    with torch.no_grad():
        for x, y in val_loader:
            val_loss += criterion(model(x), y).item()
    return val_loss / len(val_loader)


def train(model, accumulation_steps=2, num_epochs=5):
    train_loader = DataLoader(data(), batch_size=4)
    val_loader = DataLoader(data(8), batch_size=4)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    stopper = EarlyStopping(patience=2)
    history = []
    for epoch in range(num_epochs):
        model.train()
        optimizer.zero_grad()
        running_loss = 0.0
        for i, (inputs, labels) in enumerate(train_loader):
            outputs = model(inputs)
            loss = criterion(outputs, labels)
            loss = loss / accumulation_steps
            loss.backward()
            if (i + 1) % accumulation_steps == 0:
                optimizer.step()
                optimizer.zero_grad()
            running_loss += loss.item()
        val = validate(model, val_loader, criterion)
        history.append(running_loss / len(train_loader))
        stopper(val, model)
        if stopper.early_stop:
            break
    model.load_state_dict(stopper.best_state)
    return history


def predict(model):
    model.eval()
    with torch.no_grad():
        return F.softmax(model(data(6).tensors[0]), dim=-1)


if __name__ == "__main__":
    net = Net()
    print(train(net))
    print(predict(net))
