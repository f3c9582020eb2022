import torch
x = torch.ones(3)
net = torch.nn.Linear(3, 3)
print(f"sum {x.sum().item():.3f} size {x.size(0)} {torch.exp(x).max().item()!r:>10}")
print(f"{x.size()=} {x.shape}", f'{x.max(dim=0)[0]:{x.size(0)}.2f}')
print(f"nested {f'{x.size(0)}'} and {'a' if x.size(0) > 1 else 'b'}")
print("{} {:.2f}".format(x.size(0), x.mean().item()), "%d" % x.size(0))
print(f"""{
    x.size(0)
} {sum(p.numel() for p in net.parameters())}""")
print(rf"\d{x.size(0)}", F"{torch.zeros(2).size(0)}")
