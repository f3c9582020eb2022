"""A step of adversarial training: two networks, two optimizers."""

import numpy as np
import torch
import torch.nn as nn


class Generator(nn.Module):
    def __init__(self, latent_dim=6, img_shape=(1, 4, 4)):
        super().__init__()
        self.img_shape = img_shape

        def block(in_feat, out_feat, normalize=True):
            layers = [nn.Linear(in_feat, out_feat)]
            if normalize:
                layers.append(nn.BatchNorm1d(out_feat, 0.8))
            layers.append(nn.LeakyReLU(0.2, inplace=True))
            return layers

        self.model = nn.Sequential(
            *block(latent_dim, 12, normalize=False),
            *block(12, 24),
            nn.Linear(24, int(np.prod(img_shape))),
            nn.Tanh(),
        )

    def forward(self, z):
        img = self.model(z)
        img = img.view(img.size(0), *self.img_shape)
        return img


class Discriminator(nn.Module):
    def __init__(self, img_shape=(1, 4, 4)):
        super().__init__()
        self.model = nn.Sequential(
            nn.Linear(int(np.prod(img_shape)), 24),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Linear(24, 12),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Linear(12, 1),
            nn.Sigmoid(),
        )

    def forward(self, img):
        img_flat = img.view(img.size(0), -1)
        validity = self.model(img_flat)
        return validity


def train(generator, discriminator):
    adversarial_loss = torch.nn.BCELoss()
    optimizer_G = torch.optim.Adam(generator.parameters(), lr=0.002, betas=(0.5, 0.999))
    optimizer_D = torch.optim.Adam(discriminator.parameters(), lr=0.002, betas=(0.5, 0.999))

    rng = np.random.RandomState(8)
    losses = []
    for i in range(5):
        real_imgs = torch.from_numpy(rng.uniform(-1, 1, (8, 1, 4, 4)).astype(np.float32))
        z = torch.from_numpy(rng.normal(0, 1, (8, 6)).astype(np.float32))

        # Adversarial ground truths
        valid = torch.ones(real_imgs.size(0), 1)
        fake = torch.zeros(real_imgs.size(0), 1)

        # -----------------
        #  Train Generator
        # -----------------
        optimizer_G.zero_grad()

        # Generate a batch of images
        gen_imgs = generator(z)

        # Loss measures generator's ability to fool the discriminator
        g_loss = adversarial_loss(discriminator(gen_imgs), valid)

        g_loss.backward()
        optimizer_G.step()

        # ---------------------
        #  Train Discriminator
        # ---------------------
        optimizer_D.zero_grad()

        # Measure discriminator's ability to classify real from generated samples
        real_loss = adversarial_loss(discriminator(real_imgs), valid)
        fake_loss = adversarial_loss(discriminator(gen_imgs.detach()), fake)
        d_loss = (real_loss + fake_loss) / 2

        d_loss.backward()
        optimizer_D.step()

        losses.append(g_loss.item() + d_loss.item())
    return losses


def sample(generator, discriminator):
    generator.eval()
    discriminator.eval()
    z = torch.from_numpy(np.random.RandomState(9).normal(0, 1, (4, 6)).astype(np.float32))
    images = generator(z)
    return images.detach(), discriminator(images).detach()


if __name__ == "__main__":
    generator = Generator()
    discriminator = Discriminator()
    train(generator, discriminator)
    sample(generator, discriminator)
