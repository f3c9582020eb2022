import math
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple
import numpy as np
import torch
from torch import nn, optim
import torch.nn.functional as F


@dataclass
class Config:
    cat_dims: List[int] = field(default_factory=lambda: [4, 3])
    emb_dim: int = 3
    n_cont: int = 5
    hidden: Tuple[int, ...] = (16, 8)
    dropout: float = 0.0
    lr: float = 0.01
    epochs: int = 6
    patience: int = 2


class TabularModel(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.embs = nn.ModuleList([nn.Embedding(n, cfg.emb_dim) for n in cfg.cat_dims])
        self.bn_cont = nn.BatchNorm1d(cfg.n_cont)
        n_in = len(cfg.cat_dims) * cfg.emb_dim + cfg.n_cont
        sizes = [n_in, *cfg.hidden]
        blocks = []
        for i in range(len(sizes) - 1):
            blocks.append(nn.Sequential(nn.Linear(sizes[i], sizes[i + 1]), nn.ReLU(), nn.BatchNorm1d(sizes[i + 1]), nn.Dropout(cfg.dropout)))
        self.blocks = nn.ModuleList(blocks)
        self.head = nn.Linear(sizes[-1], 1)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        for i, m in enumerate(self.modules()):
            if isinstance(m, nn.Embedding):
                m.weight.data.copy_(torch.from_numpy(np.sin(np.arange(m.weight.numel(), dtype=np.float32) + i)).view_as(m.weight))
            elif isinstance(m, nn.Linear):
                m.weight.data.copy_(torch.from_numpy(np.cos(np.arange(m.weight.numel(), dtype=np.float32) + i)).view_as(m.weight) * 0.3)
                m.bias.data.zero_()

    def forward(self, x_cat: torch.Tensor, x_cont: torch.Tensor) -> torch.Tensor:
        x = [e(x_cat[:, i]) for i, e in enumerate(self.embs)]
        x = torch.cat(x, 1)
        x = torch.cat([x, self.bn_cont(x_cont)], 1)
        for block in self.blocks:
            x = block(x)
        return self.head(x).squeeze(-1)


def make_data(n: int = 24) -> Dict[str, torch.Tensor]:
    rng = np.random.RandomState(0)
    cont = rng.randn(n, 5).astype(np.float32)
    cats = np.stack([rng.randint(0, 4, n), rng.randint(0, 3, n)], 1)
    y = (cont.sum(1) + cats[:, 0] * 0.5).astype(np.float32)
    return {"cat": torch.from_numpy(cats).long(), "cont": torch.from_numpy(cont), "y": torch.from_numpy(y)}


def rmse(pred: torch.Tensor, target: torch.Tensor) -> float:
    return math.sqrt(F.mse_loss(pred, target).item())


def fit(cfg: Config, data: Dict[str, torch.Tensor], batch: int = 8) -> float:
    model = TabularModel(cfg)
    opt = optim.Adam(model.parameters(), lr=cfg.lr, weight_decay=1e-5)
    sched = optim.lr_scheduler.ReduceLROnPlateau(opt, mode="min", factor=0.5, patience=1)
    best: Optional[float] = None
    bad = 0
    n = data["y"].shape[0]
    for epoch in range(cfg.epochs):
        model.train()
        total = 0.0
        for s in range(0, n, batch):
            sl = slice(s, s + batch)
            pred = model(data["cat"][sl], data["cont"][sl])
            loss = F.huber_loss(pred, data["y"][sl])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * pred.shape[0]
        model.eval()
        with torch.no_grad():
            val = rmse(model(data["cat"], data["cont"]), data["y"])
        sched.step(val)
        print(epoch, f"{total / n:.4f} {val:.4f}")
        if best is None or val < best:
            best, bad = val, 0
        else:
            bad += 1
            if bad > cfg.patience:
                break
    return best


def objective(trial: dict) -> float:
    return fit(Config(lr=trial["lr"], hidden=trial["hidden"], epochs=3), make_data())


if __name__ == "__main__":
    best_trial = min(({"lr": lr, "hidden": h} for lr in (0.01, 0.05) for h in ((16, 8), (8,))), key=objective)
    print(best_trial)
