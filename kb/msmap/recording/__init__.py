"""What a model did, as files that need no framework to read: written, and read again."""
