# When the run starts, damage is refused; then, and when it has ended, people are told.
# Snakemake keeps one handler of each kind, so all stand here.
import textwrap
import time

MADE = {
    "results/manifest.json": (
        "results/forensics/verdict.md",
        ["results/index.html", "results/report.html (make report)", "results/appendix/appendix.pdf"]
        + ["results/explorer.html", "results/tables/"],
    ),
}
STARTED = time.time()


def say(text, indent=""):
    """A paragraph for people, of lines that fit a terminal."""
    print(textwrap.fill(text, 92, subsequent_indent=indent), file=sys.stderr)


onstart:
    try:
        integrity.refuse_changed()
    except ExperimentError as error:
        raise WorkflowError(str(error))
    say(
        "The whole run takes about 2 minutes on 2 cores and writes to results/. It "
        "may be stopped with Ctrl-C: the same command continues it (after a kill, once with --unlock first)."
    )


onsuccess:
    for manifest, (answer, paths) in MADE.items():
        if Path(manifest).is_file() and Path(manifest).stat().st_mtime >= STARTED:
            if answer:
                lines = Path(answer).read_text(encoding="utf-8").splitlines()
                for line in lines:
                    if line[:3] in ("1. ", "2. ", "3. ", "4. ", "5. "):
                        say(line.replace("*", ""), "   ")
            say(f"To read: {', '.join(paths)}.")
