# SPDX-License-Identifier: MIT
"""What simulations gave. Times have their unit in their name: cycles of the machine's clock, us microseconds."""
import html
import json
from collections.abc import Mapping
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Union

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]


def column(values: Sequence[Any]) -> Any:
    """A numpy array where numpy is there, else a list."""
    return list(values) if numpy is None else numpy.asarray(values)


def flatten(item: Mapping, prefix: str = "") -> Dict[str, Any]:
    """Scalars by their dotted names, as the columns of the command's CSV."""
    flat: Dict[str, Any] = {}
    for name, value in item.items():
        if isinstance(value, dict):
            flat.update(flatten(value, prefix + name + "."))
        elif not isinstance(value, list):
            flat[prefix + name] = value
    return flat


def _frame(rows: Sequence[Mapping]) -> Any:
    import pandas  # who asks for a frame has it, or learns so

    return pandas.DataFrame([flatten(row) for row in rows])


class Report(Mapping):
    """A JSON object of the library as a mapping. A dotted name reaches inwards: report["atomics.retries"]."""

    def __init__(self, data: Dict[str, Any]) -> None:
        self.data = data

    def __getitem__(self, name: str) -> Any:
        if name in self.data:
            return self.data[name]
        # A key may have a dot itself, as those of "varied" do: the longest that is there counts.
        for dot in range(len(name) - 1, 0, -1):
            if name[dot] == "." and isinstance(self.data.get(name[:dot]), dict):
                return Report(self.data[name[:dot]])[name[dot + 1 :]]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def table(self, name: str) -> Dict[str, Any]:
        """A list of rows by its columns: table("hot_spots.sites")["cycles"] is a numpy array, or a list without numpy."""
        rows = [flatten(row) for row in self[name]]
        keys = dict.fromkeys(key for row in rows for key in row)
        return {key: column([row.get(key) for row in rows]) for key in keys}

    def to_frame(self, name: Optional[str] = None) -> Any:
        """A pandas DataFrame: of a list by its name, "hot_spots.sites"; else all scalars, as one row."""
        return _frame([self.data] if name is None else self[name])


