"""What a test finds that isn't marked `frameworks`."""

raise AssertionError("a test without the marker `frameworks` imports torch")
