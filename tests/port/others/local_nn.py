import types
nn = types.SimpleNamespace(Linear=lambda a, b: ("lin", a, b), Module=object, ReLU=lambda inplace=False: inplace)
F = types.SimpleNamespace(relu=abs, softmax=lambda x, dim: (x, dim))
class Net(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(2, 3)
    def forward(self, x):
        return F.relu(x), F.softmax(x, dim=1)
n = Net()
print(n.fc, n.forward(-3), nn.ReLU(inplace=True))
