import sys, types
def fake(name, **k):
    m = types.ModuleType(name); m.__dict__.update(k); sys.modules[name] = m; return m
class Arr(list):
    def sum(self, axis=None): return sum(list(self))
    def reshape(self, *a): return ("reshaped", a)
    def numpy(self): return list(self)
    def view(self, t): return ("view", t)
    @property
    def at(self): return {0: "at"}
jnp = fake("jax.numpy", zeros=lambda n: Arr([0] * n), concatenate=lambda xs, axis=0: Arr(sum(xs, [])), exp=lambda x: ("exp", x))
fake("jax", __path__=[], numpy=jnp, grad=lambda f: ("grad", f), jit=lambda f: f, nn=types.SimpleNamespace(relu=lambda x: ("jrelu", x), softmax=lambda x, axis=-1: ("jsm", axis)))
fake("tensorflow", zeros=lambda n: Arr([0] * n), nn=types.SimpleNamespace(relu=lambda x: ("tfrelu", x)), keras=types.SimpleNamespace(Model=object))
fake("paddle", __path__=[], to_tensor=Arr, nn=types.SimpleNamespace(Layer=object, functional=types.SimpleNamespace(relu=lambda x: ("prelu", x))), no_grad=lambda: open(__file__))
import torch
import jax, jax.numpy as jnp
from jax import nn, grad, jit
import tensorflow as tf
import paddle
pnn = paddle.nn
x = jnp.zeros(3)
print(x.sum(axis=0), x.reshape(1, 3), x.view(int), x.at[0], nn.relu(x), nn.softmax(x, axis=1), jnp.concatenate([x, x]), jnp.exp(1))
class Model(tf.keras.Model):
    def call(self, x): return tf.nn.relu(x)
    def forward(self, x): return self.call(x)
print(Model().forward(1), tf.zeros(2).numpy(), tf.nn.relu(2))
class Layer(pnn.Layer):
    def forward(self, x): return pnn.functional.relu(x)
with paddle.no_grad():
    print(Layer().forward(paddle.to_tensor([1])), paddle.to_tensor([1, 2]).sum())
@jit
def f(x): return x
print(f(1), grad(f)[0])
