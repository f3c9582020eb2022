"""A graph network: attention over edges by index_add and scatter, dropout off, two readouts."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def edge_softmax(scores, index, num_nodes):
    scores = torch.exp(scores - scores.max())
    total = torch.zeros(num_nodes, scores.size(1)).index_add(0, index, scores)
    return scores / (total[index] + 1e-16)


class GATLayer(nn.Module):
    def __init__(self, in_dim, out_dim, heads=2, concat=True, negative_slope=0.2):
        super().__init__()
        self.heads = heads
        self.out_dim = out_dim
        self.concat = concat
        self.lin = nn.Linear(in_dim, heads * out_dim, bias=False)
        self.att_src = nn.Parameter(torch.empty(1, heads, out_dim))
        self.att_dst = nn.Parameter(torch.empty(1, heads, out_dim))
        self.bias = nn.Parameter(torch.zeros(heads * out_dim if concat else out_dim))
        self.leaky = nn.LeakyReLU(negative_slope)
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.xavier_uniform_(self.lin.weight)
        nn.init.xavier_uniform_(self.att_src)
        nn.init.xavier_uniform_(self.att_dst)

    def forward(self, x, edge_index):
        n = x.size(0)
        h = self.lin(x).view(n, self.heads, self.out_dim)
        src, dst = edge_index
        alpha = (h * self.att_src).sum(-1)[src] + (h * self.att_dst).sum(-1)[dst]
        alpha = edge_softmax(self.leaky(alpha), dst, n)
        messages = h[src] * alpha.unsqueeze(-1)
        out = torch.zeros_like(h)
        out = out.index_add(0, dst, messages)
        out = out.flatten(1) if self.concat else out.mean(dim=1)
        return out + self.bias


class GAT(nn.Module):
    def __init__(self, in_dim=6, hidden=4, classes=3):
        super().__init__()
        self.one = GATLayer(in_dim, hidden, heads=2)
        self.two = GATLayer(hidden * 2, classes, heads=2, concat=False)

    def forward(self, x, edge_index):
        x = F.elu(self.one(x, edge_index))
        x = F.dropout(x, p=0.0, training=self.training)
        return F.log_softmax(self.two(x, edge_index), dim=-1)


class Graph:
    def __init__(self, n=12, seed=0):
        rng = np.random.RandomState(seed)
        self.x = torch.tensor(rng.randn(n, 6), dtype=torch.float)
        src = rng.randint(0, n, 30)
        dst = rng.randint(0, n, 30)
        loops = np.arange(n)
        self.edge_index = torch.tensor(np.stack([np.concatenate([src, loops]), np.concatenate([dst, loops])]), dtype=torch.long)
        self.y = torch.tensor(rng.randint(0, 3, n))
        self.train_mask = torch.zeros(n, dtype=torch.bool)
        self.train_mask[: n // 2] = True

    @property
    def num_nodes(self):
        return self.x.shape[0]


def train(model):
    graph = Graph()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    losses = []
    for epoch in range(5):
        model.train()
        optimizer.zero_grad()
        out = model(graph.x, graph.edge_index)
        loss = F.nll_loss(out[graph.train_mask], graph.y[graph.train_mask])
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    return losses


@torch.no_grad()
def predict(model):
    model.eval()
    graph = Graph(seed=3)
    out = model(graph.x, graph.edge_index)
    pred = out.argmax(dim=-1)
    acc = int((pred == graph.y).sum()) / graph.num_nodes
    return [out, pred, acc]


if __name__ == "__main__":
    net = GAT()
    print(train(net))
    print(predict(net))
