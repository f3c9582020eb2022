import torch
import asyncio
async def producer(queue):
    async for torch in stream():
        await queue.put(torch.zeros(3))
async def consumer(queue):
    while True:
        item = await queue.get()
        async with lock as nn:
            nn.Linear(2, 3)
        yield torch.stack([item])  # PyTorch's
