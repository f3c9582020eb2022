import sys
import mindspore
from mindspore import nn
from mindspore.nn import Cell
from mindspore.ops import functional as F
#
#
sys.path.insert(0, '/tmp/cur3/C')
import mindspore as ms
N = getattr(sys.modules['__main__'], 'N')

class NOpt_1(N, ms.nn.Cell):

    def __init__(self, obj):
        ms.nn.Cell.__init__(self)
        for key, value in obj.__dict__.items():
            setattr(self, key, value)

    def construct(s, v):
        c_var = s.c(v)
        b_var = s.b(c_var)
        return b_var
#