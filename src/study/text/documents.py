"""The documents of a run: Markdown templates filled with its tables, and what pandoc makes of them.

A template is filled once for each format: its tables and figures are blocks of that format, all
other text is Markdown. Values are escaped, so that no word of the data is taken for markup.
"""

from __future__ import annotations

import re
import shutil
from base64 import b64encode
from collections.abc import Collection, Iterable, Mapping, Sequence
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
from study.figures.style import inches_of
from study.text.tables import (
    HARD_SPACE,
    MINUS,
    Markup,
    escape_markdown,
    format_table,
    html_table,
    join_words,
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
]
HALF_PAGE = 3.5  # inches: wider figures stand alone in the PDF, and are scrolled on a phone
SCREEN = 144  # pixels that show an inch of a figure
# Two columns of LaTeX classes.
COLUMN_WIDTHS = {"`article` on letter paper": "229pt", "`IEEEtran`": "252pt"}
# Of a related paper's number.
NUMBER_COLUMNS = ["place", "quantity", "printed", "computed", "note"]


@dataclass
class Writer:
    """Fills templates for one format; gfm is Markdown for GitHub and the terminal.

    `figures` are PDF files by name, each with an SVG beside it. `links` are the files of the run
    that a text may link to, as paths from results/. Tables and figures have numbers if `numbered`.
    """

    format: Literal["html", "gfm", "latex", "typst"]
    values: Mapping[str, Any]
    figures: Mapping[str, Path] = field(default_factory=dict)
    links: Collection[str] = ()
    numbered: bool = False
    latex_tables: dict[str, str] = field(default_factory=dict, init=False)
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
        for name in ("table", "figure", "figures_side_by_side", "ref", "link", "html", "links"):
            environment.globals[name] = getattr(self, name)
        environment.filters["plain"] = lambda text: Markup(escape_markdown(text))
        environment.globals |= {**self.values, "format": self.format, "drawn": self.figures}
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
        widths: Sequence[float | None] = (),
        style: str = "",
    ) -> Markup:
        """A table under its caption; `widths` are shares of the page of the columns that wrap."""
        cells = format_table(frame)
        if self.format == "gfm":
            return Markup(f"{markdown_table(cells)}\n\n{caption}\n")
        number = self._number("Table", name)
        if self.format == "html":
            content = self.html(html_table(cells, style))
            return self._html_figure(name, self._html_caption(number, caption), content)
        if self.format == "latex":
            self.latex_tables[name] = latex_table(cells, widths)
            return _latex_float("table*", name, caption, above=rf"\input{{tables/{name}}}")
        return _typst_float(name, caption, typst_table(cells, widths), "kind: table")

    def figure(self, name: str, caption: str, alt: str = "", *, placement: str = "auto") -> Markup:
        """A figure over its caption, as wide as it was drawn."""
        if name not in self.figures:
            raise ExperimentError(f"the text shows the figure {name}, which this run did not draw.")
        if self.format == "gfm":
            return Markup(f"![{alt or name}](figures/{name}.svg)\n\n*{caption}*\n")
        number = self._number("Figure", name)
        width = width_of(self.figures[name])
        if self.format == "html":
            data = b64encode(self.figures[name].with_suffix(".svg").read_bytes()).decode()
            text = escape(alt or re.sub(r"\\(.)|[*`]", r"\1", caption))
            look = ' class="wide"' if width > HALF_PAGE else ""
            style = f"max-width: {SCREEN * width:.0f}px"
            source = f"data:image/svg+xml;base64,{data}"
            image = f'<img{look} style="{style}" alt="{text}" src="{source}">'
            return self._html_figure(name, self.html(image), self._html_caption(number, caption))
        if self.format == "latex":
            kind = "figure*" if takes_both_columns(width, self.values["width"]) else "figure"
            inserted = rf"\includegraphics{{figures/{name}}}"
            return _latex_float(kind, name, caption, below=inserted)
        content = f'image("figures/{name}.pdf"{", width: 100%" if width > HALF_PAGE else ""})'
        return _typst_float(name, caption, content, f"kind: image, placement: {placement}")

    def figures_side_by_side(self, captions: Sequence[tuple[str, str]]) -> Markup:
        """Those of these figures that the run drew, in the PDF two beside each other."""
        drawn = [(name, caption) for name, caption in captions if name in self.figures]
        if self.format != "typst":
            return Markup("\n\n".join(self.figure(name, caption) for name, caption in drawn))
        narrow = [name for name, _ in drawn if width_of(self.figures[name]) <= HALF_PAGE]
        beside = narrow[: len(narrow) // 2 * 2]
        blocks = {
            name: self.figure(name, caption, placement="none" if name in beside else "auto")
            for name, caption in drawn
        }
        cells = "".join(f"[\n```\n{blocks.pop(name)}\n```{{=typst}}\n],\n" for name in beside)
        opening = "#place(auto, float: true, grid(columns: (1fr, 1fr), gutter: 4mm,"
        grid = f"\n\n```{{=typst}}\n{opening}\n{cells}))\n```\n\n" if beside else ""
        return Markup("\n\n".join([grid, *blocks.values(), ""]))

    def ref(self, name: str) -> Markup:
        """The number of a table or figure, such as Table 2."""
        number = self.numbers.get(name, "")
        if self.format == "latex":
            kind = number.partition(" ")[0]
            return Markup(rf"`{kind}~\ref{{kappacurve:{label(name)}}}`{{=latex}}")
        if self.format == "typst":
            return Markup(f"`@{label(name)}`{{=typst}}")
        return Markup(f"[{number}](#{label(name)})")

    def link(self, text: str, path: str) -> Markup:
        """A link to a file or folder of the run, which must be there."""
        if not any(file == path or file.startswith(f"{path.rstrip('/')}/") for file in self.links):
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

    def _html_caption(self, number: str, caption: str) -> str:
        heading = f"**{number}.** " if number else ""
        return f"{self.html('<figcaption>')}{heading}{caption}{self.html('</figcaption>')}"

    def _html_figure(self, name: str, *parts: str) -> Markup:
        opening = self.html(f'<figure id="{label(name)}">')
        return Markup(f"{opening}{''.join(parts)}{self.html('</figure>')}")


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


def takes_both_columns(width: float, column: str) -> bool:
    """Whether a figure of so many inches is drawn across two columns of such a width."""
    return width > 1.5 * inches_of(column)


def _latex_float(kind: str, name: str, caption: str, *, above: str = "", below: str = "") -> Markup:
    size = r"\footnotesize\setlength{\tabcolsep}{3pt}" if above else ""
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


def convert_to_page(markdown: str, options: Sequence[str] = (), **metadata: str) -> str:
    """A web page that loads nothing."""
    style = (TEMPLATES / "page.css").read_text(encoding="utf-8")
    look = ["--wrap=none", f"--variable=style:{style}"]
    return convert_text(
        markdown, "html5", template="page.html", options=[*look, *options], **metadata
    )


def write_documents(
    values: Mapping[str, Any], *, made: Iterable[str], index: str, verdict: str, appendix: str
) -> None:
    """Write the appendix, and then the page to open first and its text for the terminal.

    `made` are files of the run, which may be shown if they are figures, and linked to.
    """
    results = Path(index).parent
    paths = [Path(path) for path in made]
    figures = {path.stem: path for path in paths if path.suffix == ".pdf"}
    run = [path for path in [*paths, Path(appendix)] if path.is_relative_to(results)]
    links = [path.relative_to(results).as_posix() for path in run]
    write_appendix(folder=Path(appendix).parent, values=values, figures=figures)
    text = Writer("html", values, figures, links).fill("index.md.jinja")
    write_text(convert_to_page(text, pagetitle=values["question"]), Path(index))
    text = Writer("gfm", values, figures, links).fill("index.md.jinja")
    plain = convert_text(text, "gfm", options=["--columns=88"])
    write_text(re.sub(r"\\([<>]=)", r"\1", plain), Path(verdict))  # a limit is no markup


def write_companions(printed: Iterable[Path], page: Path) -> None:
    """Write the page of the related papers from their tables, each in a folder with its figures."""
    texts = yaml.safe_load((TEMPLATES / "companions.yaml").read_text(encoding="utf-8"))
    papers = []
    for path in printed:
        name = path.parent.name
        table = pd.read_csv(path, dtype={"printed": str}).drop(columns="source")
        table["printed"] = table["printed"].str.replace("-", MINUS)
        words = texts[name] | {"text": Markup(texts[name]["text"])}
        figures = sorted(path.parent.glob("*.svg"))
        papers.append(words | {"name": name, "table": table, "figures": figures})
    table = pd.concat(
        {paper["title"].partition(":")[0]: paper["table"] for paper in papers}, names=["paper"]
    )
    errors = table[table["agrees"] == "no"].reset_index("paper")[["paper", *NUMBER_COLUMNS]]
    text = Writer("html", {"papers": papers, "errors": errors}).fill("companions.md.jinja")
    title = "Related papers"
    write_text(convert_to_page(text, [*CITATIONS, "--mathml"], pagetitle=title, title=title), page)


def write_appendix(*, folder: Path, values: Mapping[str, Any], figures: Mapping[str, Path]) -> None:
    """Write PDF, web page and LaTeX, with tables, figures, references and a README."""
    title = values["title"]
    heading = {"title": title, "author": values["author"]}
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    (folder / "figures").mkdir(exist_ok=True)
    shutil.copy(TEMPLATES / "references.bib", folder)
    for path in figures.values():
        shutil.copy(path, folder / "figures")

    text = Writer("html", values, figures, numbered=True).fill("appendix.md.jinja")
    options = ["--mathml", "--shift-heading-level-by=1", *CITATIONS]
    page = convert_to_page(text, options, pagetitle=title, **heading)
    write_text(page, folder / "appendix.html")

    writer = Writer("latex", values, figures, numbered=True)
    text = writer.fill("appendix.md.jinja")
    options = ["--natbib", "--variable=columns", f"--variable=width:{values['width']}"]
    latex = convert_text(text, "latex", template="appendix.tex", options=options, **heading)
    write_text(spell_for_latex(latex), folder / "appendix.tex")
    for name, table in writer.latex_tables.items():
        write_text(table, folder / f"tables/{name}.tex")

    text = Writer("typst", values, figures, numbered=True).fill("appendix.md.jinja")
    source = folder / "appendix.typ"
    options = CITATIONS
    write_text(
        convert_text(text, "typst", template="appendix.typ", options=options, **heading), source
    )
    # Only Typst's own fonts, so that every machine sets the same page; they have no Chinese.
    is_latin = max(text) < FIRST_WIDE
    pdf = folder / "appendix.pdf"
    typst.compile(source, output=pdf, root=folder, ignore_system_fonts=is_latin)
    source.unlink()
    wide = [
        Markup(f"`{name}`")
        for name, path in figures.items()
        if takes_both_columns(width_of(path), values["width"])
    ]
    not_shown = [f"`{name}`" for name in sorted(figures) if f"{{figures/{name}}}" not in latex]
    width = inches_of(values["width"])
    fitting = [name for name, column in COLUMN_WIDTHS.items() if width <= inches_of(column)]
    readme_values = {
        **values,
        "wide": wide,
        "not_shown": Markup(join_words(not_shown)),
        "fitting": Markup(join_words(fitting)),
    }
    readme = Writer("gfm", readme_values).fill("README.md.jinja")
    write_text(readme, folder / "README.md")


def write_text(text: str, path: Path) -> None:
    """Write with the same line ends everywhere."""
    path.write_text(text.rstrip() + "\n", encoding="utf-8", newline="\n")
