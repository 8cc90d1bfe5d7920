"""The documents of a run: Markdown templates filled with its tables, and what pandoc makes of them.

A template is filled once for each format: its tables and figures are blocks of that format, all
other text is Markdown. Values are escaped, so that no word of the data is taken for markup.
"""

from __future__ import annotations

import re
import shutil
from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, Literal

import jinja2
import pandas as pd
import pypandoc  # type: ignore[import-untyped]
import typst
import yaml

from kappacurve.plots.style import FIRST_WIDE
from study.errors import ExperimentError
from study.text.tables import (
    HARD_SPACE,
    Markup,
    escape_markdown,
    format_table,
    html_table,
    latex_table,
    markdown_table,
    spell_for_latex,
    typst_table,
)

TEMPLATES = Path(__file__).parent / "templates"
# Raw markup only in blocks that name their format.
MARKDOWN = "markdown-raw_html-raw_tex-latex_macros-implicit_figures-auto_identifiers"
CITATIONS = [
    "--citeproc",
    f"--bibliography={TEMPLATES / 'references.bib'}",
    f"--csl={TEMPLATES / 'numeric.csl'}",
    "--metadata=link-citations",
    "--metadata=reference-section-title:References",
]
Format = Literal["html", "gfm", "latex", "typst"]
COLUMN = 3.5  # inches: wider figures take both columns of a page
SCREEN = 144  # pixels that show an inch of a figure
LONG = 20  # rows of a table that may go on on the next page


def read_companions() -> dict[str, Any]:
    """Title, words and captions of each related paper, which are Markdown."""
    texts = yaml.safe_load((TEMPLATES / "companions.yaml").read_text(encoding="utf-8"))
    return {name: {**of, "text": Markup(of["text"])} for name, of in texts.items()}


