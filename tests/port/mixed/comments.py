import torch  # the library
import torch.nn as nn  # noqa: E402

x = torch.zeros(  # make
    2,  # rows
    3,  # columns
    dtype=torch.float32,  # type
)  # done
y = torch.cat(
    [
        x,  # first
        # a line of its own
        x,
    ],
    dim=0,  # along rows
)
z = (
    x  # start
    .view(-1)  # flat
    .sum()  # total
)
w = torch.max(x, dim=1)[0].clamp(min=0, max=1)  # type: ignore
conv = nn.Conv2d(
    3, 8,
    kernel_size=3,  # small
    # bias is off because of batch norm
    bias=False,
)
q = x.permute(1, 0).contiguous().view(3, 2) \
     .sum(0)  # continued
s = torch.sum(x); t = torch.mean(x)  # two
