"""Weights of PyTorch under MindSpore's names and in its shapes."""
