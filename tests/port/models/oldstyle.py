"""An autoencoder on one tensor: TensorDataset(x), `for (x,) in loader`, old-style constructors."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class Encoder(nn.Module):
    def __init__(self, dims):
        nn.Module.__init__(self)
        self.layers = nn.ModuleList()
        for a, b in zip(dims[:-1], dims[1:]):
            self.layers.append(nn.Linear(a, b))
        self.act = nn.LeakyReLU(0.1)

    def forward(self, x):
        for layer in self.layers:
            x = self.act(layer(x))
        return x


class AE(nn.Module):
    def __init__(self, dims=(8, 6, 3)):
        nn.Module.__init__(self)
        self.enc = Encoder(dims)
        self.dec = Encoder(dims[::-1])
        self.log_var = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        z = self.enc(x)
        return self.dec(z), z


def make_loader(n=20, batch_size=4):
    x = torch.cos(torch.arange(n * 8, dtype=torch.float).reshape(n, 8))
    return DataLoader(TensorDataset(x), batch_size=batch_size, shuffle=False)


def train(model):
    loader = make_loader()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=0.005)
    losses = []
    for epoch in range(1):
        total_loss = 0
        for (x,) in loader:
            recon, z = model(x)
            loss = ((recon - x) ** 2).mean() * torch.exp(-model.log_var).squeeze() + model.log_var.sum() + 1e-3 * z.abs().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total_loss += loss.item() * len(x)
            losses.append(loss.item())
        print("Epoch %d: %.4f" % (epoch, total_loss / len(loader.dataset)))
    return losses


def predict(model):
    model.eval()
    out = []
    with torch.no_grad():
        for batch in make_loader(8):
            x = batch[0]
            out.append(model(x)[1])
    return torch.cat(out, 0)


if __name__ == "__main__":
    net = AE()
    print(train(net))
    print(predict(net))
