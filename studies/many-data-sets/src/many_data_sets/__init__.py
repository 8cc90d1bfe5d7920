"""The study of many data sets: which measure picks the better model?"""
