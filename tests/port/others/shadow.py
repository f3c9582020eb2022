def f(torch):
    return torch.zeros(3)
class torch:
    @staticmethod
    def zeros(n): return [0] * n
    class nn:
        class Linear:
            def __init__(self, a, b): self.a = a
            def forward(self, x): return ("own", x)
        @staticmethod
        def relu(x): return max(0, x)
    cuda = type("C", (), {"is_available": staticmethod(lambda: "maybe")})
print(f(torch), torch.zeros(2), torch.nn.relu(-1), torch.nn.Linear(1, 2).forward(3), torch.cuda.is_available())
