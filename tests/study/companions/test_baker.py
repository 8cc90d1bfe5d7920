import numpy as np
from pytest import approx
from sklearn.metrics import average_precision_score

from study.companions.baker import compare_detectors


def test_h_of_two_detectors_by_their_expected_losses(study):
    """Equation 13 of Hand (2009), summed over a fine grid of costs."""
    c = (np.arange(10_000) + 0.5) / 10_000
    weight = c * (1 - c)

    def h(fpr, tpr):
        points = [(0, 0), (fpr, tpr), (1, 1)]
        losses = [0.75 * c * f + 0.25 * (1 - c) * (1 - t) for f, t in points]
        return 1 - weight @ np.min(losses, axis=0) / (weight @ np.minimum(losses[0], losses[2]))

    assert compare_detectors() == approx({"larger": h(0.4, 0.6), "smaller": h(0, 0.1)}, abs=1e-6)
    note = study("baker").table["note"].iloc[-1]
    assert "H-measure of 0.085" in note and "(AUC 0.6) of 0.029" in note


def test_the_area_under_the_drawn_steps_is_the_average_precision(study, inputs):
    panels = study("baker").figures["precision_recall"].axes
    for axes, sample in zip(panels, (inputs.original, inputs.paper), strict=True):
        for line, (_, rows) in zip(axes.lines, sample.groupby("model"), strict=False):
            recall, precision = line.get_data()
            area = -np.diff(recall) @ precision[:-1]
            expected = average_precision_score(rows["minority"], rows["score"])
            assert area == approx(expected)
            assert line.get_label().endswith(f"AP {expected:.3f}")
        assert axes.lines[-1].get_ydata()[0] == approx(30 / 280)
