"""The database made: tables, rows, and the file moved into place."""
