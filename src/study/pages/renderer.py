"""What the renderers share: a method for each kind of node, and an error for any other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docutils import nodes

from study.pages.document import Document
from study.pages.typography import typeset


class Renderer:
    """Turns a document's tree into text, each node by the method ``_<its class>``.

    A text may hold no markup that only one format knows: a node without a method is an error.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.number_of = {key: place for place, key in enumerate(document.references, start=1)}

    def body(self) -> str:
        """The document's sections, without its title."""
        children = self.document.tree.children
        return "".join(self.render(node) for node in children if not isinstance(node, nodes.title))

    def render(self, node: nodes.Node) -> str:
        """Text of one node and what is inside it."""
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is None:
            raise NotImplementedError(f"{type(self).__name__} can't render {type(node).__name__}")
        text: str = method(node)
        return text

    def inside(self, node: nodes.Node) -> str:
        """Text of what is inside a node."""
        return "".join(self.render(child) for child in node.children)

    def caption(self, node: nodes.Element) -> str:
        """The paragraphs of a caption, run together."""
        return " ".join(self.inside(paragraph) for paragraph in node.children)

    def words(self, node: nodes.Text) -> str:
        """Text in one line, as it is printed."""
        return typeset(node.astext().replace("\n", " "))

    def depth(self, node: nodes.Node) -> int:
        """Level of a section's title, 1 for the outermost."""
        depth = 0
        place: Any = node
        while place is not None:
            depth += isinstance(place, nodes.section)
            place = place.parent
        return depth

    def _title(self, node: nodes.title) -> str:
        raise NotImplementedError

    def _section(self, node: nodes.section) -> str:
        return self.inside(node)

    def _comment(self, _node: nodes.comment) -> str:
        return ""


def file_stem(name: str) -> str:
    """A table's or figure's name as the stem of one file name.

    >>> file_stem("companions/silipo/leak"), file_stem("figures/sweep")
    ('silipo_leak', 'sweep')
    """
    parts = name.split("/")
    return "_".join(parts[1:]) if len(parts) > 1 else name


def reference_text(entry: Mapping[str, Any]) -> str:
    """Authors, year, title and place of a reference, without its address.

    >>> reference_text({"authors": "A. Author", "year": 2010, "title": "T", "where": "J 1"})
    'A. Author (2010). T. J 1.'
    """
    return f"{entry['authors']} ({entry['year']}). {entry['title']}. {entry['where']}."


def reference_address(entry: Mapping[str, Any]) -> str:
    """DOI as an address, or the address itself, or nothing."""
    return f"https://doi.org/{entry['doi']}" if "doi" in entry else str(entry.get("url", ""))
