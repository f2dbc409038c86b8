# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions with the sentence that the command line prints."""

from __future__ import annotations


class LerpError(Exception):
    """A mistake in one sentence: what is wrong, where, and what to do."""

    __module__ = "lerp"
    what: str = ""
    where: str = ""
    remedy: str = ""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a long call. The sentence says how to go on."""

    __module__ = "lerp"
    what: str = ""
    where: str = ""
    remedy: str = ""


def make(name: str, sentence: str, what: str, where: str, remedy: str) -> BaseException:
    """Called by the compiled module."""
    error: LerpError | Interrupted = Interrupted(sentence) if name == "Interrupted" else LerpError(sentence)
    error.what, error.where, error.remedy = what, where, remedy
    return error
