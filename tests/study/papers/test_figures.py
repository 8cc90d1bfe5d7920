"""What the companion studies' figures draw is what their tables say."""

import numpy as np
import pytest

from study.papers import ben_david, kaymak


def test_ben_davids_lines_go_through_his_points():
    panels = ben_david.figure_lines().axes
    points = ben_david.figure_points()
    assert [axes.get_title(loc="left") for axes in panels] == ["(a)", "(b)", "(c)", "(d)"]
    for axes, (number, table) in zip(panels, points.groupby("figure"), strict=True):
        height = "tp" if number in (1, 3) else "kappa"
        drawn = np.vstack(
            [line.get_xydata() for line in axes.get_lines() if line.get_markersize() == 4]
        )
        expected = table[["fp", height]].to_numpy()
        for point in expected:
            assert np.isclose(drawn, point).all(axis=1).any()
    # Each point of Figure 1 is labelled with its kappa.
    texts = [text.get_text() for text in panels[0].texts]
    assert len(texts) == len(points[points["figure"] == 1])
    assert texts[0].startswith(r"$\kappa$ = ")
    assert panels[3].get_legend().get_title().get_text() == "predicted share"


def test_kaymaks_curves_over_the_prevalence(scores):
    figure = kaymak.figure_by_prevalence(scores, ["linear"], "original")
    bad, good = figure.axes
    assert bad.get_title(loc="right") == "original, positive class: bad"
    assert good.get_title(loc="right") == "original, positive class: good"
    p, of_bad = bad.get_lines()[0].get_data()
    _, of_good = good.get_lines()[0].get_data()
    # At p the one class is positive with share p, in the other panel with 1 - p.
    from kappacurve import auk_score

    one = scores[scores["model"] == "linear"]
    for i in (5, 48, 90):
        expected = auk_score(one["bad"], one["score"], prevalence=p[i])
        assert of_bad[i] == pytest.approx(expected, abs=1e-12)
        expected = auk_score(1 - one["bad"], -one["score"], prevalence=p[i])
        assert of_good[i] == pytest.approx(expected, abs=1e-12)
    perfect = next(line for line in bad.get_lines() if line.get_label() == "perfect").get_ydata()
    assert perfect[48] == pytest.approx(0.5)
