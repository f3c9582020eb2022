from torch import *
from math import *
x = zeros(3)
y = sqrt(4)
z = floor(2.5), exp(1), tensor([1.0])
