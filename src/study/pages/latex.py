r"""A document as LaTeX that a plain pdflatex or lualatex compiles."""

from __future__ import annotations

import re
import unicodedata

from docutils import nodes

from study.pages.document import citation_number, cross_reference, results_table
from study.pages.page_table import PageTable
from study.pages.renderer import (
    Renderer,
    file_stem,
    reference_address,
    reference_text,
)

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\u2212": "$-$",
    "\u03ba": r"$\kappa$",
    "\u03c0": r"$\pi$",
    "\u2264": r"$\le$",
    "\u2265": r"$\ge$",
    "\u00a0": "~",
    "\u202f": r"\,",
    "\u2018": "`",
    "\u2019": "'",
    "\u201c": "``",
    "\u201d": "''",
    "\u2013": "--",
    "\u2014": "---",
    "\u2026": r"\ldots{}",
    "\u00d7": r"$\times$",
    "\u2192": r"$\rightarrow$",
    "⁻": r"\textsuperscript{$-$}",
    **{raised: rf"\textsuperscript{{{n}}}" for n, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0308": '"',
    "\u030c": "v",
    "\u0327": "c",
}
_HEADINGS = ("section", "subsection", "subsubsection")


class LatexRenderer(Renderer):
    """Renders the sections; tables stand in files of their own, in ``tables/``."""

    def document_text(self, template: str, byline: str = "") -> str:
        """The whole document: the template around ``body.tex``."""
        title = self.document.tree.get("title", "")
        return template.replace("@TITLE@", escape(title)).replace("@BYLINE@", escape(byline))

    def body_text(self) -> str:
        """The sections and the references, to be read in by a document."""
        return re.sub(r"\n{3,}", "\n\n", self.body() + self._bibliography())

    def table_files(self) -> dict[str, str]:
        """Content of each table's file, by its stem."""
        files = {}
        for node in self.document.tree.findall(results_table):
            table, stem = node["table"], file_stem(node["name"])
            files[stem] = self._long_table(node) if node["long"] else tabular(table)
        return files

    def _bibliography(self) -> str:
        if not self.document.references:
            return ""
        items = "".join(
            f"\\bibitem{{{key}}} {escape(reference_text(entry))} "
            + (f"\\url{{{address}}}" if (address := reference_address(entry)) else "")
            + "\n"
            for key, entry in self.document.references.items()
        )
        return (
            f"\n\\begin{{thebibliography}}{{99}}\n\\raggedright\n{items}\\end{{thebibliography}}\n"
        )

    def _Text(self, node: nodes.Text) -> str:  # noqa: N802 (the class is docutils')
        return escape(self.words(node))

    def _paragraph(self, node: nodes.paragraph) -> str:
        return f"\n{self.inside(node)}\n"

    def _title(self, node: nodes.title) -> str:
        heading = _HEADINGS[min(self.depth(node), len(_HEADINGS)) - 1]
        return f"\n\\{heading}{{{self.inside(node)}}}\n"

    def _emphasis(self, node: nodes.emphasis) -> str:
        return f"\\emph{{{self.inside(node)}}}"

    def _strong(self, node: nodes.strong) -> str:
        return f"\\textbf{{{self.inside(node)}}}"

    def _literal(self, node: nodes.literal) -> str:
        # A long name may break after its punctuation.
        text = re.sub(r"([/.:]|\\_)(?=[A-Za-z])", r"\1\\allowbreak{}", escape(node.astext()))
        return f"\\texttt{{{text}}}"

    def _math(self, node: nodes.math) -> str:
        return f"${node.astext()}$"

    def _math_block(self, node: nodes.math_block) -> str:
        return f"\n\\[ {node.astext()} \\]\n"

    def _reference(self, node: nodes.reference) -> str:
        return f"\\href{{{node['refuri']}}}{{{self.inside(node)}}}"

    def _bullet_list(self, node: nodes.bullet_list) -> str:
        return f"\n\\begin{{itemize}}\n{self.inside(node)}\\end{{itemize}}\n"

    def _enumerated_list(self, node: nodes.enumerated_list) -> str:
        return f"\n\\begin{{enumerate}}\n{self.inside(node)}\\end{{enumerate}}\n"

    def _list_item(self, node: nodes.list_item) -> str:
        return f"\\item {self.inside(node).strip()}\n"

    def _literal_block(self, node: nodes.literal_block) -> str:
        return f"\n\\begin{{verbatim}}\n{node.astext()}\n\\end{{verbatim}}\n"

    def _citation_number(self, node: citation_number) -> str:
        return f"\\cite{{{','.join(node['keys'])}}}"

    def _cross_reference(self, node: cross_reference) -> str:
        return f"{node['kind'].capitalize()}~\\ref{{{label(node['kind'], node['target'])}}}"

    def _results_figure(self, node: nodes.Element) -> str:
        return (
            "\n\\begin{figure}[!htbp]\n\\centering\n"
            f"\\includegraphics[width={node['width']:g}\\linewidth]"
            f"{{figures/{file_stem(node['name'])}.pdf}}\n"
            f"\\caption{{{self.caption(node)}}}\n\\label{{{label('figure', node['name'])}}}\n"
            "\\end{figure}\n"
        )

    def _results_table(self, node: nodes.Element) -> str:
        stem = file_stem(node["name"])
        if node["long"]:
            return f"\n\\input{{tables/{stem}}}\n"
        return (
            "\n\\begin{table}[H]\n\\centering\n\\footnotesize\n\\setlength{\\tabcolsep}{3.3pt}\n"
            f"\\caption{{{self.caption(node)}}}\n\\label{{{label('table', node['name'])}}}\n"
            f"\\input{{tables/{stem}}}\n\\end{{table}}\n"
        )

    def _long_table(self, node: nodes.Element) -> str:
        table: PageTable = node["table"]
        heading = f"\\toprule\n{_header(table)}\\midrule\n"
        return (
            "{\\scriptsize\\setlength{\\tabcolsep}{3pt}\n"
            f"\\begin{{longtable}}{{{_alignment(table)}}}\n"
            f"\\caption{{{self.caption(node)}}}\\label{{{label('table', node['name'])}}}\\\\\n"
            f"{heading}\\endfirsthead\n{heading}\\endhead\n\\bottomrule\n\\endlastfoot\n"
            f"{_rows(table)}\\end{{longtable}}}}\n"
        )


