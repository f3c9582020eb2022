"""What changed between releases, and what that means for a program."""
