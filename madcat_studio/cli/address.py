"""Addresses of campaigns as arguments: a server's password is asked for, and is no argument."""

from __future__ import annotations

import sys

import typer

__all__ = ["ask_password"]


def ask_password(where: str) -> str:
    """Let the password of a server be asked for at the keyboard, where somebody sits at one."""
    if where.startswith("postgres") and sys.stdin.isatty():
        from madcat_studio.store import ask_with

        ask_with(_ask)
    return where


def _ask(address: str) -> str:
    return str(typer.prompt(f"Password for {address}", hide_input=True, err=True))
