"""Models on the same rows: tables and sentences."""