def tabular(table: PageTable) -> str:
    r"""A booktabs tabular, to be read into a table with ``\input``."""
    return (
        f"\\begin{{tabular}}{{{_alignment(table)}}}\n\\toprule\n{_header(table)}\\midrule\n"
        f"{_rows(table)}\\bottomrule\n\\end{{tabular}}\n"
    )


def _alignment(table: PageTable) -> str:
    def one(numeric: bool, width: float | None) -> str:
        if width is not None:
            side = "left" if numeric else "right"
            return rf">{{\ragged{side}\arraybackslash}}p{{{0.915 * width:.3f}\linewidth}}"
        return "r" if numeric else "l"

    return "".join(one(column.numeric, column.width) for column in table.columns)


def _header(table: PageTable) -> str:
    return " & ".join(escape(column.label) for column in table.columns) + " \\\\\n"


def _rows(table: PageTable) -> str:
    lines = []
    for place, group in enumerate(table.groups):
        if group.heading:
            lines += ["\\addlinespace\n"] if place else []
            span = f"\\multicolumn{{{len(table.columns)}}}{{l}}"
            lines.append(f"{span}{{\\emph{{{escape(group.heading)}}}}} \\\\\n")
        lines += [" & ".join(cell(text) for text in row) + " \\\\\n" for row in group.rows]
    return "".join(lines)


def cell(text: str) -> str:
    """A value of a table; a long name may break after a dot or a line."""
    if len(text) > 24 and " " not in text:
        return re.sub(r"(\.|\\_)(?=\w)", r"\1\\allowbreak{}", escape(text))
    return escape(text)


def label(kind: str, name: str) -> str:
    """The label of a table or figure."""
    return f"{kind[:3]}:{file_stem(name).replace('_', '-')}"


def escape(text: str) -> str:
    """Text with the characters that mean something to LaTeX, or that its fonts lack, written out.

    >>> print(escape("11 % of x_1, M\u00f6lder"))
    11 \\% of x\\_1, M\\"{o}lder
    """
    return "".join(_ESCAPES.get(character) or _accented(character) for character in text)


def _accented(character: str) -> str:
    parts = unicodedata.normalize("NFD", character)
    if len(parts) == 2 and parts[1] in _ACCENTS:
        return f"\\{_ACCENTS[parts[1]]}{{{parts[0]}}}"
    return character
