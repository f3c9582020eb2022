import collections, queue, re, socket, threading, torch
q = queue.Queue(); q.put(1); print(q.qsize(), q.empty())
c = collections.Counter("aab"); print(c.most_common(1), c.total(), sorted(c.elements()))
m = re.search(r"(b)", "abc"); print(m.span(), m.expand(r"\1"), m.start(), m.end())
s = socket.socket(); print(s.detach() > 0)
t = threading.Thread(target=print, args=("x",)); t.start(); t.join()
o = collections.OrderedDict(a=1); o.update(b=2); print(list(o.values()), o.copy())
it = iter([1]); print(next(it))
class Node:
    def __init__(self, *children): self._c = children
    def children(self): return self._c
    def apply(self, f): return f(self)
    def clone(self): return Node(*self._c)
    def modules(self): yield self
n = Node(Node())
print(len(n.children()), n.apply(lambda k: len(k.children())), len(list(n.clone().modules())))
