"""Low-rank adapters put into a frozen network."""

import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class LoRALinear(nn.Module):
    def __init__(self, linear, r=2, alpha=4):
        super().__init__()
        self.linear = linear
        self.lora_A = nn.Parameter(torch.empty(r, linear.in_features))
        self.lora_B = nn.Parameter(torch.zeros(linear.out_features, r))
        self.scaling = alpha / r
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))

    def forward(self, x):
        return self.linear(x) + (x @ self.lora_A.T @ self.lora_B.T) * self.scaling


class Attention(nn.Module):
    def __init__(self, dim=16, heads=2):
        super().__init__()
        self.heads = heads
        self.q_proj = nn.Linear(dim, dim)
        self.k_proj = nn.Linear(dim, dim)
        self.v_proj = nn.Linear(dim, dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = [
            p(x).view(B, T, self.heads, C // self.heads).transpose(1, 2)
            for p in (self.q_proj, self.k_proj, self.v_proj)
        ]
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).contiguous().view(B, T, C))


class Classifier(nn.Module):
    def __init__(self, vocab=20, dim=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.attn = Attention(dim)
        self.head = nn.Linear(dim, 3)

    def forward(self, ids):
        return self.head(self.attn(self.emb(ids)).mean(dim=1))


def inject_lora(model, target=("q_proj", "v_proj"), r=2):
    for param in model.parameters():
        param.requires_grad = False
    for name, module in model.named_modules():
        for child_name, child in list(module.named_children()):
            if child_name in target and isinstance(child, nn.Linear):
                setattr(module, child_name, LoRALinear(child, r))
    return model


def make():
    return inject_lora(Classifier())


def count(model):
    trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
    total = sum(p.numel() for p in model.parameters())
    return trainable, total


def batches():
    rng = np.random.RandomState(0)
    for _ in range(5):
        yield torch.from_numpy(rng.randint(0, 20, (6, 5))), torch.from_numpy(rng.randint(0, 3, (6,)))


def train(model):
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=5e-2)
    losses = []
    for ids, label in batches():
        loss = F.cross_entropy(model(ids), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def predict(model):
    model.eval()
    with torch.no_grad():
        return [list(count(model))] + [model(ids) for ids, _ in batches()]


if __name__ == "__main__":
    net = make()
    print(train(net))
    print(predict(net))
