"""VQ-VAE with a straight-through estimator and perplexity."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class VectorQuantizer(nn.Module):
    def __init__(self, n_e, e_dim, beta):
        super(VectorQuantizer, self).__init__()
        self.n_e = n_e
        self.e_dim = e_dim
        self.beta = beta
        self.embedding = nn.Embedding(self.n_e, self.e_dim)
        self.embedding.weight.data.uniform_(-1.0 / self.n_e, 1.0 / self.n_e)

    def forward(self, z):
        # reshape z -> (batch, height, width, channel) and flatten
        z = z.permute(0, 2, 3, 1).contiguous()
        z_flattened = z.view(-1, self.e_dim)
        # distances from z to embeddings e_j (z - e)^2 = z^2 + e^2 - 2 e * z
        d = torch.sum(z_flattened ** 2, dim=1, keepdim=True) + \
            torch.sum(self.embedding.weight ** 2, dim=1) - 2 * \
            torch.matmul(z_flattened, self.embedding.weight.t())
        min_encoding_indices = torch.argmin(d, dim=1).unsqueeze(1)
        min_encodings = torch.zeros(min_encoding_indices.shape[0], self.n_e).to(z.device)
        min_encodings.scatter_(1, min_encoding_indices, 1)
        z_q = torch.matmul(min_encodings, self.embedding.weight).view(z.shape)
        loss = torch.mean((z_q.detach() - z) ** 2) + self.beta * torch.mean((z_q - z.detach()) ** 2)
        # preserve gradients
        z_q = z + (z_q - z).detach()
        # perplexity
        e_mean = torch.mean(min_encodings, dim=0)
        perplexity = torch.exp(-torch.sum(e_mean * torch.log(e_mean + 1e-10)))
        z_q = z_q.permute(0, 3, 1, 2).contiguous()
        return loss, z_q, perplexity, min_encodings, min_encoding_indices


class ResidualLayer(nn.Module):
    def __init__(self, in_dim, h_dim):
        super().__init__()
        self.res_block = nn.Sequential(
            nn.ReLU(),
            nn.Conv2d(in_dim, h_dim, kernel_size=3, stride=1, padding=1, bias=False),
            nn.ReLU(),
            nn.Conv2d(h_dim, in_dim, kernel_size=1, stride=1, bias=False)
        )

    def forward(self, x):
        return x + self.res_block(x)


class VQVAE(nn.Module):
    def __init__(self, h_dim=8, n_embeddings=6, embedding_dim=4, beta=0.25):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(3, h_dim, kernel_size=4, stride=2, padding=1), nn.ReLU(),
            *[ResidualLayer(h_dim, 4)] * 2)
        self.pre_quantization_conv = nn.Conv2d(h_dim, embedding_dim, kernel_size=1, stride=1)
        self.vector_quantization = VectorQuantizer(n_embeddings, embedding_dim, beta)
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(embedding_dim, h_dim, kernel_size=3, stride=1, padding=1),
            ResidualLayer(h_dim, 4),
            nn.ConvTranspose2d(h_dim, 3, kernel_size=4, stride=2, padding=1))

    def forward(self, x, verbose=False):
        z_e = self.pre_quantization_conv(self.encoder(x))
        embedding_loss, z_q, perplexity, _, _ = self.vector_quantization(z_e)
        x_hat = self.decoder(z_q)
        if verbose:
            print("original data shape:", x.shape)
            assert False
        return embedding_loss, x_hat, perplexity


def batch(i):
    return torch.sin(torch.arange(2 * 3 * 8 * 8, dtype=torch.float32).mul(0.07 * (i + 1))).view(2, 3, 8, 8)


def make():
    return VQVAE()


results = {"n_updates": 0, "recon_errors": [], "loss_vals": [], "perplexities": []}


def train(model):
    x_train_var = torch.var(torch.stack([batch(i) for i in range(5)]))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3, amsgrad=True)
    model.train()
    for i in range(5):
        x = batch(i)
        optimizer.zero_grad()
        embedding_loss, x_hat, perplexity = model(x)
        recon_loss = torch.mean((x_hat - x) ** 2) / x_train_var
        loss = recon_loss + embedding_loss
        loss.backward()
        optimizer.step()
        results["recon_errors"].append(recon_loss.cpu().detach().numpy())
        results["perplexities"].append(perplexity.cpu().detach().numpy())
        results["loss_vals"].append(loss.cpu().detach().numpy())
        results["n_updates"] = i
    return [float(v) for v in results["loss_vals"]]


def predict(model):
    model.eval()
    with torch.no_grad():
        _, x_hat, ppl = model(batch(3))
    return x_hat


if __name__ == "__main__":
    net = make()
    print(train(net))
    print(predict(net).size())
