"""Transfer learning as the tutorial does it: phases, the best weights, frozen features."""

import copy
import time

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(True), nn.MaxPool2d(2), nn.Conv2d(6, 8, 3, padding=1), nn.ReLU(True)
        )
        self.avgpool = nn.AdaptiveAvgPool2d((2, 2))
        self.fc = nn.Linear(8 * 4, 10)

    def forward(self, x):
        x = self.avgpool(self.features(x))
        return self.fc(torch.flatten(x, 1))


def get_data(n, seed):
    rng = np.random.RandomState(seed)
    x = torch.from_numpy(rng.rand(n, 1, 8, 8)).float()
    y = torch.from_numpy(rng.randint(0, 2, n)).long()
    return TensorDataset(x, y)


def train_model(model, dataloaders, dataset_sizes, criterion, optimizer, scheduler, num_epochs=25):
    since = time.time()
    best_model_wts = copy.deepcopy(model.state_dict())
    best_acc = 0.0
    history = []

    for epoch in range(num_epochs):
        print("Epoch {}/{}".format(epoch, num_epochs - 1))
        print("-" * 10)

        # Each epoch has a training and validation phase
        for phase in ["train", "val"]:
            if phase == "train":
                model.train()  # Set model to training mode
            else:
                model.eval()  # Set model to evaluate mode

            running_loss = 0.0
            running_corrects = 0

            # Iterate over data.
            for inputs, labels in dataloaders[phase]:
                inputs = inputs.to(device)
                labels = labels.to(device)

                # zero the parameter gradients
                optimizer.zero_grad()

                # forward
                # track history if only in train
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    _, preds = torch.max(outputs, 1)
                    loss = criterion(outputs, labels)

                    # backward + optimize only if in training phase
                    if phase == "train":
                        loss.backward()
                        optimizer.step()

                # statistics
                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(preds == labels.data)
            if phase == "train":
                scheduler.step()

            epoch_loss = running_loss / dataset_sizes[phase]
            epoch_acc = running_corrects.double() / dataset_sizes[phase]
            print("{} Loss: {:.4f} Acc: {:.4f}".format(phase, epoch_loss, epoch_acc))

            # deep copy the model
            if phase == "val" and epoch_acc > best_acc:
                best_acc = epoch_acc
                best_model_wts = copy.deepcopy(model.state_dict())
            if phase == "train":
                history.append(epoch_loss)

    time_elapsed = time.time() - since
    print("Training complete in {:.0f}m {:.0f}s".format(time_elapsed // 60, time_elapsed % 60))
    model.load_state_dict(best_model_wts)
    return history


def make():
    model = Backbone()
    for param in model.features.parameters():
        param.requires_grad = False
    num_ftrs = model.fc.in_features
    model.fc = nn.Linear(num_ftrs, 2)
    return model.to(device)


def train(model):
    sets = {"train": get_data(12, 0), "val": get_data(6, 1)}
    dataloaders = {x: DataLoader(sets[x], batch_size=4, shuffle=False, num_workers=0) for x in ["train", "val"]}
    dataset_sizes = {x: len(sets[x]) for x in ["train", "val"]}
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.fc.parameters(), lr=0.05, momentum=0.9)
    scheduler = lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)
    return train_model(model, dataloaders, dataset_sizes, criterion, optimizer, scheduler, num_epochs=5)


def predict(model):
    model.eval()
    with torch.no_grad():
        return [model(get_data(3, 5).tensors[0].to(device))]


if __name__ == "__main__":
    net = make()
    print(train(net))
    print(predict(net))
