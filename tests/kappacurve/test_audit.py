"""The audit of printed numbers: areas against bounds, rates and kappa against counts, in words."""

import numpy as np
import pytest

import kappacurve as kc
from kappacurve.comparison.audit import check_printed, describe_check


def audit(printed, **options):
    found = check_printed(printed, **options)
    return describe_check(found), found


def audit_areas(auc, auk, prevalence):
    text, found = audit({"auc": auc, "auk": auk}, prevalence=prevalence)
    return text, found["curves"]


def test_areas_of_the_published_pair():
    text, curves = audit_areas("0.7186", "0.1753", "0.11")
    assert curves["hull"]["lower"] == pytest.approx(0.0895392742716336)  # as 52de2391 had it
    assert curves["hull"]["upper"] == pytest.approx(0.133093158389743)
    assert not curves["hull"]["possible"]
    assert curves["hull"]["possible_with_other_class"]
    for curve in curves:
        expected = kc.prevalence_intervals(0.7186, 0.1753, curve=curve)
        np.testing.assert_allclose(curves[curve]["prevalences"], expected, rtol=0, atol=1e-12)
    assert text.count("IMPOSSIBLE") == 2
    assert "at 0.11 the AUK lies between 0.0895 and 0.1331.\n" in text
    assert "allow the pair: 20.04 to 30.52 % or 75.96 to 97.87 %." in text
    assert "possible if the other class was the positive one" in text
    assert "possible if the AUK was summed by the trapezoid rule" in text


def test_a_share_at_the_end_of_an_interval_is_possible():
    (low, _), (_, high) = kc.prevalence_intervals(0.7186, 0.1753)
    for end, outward in ((low, -1), (high, 1)):
        for change, possible in ((0, True), (7e-9, True), (1.3e-8, False)):
            share = f"{end + outward * change:.12f}"
            assert audit_areas("0.7186", "0.1753", share)[1]["hull"]["possible"] == possible


def test_areas_of_a_model_that_exists(rng):
    y = np.arange(200) % 5 == 0
    score = rng.normal(size=200) + y
    auc, auk = f"{kc.measures(y, score)['auc']:.4f}", f"{kc.auk_score(y, score):.4f}"
    text, curves = audit_areas(auc, auk, "0.2")
    assert curves["raw"]["possible"]
    assert f"As areas under a ROC curve, AUC {auc} and AUK {auk} are possible: " in text
    assert "possible if" not in text
    assert list(audit_areas("0.5", "0.0", "0.11")[1]) == ["raw", "hull", "trapezoid"]
    text, curves = audit_areas("0.4", "0.3", "0.11")
    assert list(curves) == ["raw"]
    assert "allow the pair: none." in text
    assert "possible if" not in text


def test_the_digits_of_the_share_count():
    """AUC .7500 and AUK .1530 are possible at .1149, which prints as 0.11."""
    text, curves = audit_areas(".7500", ".1530", "0.11")
    assert curves["hull"]["possible"]
    assert curves["hull"]["upper"] < 0.15295
    assert "possible within the printed digits" in text
    assert not audit_areas(".7500", ".1530", "0.110")[1]["hull"]["possible"]
    assert audit_areas("75.00%", "15.30 %", "11%")[1] == curves


POINT = {"fpr": "0.60", "tpr": "0.928", "kappa": "0.328"}
# Rows, share of positives, positives tried, contradictions, and of the nearest size the positives,
# kappa at its own and at the stated share, TPR - FPR.
OPERATING_POINTS = [
    (286, "0.11", "31 or 32", [["tpr"], ["fpr", "kappa"]], [69, 0.2030, 0.1062, 0.3285]),
    (268, "0.11", "29 or 30", [["tpr"], ["fpr", "kappa"]], [69, 0.2140, 0.1067, 0.3295]),
    (280, "0.11", "30 to 32", [["tpr"], ["fpr", "kappa"]], [69, 0.2042, 0.1050, 0.3256]),
    (286, "0.89", "254 or 255", [["tpr"], ["fpr"]], [251, 0.3409, 0.3312, 0.3283]),
    (268, "0.89", "238 or 239", [["tpr"], ["fpr", "kappa"]], [223, 0.3637, 0.3311, 0.3283]),
]


