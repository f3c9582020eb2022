"""WGAN with weight clipping, after the reference implementation."""
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.autograd import Variable

parser = argparse.ArgumentParser()
parser.add_argument("--n_critic", type=int, default=2)
parser.add_argument("--clip_value", type=float, default=0.05)
parser.add_argument("--latent_dim", type=int, default=6)
parser.add_argument("--lr", type=float, default=5e-3)
opt = parser.parse_args([])
img_shape = (1, 6, 6)


class Generator(nn.Module):
    def __init__(self):
        super(Generator, self).__init__()

        def block(in_feat, out_feat, normalize=True):
            layers = [nn.Linear(in_feat, out_feat)]
            if normalize:
                layers.append(nn.BatchNorm1d(out_feat, 0.8))
            layers.append(nn.LeakyReLU(0.2, inplace=True))
            return layers

        self.model = nn.Sequential(
            *block(opt.latent_dim, 16, normalize=False),
            *block(16, 24),
            nn.Linear(24, int(np.prod(img_shape))),
            nn.Tanh()
        )

    def forward(self, z):
        img = self.model(z)
        img = img.view(img.shape[0], *img_shape)
        return img


class Discriminator(nn.Module):
    def __init__(self):
        super(Discriminator, self).__init__()
        self.model = nn.Sequential(
            nn.Linear(int(np.prod(img_shape)), 16),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Linear(16, 1),
        )

    def forward(self, img):
        img_flat = img.view(img.shape[0], -1)
        validity = self.model(img_flat)
        return validity


def batches(n=5):
    rng = np.random.RandomState(3)
    for _ in range(n):
        yield (torch.from_numpy(rng.rand(4, *img_shape).astype(np.float32) * 2 - 1),
               torch.from_numpy(rng.randn(4, opt.latent_dim).astype(np.float32)))


def train(generator, discriminator):
    optimizer_G = torch.optim.RMSprop(generator.parameters(), lr=opt.lr)
    optimizer_D = torch.optim.RMSprop(discriminator.parameters(), lr=opt.lr)
    losses = []
    for i, (imgs, z) in enumerate(batches()):
        real_imgs = Variable(imgs)
        # ---------------------
        #  Train Discriminator
        # ---------------------
        optimizer_D.zero_grad()
        fake_imgs = generator(z).detach()
        # Adversarial loss
        loss_D = -torch.mean(discriminator(real_imgs)) + torch.mean(discriminator(fake_imgs))
        loss_D.backward()
        optimizer_D.step()
        # Clip weights of discriminator
        for p in discriminator.parameters():
            p.data.clamp_(-opt.clip_value, opt.clip_value)
        # Train the generator every n_critic iterations
        if i % opt.n_critic == 0:
            optimizer_G.zero_grad()
            gen_imgs = generator(z)
            loss_G = -torch.mean(discriminator(gen_imgs))
            loss_G.backward()
            optimizer_G.step()
            print("[Batch %d] [D loss: %f] [G loss: %f]" % (i, loss_D.item(), loss_G.item()))
        losses.append(loss_D.item())
    return losses


def predict(generator, discriminator):
    generator.eval()
    _, z = next(batches())
    with torch.no_grad():
        return generator(z)


if __name__ == "__main__":
    generator = Generator()
    discriminator = Discriminator()
    print(train(generator, discriminator))
    print(predict(generator, discriminator).shape)
