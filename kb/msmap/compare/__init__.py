"""Two recordings compared, with neither framework: pairs, differences, and where numbers part."""
