"""What an editor asks while somebody writes PyTorch: a language server."""
