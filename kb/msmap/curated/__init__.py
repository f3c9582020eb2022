"""What people write under data/: its models, and how its files are read."""
