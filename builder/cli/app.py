"""The commands, each in a module of its own that is imported when it is needed."""

from __future__ import annotations

import importlib

import click

# In one line each, so that --help need not import them.
_COMMANDS = {
    "build": "Write the boards and the files around them, ready to be mounted.",
    "check": "Find what is wrong with dashboards, or try them on a Prometheus.",
    "diff": "Say how dashboards differ.",
    "explain": "Tell what a name means, and what it needs.",
    "init": "Write a configuration that fits a Prometheus and a Grafana.",
    "list": "Show the boards, and what a board may ask.",
    "preview": "Draw boards with data, without a Grafana.",
    "pull": "Read boards from a Grafana into files.",
    "push": "Push the boards into a Grafana, through its API.",
    "review": "Report what a change does to the boards.",
    "rules": "Build, check, test and explain recording and alerting rules.",
    "simulate": "Be a GPU fleet with faults, to scrape or as a history.",
}


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = importlib.import_module(f"builder.cli.{cmd_name}").command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from builder.errors import nearest

            ctx.fail(f"No such command {args[0]!r}: {nearest(args[0], _COMMANDS)}")
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
    if asked:
        from builder.cli.crash import versions

        click.echo(versions()["gpuboards"])
        ctx.exit()


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version.")
def app() -> None:
    """Grafana dashboards as code for GPU training fleets."""
