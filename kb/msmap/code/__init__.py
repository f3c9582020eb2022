"""Python source as text and trees, with no meaning: files, nodes, scopes and where things stand."""
