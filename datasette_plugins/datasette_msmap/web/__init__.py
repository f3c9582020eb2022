"""What every page and answer of the site stands on."""
