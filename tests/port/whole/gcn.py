import math
import torch
import torch.nn as nn
import torch.nn.functional as F


def det(shape, scale=0.5, seed=1):
    n = 1
    for s in shape:
        n *= s
    v = [math.sin(seed * 1.7 + 0.9 * i) * scale for i in range(n)]
    return torch.tensor(v, dtype=torch.float32).reshape(shape)


def init_model(model):
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(det(tuple(p.shape), 0.4, k + 1))


class GraphConv(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.lin = nn.Linear(in_features, out_features, bias=False)
        self.bias = nn.Parameter(torch.zeros(out_features)) if bias else None

    def forward(self, x, edge_index, edge_weight=None):
        src, dst = edge_index
        n = x.size(0)
        if edge_weight is None:
            edge_weight = torch.ones(src.size(0), dtype=x.dtype)
        deg = torch.zeros(n, dtype=x.dtype)
        deg.index_add_(0, dst, edge_weight)
        deg_inv_sqrt = deg.clamp(min=1).pow(-0.5)
        norm = deg_inv_sqrt[src] * edge_weight * deg_inv_sqrt[dst]
        h = self.lin(x)
        out = torch.zeros_like(h)
        out = out.index_add(0, dst, h[src] * norm.unsqueeze(-1))
        if self.bias is not None:
            out = out + self.bias
        return out


class GCN(nn.Module):
    def __init__(self, nfeat, nhid, nclass, dropout=0.0):
        super().__init__()
        self.conv1 = GraphConv(nfeat, nhid)
        self.conv2 = GraphConv(nhid, nclass)
        self.norm = nn.BatchNorm1d(nhid)
        self.dropout = dropout

    def forward(self, x, edge_index):
        x = F.relu(self.norm(self.conv1(x, edge_index)))
        x = F.dropout(x, self.dropout, training=self.training)
        x = self.conv2(x, edge_index)
        return F.log_softmax(x, dim=1)


def make_graph(n=12):
    src, dst = [], []
    for i in range(n):
        for j in ((i + 1) % n, (i * 3 + 1) % n):
            src.append(i)
            dst.append(j)
    return torch.tensor([src, dst], dtype=torch.long)


def accuracy(output, labels):
    preds = output.max(1)[1].type_as(labels)
    correct = preds.eq(labels).double()
    return correct.sum() / len(labels)


def main():
    edge_index = make_graph()
    x = det((12, 5), 1.0, 3)
    y = torch.arange(12) % 3
    train_mask = torch.zeros(12, dtype=torch.bool)
    train_mask[:8] = True
    model = GCN(5, 8, 3)
    init_model(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=5e-4)
    for epoch in range(5):
        model.train()
        optimizer.zero_grad()
        out = model(x, edge_index)
        loss = F.nll_loss(out[train_mask], y[train_mask])
        loss.backward()
        optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.5f}")
    model.eval()
    with torch.no_grad():
        out = model(x, edge_index)
        print(f"acc {accuracy(out[~train_mask], y[~train_mask]).item():.4f}")
        stats = torch.zeros(3, out.size(1)).index_add_(0, y, out.exp())
        counts = torch.bincount(y, minlength=3)
        print([round(v, 3) for v in (stats / counts.unsqueeze(1)).sum(0).tolist()])


if __name__ == "__main__":
    main()
