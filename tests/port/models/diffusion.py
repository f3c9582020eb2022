"""Denoising diffusion on small images: cosine schedule, time embedding, EMA of the weights."""

import copy
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def cosine_beta_schedule(timesteps, s=0.008):
    steps = timesteps + 1
    x = torch.linspace(0, timesteps, steps)
    alphas_cumprod = torch.cos(((x / timesteps) + s) / (1 + s) * math.pi * 0.5) ** 2
    alphas_cumprod = alphas_cumprod / alphas_cumprod[0]
    betas = 1 - (alphas_cumprod[1:] / alphas_cumprod[:-1])
    return torch.clip(betas, 0.0001, 0.9999)


def extract(a, t, x_shape):
    batch_size = t.shape[0]
    out = a.gather(-1, t)
    return out.reshape(batch_size, *((1,) * (len(x_shape) - 1)))


class SinusoidalPositionEmbeddings(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, time):
        half_dim = self.dim // 2
        embeddings = math.log(10000) / (half_dim - 1)
        embeddings = torch.exp(torch.arange(half_dim) * -embeddings)
        embeddings = time[:, None] * embeddings[None, :]
        return torch.cat((embeddings.sin(), embeddings.cos()), dim=-1)


class Block(nn.Module):
    def __init__(self, dim, dim_out, time_dim, groups=4):
        super().__init__()
        self.mlp = nn.Sequential(nn.SiLU(), nn.Linear(time_dim, dim_out * 2))
        self.proj = nn.Conv2d(dim, dim_out, 3, padding=1)
        self.norm = nn.GroupNorm(groups, dim_out)
        self.res = nn.Conv2d(dim, dim_out, 1) if dim != dim_out else nn.Identity()

    def forward(self, x, t):
        scale, shift = self.mlp(t)[:, :, None, None].chunk(2, dim=1)
        h = self.norm(self.proj(x)) * (scale + 1) + shift
        return F.silu(h) + self.res(x)


class Unet(nn.Module):
    def __init__(self, dim=8, channels=1):
        super().__init__()
        self.time_mlp = nn.Sequential(SinusoidalPositionEmbeddings(dim), nn.Linear(dim, dim * 2), nn.GELU(), nn.Linear(dim * 2, dim * 2))
        self.init_conv = nn.Conv2d(channels, dim, 3, padding=1)
        self.down = Block(dim, dim * 2, dim * 2)
        self.pool = nn.Conv2d(dim * 2, dim * 2, 4, 2, 1)
        self.mid = Block(dim * 2, dim * 2, dim * 2)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.out = Block(dim * 4, dim, dim * 2)
        self.final = nn.Conv2d(dim, channels, 1)

    def forward(self, x, time):
        t = self.time_mlp(time)
        x = self.init_conv(x)
        h = self.down(x, t)
        x = self.mid(self.pool(h), t)
        x = torch.cat((self.up(x), h), dim=1)
        return self.final(self.out(x, t))


class Diffusion:
    def __init__(self, timesteps=20):
        self.timesteps = timesteps
        betas = cosine_beta_schedule(timesteps)
        alphas = 1.0 - betas
        self.alphas_cumprod = torch.cumprod(alphas, dim=0)
        self.sqrt_alphas_cumprod = torch.sqrt(self.alphas_cumprod)
        self.sqrt_one_minus = torch.sqrt(1.0 - self.alphas_cumprod)

    def q_sample(self, x_start, t, noise):
        return extract(self.sqrt_alphas_cumprod, t, x_start.shape) * x_start + extract(self.sqrt_one_minus, t, x_start.shape) * noise

    def p_losses(self, model, x_start, t, noise):
        x_noisy = self.q_sample(x_start, t, noise)
        return F.smooth_l1_loss(noise, model(x_noisy, t))


class EMA:
    def __init__(self, model, decay=0.9):
        self.decay = decay
        self.model = copy.deepcopy(model).eval()
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for ema_p, p in zip(self.model.parameters(), model.parameters()):
            ema_p.copy_(self.decay * ema_p + (1 - self.decay) * p)


def train(model):
    rng = np.random.RandomState(0)
    diffusion = Diffusion()
    ema = EMA(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    losses = []
    model.train()
    for step in range(5):
        batch = torch.from_numpy(rng.randn(4, 1, 8, 8).astype(np.float32))
        t = torch.from_numpy(rng.randint(0, 20, 4)).long()
        noise = torch.from_numpy(rng.randn(4, 1, 8, 8).astype(np.float32))
        optimizer.zero_grad()
        loss = diffusion.p_losses(model, batch, t, noise)
        loss.backward()
        optimizer.step()
        ema.update(model)
        losses.append(loss.item())
    return losses


@torch.no_grad()
def predict(model):
    model.eval()
    x = torch.linspace(-1, 1, 64).reshape(1, 1, 8, 8)
    return model(x, torch.tensor([3]))


if __name__ == "__main__":
    net = Unet()
    print(train(net))
    print(predict(net).shape)
