"""One offline page on which a reader compares models at every prevalence and cost."""
