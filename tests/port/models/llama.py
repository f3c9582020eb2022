"""A small decoder with a key/value cache and sampling."""
import math
from typing import List, Optional, Tuple

import torch
import torch.nn as nn
import torch.nn.functional as F

KVCache = Tuple[torch.Tensor, torch.Tensor]


class RMSNorm(nn.Module):
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
    x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


class Rotary(nn.Module):
    def __init__(self, dim, max_len=64, base=10000):
        super().__init__()
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
        t = torch.arange(max_len).float()
        freqs = torch.outer(t, inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)
        self.register_buffer("cos", emb.cos()[None, None], persistent=False)
        self.register_buffer("sin", emb.sin()[None, None], persistent=False)

    def forward(self, q, k, start):
        n = q.shape[2]
        cos = self.cos[:, :, start : start + n]
        sin = self.sin[:, :, start : start + n]
        return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


class Attention(nn.Module):
    def __init__(self, dim, heads, kv_heads):
        super().__init__()
        self.h, self.kv, self.d = heads, kv_heads, dim // heads
        self.wq = nn.Linear(dim, heads * self.d, bias=False)
        self.wk = nn.Linear(dim, kv_heads * self.d, bias=False)
        self.wv = nn.Linear(dim, kv_heads * self.d, bias=False)
        self.wo = nn.Linear(heads * self.d, dim, bias=False)
        self.rope = Rotary(self.d)

    def forward(self, x: torch.Tensor, cache: Optional[KVCache] = None, start: int = 0):
        b, n, _ = x.size()
        q = self.wq(x).view(b, n, self.h, self.d).transpose(1, 2)
        k = self.wk(x).view(b, n, self.kv, self.d).transpose(1, 2)
        v = self.wv(x).view(b, n, self.kv, self.d).transpose(1, 2)
        q, k = self.rope(q, k, start)
        if cache is not None:
            k = torch.cat([cache[0], k], dim=2)
            v = torch.cat([cache[1], v], dim=2)
        new_cache = (k, v)
        k = k.repeat_interleave(self.h // self.kv, dim=1)
        v = v.repeat_interleave(self.h // self.kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        total = k.size(2)
        mask = torch.full((n, total), float("-inf")).triu(diagonal=total - n + 1)
        out = F.softmax(scores + mask, dim=-1) @ v
        out = out.transpose(1, 2).contiguous().view(b, n, -1)
        return self.wo(out), new_cache


class SwiGLU(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden, bias=False)
        self.w2 = nn.Linear(hidden, dim, bias=False)
        self.w3 = nn.Linear(dim, hidden, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Layer(nn.Module):
    def __init__(self, dim, heads, kv_heads):
        super().__init__()
        self.attn = Attention(dim, heads, kv_heads)
        self.mlp = SwiGLU(dim, dim * 2)
        self.n1, self.n2 = RMSNorm(dim), RMSNorm(dim)

    def forward(self, x, cache=None, start=0):
        a, cache = self.attn(self.n1(x), cache, start)
        x = x + a
        return x + self.mlp(self.n2(x)), cache


class Decoder(nn.Module):
    def __init__(self, vocab=24, dim=16, depth=2, heads=4, kv_heads=2):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.layers = nn.ModuleList([Layer(dim, heads, kv_heads) for _ in range(depth)])
        self.norm = RMSNorm(dim)
        self.lm_head = nn.Linear(dim, vocab, bias=False)

    def forward(self, ids: torch.Tensor, caches: Optional[List[KVCache]] = None):
        start = 0 if caches is None else caches[0][0].shape[2]
        x = self.tok(ids)
        new = []
        for i, layer in enumerate(self.layers):
            x, c = layer(x, None if caches is None else caches[i], start)
            new.append(c)
        return self.lm_head(self.norm(x)), new

    @torch.inference_mode()
    def generate(self, ids: torch.Tensor, max_new_tokens: int = 8, temperature: float = 0.0, top_k: Optional[int] = None, eos: Optional[int] = None):
        self.eval()
        caches, step_input = None, ids
        finished = torch.zeros(ids.size(0), dtype=torch.bool, device=ids.device)
        for _ in range(max_new_tokens):
            logits, caches = self(step_input, caches)
            logits = logits[:, -1, :]
            if temperature > 0:
                logits = logits / temperature
                if top_k is not None:
                    v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
                    logits[logits < v[:, [-1]]] = -float("inf")
                nxt = torch.multinomial(F.softmax(logits, dim=-1), num_samples=1)
            else:
                nxt = logits.argmax(dim=-1, keepdim=True)
            if eos is not None:
                nxt = nxt.masked_fill(finished.unsqueeze(1), eos)
                finished |= nxt.squeeze(1) == eos
                if finished.all():
                    break
            ids = torch.cat((ids, nxt), dim=1)
            step_input = nxt
        return ids


def batch(i):
    ids = (torch.arange(26).view(2, 13) * 5 + i) % 24
    return ids[:, :-1], ids[:, 1:]


def train(model):
    model.train()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.95), weight_decay=0.1)
    losses = []
    for i in range(5):
        x, y = batch(i)
        logits, _ = model(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        losses.append(loss.item())
    return losses


def predict(model):
    return model.generate(batch(3)[0][:, :4]), model(batch(3)[0])[0]


if __name__ == "__main__":
    net = Decoder()
    print(train(net))
    print(predict(net))
