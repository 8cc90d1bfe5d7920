"""Web pages of tables and prose: one file each, without network; the table sorts and filters."""

from __future__ import annotations

import re
from html import escape

from study.pages.typography import typeset

# An arrow's second `content` keeps it out of the name that a screen reader speaks.
STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --faint: #5c6570;
  --line: #d5dae0; --head: #f1f4f7; --hover: #eef5fb; --accent: #00588c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e7eb; --paper: #16191d; --faint: #a0a9b4; --line: #383f47;
    --head: #22272d; --hover: #1d2a35; --accent: #6cbcf0; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem 1.25rem; background: var(--paper); color: var(--ink);
  font: 14px/1.45 system-ui, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.25rem; margin: 0 0 .4rem; }
h2 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; }
p { margin: 0 0 .7rem; max-width: 48rem; }
ul { max-width: 54rem; padding-left: 1.2rem; margin: 0 0 .8rem; }
label { color: var(--faint); }
input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--faint);
  border-radius: 4px; padding: .15rem .4rem; width: 16rem; max-width: 100%; }
.box { overflow: auto; max-height: calc(100vh - 2rem); width: fit-content; max-width: 100%;
  border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--faint); font-size: .85rem; padding: .3rem 0; }
caption span { position: sticky; left: .6rem; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
th { position: sticky; top: 0; background: var(--head); padding: 0; vertical-align: bottom; }
th button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0;
  width: 100%; padding: .35rem .6rem; text-align: inherit; cursor: pointer; white-space: nowrap; }
th button::after { content: "\\2195"; content: "\\2195" / ""; color: var(--faint);
  margin-left: .35em; font-weight: 400; }
th[aria-sort=ascending] button::after {
  content: "\\2191"; content: "\\2191" / ""; color: var(--accent); }
th[aria-sort=descending] button::after {
  content: "\\2193"; content: "\\2193" / ""; color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.number { text-align: right; white-space: nowrap; }
.short { white-space: nowrap; }
.long { min-width: 14rem; overflow-wrap: anywhere; }
.prose { min-width: 26rem; overflow-wrap: anywhere; }
.none { color: var(--faint); }
tbody tr:hover { background: var(--hover); }
tbody tr:last-child td { border-bottom: 0; }
@media print { .box { max-height: none; overflow: visible; border: 0; }
  th { position: static; } form { display: none; } }
"""

# A column's name sorts upwards, then downwards, then gives the first order back. Missing values
# come last either way.
SCRIPT = """
"use strict";
const table = document.querySelector("table");
const body = table.tBodies[0];
const rows = [...body.rows];
const heads = [...table.tHead.rows[0].cells];
const words = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function value(row, i) {
  const cell = row.cells[i];
  if (cell.classList.contains("none")) return null;
  if (!heads[i].classList.contains("number")) return cell.textContent;
  return Number(cell.dataset.value ?? cell.textContent);
}

function compare(a, b, sign) {
  if (a === null || b === null) return (a === null) - (b === null);
  return sign * (typeof a === "number" ? (a > b) - (a < b) : words.compare(a, b));
}

function sortBy(i) {
  const next = { none: "ascending", ascending: "descending", descending: "none" };
  const order = next[heads[i].getAttribute("aria-sort")];
  heads.forEach((head, j) => head.setAttribute("aria-sort", j === i ? order : "none"));
  const sign = order === "descending" ? -1 : 1;
  const sorted = order === "none" ? rows
    : [...rows].sort((a, b) => compare(value(a, i), value(b, i), sign));
  body.append(...sorted);
}

heads.forEach((head, i) => head.querySelector("button").addEventListener("click", () => sortBy(i)));

const form = document.querySelector("form");
if (form) {
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.elements.filter.addEventListener("input", (event) => {
    const wanted = event.target.value.toLowerCase().split(/\\s+/);
    for (const row of rows) {
      const text = [...row.cells].map((cell) => cell.textContent).join(" ").toLowerCase();
      row.hidden = !wanted.every((word) => text.includes(word));
    }
    const left = rows.filter((row) => !row.hidden).length;
    table.caption.firstChild.textContent = left < rows.length
      ? `${left} of ${rows.length} rows` : `${rows.length} rows`;
  });
}
"""


def page(title: str, body: str, script: str = "") -> str:
    """A whole page around a body that is HTML already; the title is text."""
    end = f"<script>{script}</script>\n" if script else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<main>\n{body}\n</main>\n{end}</body>\n</html>\n"
    )


def prose_page(markdown: str) -> str:
    """A page of the Markdown that this project writes: titles, paragraphs, lists, bold and code.

    Parameters
    ----------
    markdown : str
        Blocks with an empty line between them; the first is the title, ``# ...``.

    Returns
    -------
    str

    Examples
    --------
    >>> found = prose_page("# A < B\\n\\n- **yes**; 1 of 2\\n- `no`\\n")
    >>> "<h1>A &lt; B</h1>" in found, "<li><strong>yes</strong>; 1 of 2</li>" in found
    (True, True)
    """
    blocks = re.split(r"\n{2,}", markdown.strip())
    title = blocks[0].removeprefix("# ")
    return page(title, "\n".join(map(_block, blocks)))


def _block(text: str) -> str:
    if title := re.fullmatch(r"(#{1,2}) (.*)", text):
        level = len(title[1])
        return f"<h{level}>{_inline(title[2])}</h{level}>"
    if text.startswith("- "):
        items = re.split(r"\n- ", text.removeprefix("- "))
        return "<ul>\n" + "\n".join(f"<li>{_inline(item)}</li>" for item in items) + "\n</ul>"
    return f"<p>{_inline(text)}</p>"


def _inline(text: str) -> str:
    # Code stays as it is; all else is printed as in the appendix.
    parts = re.split(r"`(.+?)`", text)
    parts[::2] = [_words(part) for part in parts[::2]]
    parts[1::2] = [f"<code>{escape(part, quote=False)}</code>" for part in parts[1::2]]
    return "".join(parts)


def _words(text: str) -> str:
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(typeset(text), quote=False))
