"""The documents of a run: Markdown templates filled with its facts, and what pandoc makes of them.

A template shows ``{{ table(name, ...) }}`` (options: :func:`study.text.tables.view`),
``{{ figure(name, ...) }}`` and ``{{ listed(name, ...) }}``, and names them by ``{{ ref(name) }}``.
All other values are escaped, so that no word of the data is taken for markup. Tables and figures
are raw blocks of each format, of which pandoc's writers keep their own.
"""

from __future__ import annotations

import json
import re
import shutil
from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import jinja2
import pandas as pd
import pypandoc  # type: ignore[import-untyped]

from kappacurve.algebra import perfect_auk
from study.errors import ExperimentError
from study.text.facts import facts_as_tables
from study.text.numbers import Fact
from study.text.tables import LATEX_SIGNS, ON_ONE_PAGE, View, choose, view
from study.text.typography import typeset, typeset_markdown

TEMPLATES = Path(__file__).parent / "templates"
# No raw markup but in blocks that say of which format, and no labels that a paper could have too.
MARKDOWN = (
    "markdown-raw_html-raw_tex-latex_macros-implicit_figures-auto_identifiers-blank_before_header"
)
# Of labels and references, so that they meet none of a paper that takes the text in.
PREFIX = "kappacurve:"
CITING = [
    "--citeproc",
    f"--bibliography={TEMPLATES / 'references.bib'}",
    f"--csl={TEMPLATES / 'numeric.csl'}",
    "--metadata=link-citations",
    "--metadata=reference-section-title:References",
]
_NEXT_FLOAT = r"\end{results}\begin{results}{table}"  # of a table longer than a page
FOLDED = 14  # rows of a table that a web page shows unasked


class Markup(str):
    """Text in Markdown, as opposed to a value that is put into it."""


# The figure that shows what stands in a table.
FIGURE_OF = {
    "forensics/prevalence": "figures/forensics_prevalence",
    "forensics/simulation": "figures/published",
    "tables/rank_reversal": "figures/rank_reversal",
    "sweep/rank_reversal": "figures/reversal_by_skew",
}


class Sources(NamedTuple):
    """What a text may show; figures are pdf with an svg beside it, captions those of the report.

    `pages` are the tables that have a page of their own, `narrow` the drawings for a phone.
    """

    facts: Mapping[str, Any]
    tables: Mapping[str, pd.DataFrame] = {}
    figures: Mapping[str, Path] = {}
    captions: Mapping[str, Path] = {}
    pages: Collection[str] = ()
    narrow: Mapping[str, Path] = {}


