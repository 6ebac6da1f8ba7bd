# SPDX-License-Identifier: MIT
"""Prints atomsim/_where.py: where the library is, seen from the package, so that both can be moved together.

usage: where.py PACKAGE LIBRARY [NEEDED]...
"""
import os
import sys

package, library, *needed = sys.argv[1:]
print("# SPDX-License-Identifier: MIT")
print(f"LIBRARY = {os.path.relpath(library, package)!r}")
print("# Libraries that it needs and that are shipped with it, each after those it needs itself.")
print(f"NEEDED = {[os.path.relpath(one, package) for one in needed]!r}")
