"""The appendix: reStructuredText, read by pandoc, with a run's tables and figures put in.

Besides the markup that pandoc knows, a text may use

- ``.. results-table:: tables/table4`` with the options of :data:`.page_table.OPTIONS`, and
  ``.. results-figure:: figures/sweep`` with ``width``; their content is the caption;
- ``.. results-list:: forensics/errata`` for a table of prose as a list, which goes over pages;
- ``:ref:`tables/table4``` for the number of such a table or figure;
- ``:cite:`kaymak2010``` for an entry of the references;
- ``.. verdict:: The rank reversal`` for what the verdict says under that heading (without one:
  before the first).

They become pandoc's own nodes, which its writers turn into Typst, LaTeX and HTML; what those lack
is in :func:`_for_typst`, :func:`_for_latex` and :func:`_for_html`.
"""

from __future__ import annotations

import json
import re
import shutil
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pypandoc  # type: ignore[import-untyped]

from study.errors import ExperimentError
from study.pages.page_table import OPTIONS, page_table
from study.pages.table_files import LATEX_SIGNS, PageTable, to_page
from study.pages.typography import typeset

Node = dict[str, Any]
DIRECTIVES = {
    "results-table": set(OPTIONS),
    "results-list": {"columns", "where", "group", "labels"},
    "results-figure": {"width"},
    "verdict": set(),
}
# What every format can hold. Raw markup and files of others are not among it.
MARKUP = {
    *("Header", "Para", "Plain", "BulletList", "OrderedList", "CodeBlock"),
    *("Str", "Space", "Emph", "Strong", "Quoted", "Code", "Math", "Link"),
}
# Of labels and references, so that they meet none of a paper that takes the text in.
PREFIX = "kappacurve:"
NO_ATTRIBUTES: list[Any] = ["", [], []]
SPACES = {"Space": " ", "SoftBreak": " "}
FOLDED = 14  # rows of a table that a web page shows unasked
ON_ONE_PAGE = 24  # rows of a table that print keeps together


class Sources(NamedTuple):
    """What a text may show: tables, figures (pdf, with an svg next to it), references, a verdict.

    References are CSL data; the verdict is Markdown.
    """

    tables: Mapping[str, pd.DataFrame]
    figures: Mapping[str, Path]
    references: Sequence[Mapping[str, Any]] = ()
    verdict: str = ""


class Document(NamedTuple):
    """Pandoc's tree, the tables and figures that it shows, by name, and the cited references."""

    tree: Node
    tables: dict[str, PageTable]
    figures: dict[str, Path]
    references: list[Mapping[str, Any]]

    def shown(self) -> dict[str, tuple[str, int, str]]:
        """Kind, number and name of each table and figure, by its label."""
        return {
            _label(kind, name): (kind, number, name)
            for kind, names in (("Table", self.tables), ("Figure", self.figures))
            for number, name in enumerate(names, 1)
        }


def read_document(text: str, sources: Sources) -> Document:
    """Read a text, and put in what it shows; what does not exist is refused."""
    reader = _Reader(sources)
    tree = _read(text, "rst+smart")
    tree["blocks"] = _walk(tree["blocks"], reader.changed)
    for missing in reader.referred - {*reader.tables, *reader.figures}:
        raise ExperimentError(f"the appendix refers to {missing}, which it doesn't show.")
    return Document(tree, reader.tables, reader.figures, list(reader.cited.values()))


