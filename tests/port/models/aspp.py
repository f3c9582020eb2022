"""Semantic segmentation with atrous pyramid pooling, an auxiliary head, ignore_index and mIoU."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

IGNORE = 255


def conv_bn_relu(c_in, c_out, k=3, dilation=1):
    padding = 0 if k == 1 else dilation
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, k, padding=padding, dilation=dilation, bias=False),
        nn.BatchNorm2d(c_out),
        nn.ReLU(inplace=True),
    )


class ASPPPooling(nn.Module):
    def __init__(self, c_in, c_out):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.conv = nn.Conv2d(c_in, c_out, 1)

    def forward(self, x):
        size = x.shape[-2:]
        x = F.relu(self.conv(self.pool(x)))
        return F.interpolate(x, size=size, mode="bilinear", align_corners=False)


class ASPP(nn.Module):
    def __init__(self, c_in, c_out, rates=(2, 4)):
        super().__init__()
        modules = [conv_bn_relu(c_in, c_out, 1)]
        for rate in rates:
            modules.append(conv_bn_relu(c_in, c_out, 3, rate))
        modules.append(ASPPPooling(c_in, c_out))
        self.convs = nn.ModuleList(modules)
        self.project = conv_bn_relu(len(self.convs) * c_out, c_out, 1)

    def forward(self, x):
        res = []
        for conv in self.convs:
            res.append(conv(x))
        return self.project(torch.cat(res, dim=1))


class DeepLab(nn.Module):
    def __init__(self, num_classes=4):
        super().__init__()
        self.stem = nn.Sequential(conv_bn_relu(3, 8), nn.MaxPool2d(2))
        self.layer = conv_bn_relu(8, 12, dilation=2)
        self.aspp = ASPP(12, 8)
        self.classifier = nn.Conv2d(8, num_classes, 1)
        self.aux = nn.Sequential(conv_bn_relu(8, 6), nn.Conv2d(6, num_classes, 1))
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)

    def forward(self, x):
        input_shape = x.shape[-2:]
        low = self.stem(x)
        high = self.aspp(self.layer(low))
        result = {}
        out = self.classifier(high)
        result["out"] = F.interpolate(out, size=input_shape, mode="bilinear", align_corners=False)
        aux = self.aux(low)
        result["aux"] = F.interpolate(aux, size=input_shape, mode="bilinear", align_corners=False)
        return result


def criterion(inputs, target):
    losses = {}
    for name, x in inputs.items():
        losses[name] = nn.functional.cross_entropy(x, target, ignore_index=IGNORE)
    if len(losses) == 1:
        return losses["out"]
    return losses["out"] + 0.5 * losses["aux"]


class ConfusionMatrix:
    def __init__(self, num_classes):
        self.num_classes = num_classes
        self.mat = torch.zeros((num_classes, num_classes), dtype=torch.int64)

    def update(self, a, b):
        n = self.num_classes
        with torch.inference_mode():
            k = (a >= 0) & (a < n)
            inds = n * a[k].to(torch.int64) + b[k]
            self.mat += torch.bincount(inds, minlength=n**2).reshape(n, n)

    def compute(self):
        h = self.mat.float()
        acc = torch.diag(h).sum() / h.sum()
        iu = torch.diag(h) / (h.sum(1) + h.sum(0) - torch.diag(h)).clamp(min=1)
        return acc, iu


def batches(n, seed=0):
    rng = np.random.RandomState(seed)
    for _ in range(n):
        image = rng.randn(2, 3, 16, 16).astype(np.float32)
        target = rng.randint(0, 4, (2, 16, 16))
        target[:, :2] = IGNORE
        yield torch.from_numpy(image), torch.from_numpy(target)


def train(model):
    params_to_optimize = [
        {"params": [p for p in model.aspp.parameters() if p.requires_grad]},
        {"params": [p for p in model.classifier.parameters() if p.requires_grad]},
        {"params": [p for p in model.aux.parameters() if p.requires_grad], "lr": 0.1},
    ]
    optimizer = torch.optim.SGD(params_to_optimize, lr=0.02, momentum=0.9, weight_decay=1e-4)
    lr_scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=5, power=0.9)
    model.train()
    losses = []
    for image, target in batches(5):
        output = model(image)
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        lr_scheduler.step()
        losses.append(loss.item())
    return losses


def predict(model):
    model.eval()
    confmat = ConfusionMatrix(4)
    with torch.inference_mode():
        for image, target in batches(2, seed=5):
            output = model(image)["out"]
            confmat.update(target.flatten(), output.argmax(1).flatten())
    acc, iu = confmat.compute()
    return [acc, iu, output]


if __name__ == "__main__":
    net = DeepLab()
    print(train(net), predict(net)[:2])
