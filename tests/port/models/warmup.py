"""A training script as people keep them: warm-up by LambdaLR, clipping, checkpoints, resuming."""

import logging
import math
import os
import tempfile
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.optim.lr_scheduler import LambdaLR

logging.basicConfig(level=logging.INFO)
logger = logging.getLogger(__name__)


@dataclass
class Config:
    dim: int = 16
    depth: int = 2
    heads: int = 2
    vocab: int = 20
    lr: float = 1e-2
    warmup: int = 2
    steps: int = 5
    grad_clip: float = 1.0
    out_dir: str = ""


def get_cosine_schedule_with_warmup(optimizer, num_warmup_steps, num_training_steps, num_cycles=0.5):
    def lr_lambda(current_step):
        if current_step < num_warmup_steps:
            return float(current_step) / float(max(1, num_warmup_steps))
        progress = float(current_step - num_warmup_steps) / float(max(1, num_training_steps - num_warmup_steps))
        return max(0.0, 0.5 * (1.0 + math.cos(math.pi * float(num_cycles) * 2.0 * progress)))

    return LambdaLR(optimizer, lr_lambda)


class PreNorm(nn.Module):
    def __init__(self, dim, fn):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fn = fn

    def forward(self, x, **kwargs):
        return self.fn(self.norm(x), **kwargs)


class Attention(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.heads = cfg.heads
        self.scale = (cfg.dim // cfg.heads) ** -0.5
        self.to_qkv = nn.Linear(cfg.dim, cfg.dim * 3, bias=False)
        self.to_out = nn.Linear(cfg.dim, cfg.dim)

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = (t.view(b, n, self.heads, -1).transpose(1, 2) for t in self.to_qkv(x).chunk(3, dim=-1))
        dots = torch.matmul(q, k.transpose(-1, -2)) * self.scale
        mask = torch.ones(n, n, dtype=torch.bool).triu(1)
        dots = dots.masked_fill(mask, float("-inf"))
        out = torch.matmul(dots.softmax(dim=-1), v)
        return self.to_out(out.transpose(1, 2).reshape(b, n, -1))


class Model(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.cfg = cfg
        self.emb = nn.Embedding(cfg.vocab, cfg.dim)
        self.pos = nn.Parameter(torch.zeros(1, 32, cfg.dim))
        self.layers = nn.ModuleList([])
        for _ in range(cfg.depth):
            mlp = nn.Sequential(nn.Linear(cfg.dim, cfg.dim * 2), nn.GELU(), nn.Linear(cfg.dim * 2, cfg.dim))
            self.layers.append(nn.ModuleList([PreNorm(cfg.dim, Attention(cfg)), PreNorm(cfg.dim, mlp)]))
        self.head = nn.Linear(cfg.dim, cfg.vocab)

    def forward(self, idx, targets=None):
        x = self.emb(idx) + self.pos[:, : idx.size(1)]
        for attn, ff in self.layers:
            x = attn(x) + x
            x = ff(x) + x
        logits = self.head(x)
        if targets is None:
            return logits, None
        loss = nn.functional.cross_entropy(logits.view(-1, logits.size(-1)), targets.reshape(-1))
        return logits, loss


def save_checkpoint(path, model, optimizer, step):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, path)
    logger.info("saved %s", path)


def batch(step):
    idx = (torch.arange(24).view(2, 12) * 7 + step) % 20
    return idx[:, :-1], idx[:, 1:]


def train(model):
    cfg = model.cfg
    cfg.out_dir = tempfile.mkdtemp()
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, betas=(0.9, 0.95), weight_decay=0.1)
    scheduler = get_cosine_schedule_with_warmup(optimizer, cfg.warmup, 10)
    losses = []
    model.train()
    for step in range(cfg.steps):
        x, y = batch(step)
        logits, loss = model(x, y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        if cfg.grad_clip != 0.0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.grad_clip)
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
        lr = optimizer.param_groups[0]["lr"]
        logger.info("step %d loss %.4f lr %.5f", step, loss.item(), lr)
        if step == 2:
            torch.save(model.state_dict(), os.path.join(cfg.out_dir, "best.pt"))
    return losses


@torch.no_grad()
def predict(model):
    model.eval()
    logits, _ = model(batch(7)[0])
    return [logits, logits.argmax(-1)]


if __name__ == "__main__":
    net = Model(Config())
    print(train(net))
    print(predict(net))
