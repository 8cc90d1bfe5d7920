"""Standard errors, intervals and tests."""
