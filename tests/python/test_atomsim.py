# SPDX-License-Identifier: MIT
"""The Python module against the command line, and what is Python's own."""
import array
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import warnings
from pathlib import Path

import atomsim

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None


def command(*arguments):
    """What the program prints."""
    return subprocess.run(
        [os.environ["ATOMSIM"], *arguments], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ).stdout


def long_trace():
    """Many seconds of simulation."""
    return atomsim.generate("voting", words=7, blocks=64, warps=16, steps=2000)


def before(deadline):
    """A progress that ends a run that should have ended long before."""
    return lambda done, total: time.monotonic() < deadline


class TheSameAsTheCommand(unittest.TestCase):
    def test_run(self):
        result = atomsim.run("weighted", "h200")
        self.assertEqual(result.json, command("run", "--config", "h200", "--reproducible", "--format", "json", "weighted"))

    def test_run_with_changes_and_settings(self):
        result = atomsim.run(
            "weighted", "h200", what_if=["replicate=4,pad=1"], set={"sm.count": 4}, seed=3, causes=False, baseline=False
        )
        self.assertEqual(
            result.json,
            command(
                "run", "--config", "h200", "--reproducible", "--format", "json", "--what-if", "replicate=4,pad=1",
                "--set", "sm.count=4", "--seed", "3", "--causes", "no", "--no-baseline", "weighted",
            ),
        )

    def test_advise(self):
        advice = atomsim.advise("weighted", "h200")
        self.assertEqual(advice.data, json.loads(command("advise", "--config", "h200", "--format", "json", "weighted")))
        self.assertGreater(advice.best.gain, 1)
        self.assertIn(advice.best["what_if"], str(advice))

    def test_sweep(self):
        sweep = atomsim.sweep(
            ["transpose", "histogram"], "fermi", vary={"atomic.locks": "64..256:*2", "shared.banks": [16, 32]}
        )
        printed = command(
            "sweep", "--config", "fermi", "--vary", "atomic.locks=64..256:*2", "--vary", "shared.banks=16,32",
            "transpose", "histogram",
        )
        # The identity of a sweep is of its words, which name the machine.
        for line in (printed, sweep.json):
            self.assertEqual(line.count("\n"), 12)
        for mine, its in zip(sweep, map(json.loads, printed.splitlines())):
            for report in (mine.data, its):
                del report["sweep"], report["xxh64"]
            self.assertEqual(mine.data, its)

    def test_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            command("run", "--config", "h200", "--reproducible", "--report", path, "transpose")
            self.assertEqual(atomsim.run("transpose", "h200").page(), Path(path).read_text(encoding="utf-8"))

    def test_names(self):
        self.assertIn("h200", atomsim.configs())
        self.assertIn("weighted", atomsim.traces())


