"""What expressions of a program give: an abstract interpreter, which changes and runs nothing."""
