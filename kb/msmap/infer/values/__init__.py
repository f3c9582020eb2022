"""What an expression may give, and what each kind of value does."""
