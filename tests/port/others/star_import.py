from torch import *
from mylib import *
x = zeros(3)
y = abs(-3)
z = sum([1, 2])
