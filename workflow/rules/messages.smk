# What a run that made it says at its end: the verdict on the paper, and which model leads.
import csv
import textwrap
import time

STARTED = time.time()


def said_by(path):
    """The lines of an answer, if this run made it."""
    file = Path(path)
    if not file.is_file() or file.stat().st_mtime < STARTED:
        return []
    with file.open(encoding="utf-8", newline="") as lines:
        if file.suffix == ".csv":
            return [row["sentence"] for row in csv.DictReader(lines)]
        numbered = ("1. ", "2. ", "3. ", "4. ", "5. ")
        return [line.replace("*", "") for line in lines if line.startswith(numbered)]


onsuccess:
    for answer in ("results/forensics/verdict.md", "results/tables/answer.csv"):
        for line in said_by(answer):
            print(textwrap.fill(line, 92), file=sys.stderr)
