"""The experiment of Kaymak et al. (2010), section 8: data, sampling, models."""
