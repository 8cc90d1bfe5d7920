"""Loops that numba compiles once there is enough to do: importing it takes a third of a second.

Compiled or interpreted they give the same bits: plain loops in a fixed order, no threads, no
reassociated sums. What is compiled is kept in numba's cache, which compares the date of the
kernel's own file alone: after a change to a helper in another file touch that file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

# Elements that are looped over without a compiler before one is loaded.
PATIENCE = 20_000

_helpers: list[Callable[..., Any]] = []
_interpreted = 0


def helper(function: F) -> F:
    """Let kernels call a function."""
    _helpers.append(function)
    return function


class Kernel:
    """A function of arrays and numbers that calls nothing but helpers."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *args: Any) -> Any:
        global _interpreted
        if "numba" not in sys.modules:
            size = max(arg.size for arg in args if isinstance(arg, np.ndarray))
            if (_interpreted := _interpreted + size) < PATIENCE:
                return self.function(*args)
        return self.compiled(*args)

    @cached_property
    def compiled(self) -> Callable[..., Any]:
        import numba
        from numba.extending import register_jitable

        while _helpers:
            register_jitable(_helpers.pop())
        options: Any = {"nogil": True, "error_model": "numpy"}
        try:
            return numba.njit(cache=True, **options)(self.function)  # type: ignore[no-any-return]
        except RuntimeError:  # numba: "no locator available"
            return numba.njit(**options)(self.function)  # type: ignore[no-any-return]
