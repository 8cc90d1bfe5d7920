"""The appendix: reStructuredText, read by pandoc, with a run's tables and figures put in.

Beside the markup that pandoc knows, a text may use

- ``.. results-table:: tables/table4`` with the options of :data:`.page_table.OPTIONS`, and
  ``.. results-figure:: figures/sweep`` with ``width``; their content is the caption. Both float to
  the top or the foot of a page; a table that is too long for one becomes several;
- ``.. results-list:: forensics/errata`` for a table of prose as a list, which goes over pages;
- ``:ref:`tables/table4``` for the number of such a table or figure;
- ``:cite:`kaymak2010``` for an entry of the references;
- ``.. verdict:: The rank reversal`` for what the verdict says under that heading (without one:
  before the first).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pypandoc  # type: ignore[import-untyped]

from study.errors import ExperimentError
from study.pages.page_table import OPTIONS, PageTable, page_table, typst_text
from study.pages.table_files import LATEX_SIGNS, latex, to_page
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
PREFIX = "kappacurve:"  # of labels and references
SPACES = {"Space": " ", "SoftBreak": " "}


class Sources(NamedTuple):
    """What a text may show: tables, figures (pdf) and references by name; a verdict (Markdown)."""

    tables: Mapping[str, pd.DataFrame]
    figures: Mapping[str, Path]
    references: Mapping[str, Mapping[str, Any]]
    verdict: str = ""


class Document(NamedTuple):
    """The body in both languages, the tables and figures that it shows, by name, references."""

    latex: str
    typst: str
    tables: dict[str, str]
    figures: dict[str, Path]
    references: str
    bib: str


def read_document(text: str, sources: Sources) -> Document:
    """Read a text, and put in what it shows; what does not exist is refused."""
    reader = _Reader(sources)
    tree = _read(text, "rst+smart")
    tree["blocks"] = reader.inside(tree["blocks"])
    for missing in reader.referred - {*reader.tables, *reader.figures}:
        raise ExperimentError(f"the appendix refers to {missing}, which it doesn't show.")
    listed = {**tree, "blocks": reader.bibliography()}
    body, references = (_write(one, "latex").translate(LATEX_SIGNS) for one in (tree, listed))
    in_typst = "\n\n".join(_write(one, "typst-smart") for one in (tree, listed))
    entries = (_bibtex(key, sources.references[key]) for key in reader.cited)
    return Document(body, in_typst, reader.tables, reader.figures, references, "".join(entries))


def write_document(
    document: Document, folder: Path, templates: Mapping[str, Path], title: str, byline: str
) -> None:
    """Write the PDF, and what it is made from, into a folder.

    In the templates @TITLE@, @BYLINE@ and @BODY@ stand for the contents.
    """
    import typst

    for part in ("tables", "figures"):
        (folder / part).mkdir(parents=True)
    for name, text in document.tables.items():
        (folder / f"tables/{stem(name)}.tex").write_text(text, encoding="utf-8")
    for name, path in document.figures.items():
        shutil.copyfile(path, folder / f"figures/{stem(name)}.pdf")
    for name in ("appendix.tex", "body.tex", "appendix.typ"):
        in_latex = name.endswith("tex")
        text = templates[name].read_text(encoding="utf-8")
        for place, content in (("@TITLE@", typeset(title)), ("@BYLINE@", byline)):
            text = text.replace(place, latex(content) if in_latex else typst_text(content))
        text = text.replace("@BODY@", document.latex if in_latex else document.typst)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "references.tex").write_text(document.references, encoding="utf-8")
    (folder / "references.bib").write_text(document.bib, encoding="utf-8")
    # Only Typst's own fonts, so that every machine sets the same page.
    source = folder / "appendix.typ"
    typst.compile(source, output=folder / "appendix.pdf", root=folder, ignore_system_fonts=True)


def prose_page(markdown: str) -> str:
    """A web page of a text in Markdown, whose first line is its title."""
    tree = _read(markdown, "markdown_strict-raw_html+pipe_tables")
    inside = _Reader(Sources({}, {}, {})).inside
    # Tables are for the page alone.
    tree["blocks"] = [
        one
        for node in tree["blocks"]
        for one in ([node] if node["t"] == "Table" else inside([node]))
    ]
    return to_page(plain(tree["blocks"][0]), prose=_write(tree, "html"))


def stem(name: str) -> str:
    """A table's or figure's name as the stem of one file name: silipo_leak, sweep."""
    return "_".join(name.split("/")[1:]) or name


class _Reader:
    """Turns the nodes that pandoc doesn't know into LaTeX and Typst; each writer takes its own."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.tables: dict[str, str] = {}
        self.figures: dict[str, Path] = {}
        self.cited: dict[str, int] = {}
        self.referred: set[str] = set()

    def inside(self, value: Any) -> Any:
        """The nodes in a part of pandoc's tree, changed."""
        if not isinstance(value, list):
            return value
        if all(isinstance(one, dict) for one in value):
            return [new for node in _typeset(value) for new in self.changed(node)]
        return list(map(self.inside, value))

    def changed(self, node: Node) -> Any:
        kind, content = node["t"], node.get("c", [])
        if kind == "Div":
            return self.directive(content)
        if kind == "Cite":
            return self.citation([one["citationId"] for one in content[0]])
        if kind == "Code" and content[0][2]:
            return self.reference(dict(content[0][2]).get("role"), content[1])
        if kind not in MARKUP:
            raise ExperimentError(f"the appendix's text has markup that it can't hold: {kind}.")
        if kind == "Header":  # no label that an author's paper could have as well
            content = [content[0], ["", [], []], content[2]]
        return [{"t": kind, "c": self.inside(content)}]

    def reference(self, role: str | None, target: str) -> list[Node]:
        if role != "ref":
            raise ExperimentError(f"the appendix's text has an unknown role {role}.")
        self.referred.add(target)
        kind = "table" if target in self.sources.tables else "figure"
        label = _label(kind, target)
        return _raw(f"{kind.capitalize()}~\\ref{{{label}}}", f"#ref(<{label}>);")

    def citation(self, keys: list[str]) -> list[Node]:
        for key in keys:
            if key not in self.sources.references:
                raise ExperimentError(f"the appendix cites {key}, which is not in the references.")
            self.cited.setdefault(key, len(self.cited) + 1)
        links = ", ".join(f"#link(<{PREFIX}{key}>)[{self.cited[key]}]" for key in keys)
        return _raw(f"\\cite{{{','.join(PREFIX + key for key in keys)}}}", f"\\[{links}\\]")

    def directive(self, content: list[Any]) -> Any:
        (_, classes, attributes), blocks = content
        name, options = " ".join(classes), dict(attributes)
        if name not in DIRECTIVES:
            raise ExperimentError(f"the appendix's text has an unknown directive {name}.")
        source, caption = plain(blocks[:1]), blocks[1:]
        if unknown := options.keys() - DIRECTIVES[name]:
            raise ExperimentError(f"{name} {source} has no option {', '.join(sorted(unknown))}.")
        if name == "verdict":
            return self.inside(_section(self.sources.verdict, source))
        if name == "results-list":
            return self.listed(source, options)
        if not caption:
            raise ExperimentError(f"{name} {source} has no caption.")
        kind = name.removeprefix("results-")
        if source not in (self.sources.tables if kind == "table" else self.sources.figures):
            raise ExperimentError(f"the appendix shows {kind} {source}, which there isn't.")
        words = [one for part in caption for one in [*self.inside(part["c"]), {"t": "Space"}]][:-1]
        options["alt"] = plain(caption)
        parts = list((self.table if kind == "table" else self.figure)(source, options))
        told = [
            f" Part {n + 1} of {len(parts)}." if len(parts) > 1 else "" for n in range(len(parts))
        ]
        return [
            {"t": "Para", "c": [*_raw(*start), *words, {"t": "Str", "c": part}, *_raw(*end)]}
            for part, (start, end) in zip(told, parts, strict=True)
        ]

    def table(self, source: str, options: Mapping[str, str]) -> Iterator[list[tuple[str, str]]]:
        """What stands before each part's caption and after it, in LaTeX and in Typst."""
        for number, table in enumerate(self.chosen(source, options).parts()):
            name = f"{source}_{number + 1}" if number else source
            self.tables[name], label = table.latex(), _label("table", name)
            yield [
                (
                    r"\begin{results}{table}\caption{",
                    f'#results-table("{label}", {table.typst()})[',
                ),
                (
                    f"}}\\label{{{label}}}\n\\fitted{{\\input{{tables/{stem(name)}}}}}\n\\end{{results}}",
                    "]",
                ),
            ]

    def chosen(self, source: str, options: Mapping[str, str]) -> PageTable:
        try:
            return page_table(self.sources.tables[source], options)
        except KeyError as error:
            raise ExperimentError(f"the appendix's table {source} has no {error}") from None

    def listed(self, source: str, options: Mapping[str, str]) -> list[Node]:
        """A table as lists: of each row the first cell, then the others with their labels."""
        if source not in self.sources.tables:
            raise ExperimentError(f"the appendix shows table {source}, which there isn't.")
        table = self.chosen(source, options)
        blocks: list[Node] = []
        for place, row in enumerate(zip(*(one.texts for one in table.columns), strict=True)):
            if place in table.headings:
                blocks.append({"t": "Para", "c": [_words("Emph", table.headings[place])]})
            if not (blocks and blocks[-1]["t"] == "BulletList"):
                blocks.append({"t": "BulletList", "c": []})
            parts = zip(table.columns[1:], row[1:], strict=True)
            said = " ".join(_sentence(column.label, text) for column, text in parts if text)
            item = [_words("Strong", f"{row[0]}."), {"t": "Str", "c": typeset(f" {said}")}]
            blocks[-1]["c"].append([{"t": "Plain", "c": item}])
        return blocks

    def figure(self, source: str, options: Mapping[str, str]) -> Iterator[list[tuple[str, str]]]:
        self.figures[source] = self.sources.figures[source]
        width = int(options.get("width", "100%").rstrip("% "))
        file, label = f"figures/{stem(source)}.pdf", _label("figure", source)
        yield [
            (
                "\\begin{results}{figure}\n"
                f"\\includegraphics[width={width / 100:g}\\linewidth]{{{file}}}\n\\caption{{",
                f'#results-figure("{label}", "{file}", width: {width}%, '
                f"alt: {typst_text(options['alt'])})[",
            ),
            (f"}}\\label{{{label}}}\n\\end{{results}}", "]"),
        ]

    def bibliography(self) -> list[Node]:
        """The references that were cited, in that order."""
        if not self.cited:
            return []
        start = _raw(r"\begin{thebibliography}{99}\raggedright", "#show: references", "RawBlock")
        end = _raw(r"\end{thebibliography}", "", "RawBlock")
        return [*start, *map(self.entry, self.cited), end[0]]

    def entry(self, key: str) -> Node:
        entry = self.sources.references[key]
        address = f"https://doi.org/{entry['doi']}" if "doi" in entry else entry.get("url", "")
        link = f" \\url{{{address}}}" if address else ""
        words = typeset("{authors} ({year}). {title}. {where}.".format(**entry))
        start = _raw(f"\\bibitem{{{PREFIX}{key}}} ", f'#reference("{PREFIX}{key}", "{address}")[')
        return {"t": "Para", "c": [*start, {"t": "Str", "c": words}, *_raw(link, "]")]}


