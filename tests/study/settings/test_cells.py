from pathlib import Path

import pytest
import yaml

from study.settings.cells import (
    part_bounds,
    replicate_groups,
    sweep_cell,
    sweep_levels,
    sweep_sizes,
)

ROOT = Path(__file__).parents[3]


@pytest.fixture
def config():
    return yaml.safe_load((ROOT / "config" / "config.yaml").read_text())


def test_parts_cover_every_replicate_once():
    for count, per_job in ((10, 3), (9, 3), (1, 5)):
        bounds = part_bounds({"count": count, "per_job": per_job})
        assert [n for first, last in bounds for n in range(first, last)] == list(range(count))


def test_slow_models_form_a_group_of_their_own(config):
    groups = replicate_groups(config)
    assert list(groups["main"].cell["models"]) == ["linear", "logistic", "neural_net"]
    assert groups["main"].replicates == 1000
    assert list(groups["neural_net_lm"].cell["models"]) == ["neural_net_lm"]
    assert groups["neural_net_lm"].replicates == 200


def test_a_new_level_leaves_the_other_cells_alone(config):
    before = {
        tuple(level.values()): sweep_cell(config, level) for level in sweep_levels(config).levels
    }
    config["sweep"]["skew"].append(0.15)
    config["sweep"]["encoding"].append("onehot")
    after = {
        tuple(level.values()): sweep_cell(config, level) for level in sweep_levels(config).levels
    }
    assert len(after) == 14
    assert before.items() <= after.items()


def test_cells_that_the_data_cannot_give_are_listed(config):
    config["sweep"]["sampling"] = ["keep_majority", "total"]
    sweep = sweep_levels(config)
    assert len(sweep.levels) + len(sweep.skipped) == 12
    skipped = {one["cell"]: one["reason"] for one in sweep.skipped}
    assert any("skew 0.5" in cell and "sampling total" in cell for cell in skipped)
    assert any("300 bad ones" in reason for reason in skipped.values())


def test_sizes_change_with_the_share(config):
    sizes = {one["skew"]: one for one in sweep_sizes(config)}
    tests = [sizes[skew]["test"] for skew in ("0.02", "0.05", "0.11", "0.2", "0.3", "0.5")]
    assert tests == [214, 236, 286, 375, 500, 100]
    assert (sizes["0.5"]["good"], sizes["0.5"]["bad_in_test"]) == (300, 50)
    assert sizes["0.02"]["bad_in_test"] == pytest.approx(214 * 14 / 714)
