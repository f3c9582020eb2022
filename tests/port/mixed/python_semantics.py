import torch
x = torch.tensor([1, 2, 3])
print(x / 2, x // 2, x % 2, x ** 2, -x // 2, x / x, 5 / x, True + x)
print(x == [1, 2, 3], x is None, x in [1], 2 in x, len(x), bool(x[0]), int(x[0]), list(x), [*x], x.tolist())
if x.sum(): pass
while x.any(): break
print(max(x), sum(x), sorted(x), min(x, x), abs(x), round(x.float()[0].item()), min(x.size(0), 4))
a, b, c = x
d = x[None], x[..., 0], x[:, None], x[[0, 1]], x[x > 1], x[torch.tensor([0])], x[-1], x[::2]
print(x.dtype == torch.int64, x.dtype is torch.float32, x.type() == "torch.LongTensor", isinstance(x, torch.LongTensor), type(x) is torch.Tensor, type(x) == torch.Tensor)
print(x.float().mean(), x.new_zeros(2), x.new(3), torch.tensor(x), torch.Tensor([1, 2]), torch.Tensor(2, 3))
print(hash(x), x.data_ptr(), id(x), x.storage(), x.numpy()[0], x.__len__(), x.__add__(1))
