"""Masked language modelling with PyTorch's own encoder layers."""

import math

import numpy as np
import torch
from torch import Tensor, nn


class PositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_len: int = 32):
        super().__init__()
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(1, max_len, d_model)
        pe[0, :, 0::2] = torch.sin(position * div_term)
        pe[0, :, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.pe[:, : x.size(1)]


class BertLM(nn.Module):
    def __init__(self, ntoken=20, d_model=16, nhead=2, d_hid=24, nlayers=2):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(ntoken, d_model)
        self.pos_encoder = PositionalEncoding(d_model)
        encoder_layers = nn.TransformerEncoderLayer(d_model, nhead, d_hid, dropout=0.0, batch_first=True, norm_first=True)
        self.transformer_encoder = nn.TransformerEncoder(encoder_layers, nlayers, enable_nested_tensor=False)
        self.decoder = nn.Linear(d_model, ntoken)
        self.init_weights()

    def init_weights(self) -> None:
        initrange = 0.1
        self.embedding.weight.data.uniform_(-initrange, initrange)
        self.decoder.bias.data.zero_()
        self.decoder.weight.data.uniform_(-initrange, initrange)

    def forward(self, src: Tensor, pad_mask: Tensor = None) -> Tensor:
        src = self.embedding(src) * math.sqrt(self.d_model)
        src = self.pos_encoder(src)
        output = self.transformer_encoder(src, src_key_padding_mask=pad_mask)
        return self.decoder(output)


def mask_tokens(inputs, rng, mask_id=1, prob=0.3):
    labels = inputs.clone()
    masked = torch.from_numpy(rng.rand(*inputs.shape) < prob)
    labels[~masked] = -100
    inputs = inputs.masked_fill(masked, mask_id)
    return inputs, labels


def batches():
    rng = np.random.RandomState(0)
    for _ in range(5):
        ids = torch.from_numpy(rng.randint(2, 20, (4, 8)))
        ids[1, 6:] = 0
        inputs, labels = mask_tokens(ids, rng)
        yield inputs, labels, ids == 0


def train(model: nn.Module):
    model.train()
    criterion = nn.CrossEntropyLoss(ignore_index=-100)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, eps=1e-6)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=5)
    losses = []
    for inputs, labels, pad in batches():
        output = model(inputs, pad)
        loss = criterion(output.view(-1, output.size(-1)), labels.view(-1))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses


def evaluate(model: nn.Module):
    model.eval()
    found = []
    with torch.no_grad():
        for inputs, labels, pad in batches():
            output = model(inputs)
            found.append(output)
            found.append((output.argmax(-1) == labels).float().mean())
    return found


if __name__ == "__main__":
    net = BertLM()
    print(train(net))
    print(evaluate(net))
