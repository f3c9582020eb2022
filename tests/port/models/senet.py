"""Inference script: load weights, softmax, numpy output, class names; ResNet-ish with registry and BasicBlock."""
import argparse
import collections
import io
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

MODELS = {}


def register(fn):
    MODELS[fn.__name__] = fn
    return fn


def conv3x3(in_planes, out_planes, stride=1):
    return nn.Conv2d(in_planes, out_planes, kernel_size=3, stride=stride, padding=1, bias=False)


class SEBlock(nn.Module):
    def __init__(self, channel, reduction=2):
        super().__init__()
        self.avg_pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Sequential(
            nn.Linear(channel, channel // reduction, bias=False),
            nn.ReLU(inplace=True),
            nn.Linear(channel // reduction, channel, bias=False),
            nn.Sigmoid(),
        )

    def forward(self, x):
        b, c, _, _ = x.size()
        y = self.avg_pool(x).view(b, c)
        y = self.fc(y).view(b, c, 1, 1)
        return x * y.expand_as(x)


class BasicBlock(nn.Module):
    expansion = 1

    def __init__(self, inplanes, planes, stride=1, downsample=None, norm_layer=None):
        super(BasicBlock, self).__init__()
        if norm_layer is None:
            norm_layer = nn.BatchNorm2d
        self.conv1 = conv3x3(inplanes, planes, stride)
        self.bn1 = norm_layer(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = conv3x3(planes, planes)
        self.bn2 = norm_layer(planes)
        self.se = SEBlock(planes)
        self.downsample = downsample

    def forward(self, x):
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.se(self.bn2(self.conv2(out)))
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class ResNet(nn.Module):
    def __init__(self, block, layers, num_classes=4):
        super().__init__()
        self.inplanes = 4
        self.stem = nn.Sequential(collections.OrderedDict([
            ("conv", conv3x3(3, 4)),
            ("bn", nn.BatchNorm2d(4)),
            ("relu", nn.ReLU()),
        ]))
        self.layer1 = self._make_layer(block, 4, layers[0])
        self.layer2 = self._make_layer(block, 8, layers[1], stride=2)
        self.drop = nn.Dropout(0.5)
        self.fc = nn.Linear(8 * block.expansion, num_classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)

    def _make_layer(self, block, planes, blocks, stride=1):
        downsample = None
        if stride != 1 or self.inplanes != planes * block.expansion:
            downsample = nn.Sequential(
                nn.Conv2d(self.inplanes, planes * block.expansion, kernel_size=1, stride=stride, bias=False),
                nn.BatchNorm2d(planes * block.expansion),
            )
        layers = []
        layers.append(block(self.inplanes, planes, stride, downsample))
        self.inplanes = planes * block.expansion
        for _ in range(1, blocks):
            layers.append(block(self.inplanes, planes))
        return nn.Sequential(*layers)

    def forward(self, x):
        x = self.layer2(self.layer1(self.stem(x)))
        x = F.adaptive_avg_pool2d(x, (1, 1))
        x = torch.flatten(x, 1)
        return self.fc(self.drop(x))


@register
def resnet_tiny(**kwargs):
    return ResNet(BasicBlock, [1, 1], **kwargs)


def preprocess(image):
    """HWC uint8 -> normalized NCHW float tensor"""
    tensor = torch.from_numpy(image).permute(2, 0, 1).float().div(255)
    mean = torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1)
    std = torch.tensor([0.229, 0.224, 0.225]).view(3, 1, 1)
    tensor = (tensor - mean) / std
    return tensor.unsqueeze(0)


def predict(model, names=("cat", "dog", "bird", "fish")):
    rng = np.random.RandomState(0)
    model.eval()
    out = []
    with torch.no_grad():
        for _ in range(2):
            image = rng.randint(0, 256, (16, 16, 3), dtype=np.uint8)
            tensor = preprocess(image)
            tensor = F.interpolate(tensor, size=(8, 8), mode="bilinear", align_corners=False)
            logits = model(tensor)
            probs = F.softmax(logits, dim=1).squeeze(0)
            score, cls = torch.max(probs, dim=0)
            print("{}: {:.3f}".format(names[cls.item()], score.item()), file=sys.stderr)
            out.append(probs.detach().cpu().numpy())
    return out


def strip_prefix(state_dict):
    new_state_dict = collections.OrderedDict()
    for k, v in state_dict.items():
        name = k[7:] if k.startswith("module.") else k
        new_state_dict[name] = v
    return new_state_dict


def train(model):
    model.train()
    for m in model.modules():
        if isinstance(m, nn.Dropout):
            m.p = 0.0
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3, alpha=0.9)
    rng = np.random.RandomState(1)
    losses = []
    for _ in range(5):
        x = torch.cat([preprocess(rng.randint(0, 256, (8, 8, 3), dtype=np.uint8)) for _ in range(4)])
        y = torch.tensor([0, 1, 2, 3])
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def main():
    torch.manual_seed(0)
    model = MODELS["resnet_tiny"](num_classes=4)
    train(model)
    state = {"module." + k: v for k, v in model.state_dict().items()}
    again = MODELS["resnet_tiny"](num_classes=4)
    again.load_state_dict(strip_prefix(state))
    np.testing.assert_allclose(predict(model)[0], predict(again)[0], rtol=1e-5)
    print("ok")


if __name__ == "__main__":
    main()
