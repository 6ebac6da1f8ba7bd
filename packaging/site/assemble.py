#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the sources of the site from the project's pages.

usage: assemble.py SOURCE FOLDER

SOURCE is the project. FOLDER/src gets docs/ as it is, and under project/ each file outside docs/ that a page
links to, with the links changed to match. FOLDER/mkdocs.yml is the one beside this file and the navigation:
docs/index.md's headings and the pages under each, in its order. A page of docs/ that index.md does not list is
an error: exit status 1, and its name on stderr.
"""

import json
import os
import re
import shutil
import sys

LINK = re.compile(r"(\]\(<?)([^)\s>#]+)((?:#[^)\s>]*)?>?(?: \"[^\"]*\")?\))")
OUTSIDE = "project"  # the folder of what is not under docs/


class Site:
    """What goes into the site: paths in the project, and where each of them is there."""

    def __init__(self, source, folder):
        self.source, self.folder = source, os.path.join(folder, "src")
        self.waiting, self.known = [], set()

    def place(self, path):
        """Where a file of the project is in the site, relative to src/."""
        inside = os.path.relpath(path, "docs")
        return os.path.join(OUTSIDE, path) if inside.startswith("..") else inside

    def add(self, path):
        if path not in self.known:
            self.known.add(path)
            self.waiting.append(path)

    def target(self, page, link):
        """The file of the project that a page's link leads to; None: another host, or nothing here."""
        if re.match(r"[a-z]+:", link):
            return None
        path = os.path.normpath(os.path.join(os.path.dirname(page), link))
        if os.path.isdir(os.path.join(self.source, path)):
            path = os.path.join(path, "README.md")
        if path.startswith("..") or not os.path.isfile(os.path.join(self.source, path)):
            return None
        return path

    def page(self, path, text):
        """A page's text with links that hold in the site. A folder without a README is named, not linked."""

        def changed(match):
            to = self.target(path, match.group(2))
            if to is None and re.match(r"[a-z]+:", match.group(2)):
                return match.group(0)
            if to is None:
                return "](#)"
            self.add(to)
            there = os.path.relpath(self.place(to), os.path.dirname(self.place(path)) or ".")
            return match.group(1) + there + match.group(3)

        parts = re.split(r"(^```.*?^```$|`[^`\n]*`)", text, flags=re.S | re.M)
        return "".join(part if i % 2 else LINK.sub(changed, part) for i, part in enumerate(parts))

    def copy_all(self):
        while self.waiting:
            path = self.waiting.pop()
            source, to = os.path.join(self.source, path), os.path.join(self.folder, self.place(path))
            os.makedirs(os.path.dirname(to), exist_ok=True)
            if not path.endswith(".md"):
                shutil.copyfile(source, to)
                continue
            with open(source, encoding="utf-8") as file:
                text = self.page(path, file.read())
            with open(to, "w", encoding="utf-8") as file:
                file.write(text)


def navigation(index):
    """What index.md lists, as mkdocs takes it: [{heading: [{title: page}]}], and the set of pages."""
    groups, pages = [{"Home": "index.md"}], {"index.md"}
    for line in index.split("\n"):
        if line.startswith("## "):
            groups.append({line[3:].strip(): []})
        for title, page in re.findall(r"\[([^]]+)\]\(([^)#:]+\.md)\)", line):
            if page.startswith("..") or page in pages or len(groups) == 1:
                continue
            pages.add(page)
            next(iter(groups[-1].values())).append({title: page})
    return [group for group in groups if all(group.values())] + [{"Reports": "reports/index.md"}], pages


def main(source, folder):
    site = Site(source, folder)
    for where, _, names in os.walk(os.path.join(source, "docs")):
        for name in names:
            if name.endswith((".md", ".svg", ".png", ".ipynb")):
                site.add(os.path.relpath(os.path.join(where, name), source))
    docs = {os.path.relpath(path, "docs") for path in site.known if path.endswith(".md")}
    with open(os.path.join(source, "docs", "index.md"), encoding="utf-8") as file:
        groups, listed = navigation(file.read())
    for page in sorted(docs - listed):
        print(f"docs/index.md does not list docs/{page}", file=sys.stderr)
    site.copy_all()
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "mkdocs.yml"), encoding="utf-8") as file:
        config = file.read()
    with open(os.path.join(folder, "mkdocs.yml"), "w", encoding="utf-8") as file:
        file.write(config + "nav: " + json.dumps(groups) + "\n")
    return 1 if docs - listed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
