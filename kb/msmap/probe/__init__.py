"""Every PyTorch name tried on inputs that nobody here typed, to find what MindSpore has for it."""
