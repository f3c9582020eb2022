"""A denoising autoencoder trained by torch.amp."""
import argparse

import torch
from torch import nn
from torch.amp import GradScaler


class DenoisingAE(nn.Module):
    def __init__(self, dim=12, hidden=24):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, 6))
        self.decoder = nn.Sequential(nn.Linear(6, hidden), nn.GELU(), nn.Linear(hidden, dim))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def get_args(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--amp", action="store_true")
    parser.add_argument("--clip", type=float, default=1.0)
    return parser.parse_args(argv)


def batch(step):
    clean = torch.linspace(-1, 1, 96).view(8, 12) * (step + 1)
    return clean.cos(), clean.cos() + 0.1 * clean.sin()


def train(model, args=None):
    args = args or get_args([])
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    loss_fn = nn.MSELoss()
    scaler = GradScaler("cuda", enabled=args.amp)
    losses = []
    for step in range(args.steps):
        clean, noisy = batch(step)
        with torch.autocast(device_type="cuda", dtype=torch.float16, enabled=args.amp):
            recon = model(noisy)
            loss = loss_fn(recon, clean)
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
        if step % 2 == 0:
            print(f"step {step}: loss {loss.item():.4f} scale {scaler.get_scale():.1f}")
    return losses


def predict(model):
    model.eval()
    with torch.no_grad(), torch.autocast("cuda", enabled=False):
        return model(batch(9)[1])


if __name__ == "__main__":
    args = get_args()
    net = DenoisingAE()
    train(net, args)
    print(predict(net))
