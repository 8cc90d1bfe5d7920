import numpy as np
import pandas as pd
from pytest import approx
from sklearn.metrics import average_precision_score

from study.companions.baker import compare_detectors, study_source


def scores(n_minority, seed):
    random = np.random.default_rng(seed)
    minority = (np.arange(200) < n_minority).astype(int)
    noise = random.normal(size=(2, 200))
    return pd.concat(
        pd.DataFrame({"minority": minority, "model": model, "score": score + minority})
        for model, score in zip(("linear", "neural_net"), noise, strict=True)
    )


SAMPLES = scores(60, 1), scores(20, 2)
STUDY = study_source(*SAMPLES, models=["linear", "neural_net"], width=3.3)


def test_what_agrees_and_what_does_not():
    table = STUDY.table.set_index("quantity")
    assert table.loc["kappa", "computed"].item() == approx(9 / 17)  # 0.225 / 0.425
    assert table.loc["kappa", "printed"] == "0.529"
    wrong = table[table["agrees"] == "no"]
    assert wrong["computed"].round(9).to_dict() == approx(
        {
            "expected agreement, on-task, from the printed factors 0.275 x 0.365": 0.100375,
            # -2 p (1 - p) / (1 - 2 p (1 - p)) at p = 0.05
            "kappa of inverted predictions, 5 % failing students (section 1)": -0.095 / 0.905,
            "true positive rate of the worked example, TP / FN as printed": 4,
            "cases in which AUC 0.55 is better than AUC 0.6 (of one tried)": 1,
        },
        abs=1e-8,
    )
    assert wrong["note"].str.len().min() > 0


def test_h_of_two_detectors_by_their_expected_losses():
    """Equation 13 of Hand (2009), summed over a fine grid of costs."""
    c = (np.arange(100_000) + 0.5) / 100_000
    weight = c * (1 - c)

    def h(fpr, tpr):
        points = [(0, 0), (fpr, tpr), (1, 1)]
        losses = [0.75 * c * f + 0.25 * (1 - c) * (1 - t) for f, t in points]
        best = weight @ np.min(losses, axis=0)
        return 1 - best / (weight @ np.minimum(losses[0], losses[2]))

    assert compare_detectors() == approx((h(0.4, 0.6), h(0.0, 0.1)), abs=1e-6)


def test_the_area_under_the_drawn_steps_is_the_average_precision():
    panels = STUDY.figures["precision_recall"].axes
    for axes, sample in zip(panels, SAMPLES, strict=True):
        for line, (_, rows) in zip(axes.lines, sample.groupby("model"), strict=False):
            recall, precision = line.get_data()
            area = -np.diff(recall) @ precision[:-1]
            expected = average_precision_score(rows["minority"], rows["score"])
            assert area == approx(expected)
            assert line.get_label().endswith(f"AP {expected:.3f}")
