"""Full-text search, and what it shows of what it found."""
