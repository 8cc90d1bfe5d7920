"""Results as pages: one text with tables and figures, set by Typst or by LaTeX."""
