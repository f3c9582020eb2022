"""What answers stand on: rows of the database as objects, for one release and device."""
