# SPDX-License-Identifier: MIT
"""Runs the examples of a page, or the cells of a notebook, one after the other as a reader does.

usage: pages.py PAGE.md [--update] | NOTEBOOK.ipynb
A page's ```python blocks run in one namespace; an ```output block behind one is what they have printed since the last. Of a
notebook the last expression of a cell is shown, as HTML where it can be.
"""
import ast
import contextlib
import difflib
import io
import json
import re
import sys


def run_cell(source, names, name):
    """Runs it, and returns what its last expression gives, if it ends in one."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)  # pylint: disable=exec-used
    return eval(compile(ast.Expression(last.value), name, "eval"), names) if last else None


def run_page(path, update):
    """Whether all output is as the page says."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    printed, names = io.StringIO(), {"__name__": "page"}

    def replace(match):
        if match[1] == "python":
            with contextlib.redirect_stdout(printed):
                run_cell(match[2], names, f"{path}:{text[: match.start()].count(chr(10)) + 1}")
            return match[0]
        output = printed.getvalue()
        printed.seek(0)
        printed.truncate()
        return f"```output\n{output}```\n"

    new = re.sub(r"^```(python|output)\n(.*?)^```\n", replace, text, flags=re.M | re.S)
    if update and new != text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)
    elif new != text:
        sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), new.splitlines(True), path, "now"))
    return update or new == text


def run_notebook(path):
    """Whether every cell runs and what it gives can be shown."""
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    names = {"__name__": "__main__"}
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    for number, source in enumerate(code, 1):
        with contextlib.redirect_stdout(io.StringIO()):
            shown = run_cell(source, names, f"{path}, cell {number}")
        if hasattr(shown, "_repr_html_"):
            assert shown._repr_html_().startswith("<")
        else:
            repr(shown)
    return len(code) > 0


if sys.argv[1].endswith(".ipynb"):
    sys.exit(not run_notebook(sys.argv[1]))
sys.exit(not run_page(sys.argv[1], "--update" in sys.argv[2:]))
