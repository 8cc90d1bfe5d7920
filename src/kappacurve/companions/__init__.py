"""Small studies that stand beside the paper: its sources and those who wrote on kappa and AUC."""
