"""What every rule and profile must say."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
RULES = {
    re.match(r"rule (\w+):", text)[1]: text
    for file in sorted((ROOT / "workflow" / "rules").rglob("*.smk"))
    for text in re.split(r"\n(?=rule )", file.read_text())[1:]
    if "    output:" in text  # a rule without output only names others' files
}


@pytest.mark.parametrize("name", RULES)
def test_a_rule_says_what_it_takes(name):
    rule = RULES[name]
    for section in ("threads", "resources", "benchmark", "log", "conda", "script"):
        assert re.search(rf"^    {section}:", rule, re.MULTILINE), section
    log = re.search(r'log:\n\s+f?"results/logs/(.*)\.log"', rule)[1]
    benchmark = re.search(r'benchmark:\n\s+f?"results/benchmarks/jobs/(.*)\.tsv"', rule)[1]
    assert benchmark == log


def test_the_profiles_agree_on_what_a_failed_job_means():
    here, there = (
        yaml.safe_load((ROOT / "profiles" / name / "config.yaml").read_text())
        for name in ("default", "slurm")
    )
    for key in ("keep-going", "rerun-incomplete", "show-failed-logs", "quiet"):
        assert here[key] == there[key]
    assert there["executor"] == "slurm"
    assert "executor" not in here
