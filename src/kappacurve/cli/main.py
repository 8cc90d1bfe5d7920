"""The command ``kappacurve``: the package for those who do not write Python."""

from __future__ import annotations

from importlib import import_module

import click

from kappacurve import __version__

# A command's module is imported when the command runs: the list of commands needs none of it.
COMMANDS = {
    "audit": "Can this AUC and AUK belong together?",
    "measure": "AUC, AUK, H and others of your own scores.",
}


class LazyGroup(click.Group):
    """Group whose commands are functions of their name in ``kappacurve.cli``."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"kappacurve.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, package_name="kappacurve")
def main() -> None:
    """Measure classifiers from their scores, and audit published AUKs.

    \b
    Examples:
      kappacurve measure scores.csv --label y --score model_a model_b
      kappacurve audit --auc 0.7186 --auk 0.1753 --prevalence 0.11

    kappacurve COMMAND --help tells more. For completion in bash:
    eval "$(_KAPPACURVE_COMPLETE=bash_source kappacurve)"
    """


if __name__ == "__main__":
    main()
