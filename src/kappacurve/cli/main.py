"""The command ``kappacurve``: the package for those who do not write Python."""

from __future__ import annotations

import click

from kappacurve import __version__
from kappacurve.cli.audit import audit
from kappacurve.cli.explore import explore
from kappacurve.cli.measure import measure
from kappacurve.cli.plan import plan


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(__version__, package_name="kappacurve")
def main() -> None:
    """Measure classifiers from their scores, and audit published AUKs.

    \b
    Examples:
      kappacurve measure scores.csv --label y --score model_a --score model_b
      kappacurve explore scores.csv --label y -o page.html
      kappacurve audit --auc 0.7186 --auk 0.1753 --prevalence 0.11
      kappacurve plan --auc 0.75 0.80 --correlation 0.6 --prevalence 0.05

    kappacurve COMMAND --help tells more. For completion in bash:
    eval "$(_KAPPACURVE_COMPLETE=bash_source kappacurve)"
    """


main.add_command(audit)
main.add_command(explore)
main.add_command(measure)
main.add_command(plan)

if __name__ == "__main__":
    main()
