"""What SECURITY.md promises of the code and the pages that it writes."""

import ast
import re
from pathlib import Path

import pandas as pd
import pytest
from build_explorer import _inside_script

from kappacurve.experiment.errors import ExperimentError
from kappacurve.experiment.html_page import prose_page
from kappacurve.experiment.table_files import write_table
from kappacurve.publishing.document import read_document

ROOT = Path(__file__).parents[1]
CODE = sorted(path for part in ("src", "workflow", "tools") for path in (ROOT / part).rglob("*.py"))
RULES = [ROOT / "Snakefile", *sorted((ROOT / "workflow" / "rules").rglob("*.smk"))]
MODULES = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "shelve", "marshal", "joblib"}
CALLS = {
    *("eval", "exec", "compile", "__import__", "os.system", "os.popen", "os.execv"),
    *("yaml.unsafe_load", "yaml.full_load", "yaml.unsafe_load_all", "yaml.load_all"),
    *("pd.read_pickle", "pandas.read_pickle", "np.load", "numpy.load", "tempfile.mktemp"),
    *("subprocess.getoutput", "subprocess.getstatusoutput", "pd.eval", "DataFrame.eval"),
}
# The only loader that yaml.load may be given: a SafeLoader that refuses more.
SAFE_LOADERS = {"_NoDuplicates"}
EVIL = '<script>alert("x")</script>'
# What makes a page load something: an attribute, a style, or a script of ours.
LOADS = re.compile(
    r"""<(?:script|img|iframe|embed|audio|video|source|object)\b[^>]*?\b(?:src|data)\s*=\s*["']?
        (?!data:)[^\s"'>]
    | <link\b(?![^>]*href="data:,") | @import | url\(\s*["']?(?!data:|\#)[a-z/.] | <base\b""",
    re.IGNORECASE | re.VERBOSE,
)


def dangers(text):
    """What in a module runs text as code, unpickles, or starts a shell."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name.split(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
            yield node.module
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            given = {one.arg: ast.unparse(one.value) for one in node.keywords}
            if name in CALLS or name.endswith((".read_pickle", ".to_pickle")):
                yield name
            if given.get("shell", "False") != "False":
                yield f"{name} with a shell"
            if given.get("allow_pickle", "False") != "False":
                yield f"{name} with pickles"
            loader = given.get("Loader", ast.unparse(node.args[1]) if len(node.args) > 1 else "")
            if name == "yaml.load" and loader not in SAFE_LOADERS:
                yield f"yaml.load with {loader}"


@pytest.mark.parametrize(
    "text",
    [
        "import pickle",
        "from joblib import load",
        "x = eval('1')",
        "import os\nos.system('ls')",
        "subprocess.run('ls', shell=True)",
        "yaml.load(text, Loader=yaml.FullLoader)",
        "yaml.load(text, yaml.Loader)",
        "frame.to_pickle(path)",
        "np.fromfile(path, allow_pickle=True)",
    ],
)
def test_the_search_finds_what_it_is_for(text):
    assert list(dangers(text))


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(ROOT)))
def test_code_runs_no_text_and_no_shell(path):
    assert list(dangers(path.read_text(encoding="utf-8"))) == []


def test_rules_have_no_shell():
    assert len(RULES) > 10
    for path in RULES:
        assert not re.search(
            r"^\s*(shell|run|notebook|wrapper|module)\b.*:\s*$", path.read_text(), re.M
        )


def test_loader_of_the_config_is_a_safe_one():
    import yaml
    from lib.config_files import _NoDuplicates

    assert issubclass(_NoDuplicates, yaml.SafeLoader)


def test_every_exception_from_a_security_rule_says_why():
    everything = [*CODE, *(ROOT / "benchmarks").glob("*.py"), *(ROOT / "tests").rglob("*.py")]
    for path in everything:
        for line in path.read_text(encoding="utf-8").splitlines():
            for reason in re.findall(r"# noqa: [A-Z0-9, ]*\bS\d{3}(.*)", line):
                assert len(reason.split()) >= 3, f"{path.name}: {line.strip()}"


def test_words_from_data_are_escaped_in_pages(tmp_path):
    table = pd.DataFrame({EVIL: [0.5], "model": [EVIL]})
    paths = [tmp_path / f"t.{suffix}" for suffix in ("html", "tex")]
    write_table(table, paths, title=EVIL, note=EVIL)
    page = paths[0].read_text()
    assert EVIL not in page
    assert page.count("&lt;script&gt;") >= 4
    assert EVIL not in prose_page(f"# Title {EVIL}\n\nText {EVIL}\n\n- item {EVIL}\n")
    assert "<" not in _inside_script({"model": EVIL, "end": "</script>"})


def test_latex_of_a_table_has_no_command_from_data(tmp_path):
    table = pd.DataFrame({"model": [r"\input{/etc/passwd}"], "x": [1.0]})
    write_table(table, [tmp_path / "t.tex"], title="t")
    assert r"\input" not in (tmp_path / "t.tex").read_text()


@pytest.mark.parametrize(
    "text",
    [
        ".. include:: /etc/hostname",
        ".. raw:: html\n\n   <script></script>",
        ".. csv-table::\n   :file: /etc/passwd",
    ],
)
def test_text_of_the_appendix_includes_no_file_and_no_markup(text):
    with pytest.raises(ExperimentError):
        read_document(f"#####\nTitle\n#####\n\n{text}\n", {}, {}, {})


def test_pages_load_nothing(tmp_path):
    page = tmp_path / "t.html"
    write_table(pd.DataFrame({"model": ["a"], "x": [1.0]}), [page], title="t")
    written = [page.read_text(), prose_page("# Title\n\nSee https://doi.org/10.24432/C5NC77.\n")]
    template = (ROOT / "workflow" / "explorer" / "page.html.jinja").read_text()
    style = (ROOT / "workflow" / "explorer" / "page.css").read_text()
    for text in (*written, template, style):
        assert not LOADS.search(text), LOADS.search(text)
    for text in (*written, *map(Path.read_text, (ROOT / "workflow" / "explorer").glob("*.js"))):
        assert not re.search(r"\b(fetch|import|XMLHttpRequest|WebSocket|sendBeacon)\s*\(", text)


def test_the_search_for_loads_finds_them():
    for text in (
        '<script src="https://x/y.js">',
        "<img alt='a' src=//x/y.png>",
        '<link rel="stylesheet" href="a.css">',
        "@import 'a.css'",
        "background: url(https://x/y)",
        "background: url('/y.png')",
    ):
        assert LOADS.search(text), text
    for text in ('<img src="data:image/png;base64,x">', "url(#clip)", '<a href="https://x">'):
        assert not LOADS.search(text), text