class Result(Report):
    """What a run cost: the names of `atomsim run --format json` (docs/reference/report.md has the table, with units).

    json: the command's line, byte for byte. notes: what was asked for and had no effect.
    """

    def __init__(self, text: str, notes: Sequence[str], page: Callable[[], str]) -> None:
        super().__init__(json.loads(text))
        self.json = text
        self.notes = list(notes)
        self._make_page = page
        self._page: Optional[str] = None

    @property
    def cycles(self) -> int:
        """From the kernel's start to the last store drained, in cycles."""
        return self["cycles"]

    @property
    def time_us(self) -> float:
        """The same in microseconds."""
        return self["time_us"]

    @property
    def slowdown(self) -> float:
        """Slowdown from contention: 1 is none."""
        baseline = self.data.get("contention_free")
        return baseline["slowdown"] if baseline else 1.0

    @property
    def gain(self) -> Optional[float]:
        """Speedup of the what-ifs; None without what-ifs."""
        what_if = self.data.get("what_if")
        return what_if["gain"] if what_if else None

    def page(self) -> str:
        """The page that --report writes: HTML that needs nothing else. Made when it is first asked for, by another run."""
        if self._page is None:
            self._page = self._make_page()
        return self._page

    def _repr_html_(self) -> str:
        return (
            '<iframe style="width:100%;height:640px;border:0" title="atomsim report" srcdoc="'
            + html.escape(self.page())
            + '"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<atomsim.Result {self}>"

    def __str__(self) -> str:
        words = f"{self['trace.name']} on {self['config.name']}: {self.cycles:,} cycles = {self.time_us:.2f} us"
        if self.data.get("contention_free"):
            words += f", slowdown from contention {self.slowdown:.2f}x"
        if self.gain is not None:
            words += f", {self.gain:.2f}x faster with " + " and ".join(self["what_if.changes"])
        return words


class Change(Report):
    """A change that pays: gain (speedup), words, cause, and what_if (a program's) or set (a machine's)."""

    @property
    def gain(self) -> float:
        """Cycles without the change over cycles with it."""
        return self["gain"]

    def __str__(self) -> str:
        how = f"what_if={self['what_if']!r}" if "what_if" in self else f"set=[{self['set']!r}]"
        return f"{self.gain:.2f}x faster: {self['words']} ({how})"


class Advice(Report):
    """What to change so that a trace costs less, the largest gain first: the names of `atomsim advise --format json`.

    Iterates over names as each mapping does; `changes` are of the program, `designs` of the machine.
    """

    @property
    def changes(self) -> List[Change]:
        """Of the program, as what_if takes them."""
        return [Change(row) for row in self["advice"]]

    @property
    def designs(self) -> List[Change]:
        """Of the machine, as set takes them."""
        return [Change(row) for row in self["designs"]]

    @property
    def best(self) -> Optional[Change]:
        """The change of the program with the largest gain; None: none pays."""
        return self.changes[0] if self["advice"] else None

    def __str__(self) -> str:
        lines = [f"{number}. {change}" for number, change in enumerate(self.changes, 1)]
        return "\n".join(lines) or self.data.get("nothing", "Nothing to advise")

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{html.escape(str(change))}</li>" for change in self.changes)
        return f"<ol>{items}</ol>" if items else f"<p>{html.escape(str(self))}</p>"


class Sweep(Sequence):
    """The points of a sweep, in their order. sweep["cycles"] is a column: a numpy array, or a list without numpy."""

    def __init__(self, text: str) -> None:
        self.json = text
        self.points = [Report(json.loads(line)) for line in text.splitlines()]

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, which: Union[int, slice, str]) -> Any:  # type: ignore[override]
        if not isinstance(which, str):
            return self.points[which]
        return column([point[which] for point in self.points])

    @property
    def failed(self) -> List[Report]:
        """Points that could not be simulated to their end: their "problem" says why, and they count in no comparison."""
        return [point for point in self.points if point["status"] != "complete"]

    def best(self, name: str = "cycles") -> Report:
        """The point with the least of a statistic. ValueError: no point came to its end."""
        return min((point for point in self.points if point["status"] == "complete"), key=lambda point: point[name])

    def to_frame(self) -> Any:
        """A pandas DataFrame, a row a point; what was varied is in columns "varied.KEY"."""
        return _frame([point.data for point in self.points])

    def _repr_html_(self) -> str:
        keys = list(self.points[0]["varied"]) if self.points else []
        head = "".join(f"<th>{html.escape(key)}</th>" for key in ["trace", *keys, "cycles"])
        rows = "".join(
            "<tr>"
            + "".join(
                f"<td>{html.escape(str(cell))}</td>"
                for cell in [point["trace.name"], *point["varied"].values(), point["cycles"]]
            )
            + "</tr>"
            for point in self.points
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


class Contention:
    """Whether atomics on some indices are contended, and what helps. run: a Result; advice: an Advice."""

    #: Slower than this by contention counts as contended, as `atomsim advise` has it.
    LEAST = 1.05

    def __init__(self, run: Result, advice: Advice) -> None:
        self.run = run
        self.advice = advice

    @property
    def slowdown(self) -> float:
        """Slowdown from contention: 1 is none."""
        return self.run.slowdown

    @property
    def contended(self) -> bool:
        """Whether contention costs 5 % or more."""
        return self.slowdown >= self.LEAST

    @property
    def helps(self) -> List[Change]:
        """Changes of the program that pay, the largest gain first."""
        return self.advice.changes

    def __bool__(self) -> bool:
        return self.contended

    def __str__(self) -> str:
        verdict = "contended" if self.contended else "not contended"
        return f"{verdict}: {self.run}\n{self.advice}"

    def _repr_html_(self) -> str:
        verdict = "contended" if self.contended else "not contended"
        head = f"<p><b>{verdict}</b>: {html.escape(str(self.run))}</p>"
        return head + self.advice._repr_html_() + self.run._repr_html_()
