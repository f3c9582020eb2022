"""What is run: checks, their variants, and jobs made of them; no framework, no process."""
