import torchlike as torch
import numpy as nn
x = torch.zeros(3).cuda()
y = nn.Linear(2, 3)
loss.backward()
optimizer.zero_grad()
model.train()
