import math as m
class Conf:
    torch = m
    nn = {"Linear": 1}
    value = torch.sqrt(16)
    def get(self): return self.torch.floor(2.2), self.nn.get("Linear"), self.value
    class Inner:
        torch = [1, 2]
        n = torch.index(2)
print(Conf().get(), Conf.Inner.n, Conf.torch.exp(0), Conf.nn["Linear"])
