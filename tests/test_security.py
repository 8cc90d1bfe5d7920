"""What SECURITY.md promises of the code and the pages that it writes."""

import ast
import re
from pathlib import Path

import pandas as pd
import pytest

from build_explorer import _inside_script
from study.errors import ExperimentError
from study.pages.document import read_document
from study.pages.html_page import prose_page
from study.pages.table_files import write_table

ROOT = Path(__file__).parents[1]
CODE = sorted(path for part in ("src", "workflow", "tools") for path in (ROOT / part).rglob("*.py"))
RULES = [ROOT / "Snakefile", *sorted((ROOT / "workflow" / "rules").rglob("*.smk"))]
MODULES = {
    *("pickle", "cPickle", "_pickle", "dill", "cloudpickle", "shelve", "marshal", "joblib"),
    *("runpy", "pty", "_posixsubprocess"),
}
# Full names, whatever a module calls them, and how others begin.
NAMES = {
    *("eval", "exec", "compile", "__import__", "os.system", "os.popen", "os.startfile"),
    *("numpy.load", "tempfile.mktemp", "yaml.load_all", "asyncio.create_subprocess_shell"),
    *("subprocess.getoutput", "subprocess.getstatusoutput"),
}
BEGINNINGS = ("os.exec", "os.spawn", "os.posix_spawn", "yaml.unsafe_load", "yaml.full_load")
# Of whatever object, pandas or a table.
ATTRIBUTES = {"eval", "read_pickle", "to_pickle", "subprocess_shell"}
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


def imported(tree):
    """Full name of each name that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((one.asname, one.name) for one in node.names if one.asname)
        elif isinstance(node, ast.ImportFrom):
            yield from ((one.asname or one.name, f"{node.module}.{one.name}") for one in node.names)


def full_name(node, aliases):
    """Of a name or attribute, as if nothing had been imported under another name."""
    first, *rest = ast.unparse(node).split(".")
    return ".".join([aliases.get(first, first), *rest]).removeprefix("builtins.")


def is_dangerous(name):
    last = name.rpartition(".")[2]
    return name in NAMES or name.startswith(BEGINNINGS) or last in ATTRIBUTES


def dangers(text):
    """What in a module runs text as code, unpickles, or starts a shell."""
    tree = ast.parse(text)
    aliases = dict(imported(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name.split(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{one.name}" for one in node.names]
            in_modules = names[0].split(".")[0] in MODULES
            yield from (name for name in names if in_modules or is_dangerous(name))
        elif isinstance(node, ast.Name | ast.Attribute):  # called or handed on
            if is_dangerous(name := full_name(node, aliases)):
                yield name
        elif isinstance(node, ast.Call):
            yield from dangers_of_call(node, full_name(node.func, aliases))


def dangers_of_call(call, name):
    given = {one.arg: ast.unparse(one.value) for one in call.keywords}
    if given.get("shell", "False") != "False":
        yield f"{name} with a shell"
    if given.get("allow_pickle", "False") != "False":
        yield f"{name} with pickles"
    loader = given.get("Loader", ast.unparse(call.args[1]) if len(call.args) > 1 else "")
    if name == "yaml.load" and loader not in SAFE_LOADERS:
        yield f"yaml.load with {loader}"
    if name.endswith(".query") and not (call.args and isinstance(call.args[0], ast.Constant)):
        yield f"{name} of a text that does not stand there"


# Rules are no Python. What they run are the scripts that they name in plain text.
IN_RULES = re.compile(
    r"""\bshell\s*[:(] | \bos\.(?:system|popen|exec|spawn) | \b(?:from|import)\s+os\b
    | \b(?:eval|exec|compile|__import__)\s*\( | \b(?:subprocess|importlib|runpy)\b | pickle
    | ^[ \t]*(?:run|notebook|wrapper|cwl|template_engine)[ \t]*:
    | ^[ \t]*module\s+\w[^=\n]*: | ^[ \t]*(?:include|script)\s*:(?!\s*")""",
    re.MULTILINE | re.VERBOSE,
)


def dangers_of_rules(text):
    """What in rules runs text as code, unpickles, or starts a shell."""
    return (found[0].strip() for found in IN_RULES.finditer(text))


def starts_processes(text):
    """Has a module the means to start another program?"""
    imports = [
        node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    names = {getattr(node, "module", None) or one.name for node in imports for one in node.names}
    return bool(
        {"subprocess", "multiprocessing", "asyncio"} & {name.split(".")[0] for name in names}
    )


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
        "from os import system\nsystem('ls')",
        "from os import system as tell\ntell('ls')",
        "from subprocess import getoutput\ngetoutput('ls')",
        "import numpy as n\nn.load('x')",
        "import builtins\nbuiltins.eval('1')",
        "import asyncio\nasyncio.create_subprocess_shell('ls')",
        "import os\nos.execvp('ls', ['ls'])",
        "from pandas import read_pickle\nread_pickle('x')",
        "frame.eval('a')",
        "list(map(eval, texts))",
        "import yaml as y\ny.load(text, Loader=y.UnsafeLoader)",
        "from runpy import run_path",
        "table.query(f'model == {name}')",
    ],
)
def test_the_search_finds_what_it_is_for(text):
    assert list(dangers(text))


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(ROOT)))
def test_code_runs_no_text_and_no_shell(path):
    assert list(dangers(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "text",
    [
        '    shell:\n        "rm {input}"',
        '    shell: "rm {config[x]}"',
        '    shell : "rm"',
        'shell("rm x")',
        'os.system(config["x"])',
        "from os import popen",
        'eval(config["x"])',
        'exec(config["x"])',
        "import subprocess",
        "import pickle",
        'pd.read_pickle(config["x"])',
        "    run:",
        "    run: f()",
        '    notebook: "a.ipynb"',
        'module other: snakefile: "x"',
        '    wrapper:\n        "x"',
        'include: config["rules"]',
        'include: f"{config[x]}.smk"',
        "    script:\n        config['script']",
    ],
)
def test_the_search_in_rules_finds_what_it_is_for(text):
    assert list(dangers_of_rules(text))


def test_rules_run_no_text_and_no_shell():
    assert len(RULES) > 10
    for path in RULES:
        assert list(dangers_of_rules(path.read_text(encoding="utf-8"))) == [], path.name


def test_only_these_modules_start_a_process():
    """The fetch from UCI, and the look for processes where there is no /proc."""
    found = {path.name for path in CODE if starts_processes(path.read_text(encoding="utf-8"))}
    assert found == {"uci.py", "find_running.py"}


def test_loader_of_the_config_is_a_safe_one():
    import yaml

    from study.settings.files import _NoDuplicates

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