def write_document(
    document: Document, folder: Path, templates: Mapping[str, Path], title: str, byline: str
) -> None:
    """Write the PDF, the web page, and what authors take into a paper, into a folder.

    The templates are pandoc's, by file name, and numeric.csl the style of the references.
    """
    import typst

    for part in ("tables", "figures"):
        (folder / part).mkdir(parents=True)
    for name, table in document.tables.items():
        (folder / f"tables/{stem(name)}.tex").write_text(table.latex(), encoding="utf-8")
    for name, path in document.figures.items():
        shutil.copyfile(path, folder / f"figures/{stem(name)}.pdf")
    in_order = _with_references(document, templates["numeric.csl"])
    entries = {**in_order, "blocks": in_order["blocks"][-1:] if document.references else []}
    for_latex = _for_latex(document)
    in_head = {"title": typeset(title), "byline": byline}
    meta = {name: {"t": "MetaInlines", "c": [_words(text)]} for name, text in in_head.items()}
    for name, tree, change, language in (
        ("appendix.tex", document.tree, for_latex, "latex"),
        ("body.tex", document.tree, for_latex, "latex"),
        ("references.tex", entries, for_latex, "latex"),
        ("appendix.typ", in_order, _for_typst, "typst-citations-smart"),
        ("appendix.html", in_order, _for_html(document), "html"),
    ):
        template = [f"--template={templates[name]}"] if name in templates else []
        text = _write({**tree, "meta": meta}, change, language, "--mathml", *template)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    bib = _pandoc(json.dumps(document.references), "csljson", "bibtex")
    (folder / "references.bib").write_text(bib, encoding="utf-8")
    # Only Typst's own fonts, so that every machine sets the same page.
    source = folder / "appendix.typ"
    typst.compile(source, output=folder / "appendix.pdf", root=folder, ignore_system_fonts=True)


def prose_page(markdown: str) -> str:
    """A web page of a text in Markdown, whose first line is its title."""
    tree = _read(markdown, "markdown_strict-raw_html-auto_identifiers+pipe_tables")
    return to_page(plain(tree["blocks"][0]), prose=_write(tree, lambda _: None, "html"))


def stem(name: str) -> str:
    """A table's or figure's name as the stem of one file name: silipo_leak, sweep."""
    return "_".join(name.split("/")[1:]) or name


