"""Warnings of thousands of fits, told once."""

from __future__ import annotations

import logging
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

log = logging.getLogger(__name__)


class FitWarnings:
    """Counts of what models warned of, by the line of code that did.

    Messages may hold numbers of one fit, so the first of a line stands for all of them.

    >>> found = FitWarnings()
    >>> for number in range(2):
    ...     with found.of("forest"):
    ...         warnings.warn(f"tree {number} is bare")
    >>> found.told(10)
    ['forest: UserWarning in 2 of 10 replicates, such as: tree 0 is bare']
    """

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str, str, int]] = Counter()
        self._messages: dict[tuple[str, str, str, int], str] = {}

    @contextmanager
    def of(self, model: str) -> Iterator[None]:
        """Note what one fit inside the block warns of; a line that repeats itself counts once."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        if not caught:  # nearly always
            return
        seen: dict[tuple[str, str, str, int], str] = {}
        for one in caught:
            # A network that reaches its last iteration is used as it is, thousands of times. Known
            # by its name: importing scikit-learn to ask takes two seconds.
            if one.category.__name__ != "ConvergenceWarning":
                kind = (model, one.category.__name__, one.filename, one.lineno)
                seen.setdefault(kind, str(one.message))
        self._counts.update(seen.keys())
        self._messages = seen | self._messages

    def told(self, fits: int) -> list[str]:
        """One sentence a kind, in the order in which they came up."""
        return [
            f"{kind[0]}: {kind[1]} in {count} of {fits} replicates, such as: "
            f"{(self._messages[kind].splitlines() or [''])[0]}"
            for kind, count in self._counts.items()
        ]

    def write(self, fits: int) -> None:
        """Write them into the job's log."""
        for sentence in self.told(fits):
            log.warning("%s", sentence)
