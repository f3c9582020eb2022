"""The database asked: records, guides, statements, evidence, and what changed."""
