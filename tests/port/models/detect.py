"""A detection head: anchors, encoding of boxes, matching by IoU, and its two losses."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


def make_anchors(size, stride, scales=(1.0, 2.0)):
    shifts = (torch.arange(0, size, dtype=torch.float32) + 0.5) * stride
    shift_y, shift_x = torch.meshgrid(shifts, shifts, indexing="ij")
    centers = torch.stack((shift_x.reshape(-1), shift_y.reshape(-1)), dim=1)
    boxes = []
    for scale in scales:
        half = torch.full((centers.shape[0], 2), scale * stride / 2)
        boxes.append(torch.cat([centers - half, centers + half], dim=1))
    return torch.stack(boxes, dim=1).view(-1, 4)


def box_area(boxes):
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def box_iou(boxes1, boxes2):
    lt = torch.max(boxes1[:, None, :2], boxes2[:, :2])
    rb = torch.min(boxes1[:, None, 2:], boxes2[:, 2:])
    wh = (rb - lt).clamp(min=0)
    inter = wh[:, :, 0] * wh[:, :, 1]
    return inter / (box_area(boxes1)[:, None] + box_area(boxes2) - inter)


def encode(reference, proposals):
    px, py = (proposals[:, 0] + proposals[:, 2]) / 2, (proposals[:, 1] + proposals[:, 3]) / 2
    pw, ph = proposals[:, 2] - proposals[:, 0], proposals[:, 3] - proposals[:, 1]
    gx, gy = (reference[:, 0] + reference[:, 2]) / 2, (reference[:, 1] + reference[:, 3]) / 2
    gw, gh = reference[:, 2] - reference[:, 0], reference[:, 3] - reference[:, 1]
    return torch.stack([(gx - px) / pw, (gy - py) / ph, torch.log(gw / pw), torch.log(gh / ph)], dim=1)


class Detector(nn.Module):
    def __init__(self, num_classes=3, num_anchors=2):
        super().__init__()
        self.num_classes = num_classes
        self.backbone = nn.Sequential(
            nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.ReLU(), nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.ReLU()
        )
        self.cls_logits = nn.Conv2d(16, num_anchors * num_classes, 3, padding=1)
        self.bbox_pred = nn.Conv2d(16, num_anchors * 4, 3, padding=1)
        for layer in [self.cls_logits, self.bbox_pred]:
            nn.init.normal_(layer.weight, std=0.01)
            nn.init.constant_(layer.bias, 0)

    def forward(self, images):
        features = self.backbone(images)
        n, _, h, w = features.shape
        logits = self.cls_logits(features).view(n, -1, self.num_classes, h, w).permute(0, 3, 4, 1, 2).reshape(n, -1, self.num_classes)
        boxes = self.bbox_pred(features).view(n, -1, 4, h, w).permute(0, 3, 4, 1, 2).reshape(n, -1, 4)
        return logits, boxes


def match(anchors, gt_boxes, high=0.4, low=0.2):
    iou = box_iou(gt_boxes, anchors)
    values, indices = iou.max(dim=0)
    matched = indices.clone()
    matched[values < low] = -1
    matched[(values >= low) & (values < high)] = -2
    best = iou.max(dim=1)[0]
    for row in range(iou.shape[0]):
        matched[iou[row] == best[row]] = row
    return matched


def focal_loss(logits, targets, alpha=0.25, gamma=2.0):
    p = torch.sigmoid(logits)
    ce = F.binary_cross_entropy_with_logits(logits, targets, reduction="none")
    p_t = p * targets + (1 - p) * (1 - targets)
    loss = ce * ((1 - p_t) ** gamma)
    alpha_t = alpha * targets + (1 - alpha) * (1 - targets)
    return (alpha_t * loss).sum()


def compute_loss(logits, deltas, anchors, gt_boxes, gt_labels, num_classes):
    matched = match(anchors, gt_boxes)
    positive = torch.where(matched >= 0)[0]
    valid = matched != -2
    targets = torch.zeros_like(logits)
    targets[positive, gt_labels[matched[positive]]] = 1.0
    cls = focal_loss(logits[valid], targets[valid]) / max(1, len(positive))
    reg = F.smooth_l1_loss(deltas[positive], encode(gt_boxes[matched[positive]], anchors[positive]), reduction="sum", beta=0.5)
    return cls + reg / max(1, len(positive))


def data(step):
    rng = np.random.RandomState(step)
    images = torch.from_numpy(rng.randn(2, 3, 16, 16).astype("float32"))
    xy = rng.uniform(0, 8, (2, 2, 2))
    wh = rng.uniform(3, 8, (2, 2, 2))
    boxes = torch.tensor(np.concatenate([xy, xy + wh], -1), dtype=torch.float32)
    labels = torch.tensor(rng.randint(0, 3, (2, 2)))
    return images, boxes, labels


def train(model):
    anchors = make_anchors(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    history = []
    model.train()
    for step in range(5):
        images, boxes, labels = data(step)
        logits, deltas = model(images)
        losses = []
        for i in range(len(images)):
            losses.append(compute_loss(logits[i], deltas[i], anchors, boxes[i], labels[i], model.num_classes))
        loss = sum(losses) / len(losses)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    return history


def predict(model):
    model.eval()
    with torch.no_grad():
        logits, deltas = model(data(9)[0])
        scores, labels = logits.sigmoid().max(-1)
    return [scores, labels, deltas]


if __name__ == "__main__":
    net = Detector()
    print(train(net))
    print(predict(net))
