import torch
from torch import nn
class Buffer:
    def __init__(self): self.items = []
    def add(self, x): self.items.append(x)
    def sample(self, n): return self.items[:n]
    def size(self): return len(self.items)
    def clear(self): self.items = []
    def mean(self, dim=None): return dim
class Agent:
    def __init__(self):
        self.net = nn.Linear(2, 2)
        self.buffer = Buffer()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=.1)
    def parameters(self): return self.net.parameters()
    def train(self, n): self.net.train(); return n
    def eval(self): self.net.eval()
    def to(self, device): self.net.to(device); return self
    def state_dict(self): return {"net": self.net.state_dict()}
    def step(self): return self.buffer.size()
agent = Agent()
agent.train(3); agent.eval(); agent.to("cpu"); agent.state_dict(); agent.step()
agent.buffer.add(torch.ones(2)); agent.buffer.sample(1)[0].sum(); agent.buffer.mean(dim=1); agent.buffer.size()
def evaluate(a):
    a.eval(); a.train(2); return a.parameters()
evaluate(agent)
