"""What the installed frameworks say about their own names, as files."""
