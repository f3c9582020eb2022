import asyncio
import torch
class Stream:
    def __init__(self): self.i = 0
    def __aiter__(self): return self
    async def __anext__(self):
        self.i += 1
        if self.i > 2: raise StopAsyncIteration
        return self
    def size(self, d): return self.i * d
    def view(self, n): return [self.i] * n
    async def step(self): return "stepped"
    async def __aenter__(self): return self
    async def __aexit__(self, *a): return False
async def main():
    async for x in Stream():
        print(x.size(2), x.view(2))
    async with Stream() as y:
        print(await y.step(), y.size(3))
    print([z.size(1) async for z in Stream()])
def gen():
    got = yield Stream()
    while got is not None:
        got = yield got.view(1)
g = gen(); next(g)
s = Stream()
print(g.send(s))
asyncio.run(main())
