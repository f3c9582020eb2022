"""What came out of checks: its files, its environments, and what it says of a record."""