@dataclass
class Writer:
    """Fills templates for one format.

    Parameters
    ----------
    format : {"html", "gfm", "latex", "typst"}
        That of the document; gfm is Markdown for GitHub and the terminal.
    values : mapping
        What templates say, by name.
    figures : mapping of str to Path
        Figures by name: PDF files with an SVG of the same stem beside them.
    links : collection of str
        Files of the run that a text may link to, as paths from results/.
    numbered : bool
        Whether tables and figures have numbers, as in the appendix.
    """

    format: Format
    values: Mapping[str, Any]
    figures: Mapping[str, Path] = field(default_factory=dict)
    links: Collection[str] = ()
    numbered: bool = False
    tables: dict[str, str] = field(default_factory=dict, init=False)
    numbers: dict[str, str] = field(default_factory=dict, init=False)

    def fill(self, template: str) -> str:
        """The text of a template; the second round knows the numbers of what stands below."""
        environment = jinja2.Environment(  # noqa: S701 escaped by pandoc
            loader=jinja2.FileSystemLoader(TEMPLATES),
            undefined=jinja2.StrictUndefined,
            finalize=escape_markdown,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        for name in ("table", "figure", "figures_side_by_side", "ref", "link", "html"):
            environment.globals[name] = getattr(self, name)
        environment.globals |= {
            **self.values,
            "format": self.format,
            "has": self.figures.__contains__,
        }
        filled = environment.get_template(template)
        if self.numbered:
            filled.render()
        # A number and its unit stay on one line.
        return re.sub(r"(?<=\d) (?=%)", HARD_SPACE, filled.render()).strip() + "\n"

    def table(
        self,
        name: str,
        frame: pd.DataFrame,
        caption: str = "",
        *,
        labels: Mapping[str, str] | None = None,
        widths: Sequence[float | None] = (),
        style: str = "",
    ) -> Markup:
        """A table under its caption; `widths` are shares of the page of the columns that wrap."""
        cells = format_table(frame, labels)
        if self.format == "gfm":
            return Markup(f"{markdown_table(cells)}\n\n{caption}\n")
        number = self._number("Table", name)
        if self.format == "html":
            return self._html(number, caption, html_table(cells, style), name)
        if self.format == "latex":
            self.tables[name] = latex_table(cells, widths)
            return _latex_float("table*", name, caption, above=rf"\input{{tables/{name}}}")
        content = typst_table(cells, widths)
        if len(cells) > LONG:
            block = _typst_float(name, caption, content, "kind: table")
            opening = "```{=typst}\n#[#show figure: set block(breakable: true)\n```"
            return Markup(f"{opening}{block}```{{=typst}}\n]\n```\n\n")
        placement = "auto" if widths else "none"
        return _typst_float(name, caption, content, f"kind: table, placement: {placement}")

    def figure(self, name: str, caption: str, alt: str = "", *, placement: str = "auto") -> Markup:
        """A figure over its caption, as wide as it was drawn."""
        if name not in self.figures:
            raise ExperimentError(f"the text shows the figure {name}, which this run did not draw.")
        path = self.figures[name]
        if self.format == "gfm":
            return Markup(f"![{alt or name}]({self._place(path)})\n\n*{caption}*\n")
        number = self._number("Figure", name)
        if self.format == "html":
            data = b64encode(path.with_suffix(".svg").read_bytes()).decode()
            plain = re.sub(r"\\(.)|[*`]", r"\1", caption)
            text = escape(alt or plain, quote=True)
            style = f'style="max-width: {SCREEN * width_of(path):.0f}px"'
            look = f'class="wide" {style}' if self._is_wide(name) else style
            image = f'<img {look} alt="{text}" src="data:image/svg+xml;base64,{data}">'
            return self._html(number, caption, image, name, image_first=True)
        wide = self._is_wide(name)
        if self.format == "latex":
            inserted = rf"\includegraphics[width=\linewidth]{{figures/{name}}}"
            inserted = inserted if wide else inserted.replace(r"[width=\linewidth]", "")
            return _latex_float("figure*" if wide else "figure", name, caption, below=inserted)
        content = f'image("figures/{name}.pdf"{", width: 100%" if wide else ""})'
        return _typst_float(name, caption, content, f"kind: image, placement: {placement}")

    def figures_side_by_side(self, captions: Sequence[tuple[str, str]]) -> Markup:
        """Those of these figures that the run drew, in the PDF two beside each other."""
        placement = "none" if self.format == "typst" else "auto"
        blocks = {
            name: self.figure(name, caption, placement=placement)
            for name, caption in captions
            if name in self.figures
        }
        if self.format != "typst" or not blocks:
            return Markup("\n\n".join(blocks.values()))
        wide = [block for name, block in blocks.items() if self._is_wide(name)]
        narrow = [block for name, block in blocks.items() if not self._is_wide(name)]
        cells = [
            f"```{{=typst}}\ngrid.cell(colspan: {2 if last and first else 1})[\n```\n"
            f"{block}\n```{{=typst}}\n],\n```\n"
            for first, last, block in (
                (i % 2 == 0, i == len(narrow) - 1, block) for i, block in enumerate(narrow)
            )
        ]
        opening = "#place(auto, float: true, grid(columns: (1fr, 1fr), gutter: 4mm,"
        grid = f"```{{=typst}}\n{opening}\n```\n{''.join(cells)}\n```{{=typst}}\n))\n```"
        return Markup("\n\n".join(["", *([grid] if cells else []), *wide, ""]))

    def _is_wide(self, name: str) -> bool:
        """Whether a figure was drawn wider than a column."""
        return width_of(self.figures[name]) > COLUMN

    def ref(self, name: str) -> Markup:
        """The number of a table or figure, such as Table 2."""
        number = self.numbers.get(name, "")
        if self.format == "latex":
            return Markup(
                rf"`{number.partition(' ')[0]}~\ref{{kappacurve:{label(name)}}}`{{=latex}}"
            )
        if self.format == "typst":
            return Markup(f"`@{label(name)}`{{=typst}}")
        return Markup(f"[{number}](#{label(name)})")

    def link(self, text: str, path: str) -> Markup:
        """A link to a file or folder of the run, which must be there."""
        if not any(
            known == path or known.startswith(f"{path.rstrip('/')}/") for known in self.links
        ):
            raise ExperimentError(f"the text links to results/{path}, which this run did not make.")
        return Markup(f"[{text}]({path})")

    def html(self, text: str) -> Markup:
        """Markup of web pages alone."""
        return Markup(f"\n\n```{{=html}}\n{text}\n```\n\n" if self.format == "html" else "")

    def _number(self, kind: str, name: str) -> str:
        if self.numbered and name not in self.numbers:
            count = sum(number.startswith(kind) for number in self.numbers.values())
            self.numbers[name] = f"{kind} {count + 1}"
        return self.numbers.get(name, "")

    def _html(
        self, number: str, caption: str, content: str, name: str, *, image_first: bool = False
    ) -> Markup:
        heading = f"**{number}.** " if number else ""
        text = f"{self.html('<figcaption>')}{heading}{caption}{self.html('</figcaption>')}"
        parts = [text, self.html(content)]
        parts = parts[::-1] if image_first else parts
        opening = self.html(f'<figure id="{label(name)}">')
        return Markup(f"{opening}{''.join(parts)}{self.html('</figure>')}")

    def _place(self, path: Path) -> str:
        svg = path.with_suffix(".svg").as_posix()
        return next((known for known in self.links if svg.endswith(f"/{known}")), svg)


def label(name: str) -> str:
    """The name of a table or figure as an identifier."""
    return name.replace("_", "-")


def width_of(path: Path) -> float:
    """The width in inches at which a figure was drawn, by its SVG."""
    start = path.with_suffix(".svg").read_text(encoding="utf-8")[:2000]
    match = re.search(r'<svg[^>]*\bwidth="([\d.]+)pt"', start)
    if match is None:
        raise ExperimentError(f"{path.with_suffix('.svg')} does not say its width in pt.")
    return float(match[1]) / 72


def _latex_float(kind: str, name: str, caption: str, *, above: str = "", below: str = "") -> Markup:
    size = r"\footnotesize\setlength{\tabcolsep}{3.5pt}" if above else ""
    opening = rf"\begin{{{kind}}}[tbp]\centering{size} {below}\caption{{"
    closing = rf"}}\label{{kappacurve:{label(name)}}} {above}\end{{{kind}}}"
    return Markup(f"\n\n`{opening}`{{=latex}}{caption}`{closing}`{{=latex}}\n\n")


def _typst_float(name: str, caption: str, content: str, options: str) -> Markup:
    return Markup(
        f"\n\n```{{=typst}}\n#figure({options}, caption: [\n```\n\n{caption}\n\n"
        f"```{{=typst}}\n], {content}) <{label(name)}>\n```\n\n"
    )


def convert_text(
    markdown: str, target: str, *, template: str = "", options: Sequence[str] = (), **metadata: str
) -> str:
    """What pandoc makes of a Markdown text."""
    extra = [*options, "--fail-if-warnings"]
    if template:
        extra += ["--standalone", f"--template={TEMPLATES / template}"]
    extra += [f"--metadata={name}:{value}" for name, value in metadata.items()]
    try:
        return str(pypandoc.convert_text(markdown, target, MARKDOWN, extra, verify_format=False))
    except RuntimeError as error:
        raise ExperimentError(f"pandoc cannot read the text: {error}") from None


def write_page(
    *,
    index: Path,
    verdict: Path,
    values: Mapping[str, Any],
    figures: Mapping[str, Path],
    links: Collection[str],
) -> None:
    """Write the page to open first, and its text for the terminal and GitHub."""
    shared: Any = {"values": values, "figures": figures, "links": links}
    text = Writer("html", **shared).fill("index.md.jinja")
    style = (TEMPLATES / "page.css").read_text(encoding="utf-8")
    page = convert_text(
        text,
        "html5",
        template="page.html",
        options=["--wrap=none", f"--variable=style:{style}"],
        pagetitle=values["question"],
    )
    write_text(page, index)
    text = Writer("gfm", **shared).fill("index.md.jinja")
    write_text(convert_text(text, "gfm", options=["--columns=88"]), verdict)


def write_appendix(*, folder: Path, values: Mapping[str, Any], figures: Mapping[str, Path]) -> None:
    """Write PDF, web page and LaTeX, with tables, figures, references and a README."""
    document = values["document"]
    title, author = document["title"], document["author"]
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    (folder / "figures").mkdir(exist_ok=True)
    shutil.copy(TEMPLATES / "references.bib", folder)
    writers = {
        name: Writer(name, values, figures, numbered=True) for name in ("html", "latex", "typst")
    }
    texts = {name: writer.fill("appendix.md.jinja") for name, writer in writers.items()}
    for name, table in writers["latex"].tables.items():
        write_text(table, folder / f"tables/{name}.tex")
    for name in figures:
        if name in writers["latex"].numbers:
            shutil.copy(figures[name], folder / f"figures/{name}.pdf")
    shared: Any = {"title": title, "author": author}
    style = (TEMPLATES / "page.css").read_text(encoding="utf-8")
    page = convert_text(
        texts["html"],
        "html5",
        template="page.html",
        options=["--wrap=none", "--mathml", *CITATIONS, f"--variable=style:{style}"],
        pagetitle=title,
        **shared,
    )
    write_text(page, folder / "appendix.html")
    latex = convert_text(
        texts["latex"],
        "latex",
        template="appendix.tex",
        options=["--natbib", "--variable=columns"],
        **shared,
    )
    write_text(spell_for_latex(latex), folder / "appendix.tex")
    source = folder / "appendix.typ"
    write_text(
        convert_text(texts["typst"], "typst", template="appendix.typ", options=CITATIONS, **shared),
        source,
    )
    # Only Typst's own fonts, so that every machine sets the same page; they have no Chinese.
    is_latin = max(texts["typst"]) < FIRST_WIDE
    pdf = folder / "appendix.pdf"
    typst.compile(source, output=pdf, root=folder, ignore_system_fonts=is_latin)
    source.unlink()
    readme = Writer("gfm", {**values, "files": writers["latex"].numbers}).fill("README.md.jinja")
    write_text(readme, folder / "README.md")


def write_text(text: str, path: Path) -> None:
    """Write with the same line ends everywhere."""
    path.write_text(text.rstrip() + "\n", encoding="utf-8", newline="\n")