@pytest.mark.parametrize(("rows", "share", "sizes", "contradictions", "nearest"), OPERATING_POINTS)
def test_counts_of_the_published_operating_point(rows, share, sizes, contradictions, nearest):
    text, found = audit(POINT, rows=rows, prevalence=share)
    rounded = found["counts"]["rounded"]
    assert sorted(rounded["contradictions"], key=len) == contradictions
    assert rounded["fewest_rows"] == {"tpr": "64/69", "fpr": "3/5"}
    verdict = f"no single confusion matrix of {rows} rows prints these numbers."
    assert text.splitlines()[2] == f"Digits rounded, {sizes} positives: {verdict}"
    assert "TPR 0.928 needs at least 69 positives (64/69)" in text
    values = [
        rounded["nearest"][name]
        for name in ("positives", "kappa", "kappa_at_stated_share", "difference")
    ]
    assert values == pytest.approx(nearest, abs=5e-5)
    assert "Means over folds" in text
    hints = ["with the other class as the positive one"] if (rows, share) == (280, "0.11") else []
    assert found["counts"]["hints"] == hints


def test_the_one_table_of_280_rows():
    text, found = audit(POINT, rows=280, prevalence="0.89")
    assert found["counts"]["rounded"]["n_tables"] == 1
    assert "248 to 250 positives: possible, exactly one confusion matrix of 280 rows" in text
    assert "  TP 232, FN 18, FP 18, TN 12." in text
    assert "Harmless causes" not in text


def test_cut_off_digits():
    """28 of 268 rows positive: 26/28 is .928 cut off; kappa is .3282 with .89 put for p."""
    found = audit(POINT, rows=268, positives=28)[1]["counts"]["cut"]
    assert found["contradictions"] == [["tpr", "kappa"], ["fpr", "kappa"]]
    assert [found["nearest"][name] for name in ("tp", "fp")] == [26, 145]
    text, found = audit(POINT, rows=268, prevalence="0.11")
    other = found["counts"]["cut"]["nearest"]["kappa_at_other_share"]
    assert other == pytest.approx(0.3282, abs=5e-5)
    assert "at the stated share 0.11 and 0.3282 at that of the other class" in text


def test_the_largest_kappa():
    """Below the line of equal kappa through (0.60, 0.928) both areas of Table 4 have no place."""
    areas = {"auc": "0.7186", "auk": "0.1753"}
    text, found = audit(POINT | areas, largest_kappa=True, prevalence="0.110000")
    cap = found["largest_kappa"]
    k = float(kc.kappa_from_rates(0.595, 0.9285, 0.11))
    assert cap["kappa"] == pytest.approx(k, abs=1e-5)
    # Points of the line: kappa there is the largest one, and the areas are those below it.
    f = np.linspace(0, 1, 20_001)
    line = np.array([np.interp(k, kc.kappa_from_rates(x, f, 0.11), f) for x in f[::100]])
    assert cap["auc"] == pytest.approx(np.trapezoid(line, f[::100]), abs=1e-4)
    exact = np.interp(f, f[::100], line)
    auk = kc.area_under_kappa([0, *f, 1], [0, *exact, 1], 0.11)
    assert cap["auk"] == pytest.approx(auk, abs=1e-4)
    assert not cap["auc_possible"]
    assert not cap["auk_possible"]
    assert "AUC 0.7186 and AUK 0.1753 are larger, rounding included." in text
    with pytest.raises(ValueError, match="The largest kappa of a curve is at least 0"):
        audit({"kappa": "-0.1"}, largest_kappa=True, prevalence="0.1")


@pytest.mark.parametrize(
    ("printed", "options", "unused"),
    [
        ({"tpr": "0.5", "auc": "0.7"}, {"rows": 20}, ["auc"]),
        (POINT | {"accuracy": "0.9"}, {"prevalence": "0.89"}, ["accuracy"]),
        (POINT | {"specificity": "0.4"}, {}, ["specificity"]),
        ({"auc": "0.7", "auk": "0.1"}, {"rows": 20, "prevalence": "0.11"}, ["rows"]),
        ({"auc": "0.7", "auk": "0.1"}, {"rows": 20, "positives": 2}, []),
        ({"auc": "0.7", "auk": "0.1"}, {"rows": 20, "positives": 2, "prevalence": "0.10"}, []),
        (POINT, {"positives": 9}, ["positives"]),
        (POINT, {"largest_kappa": True}, ["largest_kappa"]),
        ({"kappa": "0.30", "accuracy": "0.957"}, {"rows": 72, "positives": 9}, []),
    ],
)
def test_what_is_not_used_is_said(printed, options, unused):
    text, found = audit(printed, **options)
    assert list(found["unused"]) == unused
    for name in unused:
        option = "--" + name.replace("_", "-")
        value = (printed | options)[name]
        said = option if value is True else f"{option} {value}"
        assert f"\n{said} is not used: " in text


