#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every link of a built site leads to a file of it and to an element there, and no page asks another host.

usage: check.py SITE

Prints what is wrong, a line each, and the number of links; exit status 1 if anything is wrong.
"""

import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links, loads and names of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.names = [], [], set()
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.names.update(values[key] for key in ("id", "name") if values.get(key))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        for key in ("src", "srcset", "data") + (("href",) if tag == "link" else ()):
            if values.get(key) and values.get("rel") != "canonical":
                self.loads.append(values[key])


def main(site):
    pages, wrong, count = {}, [], 0
    for where, _, names in os.walk(site):
        for name in names:
            if name.endswith(".html") and name != "404.html":
                path = os.path.normpath(os.path.join(where, name))
                pages[path] = Page(path)
    for path, page in pages.items():
        for link in page.links + page.loads:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loads and parts.scheme != "data":
                    wrong.append(f"{path}: loads {link}")
                continue
            count += 1
            to = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) if parts.path else path
            to = os.path.join(to, "index.html") if os.path.isdir(to) else to
            if not os.path.isfile(to):
                wrong.append(f"{path}: {link}: no such file")
            elif parts.fragment and to in pages and urllib.parse.unquote(parts.fragment) not in pages[to].names:
                wrong.append(f"{path}: {link}: no such heading")
    print("\n".join(sorted(set(wrong)) + [f"{count} links in {len(pages)} pages, {len(set(wrong))} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
