"""Word vectors by skip-grams with negative samples, and their neighbours."""

from collections import Counter

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim

TEXT = "the quick brown fox jumps over the lazy dog and the quick dog sees the brown fox".split()


class Vocabulary:
    def __init__(self, words):
        counts = Counter(words)
        self.itos = [w for w, _ in counts.most_common()]
        self.stoi = {w: i for i, w in enumerate(self.itos)}
        freqs = np.array([counts[w] for w in self.itos], dtype=np.float32)
        self.noise = torch.from_numpy(freqs**0.75 / np.sum(freqs**0.75))

    def __len__(self):
        return len(self.itos)


vocab = Vocabulary(TEXT)


class SkipGramNeg(nn.Module):
    def __init__(self, n_vocab, n_embed):
        super().__init__()
        self.in_embed = nn.Embedding(n_vocab, n_embed)
        self.out_embed = nn.Embedding(n_vocab, n_embed)
        self.in_embed.weight.data.uniform_(-1, 1)
        self.out_embed.weight.data.uniform_(-1, 1)

    def forward_input(self, input_words):
        return self.in_embed(input_words)

    def forward_output(self, output_words):
        return self.out_embed(output_words)

    def forward(self, inputs):
        return self.in_embed(inputs)


class NegativeSamplingLoss(nn.Module):
    def forward(self, input_vectors, output_vectors, noise_vectors):
        batch_size, embed_size = input_vectors.shape
        input_vectors = input_vectors.view(batch_size, embed_size, 1)
        output_vectors = output_vectors.view(batch_size, 1, embed_size)
        out_loss = torch.bmm(output_vectors, input_vectors).sigmoid().log()
        out_loss = out_loss.squeeze()
        noise_loss = torch.bmm(noise_vectors.neg(), input_vectors).sigmoid().log()
        noise_loss = noise_loss.squeeze().sum(1)
        return -(out_loss + noise_loss).mean()


def pairs(window=2):
    ids = [vocab.stoi[w] for w in TEXT]
    for i, center in enumerate(ids):
        for j in range(max(0, i - window), min(len(ids), i + window + 1)):
            if i != j:
                yield center, ids[j]


def batches(size=12):
    rows = list(pairs())
    for at in range(0, len(rows) - size + 1, size):
        x, y = zip(*rows[at : at + size])
        yield list(x), list(y)


def cosine_similarity(embedding, n=4):
    vectors = embedding.weight
    magnitudes = vectors.pow(2).sum(dim=1).sqrt().unsqueeze(0)
    examples = torch.LongTensor(np.arange(n))
    similar = torch.mm(embedding(examples), vectors.t()) / magnitudes
    return examples, similar


def train(model, n_samples=3):
    criterion = NegativeSamplingLoss()
    optimizer = optim.Adam(model.parameters(), lr=0.03)
    rng = np.random.RandomState(0)
    losses = []
    for step, (inputs, targets) in enumerate(batches()):
        if step == 5:
            break
        inputs, targets = torch.LongTensor(inputs), torch.LongTensor(targets)
        input_vectors = model.forward_input(inputs)
        output_vectors = model.forward_output(targets)
        noise_words = torch.from_numpy(rng.choice(len(vocab), inputs.shape[0] * n_samples, p=vocab.noise.numpy() / vocab.noise.numpy().sum()))
        noise_vectors = model.forward_output(noise_words).view(inputs.shape[0], n_samples, -1)
        loss = criterion(input_vectors, output_vectors, noise_vectors)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def predict(model):
    model.eval()
    with torch.no_grad():
        _, similar = cosine_similarity(model.in_embed)
        _, closest = similar.topk(3)
    return [similar, closest]


if __name__ == "__main__":
    net = SkipGramNeg(len(vocab), 6)
    print(train(net))
    print(predict(net))
