"""The rewriter: PyTorch code in, MindSpore code out, or the reason why not."""