class Errors(unittest.TestCase):
    def test_a_config_says_file_line_and_column(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.json")
            Path(path).write_text('{\n  "extends": "fermi",\n  "sm": {"count": "x"}\n}\n', encoding="utf-8")
            with self.assertRaises(atomsim.ConfigError) as caught:
                atomsim.run("transpose", path)
        self.assertEqual((caught.exception.file, caught.exception.line, caught.exception.column), (path, 3, 19))
        self.assertIn("allowed", str(caught.exception))
        self.assertIsInstance(caught.exception, ValueError)

    def test_each_kind(self):
        for kind, ask in (
            (atomsim.FileError, lambda: atomsim.run("nowhere", "h200")),
            (atomsim.FileError, lambda: atomsim.Machine("nowhere")),
            (atomsim.TraceError, lambda: atomsim.run(b"no trace", "h200")),
            (atomsim.UsageError, lambda: atomsim.generate("vote")),
            (atomsim.UsageError, lambda: atomsim.run("weighted", "h200", what_if="replicat=2")),
            (atomsim.InputError, lambda: atomsim.scatter([0, -2])),
            (atomsim.RunError, lambda: atomsim.run("histogram", "fermi", set={"sm.max_warps": 2})),
            (atomsim.InputError, lambda: atomsim.sweep("weighted", "h200", vary={}, set={"a": [{}]})),
            (atomsim.ConfigError, lambda: atomsim.sweep("weighted", "h200", vary={"sm.count": [0]})),
        ):
            with self.assertRaises(kind):
                ask()

    def test_what_has_no_effect_is_warned_of(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = atomsim.run("weighted", "h200", set={"atomic.locks": 64})
        self.assertEqual([str(one.message) for one in caught], result.notes)
        self.assertEqual(caught[0].category, atomsim.AtomsimWarning)
        self.assertEqual(caught[0].filename, __file__)
        self.assertIn("atomic.locks has no effect", result.notes[0])


class Tensor:
    """Like torch's: no buffer, no __array__ before it is on the CPU and detached."""

    def __init__(self, values, ready=False):
        self.values, self.ready = values, ready

    def detach(self):
        return Tensor(self.values)

    def cpu(self):
        return Tensor(self.values, True)

    def numpy(self):
        assert self.ready
        return array.array("q", self.values)


class Indices(unittest.TestCase):
    values = [3, 0, 0, -1, 7, 3] * 20

    def test_all_ways_to_give_them_are_the_same_trace(self):
        ways = [
            [self.values[:60], self.values[60:]],
            tuple(self.values),
            array.array("i", self.values),
            array.array("q", self.values),
            memoryview(array.array("h", self.values)),
            Tensor(self.values),
        ]
        if numpy is not None:
            ways += [
                numpy.array(self.values),
                numpy.array(self.values, dtype=numpy.int32).reshape(2, 60),
                numpy.repeat(numpy.array(self.values), 2)[::2],
            ]
        expected = atomsim.scatter(self.values).to_bytes()
        self.assertGreater(len(expected), 100)
        for way in ways:
            self.assertEqual(atomsim.scatter(way).to_bytes(), expected)

    def test_they_are_those_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "i.csv")
            Path(path).write_text("index\n" + "\n".join(map(str, self.values)) + "\n", encoding="utf-8")
            file = atomsim.generate("scatter", file=path, type="f32")
        memory = atomsim.scatter(self.values)
        self.assertEqual(atomsim.run(file, "h200")["atomics"], atomsim.run(memory, "h200")["atomics"])
        self.assertEqual(atomsim.run(file, "h200").cycles, atomsim.run(memory, "h200").cycles)

    def test_only_whole_numbers_do(self):
        for bad in (array.array("d", [1.0]), [1.5], ["1"], 3):
            with self.assertRaises(TypeError):
                atomsim.scatter(bad)

    def test_contention(self):
        crowded = atomsim.contention([0] * 4096, type="f32", machine="h200")
        spread = atomsim.contention([32 * (i % 128) + i // 128 for i in range(4096)], type="u32", space="shared")
        self.assertTrue(crowded)
        self.assertGreater(crowded.slowdown, 2)
        self.assertGreater(crowded.helps[0].gain, 1)
        self.assertIn("contended: scatter", str(crowded))
        self.assertIn(crowded.helps[0]["words"], crowded._repr_html_())
        self.assertGreater(crowded.slowdown, spread.slowdown)


class Running(unittest.TestCase):
    def test_progress_may_end_a_run(self):
        seen = []

        def progress(done, total):
            seen.append((done, total))
            return False

        with self.assertRaises(atomsim.RunError):
            atomsim.run("histogram", "fermi", progress=progress)
        self.assertLessEqual(seen[0][0], seen[0][1])

    def test_what_progress_raises_comes_back(self):
        def progress(done, total):
            raise LookupError("mine")

        for ask in (atomsim.run, atomsim.advise, lambda *a, **k: atomsim.sweep(*a, vary={"sm.count": [1, 2]}, **k)):
            with self.assertRaisesRegex(LookupError, "mine"):
                ask("histogram", "fermi", progress=progress)

    def test_ctrl_c_interrupts(self):
        trace = long_trace()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            atomsim.run(trace, "fermi", threads=1, causes=True, progress=before(time.monotonic() + 60))
        timer.join()
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_python_goes_on_while_a_run_does(self):
        trace, stop = long_trace(), threading.Event()

        def simulate():
            with self.assertRaises(atomsim.RunError):
                atomsim.run(trace, "fermi", threads=1, progress=lambda done, total: not stop.is_set())

        thread = threading.Thread(target=simulate)
        thread.start()
        # With the interpreter's lock held in the library nobody would come here until it has ended.
        time.sleep(0.2)
        self.assertTrue(thread.is_alive())
        stop.set()
        thread.join()

    def test_threads_that_share_a_trace(self):
        trace, results = atomsim.Trace("transpose"), []
        threads = [
            threading.Thread(target=lambda: results.append(atomsim.run(trace, "h200").json)) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 4)
        self.assertEqual(len(set(results)), 1)


class Results(unittest.TestCase):
    def test_names_reach_inwards(self):
        result = atomsim.run("weighted", "h200")
        self.assertEqual(result["atomics.retries"], result["atomics"]["retries"])
        self.assertEqual(result["config.sm.count"], result["config"]["sm"]["count"])
        self.assertNotIn("atomics.nothing", result)
        self.assertEqual(dict(result), result.data)
        self.assertIn(f"{result.cycles:,} cycles", repr(result))

    def test_tables_have_columns(self):
        table = atomsim.run("weighted", "h200").table("hot_spots.sites")
        self.assertEqual(type(table["cycles"]).__name__, "list" if numpy is None else "ndarray")
        self.assertEqual(list(table["cycles"]), sorted(table["cycles"], reverse=True))

    def test_sweeps_have_columns_and_a_best_point(self):
        sweep = atomsim.sweep(gen="voting", machine="fermi", vary={"atomic.locks": [64, 1024]}, set={"words": 256})
        self.assertEqual(len(sweep), 2)
        self.assertEqual(list(sweep["varied.atomic.locks"]), [64, 1024])
        self.assertEqual(sweep.best().data, sweep[1].data)
        self.assertEqual(sweep.failed, [])
        self.assertIn("<td>1024</td>", sweep._repr_html_())

    def test_pages_are_shown_in_a_frame(self):
        result = atomsim.run("transpose", "h200")
        self.assertTrue(result._repr_html_().startswith("<iframe "))
        self.assertNotIn("<title>", result._repr_html_())

    def test_changed_machines_leave_the_first(self):
        machine = atomsim.Machine("fermi", {"sm.count": 2})
        self.assertEqual(atomsim.run("transpose", machine, set="sm.count=1")["config.sm.count"], 1)
        self.assertEqual(machine.config["sm"]["count"], 2)

    @unittest.skipIf(pandas is None, "no pandas")
    def test_frames(self):
        result = atomsim.run("weighted", "h200")
        self.assertEqual(result.to_frame()["atomics.retries"][0], result["atomics.retries"])
        self.assertEqual(len(result.to_frame("hot_spots.sites")), len(result["hot_spots.sites"]))
        sweep = atomsim.sweep("transpose", "fermi", vary={"shared.banks": [16, 32]})
        self.assertEqual(list(sweep.to_frame()["varied.shared.banks"]), [16, 32])

    @unittest.skipIf(pandas is not None, "pandas is there")
    def test_frames_need_pandas(self):
        with self.assertRaises(ImportError):
            atomsim.run("transpose", "fermi").to_frame()


class Binding(unittest.TestCase):
    def test_functions_and_options_are_those_of_the_header(self):
        from atomsim import _library

        header = (Path(os.environ["SOURCE"]) / "src" / "atomsim.h").read_text(encoding="utf-8")
        bare = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", header, flags=re.S))
        declared = {
            name: 0 if takes == "void" else takes.count(",") + 1
            for name, takes in re.findall(r"\batomsim_(\w+) ?\(([^)]*)\);", bare)
        }
        self.assertEqual(declared, {name: len(takes) for name, _, *takes in _library._FUNCTIONS})
        fields = re.search(r"size_t size;(.*?)\} AtomsimOptions;", bare).group(0)
        fields = re.sub(r"\(\*(\w+)\)\([^)]*\)", r"\1", fields)
        self.assertEqual(
            re.findall(r"(\w+);", fields)[:-1], [name for name, _ in _library.Options._fields_]
        )
