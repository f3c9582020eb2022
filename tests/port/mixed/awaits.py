import torch
async def f(x: torch.Tensor, get):
    a = torch.full((await get(), 2), await get())
    b = torch.rand(await get()).uniform_(await get(), (n := await get()))
    return a, b, n
