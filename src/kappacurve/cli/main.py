"""The command ``kappacurve``: the package for those who do not write Python."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from kappacurve import __version__
from kappacurve._validation import printable

COMMANDS = ["audit", "explore", "measure", "plan"]


class _Commands(click.Group):
    """Imports the module of a command when it is called."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return COMMANDS

    def get_command(self, _ctx: click.Context, name: str) -> Any:
        known = name in COMMANDS
        return getattr(import_module(f"kappacurve.cli.{name}"), name) if known else None

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what it says of a mistake may name a stranger's file and columns."""
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            error.message = printable(error.message)  # type: ignore[misc]
            raise


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
@click.version_option(__version__, package_name="kappacurve")
def main() -> None:
    """Measure classifiers from their scores, and audit published AUKs.

    \b
    Examples:
      kappacurve measure scores.csv --label y --score model_a --score model_b
      kappacurve explore scores.csv --label y -o page.html
      kappacurve audit --auc 0.7186 --auk 0.1753 --prevalence 0.11
      kappacurve plan --auc 0.75 --auc 0.80 --correlation 0.6 --prevalence 0.05

    kappacurve COMMAND --help tells more. For completion in bash:
    eval "$(_KAPPACURVE_COMPLETE=bash_source kappacurve)"
    """


if __name__ == "__main__":
    main()
