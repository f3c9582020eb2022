"""A Transformer language model with tied weights, trained under OneCycleLR."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import OneCycleLR


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.0, max_len=64):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x + self.pe[: x.size(0)]
        return self.dropout(x)


class TransformerLM(nn.Module):
    def __init__(self, ntoken=22, d_model=16, nhead=2, d_hid=32, nlayers=2):
        super().__init__()
        self.model_type = "Transformer"
        self.pos_encoder = PositionalEncoding(d_model)
        layer = nn.TransformerEncoderLayer(d_model, nhead, d_hid, dropout=0.0)
        self.encoder = nn.TransformerEncoder(layer, nlayers)
        self.embedding = nn.Embedding(ntoken, d_model)
        self.d_model = d_model
        self.decoder = nn.Linear(d_model, ntoken, bias=False)
        self.decoder.weight = self.embedding.weight
        self.init_weights()

    def init_weights(self):
        initrange = 0.1
        self.embedding.weight.data.uniform_(-initrange, initrange)

    def forward(self, src, src_mask=None):
        src = self.embedding(src) * math.sqrt(self.d_model)
        src = self.pos_encoder(src)
        if src_mask is None:
            src_mask = nn.Transformer.generate_square_subsequent_mask(len(src))
        output = self.encoder(src, src_mask)
        return self.decoder(output)


def get_batch(i, bptt=7):
    source = (torch.arange(80).view(40, 2) * 3 + 1) % 22
    data = source[i : i + bptt]
    target = source[i + 1 : i + 1 + bptt].reshape(-1)
    return data, target


def train(model, total_steps=10):
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = OneCycleLR(optimizer, max_lr=1e-2, total_steps=total_steps, pct_start=0.3, anneal_strategy="cos", cycle_momentum=False)
    losses = []
    for step in range(5):
        data, targets = get_batch(step)
        output = model(data)
        loss = F.cross_entropy(output.view(-1, output.size(-1)), targets)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
        print(f"lr {scheduler.get_last_lr()[0]:.6f} ppl {math.exp(loss.item()):.2f}")
    return losses


def predict(model):
    model.eval()
    with torch.no_grad():
        return model(get_batch(11)[0])


if __name__ == "__main__":
    net = TransformerLM()
    print(train(net))
    print(predict(net))
