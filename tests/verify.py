"""Compare a run of the default config with tests/expected: ``python tests/verify.py [results]``."""

import sys
from pathlib import Path

import pandas as pd
from pandas.testing import assert_frame_equal

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("tools", "src")]
from write_verdict import PAGE, read_text, write_verdict  # noqa: E402

from study.cpu import has_avx2  # noqa: E402
from study.paper.facts import find_failed_checks  # noqa: E402

EXPECTED = Path(__file__).parent / "expected"
OTHER_CPU = (
    "The expected tables are those of an x86-64 processor with AVX2. This one has other kernels "
    "for linear algebra, by which networks end elsewhere: means may differ by 0.0003."
)


def find_differences(results: Path) -> dict[str, str]:
    """What differs by more than the last printed digit, by file."""
    differences = {}
    for path in sorted(EXPECTED.rglob("*.csv")):
        name = path.relative_to(EXPECTED).as_posix()
        try:
            found, expected = pd.read_csv(results / name), pd.read_csv(path)
            assert_frame_equal(found, expected, check_dtype=False, rtol=0, atol=2e-6)
        except FileNotFoundError:
            differences[name] = "there is no such file: finish a run first (make reproduce)"
        except AssertionError as error:
            differences[name] = " ".join(str(error).split())
    if all((results / path.relative_to(EXPECTED)).is_file() for path in EXPECTED.rglob("*.csv")):
        if failed := find_failed_checks(results):
            differences["claims.yaml"] = f"rewrite what it says of {'; '.join(failed)}"
        if write_verdict(read_text(results)) != PAGE.read_text(encoding="utf-8"):
            differences["logs/page.md"] = "docs/verdict.md says something else (make verdict)"
    return differences


if __name__ == "__main__":
    results = Path(sys.argv[1] if len(sys.argv) > 1 else "results")
    differences = find_differences(results)
    for name, text in differences.items():
        print(f"{results / name}: {text}")
    if not differences:
        count = len(list(EXPECTED.rglob("*.csv")))
        print(f"{results} has the published numbers: {count} of {count} tables agree.")
    elif not has_avx2():
        print(OTHER_CPU)
    sys.exit(bool(differences))
