"""Training mode: a Module starts in it, a Cell doesn't, so it is set where a model is made."""