def _read(text: str, language: str) -> Any:
    try:
        return json.loads(_pandoc(text, language, "json", "--fail-if-warnings", "--columns=9999"))
    except RuntimeError as error:
        raise ExperimentError(f"the appendix's text is faulty: {error}") from None


def _write(tree: Node, language: str) -> str:
    ascii_only = ["--ascii"] if language == "latex" else []
    return _pandoc(json.dumps(tree), "json", language, "--wrap=none", *ascii_only)


def _pandoc(text: str, source: str, target: str, *options: str) -> str:
    """In the sandbox pandoc reads no file but its input."""
    return str(
        pypandoc.convert_text(text, target, source, options, sandbox=True, verify_format=False)
    )


def _typeset(nodes: list[Node]) -> list[Node]:
    """Runs of words as one, typeset."""
    found: list[Node] = []
    for is_text, run in groupby(nodes, lambda node: node["t"] in ("Str", *SPACES)):
        same = list(run)
        found += [{"t": "Str", "c": typeset(plain(same))}] if is_text else same
    return found


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
    found, under = [], ""
    for block in _read(verdict, "markdown_strict+smart+pipe_tables")["blocks"]:
        if block["t"] == "Header":
            under = plain(block) if block["c"][0] > 1 else ""
        elif under == heading and block["t"] != "Table":
            found.append(block)
    if not found:
        raise ExperimentError(f"the verdict has no section {heading!r}.")
    return found


def _raw(in_latex: str, in_typst: str, kind: str = "RawInline") -> list[Node]:
    texts = {"latex": in_latex, "typst": in_typst}
    return [{"t": kind, "c": [name, text]} for name, text in texts.items()]


def _bibtex(key: str, entry: Mapping[str, Any]) -> str:
    """An entry for BibTeX; double braces keep names and capitals as they are."""
    fields = {"author": "authors", "title": "title", "howpublished": "where", "year": "year"}
    fields |= {name: name for name in ("doi", "url") if name in entry}
    lines = (f"  {name} = {{{{{latex(str(entry[own]))}}}}},\n" for name, own in fields.items())
    return f"@misc{{{PREFIX}{key},\n{''.join(lines)}}}\n"


def _words(kind: str, text: str) -> Node:
    return {"t": kind, "c": [{"t": "Str", "c": typeset(text)}]}


def _sentence(label: str, text: str) -> str:
    told = f"{label[:1].upper()}{label[1:]}: {text}" if label else text
    return told if told.endswith((".", "?")) else f"{told}."


def _label(kind: str, name: str) -> str:
    """With a prefix, so that it meets no label of the paper that takes the text in."""
    return f"{PREFIX}{kind[:3]}:{stem(name).replace('_', '-')}"
