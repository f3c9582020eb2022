"""Causal transformer language model with nn.TransformerEncoder, and a warm-up schedule."""

import math

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import TransformerEncoder, TransformerEncoderLayer


class PositionalEncoding(nn.Module):
    def __init__(self, d_model: int, dropout: float = 0.0, max_len: int = 50):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.pe[: x.size(0)]
        return self.dropout(x)


class TransformerModel(nn.Module):
    def __init__(self, ntoken: int, d_model: int, nhead: int, d_hid: int, nlayers: int, dropout: float = 0.0):
        super().__init__()
        self.model_type = "Transformer"
        self.pos_encoder = PositionalEncoding(d_model, dropout)
        encoder_layers = TransformerEncoderLayer(d_model, nhead, d_hid, dropout)
        self.transformer_encoder = TransformerEncoder(encoder_layers, nlayers)
        self.embedding = nn.Embedding(ntoken, d_model)
        self.d_model = d_model
        self.linear = nn.Linear(d_model, ntoken)
        self.init_weights()

    def init_weights(self) -> None:
        initrange = 0.1
        self.embedding.weight.data.uniform_(-initrange, initrange)
        self.linear.bias.data.zero_()
        self.linear.weight.data.uniform_(-initrange, initrange)

    def forward(self, src: Tensor, src_mask: Tensor = None) -> Tensor:
        src = self.embedding(src) * math.sqrt(self.d_model)
        src = self.pos_encoder(src)
        if src_mask is None:
            src_mask = nn.Transformer.generate_square_subsequent_mask(len(src))
        output = self.transformer_encoder(src, src_mask)
        return self.linear(output)


def batches(n=5, length=6, vocab=11):
    rng = np.random.RandomState(0)
    for _ in range(n):
        tokens = torch.from_numpy(rng.randint(0, vocab, (length + 1, 3)))
        yield tokens[:-1], tokens[1:].reshape(-1)


def make():
    return TransformerModel(11, 8, 2, 12, 2)


def train(model: nn.Module) -> list:
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, betas=(0.9, 0.98), eps=1e-9)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=lambda step: min((step + 1) / 3, 1.0))
    model.train()
    losses = []
    total_loss = 0.0
    for i, (data, targets) in enumerate(batches()):
        output = model(data)
        output_flat = output.view(-1, 11)
        loss = criterion(output_flat, targets)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        scheduler.step()
        total_loss += loss.item()
        losses.append(loss.item())
        lr = scheduler.get_last_lr()[0]
        print(f"| {i} | lr {lr:02.4f} | loss {total_loss / (i + 1):5.2f} | ppl {math.exp(total_loss / (i + 1)):8.2f}")
    return losses


def predict(model: nn.Module) -> list:
    model.eval()
    with torch.no_grad():
        return [model(data) for data, _ in batches(2)]


if __name__ == "__main__":
    net = make()
    print(train(net))
    print(predict(net))
