"""A tiny NeRF: positional encoding, volume rendering and psnr."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np

img2mse = lambda x, y: torch.mean((x - y) ** 2)
mse2psnr = lambda x: -10. * torch.log(x) / torch.log(torch.Tensor([10.]))


class Embedder:
    def __init__(self, **kwargs):
        self.kwargs = kwargs
        self.create_embedding_fn()

    def create_embedding_fn(self):
        embed_fns = []
        d = self.kwargs["input_dims"]
        out_dim = 0
        if self.kwargs["include_input"]:
            embed_fns.append(lambda x: x)
            out_dim += d
        max_freq = self.kwargs["max_freq_log2"]
        N_freqs = self.kwargs["num_freqs"]
        if self.kwargs["log_sampling"]:
            freq_bands = 2. ** torch.linspace(0., max_freq, steps=N_freqs)
        else:
            freq_bands = torch.linspace(2. ** 0., 2. ** max_freq, steps=N_freqs)
        for freq in freq_bands:
            for p_fn in self.kwargs["periodic_fns"]:
                embed_fns.append(lambda x, p_fn=p_fn, freq=freq: p_fn(x * freq))
                out_dim += d
        self.embed_fns = embed_fns
        self.out_dim = out_dim

    def embed(self, inputs):
        return torch.cat([fn(inputs) for fn in self.embed_fns], -1)


def get_embedder(multires):
    embed_kwargs = {
        "include_input": True, "input_dims": 3, "max_freq_log2": multires - 1,
        "num_freqs": multires, "log_sampling": True, "periodic_fns": [torch.sin, torch.cos],
    }
    embedder_obj = Embedder(**embed_kwargs)
    embed = lambda x, eo=embedder_obj: eo.embed(x)
    return embed, embedder_obj.out_dim


class NeRF(nn.Module):
    def __init__(self, D=3, W=16, input_ch=15, skips=[1]):
        super(NeRF, self).__init__()
        self.skips = skips
        self.pts_linears = nn.ModuleList(
            [nn.Linear(input_ch, W)] + [nn.Linear(W, W) if i not in self.skips else nn.Linear(W + input_ch, W) for i in range(D - 1)])
        self.output_linear = nn.Linear(W, 4)

    def forward(self, x):
        h = x
        for i, l in enumerate(self.pts_linears):
            h = self.pts_linears[i](h)
            h = F.relu(h)
            if i in self.skips:
                h = torch.cat([x, h], -1)
        return self.output_linear(h)


def raw2outputs(raw, z_vals, rays_d, white_bkgd=True):
    raw2alpha = lambda raw, dists, act_fn=F.relu: 1. - torch.exp(-act_fn(raw) * dists)
    dists = z_vals[..., 1:] - z_vals[..., :-1]
    dists = torch.cat([dists, torch.Tensor([1e10]).expand(dists[..., :1].shape)], -1)
    dists = dists * torch.norm(rays_d[..., None, :], dim=-1)
    rgb = torch.sigmoid(raw[..., :3])
    alpha = raw2alpha(raw[..., 3], dists)
    weights = alpha * torch.cumprod(torch.cat([torch.ones((alpha.shape[0], 1)), 1. - alpha + 1e-10], -1), -1)[:, :-1]
    rgb_map = torch.sum(weights[..., None] * rgb, -2)
    depth_map = torch.sum(weights * z_vals, -1)
    acc_map = torch.sum(weights, -1)
    if white_bkgd:
        rgb_map = rgb_map + (1. - acc_map[..., None])
    return rgb_map, depth_map, acc_map


def render_rays(model, rays_o, rays_d, near=0.5, far=2.0, N_samples=6):
    embed_fn, _ = get_embedder(2)
    t_vals = torch.linspace(0., 1., steps=N_samples)
    z_vals = near * (1. - t_vals) + far * (t_vals)
    z_vals = z_vals.expand([rays_o.shape[0], N_samples])
    pts = rays_o[..., None, :] + rays_d[..., None, :] * z_vals[..., :, None]
    flat = torch.reshape(pts, [-1, pts.shape[-1]])
    raw = torch.reshape(model(embed_fn(flat)), list(pts.shape[:-1]) + [4])
    return raw2outputs(raw, z_vals, rays_d)


def get_rays(seed):
    rng = np.random.RandomState(seed)
    o, d, t = (torch.Tensor(rng.rand(7, 3)) for _ in range(3))
    return o, d - 0.5, t


def make():
    return NeRF()


def train(model):
    grad_vars = list(model.parameters())
    optimizer = torch.optim.Adam(params=grad_vars, lr=1e-2, betas=(0.9, 0.999))
    losses = []
    global_step = 0
    for i in range(5):
        rays_o, rays_d, target_s = get_rays(i)
        rgb, depth, acc = render_rays(model, rays_o, rays_d)
        optimizer.zero_grad()
        img_loss = img2mse(rgb, target_s)
        loss = img_loss
        psnr = mse2psnr(img_loss)
        loss.backward()
        optimizer.step()
        decay_rate = 0.1
        new_lrate = 1e-2 * (decay_rate ** (global_step / 10))
        for param_group in optimizer.param_groups:
            param_group['lr'] = new_lrate
        print(f"[TRAIN] Iter: {i} Loss: {loss.item()}  PSNR: {psnr.item()}")
        losses.append(loss.item())
        global_step += 1
    return losses


def predict(model):
    with torch.no_grad():
        o, d, _ = get_rays(9)
        rgb, depth, acc = render_rays(model, o, d)
    return torch.cat([rgb, depth[:, None], acc[:, None]], 1)


if __name__ == "__main__":
    net = make()
    print(train(net), predict(net))
