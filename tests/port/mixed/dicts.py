import torch
batch = {"image": torch.zeros(2, 3), "name": "a,b", "n": 3}
print(batch["image"].size(0), batch["name"].split(","), batch["n"], batch.get("image").sum())
batch["label"] = torch.ones(2).long()
batch["label"].float().mean()
for k, v in batch.items():
    if torch.is_tensor(v):
        v.size(0)
    v.split(",")
def f(batch):
    return batch["image"].size(0)
out = {"a": torch.ones(1), **batch}
out["a"].size(); out["name"].split(",")
state = dict(x=torch.ones(2), y=[1])
state["x"].sum(); state["y"].index(1)
nested = {"t": {"u": torch.ones(2)}}
nested["t"]["u"].size(0)
