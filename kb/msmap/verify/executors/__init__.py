"""Where jobs run: processes shut in and told to stop; no framework is imported here."""
