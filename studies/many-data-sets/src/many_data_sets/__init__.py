"""Which measure picks the better model? A study of many data sets."""
