"""culdesac completion: the shell's own completion script."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    eval "$(culdesac completion bash)"
    culdesac completion fish > ~/.config/fish/completions/culdesac.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None, "click knows the shells that it offers"
    root = ctx.find_root()
    click.echo(kind(root.command, {}, "culdesac", "_CULDESAC_COMPLETE").source())
