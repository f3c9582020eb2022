import pandas as pd, numpy as np
import torch
df = pd.DataFrame({"a": [1., 2., 3.], "b": [3., 2., 1.]})
def stats(frame):
    return frame.mean().sum(), frame["a"].std(), frame.max(axis=1).tolist()
print(stats(df), df.T.size, df["a"].clip(0, 1).view() if hasattr(df["a"], "view2") else 0)
s = df["a"]
print(s.cumsum().tolist(), s.repeat(2).size, s.where(s > 1, 0).tolist(), df.transpose().shape)
for name, col in df.items():
    print(name, col.median(), col.abs().max(), col.argmax(), col.round(1).tolist())
g = df.groupby("a")["b"]
print(g.sum().max(), g.mean().to_numpy().sum())
