"""InfluenceModel, intervals, paired tests and bands."""
