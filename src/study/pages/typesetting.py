"""A document as Typst source, and its PDF, without a TeX installation."""

from __future__ import annotations

import json
import re
from pathlib import Path

from docutils import nodes

from study.pages.document import citation_number, cross_reference
from study.pages.notation import typst_math
from study.pages.page_table import PageTable
from study.pages.renderer import (
    Renderer,
    file_stem,
    reference_address,
    reference_text,
)

_SPECIAL = re.compile(r"([\\#$*_`<>@\[\]~/=+\-])")


class TypstRenderer(Renderer):
    """Renders the sections; figures are looked for in ``figures/``.

    Each call inside a line ends with a semicolon, so that what follows is no part of it.
    """

    def document_text(self, template: str, byline: str = "") -> str:
        """The whole document: the template around the sections and references."""
        body = re.sub(r"\n{3,}", "\n\n", self.body() + self._bibliography())
        title = escape(self.document.tree.get("title", ""))
        return (
            template.replace("@TITLE@", title)
            .replace("@BYLINE@", escape(byline))
            .replace("@BODY@", body)
        )

    def _bibliography(self) -> str:
        if not self.document.references:
            return ""
        items = "".join(
            f"+ {escape(reference_text(entry))} "
            + (f"#link({json.dumps(address)})" if (address := reference_address(entry)) else "")
            + f" <reference-{key}>\n"
            for key, entry in self.document.references.items()
        )
        style = '#set enum(numbering: "[1]")\n#set text(size: 8.5pt)'
        return f"\n#heading(numbering: none)[References]\n{style}\n{items}"

    def _Text(self, node: nodes.Text) -> str:  # noqa: N802 (the class is docutils')
        return escape(self.words(node))

    def _paragraph(self, node: nodes.paragraph) -> str:
        return f"\n{self.inside(node)}\n"

    def _title(self, node: nodes.title) -> str:
        return f"\n#heading(level: {self.depth(node)})[{self.inside(node)}]\n"

    def _emphasis(self, node: nodes.emphasis) -> str:
        return f"#emph[{self.inside(node)}];"

    def _strong(self, node: nodes.strong) -> str:
        return f"#strong[{self.inside(node)}];"

    def _literal(self, node: nodes.literal) -> str:
        # A long name may break after its punctuation.
        text = re.sub(r"([/._:])(?=[A-Za-z])", "\\1\u200b", node.astext())
        return f"#raw({json.dumps(text, ensure_ascii=False)});"

    def _math(self, node: nodes.math) -> str:
        return f"${typst_math(node.astext())}$"

    def _math_block(self, node: nodes.math_block) -> str:
        return f"\n$ {typst_math(node.astext())} $\n"

    def _reference(self, node: nodes.reference) -> str:
        return f"#link({json.dumps(node['refuri'])})[{self.inside(node)}];"

    def _bullet_list(self, node: nodes.bullet_list) -> str:
        return f"\n#list({', '.join(f'[{self.render(item)}]' for item in node.children)})\n"

    def _enumerated_list(self, node: nodes.enumerated_list) -> str:
        return f"\n#enum({', '.join(f'[{self.render(item)}]' for item in node.children)})\n"

    def _list_item(self, node: nodes.list_item) -> str:
        return self.inside(node).strip()

    def _literal_block(self, node: nodes.literal_block) -> str:
        return f"\n#raw({json.dumps(node.astext(), ensure_ascii=False)}, block: true)\n"

    def _citation_number(self, node: citation_number) -> str:
        links = (f"#link(<reference-{key}>)[{self.number_of[key]}];" for key in node["keys"])
        return f"\\[{', '.join(links)}\\]"

    def _cross_reference(self, node: cross_reference) -> str:
        return f"#ref({label(node['kind'], node['target'])});"

    def _results_figure(self, node: nodes.Element) -> str:
        file = f"figures/{file_stem(node['name'])}.pdf"
        return (
            f"\n#figure(image({json.dumps(file)}, width: {100 * node['width']:g}%), "
            f"placement: {placement(node)}, "
            f"caption: [{self.caption(node)}]) {label('figure', node['name'])}\n"
        )

    def _results_table(self, node: nodes.Element) -> str:
        table = _typst_table(node["table"])
        size = "7.2pt" if node["long"] else "8pt"
        # It stays where the text puts it; a long one may go over several pages.
        breakable = "true" if node["long"] else "false"
        return (
            f"\n#[#set text(size: {size})\n#show figure: set block(breakable: {breakable})\n"
            f"#figure({table}, placement: {placement(node)}, caption: [{self.caption(node)}], "
            f"kind: table) {label('table', node['name'])}]\n"
        )


def _typst_table(table: PageTable) -> str:
    widths = ", ".join(
        "auto" if column.width is None else f"{100 * column.width:g}%" for column in table.columns
    )
    align = ", ".join("right" if column.numeric else "left" for column in table.columns)
    header = ", ".join(f"[{escape(column.label)}]" for column in table.columns)
    lines = [f"columns: ({widths},), align: ({align},)", f"table.header({header})"]
    for group in table.groups:
        if group.heading:
            lines.append(
                # Such a header stays with the rows below it.
                f"table.header(level: 2, repeat: false, table.cell(colspan: {len(table.columns)}, "
                f"align: left)[#emph[{escape(group.heading)}]])"
            )
        lines += [", ".join(f"[{escape(text)}]" for text in row) for row in group.rows]
    return "table(\n  " + ",\n  ".join(lines) + ",\n)"


def placement(node: nodes.Element) -> str:
    """Where a table or figure goes: to an end of a page, or (none) where the text has it."""
    return "auto" if node["floats"] else "none"


def label(kind: str, name: str) -> str:
    """The label of a table or figure."""
    return f"<{kind}-{file_stem(name).replace('_', '-')}>"


def escape(text: str) -> str:
    r"""Text with the characters that mean something to Typst written out.

    >>> escape("11 % of x_1 [a]")
    '11 % of x\\_1 \\[a\\]'
    """
    return _SPECIAL.sub(r"\\\1", text)


def compile_pdf(source: Path, output: Path) -> None:
    """Set a Typst file; the same source gives the same bytes.

    Only the fonts that Typst brings are used, so that every machine sets the same page.
    """
    import typst

    typst.compile(source, output=output, root=source.parent, ignore_system_fonts=True)
