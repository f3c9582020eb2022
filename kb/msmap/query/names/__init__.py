"""A name answered: understood as it was typed, looked up, and its nearest where it is unknown."""