class _Reader:
    """Turns the nodes that pandoc doesn't know into those that it does."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.references = {str(entry["id"]): entry for entry in sources.references}
        self.tables: dict[str, PageTable] = {}
        self.figures: dict[str, Path] = {}
        self.cited: dict[str, Mapping[str, Any]] = {}
        self.referred: set[str] = set()

    def changed(self, node: Node) -> list[Node] | None:
        kind, content = node["t"], node.get("c", [])
        if kind == "Div":
            return self.directive(content)
        if kind == "Cite":
            return self.citation(content)
        if kind == "Code" and content[0][2]:
            return self.reference(dict(content[0][2]).get("role"), content[1])
        if kind not in MARKUP:
            raise ExperimentError(f"the appendix's text has markup that it can't hold: {kind}.")
        if kind == "Header":  # no label that an author's paper could have as well
            content[1] = NO_ATTRIBUTES
        return None

    def reference(self, role: str | None, target: str) -> list[Node]:
        if role != "ref":
            raise ExperimentError(f"the appendix's text has an unknown role {role}.")
        self.referred.add(target)
        label = _label("Table" if target in self.sources.tables else "Figure", target)
        to_it = [["reference-type", "ref"]]
        return [{"t": "Link", "c": [["", [], to_it], [_words(target)], [f"#{label}", ""]]}]

    def citation(self, content: list[Any]) -> list[Node]:
        for cited in content[0]:
            key = cited["citationId"]
            if key not in self.references:
                raise ExperimentError(f"the appendix cites {key}, which is not in the references.")
            cited["citationId"] = PREFIX + key
            self.cited[key] = {**self.references[key], "id": PREFIX + key}
        return [{"t": "Cite", "c": [content[0], []]}]

    def directive(self, content: list[Any]) -> list[Node]:
        (_, classes, attributes), blocks = content
        name, options = " ".join(classes), dict(attributes)
        if name not in DIRECTIVES:
            raise ExperimentError(f"the appendix's text has an unknown directive {name}.")
        source, caption = plain(blocks[:1]), blocks[1:]
        if unknown := options.keys() - DIRECTIVES[name]:
            raise ExperimentError(f"{name} {source} has no option {', '.join(sorted(unknown))}.")
        if name == "verdict":
            return list(_walk(_section(self.sources.verdict, source), self.changed))
        if name == "results-list":
            return self.listed(source, options)
        if not caption:
            raise ExperimentError(f"{name} {source} has no caption.")
        words = [node for part in caption for node in [*part["c"], {"t": "Space"}]][:-1]
        told = [None, [{"t": "Plain", "c": _walk(words, self.changed)}]]
        if name == "results-table":
            self.tables[source] = table = self.chosen(source, options)
            return [_table(_label("Table", source), told, table)]
        if source not in self.sources.figures:
            raise ExperimentError(f"the appendix shows figure {source}, which there isn't.")
        self.figures[source] = self.sources.figures[source]
        width = ["", [], [["width", options.get("width", "100%")]]]
        file = f"figures/{stem(source)}.pdf"
        image = {"t": "Image", "c": [width, [_words(plain(caption))], [file, ""]]}
        label = [_label("Figure", source), [], []]
        return [{"t": "Figure", "c": [label, told, [{"t": "Plain", "c": [image]}]]}]

    def chosen(self, source: str, options: Mapping[str, str]) -> PageTable:
        if source not in self.sources.tables:
            raise ExperimentError(f"the appendix shows table {source}, which there isn't.")
        try:
            return page_table(self.sources.tables[source], options)
        except KeyError as error:
            raise ExperimentError(f"the appendix's table {source} has no {error}") from None

    def listed(self, source: str, options: Mapping[str, str]) -> list[Node]:
        """A table as lists: of each row the first cell, then the others with their labels."""
        blocks: list[Node] = []
        table = self.chosen(source, options)
        for heading, row in table.rows():
            if heading:
                blocks.append({"t": "Para", "c": [_words(heading, "Emph")]})
            if not (blocks and blocks[-1]["t"] == "BulletList"):
                blocks.append({"t": "BulletList", "c": []})
            parts = zip(table.columns[1:], row[1:], strict=True)
            said = " ".join(_sentence(column.label, text) for column, text in parts if text)
            item = [_words(f"{row[0]}.", "Strong"), _words(f" {said}")]
            blocks[-1]["c"].append([{"t": "Plain", "c": item}])
        return blocks


def _table(label: str, caption: Any, table: PageTable) -> Node:
    """Pandoc's table; the heading of a group of rows spans them all."""

    def row(texts: Sequence[str], span: int = 1, kind: str = "") -> list[Any]:
        cells = [[{"t": "Plain", "c": [_words(text, kind)]}] for text in texts]
        plainly = {"t": "AlignDefault"}
        return [NO_ATTRIBUTES, [[NO_ATTRIBUTES, plainly, 1, span, cell] for cell in cells]]

    widths = [{"t": "ColWidth", "c": share} for share in table.widths or []]
    widths = widths or [{"t": "ColWidthDefault"}] * len(table.columns)
    sides = ["AlignLeft" if column.numbers is None else "AlignRight" for column in table.columns]
    columns = [[{"t": side}, width] for side, width in zip(sides, widths, strict=True)]
    rows = []
    for heading, texts in table.rows():
        rows += [row([heading], len(table.columns), "Emph")] if heading else []
        rows.append(row(texts))
    head = [NO_ATTRIBUTES, [row([column.label for column in table.columns])]]
    bodies, foot = [[NO_ATTRIBUTES, 0, [], rows]], [NO_ATTRIBUTES, []]
    return {"t": "Table", "c": [[label, [], []], caption, columns, head, bodies, foot]}


Change = Callable[[Node], list[Node] | None]


def _for_typst(node: Node) -> list[Node] | None:
    """Alternative texts, and tables that may go over pages."""
    if node["t"] == "Table" and len(node["c"][4][0][3]) > ON_ONE_PAGE:
        attributes, (_, caption), *rest = node["c"]
        same = {"t": "Table", "c": [attributes, [None, _walk(caption, _for_typst)], *rest]}
        start = "#[#show figure.where(kind: table): set block(breakable: true)"
        return [_raw("typst", start, "RawBlock"), same, _raw("typst", "]", "RawBlock")]
    if node["t"] != "Image":
        return None
    (_, _, attributes), words, (file, _) = node["c"]
    width, alt = dict(attributes)["width"], json.dumps(plain(words), ensure_ascii=False)
    return [_raw("typst", f'#image("{file}", width: {width}, alt: {alt})')]


