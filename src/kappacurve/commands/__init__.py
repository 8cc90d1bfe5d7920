"""The commands of ``kappacurve``, one module each."""
