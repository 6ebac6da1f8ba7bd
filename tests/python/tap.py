# SPDX-License-Identifier: MIT
"""Runs tests/python/test_*.py and says the results as TAP."""
import sys
import unittest


class TapResult(unittest.TestResult):
    """A line a test, as it ends."""

    def __init__(self):
        super().__init__()
        self.n = 0

    def _say(self, verdict, test, words="", why=""):
        self.n += 1
        print(f"{verdict} {self.n} - {test.id()}{words}")
        for line in why.splitlines():
            print("# " + line)
        sys.stdout.flush()

    def addSuccess(self, test):
        self._say("ok", test)

    def addSkip(self, test, reason):
        self._say("ok", test, f" # SKIP {reason}")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._say("not ok", test, why=self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        self._say("not ok", test, why=self.errors[-1][1])


result = TapResult()
unittest.defaultTestLoader.discover(sys.argv[1]).run(result)
sys.exit(not result.wasSuccessful())
