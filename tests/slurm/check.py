"""The sweep on a Slurm of one node: the same tables as here.

A job that draws replicates is cancelled, and a rerun fills the gap alone.

    python tests/slurm/check.py FOLDER

Run by tests/slurm/run.sh, which starts and stops Slurm, with an interpreter that has the executor.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
STARTED: list[subprocess.Popen[bytes]] = []  # what fails in between must leave no run behind
TABLES = [f"results/tables/{name}.csv" for name in ("sweep", "sweep_reversal", "sweep_sizes")]
LEADS = "results/tables/leads.csv"
CLUSTER = [
    "--workflow-profile",
    "profiles/slurm",
    # A Slurm of one node keeps no accounts. Its jobs take 10 s; a look in vain makes the next wait
    # 10 s longer.
    *("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "13"),
    *("--latency-wait", "5", "--retries", "0"),
]
LIMIT = 900  # seconds that a run may take


SWEEP = ["--snakefile", str(ROOT / "Snakefile")]
SWEEP += ["--configfile", str(ROOT / "tests/slurm/sweep.yaml"), "--", *TABLES]
# A workflow whose own rule makes the data of ours, which it renames.
PARENT = """
localrules:
    export,


rule export:
    output:
        "made/loans.csv",
    shell:
        "cp {root}/examples/loans.csv {{output}}"


module kappa:
    snakefile:
        "{root}/workflow/Snakefile"
    config:
        config

use rule * from kappa as kappa_*
"""


def start_run(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Snakemake in a folder, its messages in snakemake.log there."""
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "snakemake", "--directory", str(folder), *arguments]
    with (folder / "snakemake.log").open("a") as log:
        STARTED.append(subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log))
    return STARTED[-1]


def list_jobs(state: str) -> dict[str, str]:
    """Jobs in a state: Slurm's id, and the rule with its wildcards."""
    command = ["squeue", "--noheader", f"--states={state}", "--format=%A %k"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(line.split(maxsplit=1) for line in done.stdout.splitlines())


def cancel_drawing(run: subprocess.Popen[bytes]) -> None:
    """Cancel the first job that is seen drawing replicates."""
    while True:
        assert run.poll() is None, "the run ended before it was seen drawing"
        for job, comment in list_jobs("RUNNING").items():
            if "draw_" in comment:
                subprocess.run(["scancel", job], check=True)
                return
        time.sleep(0.1)


def list_chunks(folder: Path) -> dict[str, int]:
    """Chunks that are there, and when each was written."""
    found = (folder / "results/replicates").rglob("*.parquet")
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in found}


def check_cluster(here: Path, there: Path) -> None:
    assert start_run(here, "--cores", "2", *SWEEP).wait(LIMIT) == 0, "the local run failed"

    first = start_run(there, *CLUSTER, *SWEEP)
    cancel_drawing(first)
    assert first.wait(LIMIT) != 0, "a run with a cancelled job ended as if nothing were wrong"
    before, jobs_before = list_chunks(there), list_jobs("all")
    missing = list_chunks(here).keys() - before.keys()
    assert len({name.replace(".scores", "") for name in missing}) == 1, missing

    assert start_run(there, *CLUSTER, *SWEEP).wait(LIMIT) == 0, "the second run failed"
    after = list_chunks(there)
    assert after.keys() - before.keys() == missing
    assert before.items() <= after.items(), "a chunk that was there was drawn again"
    new = [comment for job, comment in list_jobs("all").items() if job not in jobs_before]
    assert sorted("draw_" in comment for comment in new) == [False, True], new
    for table in TABLES:
        assert (here / table).read_bytes() == (there / table).read_bytes(), table
    print(f"{len(TABLES)} tables of {len(after)} chunks: the same bytes here and on Slurm")


def check_module(folder: Path) -> None:
    """The data are prepared where Snakemake runs, the replicates are drawn on a node."""
    folder.mkdir()
    (folder / "Snakefile").write_text(PARENT.format(root=ROOT))
    config = yaml.safe_load((ROOT / "examples/loans.yaml").read_text())
    config["data"]["path"] = "made/loans.csv"
    config["experiment"]["replicates"] = 20
    config["models"] = {"linear": {}, "logistic": {}}
    (folder / "loans.yaml").write_text(yaml.safe_dump(config))
    before = list_jobs("all")
    files = ["--snakefile", str(folder / "Snakefile"), "--configfile", str(folder / "loans.yaml")]
    run = start_run(folder, *CLUSTER, *files, "--", LEADS)
    assert run.wait(LIMIT) == 0, "the run as a module failed"
    new = " ".join(comment for job, comment in list_jobs("all").items() if job not in before)
    assert "kappa_draw_replicates" in new and "kappa_tables" in new, new
    assert "prepare_data" not in new, new
    print("As a renamed module with data of the parent's: prepared here, drawn on Slurm")


if __name__ == "__main__":
    try:
        check_cluster(Path(sys.argv[1]) / "local", Path(sys.argv[1]) / "cluster")
        check_module(Path(sys.argv[1]) / "module")
    finally:
        for run in STARTED:
            run.terminate()
