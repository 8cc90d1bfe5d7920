# What a run that made the verdict says at its end: the verdict's numbered answers.
import textwrap
import time

STARTED = time.time()


onsuccess:
    verdict = Path("results/forensics/verdict.md")
    if verdict.is_file() and verdict.stat().st_mtime >= STARTED:
        for line in verdict.read_text(encoding="utf-8").splitlines():
            if line[:3] in ("1. ", "2. ", "3. ", "4. ", "5. "):
                print(textwrap.fill(line.replace("*", ""), 92), file=sys.stderr)
        print("To read: results/index.html", file=sys.stderr)
