import random as torch, math as nn; x = [3, 1, 2]; y = x.sort() or x; print(y, nn.floor(1.5)); torch.seed(1); z = torch.choice([5]); print(z)
if True: print("a"); print("b")
class A: size = 3; view = staticmethod(lambda *a: a); sum = property(lambda self: 9)
print(A.size, A().view(1, 2), A().sum, \
    A.view( 3 , # inside
            4 , ))
k = (A()
     .view(1)   # one
     .index(1)
     )
print(k)