@dataclass
class Writer:
    """Fills a template; numbers, shows and links tables and figures in every format of pandoc's.

    `numbered` is what stands before their numbers, None for a page without numbers. What is plain
    is read as it is: tables of pipes, whose captions the text says, and values as they are.
    `appendix` is the writer that has shown the same tables and figures with numbers.
    """

    sources: Sources
    numbered: str | None = None
    plain: bool = False
    appendix: Writer | None = None
    tables: dict[str, View] = field(default_factory=dict, init=False)
    figures: dict[str, Path] = field(default_factory=dict, init=False)
    referred: set[str] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        self.frames = {**self.sources.tables, **facts_as_tables(self.sources.facts)}

    def fill(self, template: str) -> str:
        """The text of a template; a second round knows the numbers of what stands below."""
        # No HTML: pandoc escapes what it writes.
        environment = jinja2.Environment(  # noqa: S701
            loader=jinja2.FileSystemLoader(TEMPLATES),
            undefined=jinja2.StrictUndefined,
            finalize=self.written,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        functions = "table figure listed ref caption has claims_of strip behind shown_by"
        for name in functions.split():
            environment.globals[name] = getattr(self, name)
        environment.globals.update(self.sources.facts)
        environment.globals["perfect_auk"] = lambda p: Fact(float(perfect_auk(p)), "measure")
        environment.filters["written"] = self.written  # of words that a caption is made with
        environment.filters["share"] = lambda value: Fact(value, "stated share")
        environment.tests["shown"] = lambda name: name in self.sources.figures
        try:
            environment.get_template(template).render()
            for name in self.referred - self.shown:
                raise ExperimentError(f"the text refers to {name}, which it doesn't show.")
            return environment.get_template(template).render().strip() + "\n"
        except jinja2.TemplateError as error:
            raise ExperimentError(f"the text {template} can't be filled: {error}") from None

    def written(self, value: object) -> str:
        """A value in the text: facts in their form, words without markup."""
        return str(value) if self.plain or isinstance(value, Markup) else in_words(value)

    def has(self, name: str, **where: Any) -> int:
        """How many rows of a table, if the run has it, have these values."""
        return len(choose(self.frames[name], where)) if name in self.frames else 0

    def claims_of(self, *keys: str) -> list[Mapping[str, Any]]:
        """The claims with these keys that the run has judged."""
        return [claim for claim in self.sources.facts["claims"] if claim["key"] in keys]

    def caption(self, name: str) -> Markup:
        """The report's caption of a table or figure."""
        if name not in self.sources.captions:
            raise ExperimentError(f"the text names the caption {name}, which there isn't.")
        text = self.sources.captions[name].read_text(encoding="utf-8")
        job = SimpleNamespace(config=self.sources.facts["config"])
        return Markup(" ".join(jinja2.Template(text).render(snakemake=job).split()))

    def chosen(self, name: str, **options: Any) -> View:
        """What is shown of a table of the run."""
        if name not in self.frames:
            raise ExperimentError(f"the text shows the table {name}, which there isn't.")
        try:
            options |= {"words": self.sources.facts["words"], "typographic": not self.plain}
            return view(self.frames[name], **options)
        except KeyError as error:
            raise ExperimentError(
                f"the table {name} has no {error}, which the text shows."
            ) from None

    def table(
        self, name: str, caption: str = "", *, more: str = "", fold: int = FOLDED, **options: Any
    ) -> Markup:
        """A table under its caption: by default the report's, and what more there is to say."""
        self.tables[name] = content = self.chosen(name, **options)
        if self.plain:
            return Markup(content.markdown())
        rows = len(content.columns[0].texts)
        html = f'<div class="wide" role="region" tabindex="0">{content.html()}</div>'
        if rows > fold:
            html = f"<details><summary>{rows} rows</summary>{html}</details>"
        bodies = [rf"\fitted{{\input{{tables/{stem(name)}{part}}}}}" for part in content.pages()]
        return self._shown(
            name,
            f"{caption or self.caption(name)} {more}".strip(),
            html=html,
            latex=_NEXT_FLOAT.join(bodies),
            typst=content.typst(),
            breakable=rows > ON_ONE_PAGE,
        )

    def figure(self, name: str, *, caption: str = "") -> Markup:
        """A figure over its caption, the report's of that name or another; at most page-wide."""
        if name not in self.sources.figures:
            raise ExperimentError(f"the text shows the figure {name}, which there isn't.")
        self.figures[name] = path = self.sources.figures[name]
        words = self.caption(caption or name)
        alt = typeset(words.replace("`", "'"))
        address = path.with_suffix(".svg")  # web_page puts the drawing in its place
        html = f'<img alt="{escape(alt)}" src="{address}">'
        if name in self.sources.narrow:
            other = f'<source media="(max-width: 36rem)" srcset="{self.sources.narrow[name]}">'
            html = f"<picture>{other}{html}</picture>"
        if not self.numbered:  # the appendix may be moved without the figures' own files
            html = f'<a href="{name}.svg">{html}</a>'
        file = f"figures/{stem(name)}.pdf"
        image = f'image("{file}", alt: {json.dumps(alt, ensure_ascii=False)})'
        latex = rf"\fitted{{\includegraphics{{{file}}}}}"
        return self._shown(name, words, html=html, latex=latex, typst=image)

    def _shown(
        self, name: str, caption: str, *, html: str, latex: str, typst: str, breakable: bool = False
    ) -> Markup:
        """A table under its caption, or a figure over it, in each format."""
        label = self.label(name)
        kind = self.kind(name).lower()
        number = f"<strong>{self.number(name)}.</strong>&#32;" if self.numbered else "<!-- -->"
        above = ("", "")
        below = (html, latex)
        opening = "#figure(kind: table, "
        if kind == "figure":
            above, below = below, above
            opening = "#figure("
        closing = ""
        if breakable:
            opening = f"#[#show figure: set block(breakable: true);{opening}"
            closing = "]"
        # A page without numbers may show it twice.
        anchor = f' id="{label}"' if self.numbered else ""
        text = (
            _inline(rf"\begin{{results}}{{{kind}}}{above[1]}\caption{{", "latex")
            + _inline(f"{opening}caption: [", "typst")
            + _inline(number, "html")
            + caption
            + _inline(rf"}}\label{{{label}}}{below[1]}\end{{results}}", "latex")
            + _inline(f"], body) <{label}>{closing}", "typst")
        )
        parts = (
            _block(f"<figure{anchor}>{above[0]}<figcaption>", "html"),
            _block(f"#let body = {typst}", "typst"),
            text,
            _block(f"</figcaption>{below[0]}</figure>", "html"),
        )
        return Markup("\n\n".join(["", *parts, ""]))

    def listed(
        self,
        name: str,
        columns: Sequence[str] = (),
        labels: Mapping[str, str] | None = None,
        group: str = "",
    ) -> Markup:
        """A table of prose as lists: of each row the first cell, then the others.

        Those with a label have it before them.
        """
        lines: list[str] = []
        content = self.chosen(name, columns=columns, group=group)
        names = [(labels or {}).get(column.label, "") for column in content.columns[1:]]
        for heading, (first, *cells) in content.rows():
            lines += ["", f"*{in_words(heading)}*", ""] if heading else []
            text = " ".join(_sentence(*pair) for pair in zip(names, cells, strict=True) if pair[1])
            lines.append(f"- **{in_words(first)}.** {in_words(text)}")
        return Markup("\n".join(lines))

    def ref(self, name: str) -> Markup:
        """The number of a table or figure, as a link to it."""
        self.referred.add(name)
        label = self.label(name)
        kind = self.kind(name)
        return Markup(
            _inline(rf"{kind}~\ref{{{label}}}", "latex")
            + _inline(f"#ref(<{label}>);", "typst")
            + _inline(f'<a href="#{label}">{self.number(name)}</a>', "html")
        )

    def strip(self, claim: Mapping[str, Any]) -> Markup:
        """The interval of a claim's number as a small drawing, with the limit of its rule."""
        number = claim["number"]
        limit = claim["limit"]
        if number is None or number.low is None or self.plain:
            return Markup("")
        marks = [number.low, number.high, number.value, *([limit.value] if limit else [0.0])]
        room = 0.12 * (max(marks) - min(marks))
        start = min(marks) - room
        end = max(marks) + room

        def at(value: float) -> str:
            return f"{8 + 224 * (value - start) / (end - start):.1f}"

        mark = limit or replace(number, value=0.0, low=None)
        named = f"limit {mark}" if limit else mark.point
        low, high, value, x = map(at, (number.low, number.high, number.value, mark.value))
        words = escape(typeset(f"{number}; {named}" if limit else str(number)))
        side = "start" if float(x) < 120 else "end"
        return Markup(
            _inline(
                f'<svg class="strip" viewBox="0 0 240 34" role="img" aria-label="{words}">'
                f'<path class="axis" d="M4 12H236"/><path class="limit" d="M{x} 2V22"/>'
                f'<path class="interval" d="M{low} 12H{high}"/><circle cx="{value}" cy="12" r="4"/>'
                f'<text x="{x}" y="32" text-anchor="{side}">{typeset(named)}</text></svg>',
                "html",
            )
        )

    def shown_by(self, claim: Mapping[str, Any]) -> str:
        """The number that shows a claim, and what it is the number of."""
        comma = "" if claim["unit"] == "count" else ","
        return f"{claim['number']}{comma} {claim['of']}"

    def behind(self, claim: Mapping[str, Any]) -> Markup:
        """Links to the tables behind a claim, what is drawn of them, and their appendix."""
        names = [file.removesuffix(".csv") for file in claim["file"].split("; ")]
        links = [f"[Table]({name}.html)" for name in names if name in self.sources.pages]
        figures = [FIGURE_OF[name] for name in names if FIGURE_OF.get(name) in self.sources.figures]
        links += [f"[Figure]({name}.svg)" for name in figures]
        if self.appendix:
            places = [name for name in (*names, *figures) if name in self.appendix.shown]
            links += [
                f"[Appendix, {self.appendix.number(name)}]"
                f"(appendix/appendix.html#{self.appendix.label(name)})"
                for name in places or ["facts/claims"]
            ]
        return Markup(" · ".join(links))

    @property
    def shown(self) -> set[str]:
        """The tables and figures of the text."""
        return {*self.tables, *self.figures}

    def kind(self, name: str) -> str:
        """Table or Figure."""
        return "Figure" if name in self.sources.figures else "Table"

    def number(self, name: str) -> str:
        """Such as Table S1."""
        names = [*(self.tables if self.kind(name) == "Table" else self.figures), name]
        return f"{self.kind(name)} {self.numbered}{names.index(name) + 1}"

    def label(self, name: str) -> str:
        """Of the table or figure in every format."""
        return f"{PREFIX}{self.kind(name)[:3].lower()}:{stem(name).replace('_', '-')}"


def web_page(writer: Writer, text: str, title: str, *, byline: str = "", back: str = "") -> str:
    """The text of a writer as a web page that needs no other file and no network.

    `back`: the address of the page to return to.
    """
    options = ["--mathml", f"--variable=back:{back}", *CITING]
    page = _pandoc(text, "html", "page.html", title, byline, *options)
    for path in (*writer.figures.values(), *writer.sources.narrow.values()):
        file = path.with_suffix(".svg")
        drawing = file.read_bytes()
        width = re.search(rb'<svg [^>]*?width="([\d.]+pt)"', drawing)
        drawn = f'style="--drawn: {width[1].decode()}" ' if width else ""
        data = f"data:image/svg+xml;base64,{b64encode(drawing).decode()}"
        page = page.replace(f'src="{file}"', f'{drawn}src="{data}"')
        page = page.replace(f'srcset="{file}"', f'srcset="{data}"')
    return page


def write_appendix(sources: Sources, folder: Path, title: str, byline: str) -> Writer:
    """Write the PDF, the web page, and what authors take into a paper, into a folder.

    Return the writer, which knows the numbers of what it shows.
    """
    import typst

    writer = Writer(sources, "S")
    text = writer.fill("appendix.md")
    for part in ("tables", "figures"):
        (folder / part).mkdir(parents=True)
    shutil.copyfile(TEMPLATES / "references.bib", folder / "references.bib")
    for name, table in writer.tables.items():
        for part, page in table.pages().items():
            (folder / f"tables/{stem(name)}{part}.tex").write_text(page.latex(), encoding="utf-8")
    for name, path in writer.figures.items():
        shutil.copyfile(path, folder / f"figures/{stem(name)}.pdf")
    source = folder / "appendix.typ"
    of_typst = _pandoc(text, "typst-citations-smart", source.name, title, byline, *CITING)
    web = web_page(writer, text, title, byline=byline, back="../index.html")
    files = {source.name: of_typst, "appendix.html": web}
    for name in ("appendix.tex", "body.tex"):
        of_latex = _pandoc(text, "latex", name, title, byline, "--natbib", "--ascii")
        files[name] = of_latex.translate(LATEX_SIGNS)
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8", newline="\n")
    # Only Typst's own fonts, so that every machine sets the same page.
    typst.compile(source, output=folder / "appendix.pdf", root=folder, ignore_system_fonts=True)
    source.unlink()
    return writer


def stem(name: str) -> str:
    """A table's or figure's name as the stem of one file name: silipo_leak, sweep."""
    return "_".join(name.split("/")[1:])


def in_words(value: object) -> str:
    """Words from data or settings, so that none of their characters is taken for markup."""
    return re.sub(r"([\\*`|_<>\[\]$^~#@{}])", r"\\\1", str(value))


def _block(text: str, language: str) -> str:
    fence = "~~~"
    while fence in text:
        fence += "~"
    return f"{fence}{{={language}}}\n{text}\n{fence}"


def _inline(text: str, language: str) -> str:
    return f"`{text}`{{={language}}}"


def _sentence(label: str, text: str) -> str:
    sentence = f"{label[:1].upper()}{label[1:]}: {text}" if label else text
    return sentence if sentence.endswith((".", "?")) else f"{sentence}."


def _pandoc(
    text: str, target: str, template: str = "", title: str = "", byline: str = "", *options: str
) -> str:
    """What pandoc makes of Markdown; in the sandbox it reads no file but those of its options."""
    if template:
        options += (f"--template={TEMPLATES / template}", f"--metadata=title:{typeset(title)}")
        options += (f"--metadata=byline:{byline}",)
    try:
        output = pypandoc.convert_text(
            typeset_markdown(text),
            target,
            MARKDOWN,
            ["--standalone", "--wrap=none", "--fail-if-warnings", *options],
            sandbox=True,
            verify_format=False,
        )
    except RuntimeError as error:
        raise ExperimentError(f"the text is faulty: {error}") from None
    return str(output)