def _for_latex(document: Document) -> Change:
    """Floats, also where there are two columns; numbers and citations are the author's paper's."""
    shown = document.shown()

    def change(node: Node) -> list[Node] | None:
        kind, content = node["t"], node.get("c", [])
        if kind == "Cite":
            keys = ",".join(cited["citationId"] for cited in content[0])
            return [_raw("latex", f"\\cite{{{keys}}}")]
        if kind == "Link" and dict(content[0][2]).get("reference-type") == "ref":
            label = content[2][0].removeprefix("#")
            return [_raw("latex", f"{shown[label][0]}~\\ref{{{label}}}")]
        if kind == "Div" and content[0][0] == "refs":
            entries = [part for entry in content[1] for part in _bibitem(entry)]
            start, end = r"\begin{thebibliography}{99}\raggedright", r"\end{thebibliography}"
            return [_raw("latex", start, "RawBlock"), *entries, _raw("latex", end, "RawBlock")]
        if kind not in ("Table", "Figure"):
            return None
        label, words = content[0][0], _walk(content[1][1][0]["c"], change)
        name = stem(shown[label][2])
        if kind == "Table":
            start, end = r"\begin{results}{table}", f"\n\\fitted{{\\input{{tables/{name}}}}}"
        else:
            width = int(dict(_image(node)[0][2])["width"].rstrip("% ")) / 100
            image = f"\\includegraphics[width={width:g}\\linewidth]{{figures/{name}.pdf}}"
            start, end = f"\\begin{{results}}{{figure}}\n{image}\n", ""
        end = f"}}\\label{{{label}}}{end}\n\\end{{results}}"
        before = _raw("latex", start + r"\caption{")
        return [{"t": "Para", "c": [before, *words, _raw("latex", end)]}]

    return change


def _bibitem(entry: Node) -> list[Node]:
    """Citeproc's entry, whose number LaTeX writes."""
    key, words = entry["c"][0][0].removeprefix("ref-"), entry["c"][1][0]["c"]
    without = [{"t": "Str", "c": plain(words[:1]).partition("] ")[2]}, *words[1:]]
    return [{"t": "Para", "c": [_raw("latex", f"\\bibitem{{{key}}} "), *without]}]


def _for_html(document: Document) -> Change:
    """One file: tables that fold, drawings inside it, numbers of both."""
    shown = document.shown()
    names = {label: f"{kind} S{number}" for label, (kind, number, _) in shown.items()}

    def change(node: Node) -> list[Node] | None:
        kind, content = node["t"], node.get("c", [])
        if kind == "Link" and dict(content[0][2]).get("reference-type") == "ref":
            target = content[2][0]
            return [{"t": "Link", "c": [NO_ATTRIBUTES, [_words(names[target[1:]])], [target, ""]]}]
        if kind not in ("Table", "Figure"):
            return None
        label, words = content[0][0], _walk(content[1][1][0]["c"], change)
        caption = {"t": "Plain", "c": [_words(f"{names[label]}.", "Strong"), _words(" "), *words]}
        if kind == "Figure":
            look, alt, _ = _image(node)
            path = document.figures[shown[label][2]].with_suffix(".svg")
            drawing = b64encode(path.read_bytes()).decode()
            image = {"t": "Image", "c": [look, alt, [f"data:image/svg+xml;base64,{drawing}", ""]]}
            inside = [[label, [], []], [None, [caption]], [{"t": "Plain", "c": [image]}]]
            return [{"t": "Figure", "c": inside}]
        bare = {**node, "c": [NO_ATTRIBUTES, [None, []], *content[2:]]}
        is_open = " open" if len(content[4][0][3]) <= FOLDED else ""
        opening = _raw("html", f'<details id="{label}"{is_open}><summary>', "RawBlock")
        middle = _raw("html", '</summary><div class="wide">', "RawBlock")
        return [opening, caption, middle, bare, _raw("html", "</div></details>", "RawBlock")]

    return change