def test_counts_and_a_share_that_contradict_each_other():
    """10 of 95 rows are 0.1053: 0.11 if rounded, 0.10 if cut off, and never 0.12."""
    areas = {"auc": "0.7", "auk": "0.1"}
    for printed in ({"tpr": "0.5"}, areas):
        with pytest.raises(ValueError, match=r"^10 of 95 rows are 0\.1053, not 0\.12: leave out"):
            audit(printed, rows=95, positives=10, prevalence="0.12")
        with pytest.raises(ValueError, match=r"^positives must be less than rows, 95, got 95\.$"):
            audit(printed, rows=95, positives=95)
    text = audit({"tpr": "0.5"}, rows=95, positives=10, prevalence="0.10")[0]
    assert "Digits rounded: 10 of 95 rows are 0.1053, not 0.10.\n" in text
    assert "Digits cut off, 10 positives: possible" in text
    stated = audit(areas, rows=95, positives=10, prevalence="0.11")
    assert "at 10/95 the AUK lies" in stated[0]
    assert stated[1]["curves"] == audit(areas, rows=95, positives=10)[1]["curves"]


def test_further_sentences():
    text, found = audit({"accuracy": "0.957"}, rows=72)
    assert found["counts"]["rounded"]["contradictions"] == [["accuracy"]]
    assert "accuracy 0.957 is no k/72." in text
    assert text.endswith("Hints, if digits are rounded: the numbers fit with 70 rows.\n")
    hints = audit({"tpr": "0.928"}, rows=286, positives=68)[1]["counts"]["hints"]
    assert hints == ["with 69 positives"]
    # Of 2 and 8 positives, which both print the rates, 8 come nearer to kappa: 0.127, not 0.12.
    text = audit({"tpr": ".50", "fpr": ".333", "kappa": ".9"}, rows=11)[0]
    assert "share of the best fit that prints TPR and FPR is 72.7 % (8 of 11 rows)" in text
    assert "Kappa of these rates is 0.1270 at its own share; TPR - FPR is 0.1667." in text
    text = audit({"auc": "0.7", "auk": "0.1"}, rows=20, positives=2)[0]
    assert text.startswith("AUC 0.7, AUK 0.1; 20 rows, 2 positive\n")
    assert "at 2/20 the AUK lies" in text
    text = audit(POINT, rows=286, positives=35)[0]
    assert (
        "0.2030 at its own share, 0.1166 at the stated share 35/286 and 0.3401 at that of" in text
    )
    text = audit(POINT, rows=286, prevalence="0.89")[0]
    assert "  FPR 0.60 is no k/31 or k/32.\n" in text
    assert "  TPR 0.928 is no k/n for any n from 255 to 257.\n" in text
    assert audit(POINT, prevalence="0.89")[0].endswith("The stated share is among them.\n")
    assert audit(POINT, prevalence="0.11")[0].endswith("The stated share is not among them.\n")
    # Near misses of two rows: one row is no test set.
    assert audit({"accuracy": "0.4"}, rows=2)[1]["counts"]["hints"] == []
    found = audit({"kappa": "0.30"}, largest_kappa=True, prevalence="0.1")[1]["largest_kappa"]
    assert found["kappa"] == pytest.approx(0.305)
    # Accuracy 0.5 of 1,000 rows of which 500 are positive: 450 to 550 errors.
    text = audit({"accuracy": "0.5"}, rows=1000, positives=500)[0]
    n_tables = sum(450 <= fn + fp <= 550 for fn in range(501) for fp in range(501))
    assert f"too coarse to test ({n_tables:,} confusion matrices)." in text
    assert "too coarse to test (too many" in audit({"kappa": "0.3"}, rows=10**5)[0]
    assert (
        "no number of positives is 0.11 of 5 rows"
        in audit({"tpr": "0.5"}, rows=5, prevalence="0.11")[0]
    )
