"""Where code uses PyTorch, and what becomes of each use: found, counted, and nothing written."""