def _with_references(document: Document, style: Path) -> Node:
    """The document with citeproc's citations, and the list of references as its last block."""
    if not document.references:
        return document.tree
    read = json.loads(_pandoc(json.dumps(document.references), "csljson", "json"))
    tree = {**document.tree, "meta": {"references": read["meta"]["references"]}}
    looks = ["--metadata=link-citations", "--metadata=reference-section-title:References"]
    cited = _pandoc(json.dumps(tree), "json", "json", "--citeproc", f"--csl={style}", *looks)
    return {**document.tree, "blocks": json.loads(cited)["blocks"]}


def _read(text: str, language: str) -> Any:
    try:
        return json.loads(_pandoc(text, language, "json", "--fail-if-warnings", "--columns=9999"))
    except RuntimeError as error:
        raise ExperimentError(f"the appendix's text is faulty: {error}") from None


def _write(tree: Node, change: Change, language: str, *options: str) -> str:
    text = json.dumps({**tree, "blocks": _walk(tree["blocks"], change)})
    if language != "latex":
        return _pandoc(text, "json", language, "--wrap=none", *options)
    written = _pandoc(text, "json", language, "--wrap=none", "--ascii", *options)
    return written.translate(LATEX_SIGNS)


def _pandoc(text: str, source: str, target: str, *options: str) -> str:
    """In the sandbox pandoc reads no file but its input and the style of citations."""
    return str(
        pypandoc.convert_text(text, target, source, options, sandbox=True, verify_format=False)
    )


def _walk(value: Any, change: Change) -> Any:
    """A part of pandoc's tree, typeset, with each node as `change` has it (None: as it is)."""
    if not isinstance(value, list):
        return value
    if not all(isinstance(node, dict) and "t" in node for node in value):
        return [_walk(part, change) for part in value]
    changed: list[Node] = []
    for node in _typeset(value):
        new = change(node)
        if new is None:
            new = [{**node, "c": _walk(node["c"], change)} if "c" in node else node]
        changed += new
    return changed


def _typeset(nodes: list[Node]) -> list[Node]:
    """Runs of words as one, typeset."""
    runs: list[Node] = []
    for is_text, run in groupby(nodes, lambda node: node["t"] in ("Str", *SPACES)):
        same = list(run)
        runs += [_words(plain(same))] if is_text else same
    return runs


def plain(value: Any) -> str:
    """The words in a part of pandoc's tree."""
    if isinstance(value, list):
        return "".join(map(plain, value))
    if not isinstance(value, dict):
        return ""
    if value.get("t") == "Str":
        return str(value["c"])
    return SPACES.get(value.get("t", "")) or plain(value.get("c"))


def _section(verdict: str, heading: str) -> list[Node]:
    """What stands under a heading of level two, or, for an empty heading, before the first.

    Without its tables: the appendix has its own.
    """
    opening, *rest = re.split(r"^## (.*)\n", verdict, flags=re.MULTILINE)
    sections = {"": opening, **dict(zip(rest[::2], rest[1::2], strict=True))}
    if heading not in sections:
        raise ExperimentError(f"the verdict has no section {heading!r}.")
    blocks = _read(sections[heading], "markdown_strict+smart+pipe_tables")["blocks"]
    return [block for block in blocks if block["t"] not in ("Header", "Table")]


def _image(figure: Node) -> Any:
    """Attributes, alternative text and file of a figure's image."""
    return figure["c"][2][0]["c"][0]["c"]


def _raw(language: str, text: str, kind: str = "RawInline") -> Node:
    return {"t": kind, "c": [language, text]}


def _words(text: str, kind: str = "") -> Node:
    words = {"t": "Str", "c": typeset(text)}
    return {"t": kind, "c": [words]} if kind else words


def _sentence(label: str, text: str) -> str:
    told = f"{label[:1].upper()}{label[1:]}: {text}" if label else text
    return told if told.endswith((".", "?")) else f"{told}."


def _label(kind: str, name: str) -> str:
    return f"{PREFIX}{kind[:3].lower()}:{stem(name).replace('_', '-')}"
