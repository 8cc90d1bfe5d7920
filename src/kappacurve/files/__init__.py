"""Files of scores, read and checked."""
