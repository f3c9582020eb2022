"""Knowledge distillation from a frozen teacher."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(16, 32), nn.Hardswish(), nn.Linear(32, 4))

    def forward(self, x):
        return self.net(x)


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(16, 8)
        self.fc2 = nn.Linear(8, 4)

    def forward(self, x):
        x = x.reshape(x.shape[0], -1)
        return self.fc2(F.leaky_relu(self.fc1(x), negative_slope=0.1))


class DistillationLoss(nn.Module):
    def __init__(self, temperature=4.0, alpha=0.7):
        super().__init__()
        self.T = temperature
        self.alpha = alpha
        self.kl = nn.KLDivLoss(reduction="batchmean")
        self.ce = nn.CrossEntropyLoss()

    def forward(self, student_logits, teacher_logits, labels):
        soft = self.kl(
            F.log_softmax(student_logits / self.T, dim=1), F.softmax(teacher_logits / self.T, dim=1)
        ) * (self.T * self.T)
        hard = self.ce(student_logits, labels)
        return self.alpha * soft + (1.0 - self.alpha) * hard


def dataset():
    rng = np.random.RandomState(0)
    x = torch.tensor(rng.randn(20, 4, 4), dtype=torch.float32)
    y = torch.tensor(rng.randint(0, 4, 20), dtype=torch.int64)
    return TensorDataset(x, y)


def train(teacher, student):
    teacher.eval()
    for param in teacher.parameters():
        param.requires_grad = False
    criterion = DistillationLoss()
    optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    losses = []
    student.train()
    for data, target in DataLoader(dataset(), batch_size=4):
        optimizer.zero_grad()
        with torch.no_grad():
            teacher_logits = teacher(data)
        student_logits = student(data)
        loss = criterion(student_logits, teacher_logits, target)
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses


def evaluate(teacher, student):
    student.eval()
    correct = 0
    total = 0
    with torch.no_grad():
        for data, target in DataLoader(dataset(), batch_size=5):
            _, predicted = torch.max(student(data), 1)
            total += target.size(0)
            correct += (predicted == target).sum().item()
    return [100.0 * correct / total, total]


if __name__ == "__main__":
    teacher, student = Teacher(), Student()
    print(train(teacher, student))
    print(evaluate(teacher, student))
