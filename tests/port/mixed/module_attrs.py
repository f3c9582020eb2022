import torch
from torch import nn
class Block(nn.Module):
    layers: nn.ModuleList
    training_steps = 0
    def __init__(self, norm=nn.BatchNorm2d, act=nn.ReLU, act_fn=torch.relu, init=nn.init.xavier_uniform_):
        super(Block, self).__init__()
        self.n = norm(3); self.a = act(inplace=True); self.f = act_fn
        self.layers = nn.ModuleList([nn.Linear(2, 2)]); self.layers.append(nn.Linear(2, 2)); self.layers.extend([nn.ReLU()])
        self.d = nn.ModuleDict(); self.d["x"] = nn.Linear(2, 2); self.d.update({"y": nn.ReLU()})
        self.p = nn.ParameterList([nn.Parameter(torch.ones(2))]); self.register_parameter("q", nn.Parameter(torch.ones(2)))
        self.add_module("k", nn.Linear(2, 2)); setattr(self, "conv1", nn.Conv2d(3, 3, 3))
        init(self.k.weight); self.w: nn.Parameter = nn.Parameter(torch.randn(2), requires_grad=False)
        self.k.weight = self.layers[0].weight; self.k.bias.data.fill_(0.); self.k.weight.requires_grad = False
    def forward(self, x, *, mask=None):
        for i, l in enumerate(self.layers): x = l(x)
        for name, l in self.d.items(): x = l(x)
        return getattr(self, "conv1")(x) + self.f(x) + self._modules["k"](x) + self._parameters["q"]
    def extra(self): return self.training, self.n.running_mean, self.n.weight, self.k.in_features, self.state_dict().keys(), next(self.parameters()).device, self.p[0].data
b = Block(); b.requires_grad_(False); b.float(); b.apply(lambda m: None); b.zero_grad(); print(b, len(list(b.children())), dict(b.named_modules()))
