"""The examples, run as their README says."""

import re
from pathlib import Path

import pandas as pd
import pytest
import yaml

from study.settings.check import check_config

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```sh\nsnakemake --cores 4 (.+?)\n```\n\n((?:> .+\n)+)", TEXT)


def test_the_readme_has_every_example():
    named = {Path(command.split()[-1]).name for command, _ in EXAMPLES}
    assert named == {path.name for path in ROOT.glob("examples/*.yaml")}


@pytest.mark.parametrize("example", sorted(ROOT.glob("examples/*.yaml")), ids=lambda one: one.stem)
def test_examples_are_accepted(example):
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    for name, value in yaml.safe_load(example.read_text()).items():
        config[name] |= value
    check_config(config, [example])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "said"), EXAMPLES, ids=[Path(command).stem for command, _ in EXAMPLES]
)
def test_an_example_gives_the_answer_that_its_readme_has(command, said, snakemake, tmp_path):
    for folder in ("examples", "docs"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    target, _, config = command.split()
    done = snakemake(tmp_path, target, config=ROOT / config)
    assert done.returncode == 0, done.stdout
    name, _, sentence = " ".join(said.replace("> ", "").split()).partition(": ")
    place = tmp_path / "results/datasets" / name
    assert sentence in pd.read_csv(place / "tables/answer.csv")["sentence"].tolist()
    assert (place / "appendix/appendix.pdf").read_bytes().startswith(b"%PDF")
