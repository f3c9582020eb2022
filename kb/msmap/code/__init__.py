"""Python source read, and nothing changed: what porting, scanning and verifying stand on."""
