"""Finish what a crash has left in folders, by default here and quick/: the same command and config.

With --unlock and a folder, only make sure that nothing is at work there and take the lock away.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from find_running import processes, works_in

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
from study import recovery

SNAKEMAKE = [sys.executable, "-m", "snakemake"]


def unlock(folder: Path) -> bool:
    """Take away the lock of a run that was killed; exit if something is still at work."""
    working = [one for one in processes() if works_in(one, folder.resolve())]
    for process in working:
        print(f"{process.pid} {' '.join(process.arguments)}")
    if working:
        sys.exit("These processes are still at work. Wait for them or stop them, then try again.")
    is_locked = any((folder / ".snakemake" / "locks").glob("*"))
    if is_locked:
        snakemake("--directory", str(folder), "--unlock")
    return is_locked


def recover(folder: Path) -> bool:
    """Finish the run that was begun in a folder; false if there is none."""
    was_locked, found = unlock(folder), recovery.unfinished(folder)
    if found is None:
        if was_locked:
            print(f"{folder.resolve()} is unlocked; no job had begun, so start your run again.")
        return was_locked
    print(f"Finishing: snakemake {shlex.join(found.arguments)}", flush=True)
    for name in found.changed():
        print(f"{name} has changed since: its new settings are used.", flush=True)
    snakemake(*found.arguments, "--rerun-incomplete")
    recovery.end(folder)
    return True


def snakemake(*arguments: str) -> None:
    """Run it, and exit as it does if it fails."""
    done = subprocess.run([*SNAKEMAKE, *arguments], check=False)  # noqa: S603  as the user gave them
    if done.returncode:
        sys.exit(done.returncode)


def main() -> None:
    """Read the arguments."""
    if sys.argv[1:2] == ["--unlock"]:
        unlock(Path(sys.argv[2]))
        return
    found = [recover(Path(folder)) for folder in sys.argv[1:] or (".", "quick")]
    if not any(found):
        print("There is no unfinished run, neither here nor in quick/.")


if __name__ == "__main__":
    main()
