"""The training step: gradients belong to functions, so forward pass and loss become one."""
