import torch; import torch.nn as nn; x = torch.zeros(3); y = x.size(0) # one line
if x.size(0): y = torch.ones(2); z = y.view(-1)
else: y = (
    torch  # the module
    .zeros(  # zeros
        3,   # three
        4,
    )  # end
    .view(-1)  # flat
)
class A(nn.Module): forward = lambda self, x: x.view(-1)
def f(x): return x.size(0) \
    + torch.ones(2).size(0)
