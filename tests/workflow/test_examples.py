"""The examples, run as their README says."""

import re
from pathlib import Path

import pandas as pd
import pytest
import yaml

from study.settings.check import check_config

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"--configfile (\S+) --directory \S+\n```\n\n((?:> .+\n)+)", TEXT)


def test_the_readme_has_every_example():
    named = {Path(config).name for config, _ in EXAMPLES}
    assert named == {path.name for path in ROOT.glob("examples/*.yaml")}


@pytest.mark.parametrize("example", sorted(ROOT.glob("examples/*.yaml")), ids=lambda one: one.stem)
def test_examples_are_accepted(example):
    check_config(yaml.safe_load(example.read_text()), [example])


@pytest.mark.slow
@pytest.mark.parametrize(("config", "said"), EXAMPLES, ids=[Path(one).stem for one, _ in EXAMPLES])
def test_an_example_gives_the_answer_that_its_readme_has(config, said, snakemake, tmp_path):
    done = snakemake(tmp_path, config=ROOT / config)
    assert done.returncode == 0, done.stdout
    sentence = " ".join(said.replace("> ", "").split())
    assert sentence in pd.read_csv(tmp_path / "results/tables/answer.csv")["sentence"].tolist()
