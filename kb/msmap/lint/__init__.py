"""What the models can't check: whether a record tells the whole truth, in both languages."""
