import torch
class StandardScaler:
    def fit(self, x): self.m = sum(x) / len(x); return self
    def transform(self, x): return [i - self.m for i in x]
    def to(self, where): return ("moved", where)
    def train(self, n=1): return f"trained {n}"
    def eval(self): return "evaluated"
    def parameters(self): return [1, 2]
    def state_dict(self): return {"m": self.m}
    def load_state_dict(self, d): self.m = d["m"]; return self
    def zero_grad(self): return 0
    def step(self, x=None): return x
    def backward(self): return "back"
sc = StandardScaler().fit([1, 2, 3])
print(sc.to("cuda"), sc.train(3), sc.eval(), list(sc.parameters()), sc.state_dict(), sc.zero_grad(), sc.step(), sc.backward())
def run(model):
    return model.train(), model.eval(), model.to("cpu"), list(model.parameters())
print(run(sc), sc.load_state_dict({"m": 4}).m)
