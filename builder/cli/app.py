"""The commands, each in a module of its own that is imported when it is needed."""

from __future__ import annotations

import importlib

import click

_COMMANDS: tuple[str, ...] = ("build", "check", "diff", "explain", "init", "list")
_COMMANDS += ("preview", "pull", "push", "review", "rules", "simulate")


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = importlib.import_module(f"builder.cli.{cmd_name}").command
        return command if isinstance(command, click.Command) else None

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
