import torch
exec("torch = None")
x = torch.zeros(3)
globals()["torch"] = fake
y = torch.ones(3)
eval("torch.zeros(3)")
vars()["nn"] = torch.nn
