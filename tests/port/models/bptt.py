"""Word-level language model with truncated backpropagation through time."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.optim.lr_scheduler import LambdaLR


@dataclass
class Config:
    vocab_size: int = 20
    embed_dim: int = 12
    hidden_dim: int = 16
    num_layers: int = 2
    seq_len: int = 5
    batch_size: int = 4
    lr: float = 1e-2
    warmup: int = 2
    grad_clip: float = 0.5
    tie: bool = False


class LanguageModel(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.cfg = cfg
        self.embed = nn.Embedding(cfg.vocab_size, cfg.embed_dim)
        self.rnn = nn.LSTM(cfg.embed_dim, cfg.hidden_dim, cfg.num_layers, batch_first=True)
        self.norm = nn.LayerNorm(cfg.hidden_dim)
        self.head = nn.Linear(cfg.hidden_dim, cfg.vocab_size)

    def forward(self, tokens, state):
        emb = self.embed(tokens)
        out, state = self.rnn(emb, state)
        return self.head(self.norm(out)), state

    def zero_state(self, batch_size):
        weight = next(self.parameters())
        shape = (self.cfg.num_layers, batch_size, self.cfg.hidden_dim)
        return weight.new_zeros(*shape), weight.new_zeros(*shape)


def get_stream(cfg, steps=5):
    g = torch.arange(cfg.batch_size * (steps * cfg.seq_len + 1))
    data = (g * 7 + g // 3) % cfg.vocab_size
    return data.view(cfg.batch_size, -1)


def detach_state(state):
    return tuple(s.detach() for s in state)


class Perplexity:
    def __init__(self):
        self.total, self.tokens = 0.0, 0

    def update(self, loss, n):
        self.total += loss * n
        self.tokens += n

    def compute(self):
        return math.exp(min(self.total / max(self.tokens, 1), 20))


def train(model):
    cfg = model.cfg
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, betas=(0.9, 0.98), weight_decay=0.01)
    scheduler = LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / cfg.warmup))
    criterion = nn.CrossEntropyLoss()
    stream = get_stream(cfg)
    state = model.zero_state(cfg.batch_size)
    metric = Perplexity()
    losses = []
    model.train()
    for start in range(0, stream.size(1) - 1, cfg.seq_len):
        inputs = stream[:, start:start + cfg.seq_len]
        targets = stream[:, start + 1:start + 1 + cfg.seq_len]
        state = detach_state(state)
        optimizer.zero_grad(set_to_none=True)
        logits, state = model(inputs, state)
        loss = criterion(logits.reshape(-1, cfg.vocab_size), targets.reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), cfg.grad_clip)
        optimizer.step()
        scheduler.step()
        metric.update(loss.item(), targets.numel())
        losses.append(loss.item())
    print(f"ppl {metric.compute():.2f} lr {scheduler.get_last_lr()[0]:.4f}")
    return losses


@torch.no_grad()
def predict(model):
    model.eval()
    cfg = model.cfg
    stream = get_stream(cfg, 1)
    logits, _ = model(stream[:, :-1], model.zero_state(cfg.batch_size))
    return torch.softmax(logits, dim=-1)


def make():
    return LanguageModel(Config())


if __name__ == "__main__":
    net = make()
    print(train(net))
    print(predict(net))
