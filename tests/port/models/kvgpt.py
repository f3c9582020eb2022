"""A GPT over byte pairs that samples with a cache of keys and values."""

import math
from dataclasses import dataclass
from typing import List, Optional, Tuple

import numpy as np
import torch
import torch.nn as nn
from torch.nn import functional as F


@dataclass
class Config:
    vocab_size: int = 24
    block_size: int = 16
    n_layer: int = 2
    n_head: int = 2
    n_embd: int = 16


class RMSNorm(nn.Module):
    def __init__(self, dim: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        norm = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
        return norm.type_as(x) * self.weight


class CausalSelfAttention(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        assert config.n_embd % config.n_head == 0
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=False)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd, bias=False)
        self.n_head = config.n_head
        self.register_buffer(
            "bias",
            torch.tril(torch.ones(config.block_size, config.block_size)).view(
                1, 1, config.block_size, config.block_size
            ),
            persistent=False,
        )

    def forward(
        self, x: torch.Tensor, past: Optional[Tuple[torch.Tensor, torch.Tensor]] = None
    ) -> Tuple[torch.Tensor, Tuple[torch.Tensor, torch.Tensor]]:
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(C, dim=2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        if past is not None:
            past_k, past_v = past
            k = torch.cat((past_k, k), dim=-2)
            v = torch.cat((past_v, v), dim=-2)
        present = (k, v)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        S = k.size(-2)
        att = att.masked_fill(self.bias[:, :, S - T : S, :S] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        y = (att @ v).transpose(1, 2).contiguous().view(B, T, C)
        return self.c_proj(y), present


class Block(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.ln_1 = RMSNorm(config.n_embd)
        self.attn = CausalSelfAttention(config)
        self.ln_2 = RMSNorm(config.n_embd)
        self.w1 = nn.Linear(config.n_embd, 2 * config.n_embd, bias=False)
        self.w2 = nn.Linear(2 * config.n_embd, config.n_embd, bias=False)
        self.w3 = nn.Linear(config.n_embd, 2 * config.n_embd, bias=False)

    def forward(self, x, past=None):
        a, present = self.attn(self.ln_1(x), past)
        x = x + a
        h = self.ln_2(x)
        x = x + self.w2(F.silu(self.w1(h)) * self.w3(h))
        return x, present


class GPT(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.wte = nn.Embedding(config.vocab_size, config.n_embd)
        self.wpe = nn.Embedding(config.block_size, config.n_embd)
        self.h = nn.ModuleList([Block(config) for _ in range(config.n_layer)])
        self.ln_f = RMSNorm(config.n_embd)
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)

    def forward(self, idx, targets=None, past=None):
        B, T = idx.shape
        start = 0 if past is None else past[0][0].size(-2)
        pos = torch.arange(start, start + T, dtype=torch.long, device=idx.device)
        x = self.wte(idx) + self.wpe(pos)
        presents = []
        for i, block in enumerate(self.h):
            x, present = block(x, None if past is None else past[i])
            presents.append(present)
        logits = self.lm_head(self.ln_f(x))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        return logits, loss, presents

    @torch.no_grad()
    def generate(self, idx, max_new_tokens, top_k=None):
        past = None
        cur = idx
        for _ in range(max_new_tokens):
            logits, _, past = self(cur, past=past)
            logits = logits[:, -1, :]
            if top_k is not None:
                v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
                logits[logits < v[:, [-1]]] = -float("Inf")
            probs = F.softmax(logits, dim=-1)
            cur = torch.argmax(probs, dim=-1, keepdim=True)
            idx = torch.cat((idx, cur), dim=1)
        return idx


def get_batch(rng, data, block_size=8, batch_size=4):
    ix = rng.randint(0, len(data) - block_size - 1, batch_size)
    x = torch.stack([torch.from_numpy((data[i : i + block_size]).astype(np.int64)) for i in ix])
    y = torch.stack([torch.from_numpy((data[i + 1 : i + 1 + block_size]).astype(np.int64)) for i in ix])
    return x, y


def train(model):
    rng = np.random.RandomState(1337)
    data = rng.randint(0, 24, 200).astype(np.uint16)
    decay = [p for n, p in model.named_parameters() if p.dim() >= 2]
    nodecay = [p for n, p in model.named_parameters() if p.dim() < 2]
    optim_groups = [
        {"params": decay, "weight_decay": 0.1},
        {"params": nodecay, "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(optim_groups, lr=3e-3, betas=(0.9, 0.95))
    model.train()
    losses = []
    for it in range(5):
        xb, yb = get_batch(rng, data)
        logits, loss, _ = model(xb, yb)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses


def generate(model):
    model.eval()
    return model.generate(torch.tensor([[1, 2, 3], [4, 5, 6]]), 6, top_k=5)


if __name__ == "__main__":
    net = GPT(Config())
    print(train(net))
    print(generate(net))
