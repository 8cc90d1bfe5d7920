"""Warnings of thousands of fits, each kind reported once."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager


class FitWarnings:
    """Warnings of each model, by the line of code that gave them.

    Messages may hold numbers of one fit, so the first message of a line stands for all of them.

    >>> found = FitWarnings()
    >>> for number in range(2):
    ...     with found.of("forest"):
    ...         warnings.warn(f"tree {number} is bare")
    >>> found.told(10)
    ['forest: UserWarning in 2 of 10 replicates, such as: tree 0 is bare']
    """

    def __init__(self) -> None:
        self._messages: defaultdict[tuple[str, str, str, int], list[str]] = defaultdict(list)

    @contextmanager
    def of(self, model: str) -> Iterator[None]:
        """Record the warnings of one fit; a line that repeats itself counts once."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        kinds = [(model, one.category.__name__, one.filename, one.lineno) for one in caught]
        for kind in dict.fromkeys(kinds):
            self._messages[kind].append(str(caught[kinds.index(kind)].message))

    def told(self, fits: int) -> list[str]:
        """One sentence per kind of warning, in order of appearance.

        A network that reaches its last iteration is used as it is: worth telling of one fit, not of
        thousands.
        """
        return [
            f"{model}: {category} in {len(messages)} of {fits} replicates, such as: "
            f"{messages[0].partition(chr(10))[0]}"
            for (model, category, *_), messages in self._messages.items()
            if fits == 1 or category != "ConvergenceWarning"
        ]
