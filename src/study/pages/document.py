"""The one source text of a document: reStructuredText with tables and figures of a run.

Beside docutils' own markup a text may use

- ``.. results-table:: tables/table4`` and ``.. results-figure:: figures/sweep``, with a caption as
  their content; in the PDF both stay where the text puts them, but for one with
  the option ``float``;
- ``:ref:`tables/table4``` for the number of such a table or figure;
- ``:cite:`kaymak2010``` for an entry of the references.

What is read is docutils' tree; :mod:`.latex` and :mod:`.typesetting` walk it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pandas as pd
from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives, roles
from docutils.utils import SystemMessage

from study.errors import ExperimentError
from study.pages.page_table import PageTable, page_table


class results_table(nodes.General, nodes.Element):  # noqa: N801 (docutils' spelling)
    """A table with its caption as children; attributes ``table``, ``long``, ``floats``."""


class results_figure(nodes.General, nodes.Element):  # noqa: N801
    """A figure with its caption as children; attributes ``name``, ``width`` (share), ``floats``."""


class cross_reference(nodes.Inline, nodes.Element):  # noqa: N801
    """The number of a table or figure; attributes ``target`` and ``kind``."""


class citation_number(nodes.Inline, nodes.Element):  # noqa: N801
    """The numbers of references; attribute ``keys``."""


class Document(NamedTuple):
    """A text that has been read: its tree, and what it shows, in order of appearance."""

    tree: nodes.document
    tables: dict[str, PageTable]
    figures: dict[str, Path]
    references: dict[str, Mapping[str, Any]]


class _Sources:
    """What the directives of the text being read may show (docutils has no better place)."""

    tables: ClassVar[Mapping[str, pd.DataFrame]] = {}
    figures: ClassVar[Mapping[str, Path]] = {}


def read_document(
    text: str,
    tables: Mapping[str, pd.DataFrame],
    figures: Mapping[str, Path],
    references: Mapping[str, Mapping[str, Any]],
) -> Document:
    """Read a text and check that all it names is there.

    Parameters
    ----------
    text : str
        reStructuredText.
    tables : mapping of str to DataFrame
        By the names that the text uses.
    figures : mapping of str to Path
        PDF files, by the names that the text uses.
    references : mapping of str to mapping
        By the keys that the text cites.

    Raises
    ------
    ExperimentError
        For faulty markup, or a table, column, figure or reference that does not exist.
    """
    _Sources.tables, _Sources.figures = tables, figures
    try:
        tree = publish_doctree(
            text,
            settings_overrides={
                "_disable_config": True,
                "file_insertion_enabled": False,
                "raw_enabled": False,
                "report_level": 5,
                "halt_level": 2,
                "smart_quotes": True,
                "language_code": "en",
            },
        )
    except SystemMessage as error:
        raise ExperimentError(f"the appendix's text is faulty: {error}") from None
    shown_tables = {node["name"]: node["table"] for node in tree.findall(results_table)}
    shown_figures = {node["name"]: figures[node["name"]] for node in tree.findall(results_figure)}
    cited: dict[str, Mapping[str, Any]] = {}
    for node in tree.findall(citation_number):
        for key in node["keys"]:
            if key not in references:
                raise ExperimentError(f"the appendix cites {key}, which is not in the references.")
            cited[key] = references[key]
    for reference in tree.findall(cross_reference):
        target = reference["target"]
        reference["kind"] = "table" if target in shown_tables else "figure"
        if target not in shown_tables and target not in shown_figures:
            raise ExperimentError(f"the appendix refers to {target}, which it doesn't show.")
    return Document(tree, shown_tables, shown_figures, cited)


class _ResultsTable(Directive):
    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "name": directives.unchanged_required,
        "columns": directives.unchanged_required,
        "where": directives.unchanged_required,
        "group": directives.unchanged_required,
        "labels": directives.unchanged_required,
        "percent": directives.unchanged_required,
        "widths": directives.positive_int_list,
        "head-of-group": directives.positive_int,
        "float": directives.flag,
        "side-by-side": directives.unchanged_required,
        "long": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        source, options = self.arguments[0], self.options
        if source not in _Sources.tables:
            raise self.error(f"there is no table {source}")
        try:
            table = page_table(
                _Sources.tables[source],
                columns=options.get("columns", "").split() or None,
                where=_pairs(options.get("where", "")),
                group=options.get("group"),
                labels=_pairs(options.get("labels", "")),
                percent=options.get("percent", "").split(),
                widths=options.get("widths"),
                head_of_group=options.get("head-of-group"),
                side_by_side=options.get("side-by-side"),
            )
        except KeyError as error:
            raise self.error(f"table {source} has no {error}") from None
        node = results_table(
            name=options.get("name", source),
            table=table,
            long="long" in options,
            floats="float" in options,
        )
        return [_with_caption(self, node)]


class _ResultsFigure(Directive):
    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "width": directives.percentage,
        "float": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if name not in _Sources.figures:
            raise self.error(f"there is no figure {name}")
        width = self.options.get("width", 100) / 100
        floats = "float" in self.options
        return [_with_caption(self, results_figure(name=name, width=width, floats=floats))]


def _with_caption(directive: Directive, node: nodes.Element) -> nodes.Element:
    directive.assert_has_content()
    directive.state.nested_parse(directive.content, directive.content_offset, node)
    return node


def _pairs(text: str) -> dict[str, str]:
    """``a=b, c=d e`` as a dictionary."""
    pairs = (part.split("=", 1) for part in text.split(",") if part.strip())
    return {name.strip(): value.strip() for name, value in pairs}


def _reference_role(
    _name: str, rawtext: str, text: str, *_rest: Any, **_options: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    return [cross_reference(rawtext, target=text)], []


def _citation_role(
    _name: str, rawtext: str, text: str, *_rest: Any, **_options: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    return [citation_number(rawtext, keys=[key.strip() for key in text.split(",")])], []


directives.register_directive("results-table", _ResultsTable)
directives.register_directive("results-figure", _ResultsFigure)
# docutils takes any inline nodes; its stubs know only references.
roles.register_local_role("ref", _reference_role)  # type: ignore[arg-type]
roles.register_local_role("cite", _citation_role)  # type: ignore[arg-type]
