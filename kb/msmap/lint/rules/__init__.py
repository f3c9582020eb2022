"""The rules, a module for what they look at; each is a function, and its docstring is shown."""
