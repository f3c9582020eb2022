"""An encoder of several sequences packed into one row, each attending to itself alone."""

import math

import numpy as np
import torch
from torch import Tensor, nn


class PositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 50):
        super().__init__()
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x: Tensor, position: Tensor) -> Tensor:
        return x + self.pe[position]


class PackedEncoder(nn.Module):
    def __init__(self, ntoken: int, d_model: int, nhead: int, d_hid: int, nlayers: int):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(ntoken, d_model)
        self.pos_encoder = PositionalEncoding(d_model)
        encoder_layer = nn.TransformerEncoderLayer(d_model, nhead, d_hid, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(encoder_layer, nlayers, enable_nested_tensor=False)
        self.nhead = nhead
        self.linear = nn.Linear(d_model, ntoken)
        self.init_weights()

    def init_weights(self) -> None:
        initrange = 0.1
        self.embedding.weight.data.uniform_(-initrange, initrange)
        self.linear.bias.data.zero_()
        self.linear.weight.data.uniform_(-initrange, initrange)

    def forward(self, tokens: Tensor, segments: Tensor, position: Tensor) -> Tensor:
        x = self.embedding(tokens) * math.sqrt(self.d_model)
        x = self.pos_encoder(x, position)
        apart = segments.unsqueeze(1) != segments.unsqueeze(2)
        mask = apart.repeat_interleave(self.nhead, dim=0)
        x = self.encoder(x, mask=mask)
        return self.linear(x)


def pack(rng, rows=3, length=12):
    tokens = rng.randint(1, 20, (rows, length))
    segments = np.sort(rng.randint(0, 3, (rows, length)), axis=1)
    position = np.arange(length) - np.array([np.searchsorted(s, s) for s in segments])
    return torch.from_numpy(tokens), torch.from_numpy(segments), torch.from_numpy(position)


def train(model: nn.Module) -> list:
    rng = np.random.RandomState(11)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.95)
    model.train()
    losses = []
    for _ in range(5):
        tokens, segments, position = pack(rng)
        output = model(tokens, segments, position)
        loss = criterion(output.view(-1, 20), tokens.view(-1))

        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses


def evaluate(model: nn.Module) -> Tensor:
    model.eval()
    with torch.no_grad():
        return model(*pack(np.random.RandomState(12)))


def main() -> None:
    model = PackedEncoder(ntoken=20, d_model=16, nhead=4, d_hid=32, nlayers=2)
    train(model)
    evaluate(model)


if __name__ == "__main__":
    main()
