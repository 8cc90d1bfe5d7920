"""The documentation site: `make docs` builds it, without a network."""

import re
import tomllib
from pathlib import Path

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml

import kappacurve

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REPOSITORY = PROJECT.get("urls", {}).get("Repository")

project = "kappacurve"
author = "The kappacurve developers"
version = release = kappacurve.__version__
extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
exclude_patterns = ["_build"]
templates_path = ["_templates"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # the docstrings say it, with shapes and ranges
numpydoc_show_class_members = False

html_theme = "pydata_sphinx_theme"
html_title = "kappacurve"
# Only the reference has pages below it, which need a list.
PAGES = [page.stem for page in (ROOT / "docs").glob("*.md") if page.stem != "api"]
html_sidebars = {page: [] for page in PAGES}
html_static_path = ["_static"]
html_css_files = ["style.css"]
html_show_sourcelink = False
html_theme_options = {
    "header_links_before_dropdown": 10,
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_math_renderer = "mathml"


def _formula(translator, node):
    """Write a formula as MathML, which browsers show without a script or a network."""
    block = node.tagname == "math_block"
    text = tex2mathml(node.astext(), as_block=block)
    translator.body.append(f"<p>{text}</p>" if block else text)
    raise SkipNode


def _link_to_repository(_app, _name, source):
    """Let links to files outside docs/ lead to the repository, or name the file."""

    def link(match):
        text, path = match.groups()
        return f"[{text}]({REPOSITORY}/blob/main/{path})" if REPOSITORY else f"{text} (`{path}`)"

    source[0] = re.sub(r"(?<!!)\[([^]]*)\]\(\.\./([^)]*)\)", link, source[0])


def setup(app):
    """Register both with Sphinx."""
    app.connect("source-read", _link_to_repository)
    app.add_html_math_renderer("mathml", (_formula, None), (_formula, None))
