"""Mixture of experts, LoRA, rotary embedding, KV cache, RMSNorm, from_pretrained, dict batches, f-strings."""
import math
import os

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class RMSNorm(torch.nn.Module):
    def __init__(self, dim: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        output = self._norm(x.float()).type_as(x)
        return output * self.weight


def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def build_rope(dim, length, theta=10000.0):
    inv_freq = 1.0 / (theta ** (torch.arange(0, dim, 2, dtype=torch.float32) / dim))
    freqs = torch.outer(torch.arange(length, dtype=torch.float32), inv_freq)
    emb = torch.cat((freqs, freqs), dim=-1)
    return emb.cos(), emb.sin()


def repeat_kv(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    bs, slen, n_kv_heads, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, :, None, :].expand(bs, slen, n_kv_heads, n_rep, head_dim).reshape(bs, slen, n_kv_heads * n_rep, head_dim)


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r=2, alpha=4):
        super().__init__()
        self.base = base
        self.base.weight.requires_grad = False
        self.lora_A = nn.Parameter(torch.empty(r, base.in_features))
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, r))
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))
        self.scaling = alpha / r

    def forward(self, x):
        return self.base(x) + (x @ self.lora_A.t() @ self.lora_B.t()) * self.scaling


class Attention(nn.Module):
    def __init__(self, dim=16, heads=4, kv_heads=2, max_len=16):
        super().__init__()
        self.n_heads, self.n_kv = heads, kv_heads
        self.head_dim = dim // heads
        self.wq = LoRALinear(nn.Linear(dim, heads * self.head_dim, bias=False))
        self.wk = nn.Linear(dim, kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(dim, kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)
        cos, sin = build_rope(self.head_dim, max_len)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)

    def forward(self, x, mask=None):
        bsz, seqlen, _ = x.shape
        xq, xk, xv = self.wq(x), self.wk(x), self.wv(x)
        xq = xq.view(bsz, seqlen, self.n_heads, self.head_dim)
        xk = xk.view(bsz, seqlen, self.n_kv, self.head_dim)
        xv = xv.view(bsz, seqlen, self.n_kv, self.head_dim)
        cos, sin = self.cos[:seqlen][None, :, None], self.sin[:seqlen][None, :, None]
        xq = xq * cos + rotate_half(xq) * sin
        xk = xk * cos + rotate_half(xk) * sin
        keys = repeat_kv(xk, self.n_heads // self.n_kv).transpose(1, 2)
        values = repeat_kv(xv, self.n_heads // self.n_kv).transpose(1, 2)
        scores = torch.matmul(xq.transpose(1, 2), keys.transpose(2, 3)) / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores + mask
        scores = F.softmax(scores.float(), dim=-1).type_as(xq)
        out = torch.matmul(scores, values).transpose(1, 2).contiguous().view(bsz, seqlen, -1)
        return self.wo(out)


class MoE(nn.Module):
    def __init__(self, dim=16, n_experts=3, top_k=2):
        super().__init__()
        self.gate = nn.Linear(dim, n_experts, bias=False)
        self.experts = nn.ModuleList([nn.Sequential(nn.Linear(dim, dim), nn.SiLU(), nn.Linear(dim, dim)) for _ in range(n_experts)])
        self.top_k = top_k

    def forward(self, x):
        orig_shape = x.shape
        x = x.view(-1, x.shape[-1])
        scores = self.gate(x).softmax(dim=-1)
        weights, indices = torch.topk(scores, self.top_k, dim=-1)
        weights = weights / weights.sum(dim=-1, keepdim=True)
        y = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            idx, top = torch.where(indices == i)
            if idx.numel() == 0:
                continue
            y[idx] += expert(x[idx]) * weights[idx, top, None]
        return y.view(*orig_shape)


class Transformer(nn.Module):
    def __init__(self, vocab=20, dim=16, layers=1):
        super().__init__()
        table = np.random.RandomState(2).randn(vocab, dim).astype(np.float32)
        self.tok = nn.Embedding.from_pretrained(torch.from_numpy(table), freeze=False)
        self.layers = nn.ModuleList()
        for _ in range(layers):
            self.layers.append(nn.ModuleDict({"attn": Attention(dim), "moe": MoE(dim), "n1": RMSNorm(dim), "n2": RMSNorm(dim)}))
        self.norm = RMSNorm(dim)
        self.out = nn.Linear(dim, vocab, bias=False)

    def forward(self, batch):
        h = self.tok(batch["input_ids"])
        seqlen = batch["input_ids"].shape[1]
        mask = torch.full((seqlen, seqlen), float("-inf"))
        mask = torch.triu(mask, diagonal=1)
        for layer in self.layers:
            h = h + layer["attn"](layer["n1"](h), mask)
            h = h + layer["moe"](layer["n2"](h))
        return self.out(self.norm(h))


def batches():
    ids = torch.from_numpy(np.random.RandomState(5).randint(0, 20, (20, 7)))
    loader = DataLoader(TensorDataset(ids[:, :-1], ids[:, 1:]), batch_size=4)
    for input_ids, labels in loader:
        yield {"input_ids": input_ids, "labels": labels}


def train(model):
    trainable = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trainable, lr=1e-2)
    losses = []
    model.train()
    for step, batch in enumerate(batches()):
        batch = {k: v.to("cpu") for k, v in batch.items()}
        optimizer.zero_grad()
        logits = model(batch)
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), batch["labels"].reshape(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trainable, 1.0)
        optimizer.step()
        losses.append(loss.item())
        print(f"step {step}: loss {loss.item():.4f} ppl {torch.exp(loss).item():.2f}")
    return losses


@torch.no_grad()
def predict(model):
    model.eval()
    ids = next(batches())["input_ids"][:1, :3]
    for _ in range(3):
        logits = model({"input_ids": ids})[:, -1]
        ids = torch.cat([ids, logits.argmax(-1, keepdim=True)], dim=1)
    return [ids, logits]


if __name__ == "__main__":
    torch.manual_seed(0)
    lm = Transformer()
    print(len(train(lm)), predict(lm)[0].shape)
