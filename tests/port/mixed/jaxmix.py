import numpy as np, torch
import jax.numpy as jnp, tensorflow as tf
from scipy import sparse, special
a = np.zeros((2, 3)); t = torch.from_numpy(a); b = t.numpy(); j = jnp.asarray(b); k = tf.constant(b)
print(a.sum(axis=0), t.sum(dim=0), b.sum(axis=0), j.sum(axis=0), k.numpy().sum(), t.numpy().transpose(1, 0), a.T @ t.numpy(), np.asarray(t).mean(0), torch.as_tensor(j).size(0), (t * 2).numpy().repeat(2, axis=0))
m = sparse.csr_matrix(a); print(m.sum(1), m.T, m.multiply(2), m.nonzero(), special.softmax(a, axis=1), m.data, m.size, m.indices)
s = np.float32(t.sum()); s.item(); np.mean([t.mean().item()]).round(2); float(t[0, 0]); np.stack([x.numpy() for x in t]).max(0)
arr = np.array(t.tolist()); arr.view(); arr.flatten().max()
w = t.numpy() if t.is_cuda else t.cpu().numpy(); w.sum(axis=1); w.reshape(-1).argsort()[::-1]
