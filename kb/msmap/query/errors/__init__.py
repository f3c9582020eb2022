"""What an error says about a PyTorch or MindSpore name, and what to write instead."""
