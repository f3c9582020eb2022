"""What people wrote joined with signatures and evidence."""
