"""The documentation site: `make docs` builds it, without a network."""

import re
import tomllib
from importlib import import_module
from inspect import isroutine
from pathlib import Path

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml

import kappacurve

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

project = "kappacurve"
author = "The kappacurve developers"
repository = PROJECT["urls"]["Repository"]
version = release = kappacurve.__version__
extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
]
exclude_patterns = ["_build"]
templates_path = ["_templates"]

myst_enable_extensions = ["dollarmath", "substitution", "colon_fence"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # the docstrings say it, with shapes and ranges
numpydoc_show_class_members = False

html_theme = "pydata_sphinx_theme"
html_title = "kappacurve"
# Pages that no other page stands under need no list of pages.
html_sidebars = {page: [] for page in ("start", "theory", "many-data-sets")}
html_static_path = ["_static", "../src/kappacurve/explorer/kappa.js"]
html_css_files = ["style.css"]
html_js_files = ["pictures.js"]
html_show_sourcelink = False
html_theme_options = {
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}


def _formula(translator, node):
    """A formula as MathML, which browsers show without a script or a network."""
    block = node.tagname == "math_block"
    text = tex2mathml(node.astext(), as_block=block)
    translator.body.append(f"<p>{text}</p>" if block else text)
    raise SkipNode


STUDY = "studies/many-data-sets"


def _study(start, end):
    """A part of the study's README, whose links are links to the repository."""
    text = (ROOT / STUDY / "README.md").read_text()
    part = text[text.index(start) if start else 0 :].partition(end)[0]
    part = re.sub(r"!\[([^]]*)\]\((?!http)", rf"![\1](../{STUDY}/", part)
    return re.sub(r"(?<!!)(\[[^]]+\])\((?!http|#)", rf"\1({repository}/blob/main/{STUDY}/", part)


def _link_to_repository(_app, name, source):
    """Links of a page to files outside docs/ are links to the repository."""
    text = source[0]
    # On GitHub these are links; the site has the text itself.
    if name == "index":
        link = f"[The answer](../{STUDY}/README.md#the-answer)"
        text = text.replace(link, _study("1. **", "## What was registered"))
    if name == "many-data-sets":
        text = text.replace(f"[The study](../{STUDY}/README.md)\n", _study("", "## Run it again"))
    source[0] = re.sub(r"(?<!!)(\[[^]]+\])\(\.\./", rf"\1({repository}/blob/main/", text)


def setup(app):
    """Tell Sphinx of all."""
    app.connect("source-read", _link_to_repository)
    app.add_html_math_renderer("mathml", (_formula, None), (_formula, None))


html_math_renderer = "mathml"


# The order of the reference; what is not named here comes last.
MODULES = [
    "measures",
    "comparison",
    "inference",
    "operating",
    "profile",
    "roc",
    "kappa",
    "bounds",
    "scorers",
    "io",
    "plots",
]


def reference():
    """Text of the API reference: the public names, by module, each with a page of its own."""
    stub = (ROOT / "src" / "kappacurve" / "__init__.pyi").read_text()
    names = {}
    for module, listed in re.findall(r"^from \.(\w+)\S* import (\([^)]*\)|.*)", stub, re.MULTILINE):
        names.setdefault(module, []).extend(re.findall(r"(\w+) as", listed))
    text = "API reference\n=============\n\n"
    text += "Names are imported from ``kappacurve``, or from its submodules below.\n"
    for module in sorted(names, key=lambda name: ([*MODULES, name]).index(name)):
        title = re.split(r"[:.]\s", import_module(f"kappacurve.{module}").__doc__ + " ")[0].strip()
        rows = "".join(f"   {name}\n" for name in names[module])
        text += f"\n{title}\n{'-' * len(title)}\n\n"
        text += ".. currentmodule:: kappacurve\n\n.. autosummary::\n   :toctree: generated\n"
        text += f"   :template: name.rst\n\n{rows}"
    top = {name for listed in names.values() for name in listed}
    for module in ("algebra", "bounds", "inference", "plots"):
        inner = import_module(f"kappacurve.{module}")
        title = f"kappacurve.{module}"
        own = [name for name in inner.__all__ if name not in top]
        shown = [name for name in own if isroutine(getattr(inner, name))]
        rows = "".join(f"   {name}\n" for name in shown)
        text += f"\n{title}\n{'-' * len(title)}\n\n{inner.__doc__}\n\n"
        text += f".. currentmodule:: {title}\n\n.. autosummary::\n"
        text += f"   :toctree: generated\n   :template: name.rst\n\n{rows}"
    return text


(ROOT / "docs" / "api.rst").write_text(reference())
