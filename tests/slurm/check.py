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

ROOT = Path(__file__).parents[2]
STARTED: list[subprocess.Popen[str]] = []  # what fails in between must leave no run behind
TABLES = [f"results/tables/{name}.csv" for name in ("sweep", "sweep_reversal", "sweep_sizes")]
CLUSTER = [
    "--workflow-profile",
    "profiles/slurm",
    # A Slurm of one node keeps no accounts, and needs no patience.
    *("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "1"),
    *("--latency-wait", "5", "--retries", "0"),
]


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Snakemake in a folder, its messages in snakemake.log there."""
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "snakemake", "--directory", str(folder), *arguments]
    command += ["--snakefile", str(ROOT / "Snakefile")]
    command += ["--configfile", str(ROOT / "tests/slurm/sweep.yaml"), "--", *TABLES]
    with (folder / "snakemake.log").open("a") as log:
        run = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, text=True)
    STARTED.append(run)
    return run


def queue(*states: str) -> dict[str, str]:
    """Jobs in these states: Slurm's id, and the rule with its wildcards."""
    command = ["squeue", "--noheader", f"--states={','.join(states)}", "--format=%A %k"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(line.split(maxsplit=1) for line in done.stdout.splitlines())


def cancel_one(run: subprocess.Popen[str]) -> str:
    """Cancel the first job that is seen drawing replicates; its id."""
    while run.poll() is None:
        for job, comment in queue("RUNNING").items():
            if "draw_" in comment:
                subprocess.run(["scancel", job], check=True)
                return job
        time.sleep(0.1)
    raise SystemExit("test-slurm: the run ended before it was seen drawing.")


def parts(folder: Path) -> dict[str, int]:
    """Parts that are there, and when each was written."""
    found = (folder / "results/replicates").rglob("*.parquet")
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in found}


def finish(run: subprocess.Popen[str]) -> int:
    """Wait for a run, not for ever; its exit code."""
    try:
        return run.wait(timeout=900)
    except subprocess.TimeoutExpired:
        raise SystemExit("test-slurm: a run did not end within a quarter of an hour.") from None


def require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise SystemExit(f"test-slurm: {otherwise}")


def same_tables(tables: list[str], here: Path, there: Path) -> None:
    for table in tables:
        same = (here / table).read_bytes() == (there / table).read_bytes()
        require(same, f"{table} differs between the local run and Slurm's")


def main() -> None:
    folder = Path(sys.argv[1])
    here, there = folder / "local", folder / "cluster"

    local = start(here, "--cores", "2")
    require(finish(local) == 0, f"the local run failed; see {here}/snakemake.log")
    print(f"local run: {len(parts(here))} parts", flush=True)

    first = start(there, *CLUSTER)
    cancelled = cancel_one(first)
    require(finish(first) != 0, "a run with a cancelled job ended as if nothing were wrong")
    before, jobs_before = parts(there), queue("all")
    print(f"first run: job {cancelled} cancelled, {len(before)} parts drawn", flush=True)
    missing = set(parts(here)) - set(before)
    require(
        len({name.replace(".scores", "") for name in missing}) == 1,
        "the parts of one job should be missing, but these are: " + str(missing),
    )

    again = start(there, *CLUSTER)
    require(finish(again) == 0, f"the second run failed; see {there}/snakemake.log")
    after, jobs_after = parts(there), queue("all")
    new = [comment for job, comment in jobs_after.items() if job not in jobs_before]
    print(f"second run: Slurm ran {len(new)} jobs: {', '.join(sorted(new))}", flush=True)
    require(set(after) - set(before) == missing, "the second run did not draw the missing part")
    kept = all(after[name] == written for name, written in before.items())
    require(kept, "the second run drew a part again that was there")
    drawn = ["draw_" in comment for comment in new]
    require(sorted(drawn) == [False, True], "only the missing part and its tables were to be run")

    same_tables(TABLES, here, there)
    print(f"{len(TABLES)} tables of {len(after)} parts: the same bytes here and on Slurm")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        for run in STARTED:
            if run.poll() is None:
                run.terminate()
