"""A perceptron with two hidden layers, and the loop that trains it."""

import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim


class MLP(nn.Module):
    def __init__(self, in_features=20, hidden=(32, 16), num_classes=4, dropout=0.0):
        super(MLP, self).__init__()
        sizes = [in_features, *hidden]
        layers = []
        for n_in, n_out in zip(sizes[:-1], sizes[1:]):
            layers.append(nn.Linear(n_in, n_out))
            layers.append(nn.ReLU(inplace=True))
            layers.append(nn.Dropout(p=dropout))
        self.features = nn.Sequential(*layers)
        self.head = nn.Linear(sizes[-1], num_classes)

    def forward(self, x):
        x = x.view(x.size(0), -1)
        return self.head(self.features(x))


def make_batches(count=5, batch_size=16):
    rng = np.random.RandomState(0)
    batches = []
    for _ in range(count):
        x = torch.from_numpy(rng.randn(batch_size, 4, 5).astype("float32"))
        y = torch.from_numpy(rng.randint(0, 4, batch_size))
        batches.append((x, y))
    return batches


def accuracy(output, target):
    pred = output.argmax(dim=1)
    return (pred == target).float().mean().item()


def train(model, batches, lr=0.1):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4)

    losses = []
    model.train()
    for step, (inputs, labels) in enumerate(batches):
        inputs, labels = inputs.to(device), labels.to(device)

        # zero the parameter gradients
        optimizer.zero_grad()

        # forward + backward + optimize
        outputs = model(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()

        losses.append(loss.item())
        print("step %d: loss %.4f, accuracy %.2f" % (step, loss.item(), accuracy(outputs, labels)))
    return losses


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    return torch.cat([model(x) for x, _ in batches])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    args = parser.parse_args()
    torch.manual_seed(0)
    model = MLP()
    train(model, make_batches(), lr=args.lr)
    evaluate(model, make_batches())


if __name__ == "__main__":
    main()
