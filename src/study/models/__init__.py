"""The models and how they are trained."""
