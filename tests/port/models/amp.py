"""Image classification with mixed precision, the way a single-GPU script has it."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
use_amp = device.type == "cuda"


class Block(nn.Module):
    def __init__(self, c_in, c_out, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(c_in, c_out, 3, stride=stride, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(c_out)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


class Net(nn.Module):
    def __init__(self, num_classes=4):
        super().__init__()
        self.features = nn.Sequential(Block(3, 8), Block(8, 16, 2), nn.AdaptiveAvgPool2d(1))
        self.classifier = nn.Linear(16, num_classes)

    def forward(self, x):
        x = self.features(x)
        return self.classifier(torch.flatten(x, 1))


def data(n=5):
    torch.manual_seed(1)
    for i in range(n):
        x = (torch.arange(4 * 3 * 8 * 8).float().view(4, 3, 8, 8) * (i + 1)).sin()
        y = (torch.arange(4) + i) % 4
        yield x, y


def train(model):
    model.to(device)
    model.train()
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    scaler = GradScaler(enabled=use_amp)
    history = []
    for images, labels in data():
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        with autocast(enabled=use_amp):
            outputs = model(images)
            loss = criterion(outputs, labels)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        history.append(loss.item())
    return history


@torch.no_grad()
def predict(model):
    model.eval()
    x, _ = next(iter(data(1)))
    with autocast(enabled=use_amp):
        return F.softmax(model(x.to(device)), dim=1)


if __name__ == "__main__":
    model = Net()
    print(train(model))
    print(predict(model))
