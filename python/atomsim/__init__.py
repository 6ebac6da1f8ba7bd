# SPDX-License-Identifier: MIT
"""atomsim: what shared memory and atomics of a GPU kernel cost, simulated.

    >>> import atomsim
    >>> result = atomsim.run("weighted", "h200")
    >>> result["cycles"], result["atomics.retries"]
    >>> print(atomsim.advise("weighted", "h200"))
    >>> print(atomsim.contention(indices, op="add", type="f32", machine="h200"))

A trace is a path, the name of a shipped one (`traces()`), the bytes of a file, or a Trace. A machine is a path, the name
of a shipped one (`configs()`), a dict as the JSON of a config, or a Machine. docs/guide/python.md says more.
"""
import ctypes
import json
import os
import threading
import warnings
import weakref
from array import array
from operator import index as whole
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from ._library import (
    AtomsimError,
    AtomsimWarning,
    ConfigError,
    FileError,
    InputError,
    Options,
    Progress,
    RunError,
    TraceError,
    UsageError,
    Watcher,
    call,
    library,
    names,
    take_text,
    texts,
)
from ._results import Advice, Change, Contention, Report, Result, Sweep

__all__ = [
    "Advice", "AtomsimError", "AtomsimWarning", "Change", "ConfigError", "Contention", "FileError", "InputError",
    "Machine", "Report", "Result", "RunError", "Sweep", "Trace", "TraceError", "UsageError", "advise", "configs",
    "contention", "generate", "run", "scatter", "schema", "sweep", "traces",
]
__version__: str = library.version().decode()

PathName = Union[str, "os.PathLike[str]"]
Settings = Union[None, str, Mapping[str, Any], Iterable[str]]


def _value(value: Any) -> str:
    """As the command takes it: text as it is, other values as JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)


def _settings(given: Settings) -> List[str]:
    """{"sm.count": 8}, ["sm.count=8"] or "sm.count=8" as a list of the latter."""
    if given is None:
        return []
    if isinstance(given, str):
        return [given]
    if isinstance(given, Mapping):
        return [f"{key}={_value(value)}" for key, value in given.items()]
    return list(given)


class Machine:
    """A machine: a config that was checked. Settings are laid over it: Machine("h200", {"sm.count": 8})."""

    def __init__(self, config: Union[PathName, Mapping[str, Any]], set: Settings = None) -> None:
        laid_over = texts(_settings(set))
        if isinstance(config, Mapping):
            text = json.dumps(config).encode()
            self._handle = call("config_parse", b"config", text, len(text), laid_over)
        else:
            self._handle = call("config_load", os.fsencode(config), laid_over)
        weakref.finalize(self, library.config_free, self._handle)

    @property
    def config(self) -> Dict[str, Any]:
        """All keys with their values in force."""
        return json.loads(take_text(library.config_json(self._handle)) or "{}")

    def __repr__(self) -> str:
        return f"<atomsim.Machine {self.config.get('name')}>"


class Trace:
    """What a kernel asked for: a file by path or name, or its bytes. One call at a time uses it, others wait."""

    def __init__(self, source: Union[PathName, bytes], name: str = "trace") -> None:
        if isinstance(source, (bytes, bytearray, memoryview)):
            content = bytes(source)
            self._take(call("trace_open_bytes", name.encode(), content, len(content)))
        else:
            self._take(call("trace_open", os.fsencode(source)))

    def _take(self, handle: int) -> "Trace":
        self._handle = handle
        self._lock = threading.Lock()
        weakref.finalize(self, library.trace_free, handle)
        return self

    @property
    def metadata(self) -> Dict[str, Any]:
        """What is known about the kernel."""
        return json.loads(library.trace_metadata(self._handle).decode())

    @property
    def blocks(self) -> int:
        """Thread blocks."""
        return library.trace_blocks(self._handle)

    def to_bytes(self) -> bytes:
        """The trace as a file's bytes. Empty for one that was opened by path or name: that is the file's."""
        length = ctypes.c_size_t()
        address = library.trace_bytes(self._handle, ctypes.byref(length))
        return ctypes.string_at(address, length.value) if address else b""

    def __repr__(self) -> str:
        return f"<atomsim.Trace {self.metadata.get('kernel')}, {self.blocks} blocks>"


AnyTrace = Union[PathName, bytes, Trace]
AnyMachine = Union[PathName, Mapping[str, Any], Machine]


def _trace(given: AnyTrace) -> Trace:
    return given if isinstance(given, Trace) else Trace(given)


def _machine(given: AnyMachine, set: Settings) -> Machine:
    if not isinstance(given, Machine):
        return Machine(given, set)
    if set is None:
        return given
    changed = Machine.__new__(Machine)
    changed._handle = call("config_with", given._handle, texts(_settings(set)))
    weakref.finalize(changed, library.config_free, changed._handle)
    return changed


def _options(watcher: Watcher, seed: int, threads: int) -> Options:
    return Options(size=ctypes.sizeof(Options), seed=seed, threads=threads, progress=watcher.function)


def configs() -> List[str]:
    """Names of machines that are found by name."""
    return [name[: -len(".json")] if name.endswith(".json") else name for name in names("config_name")]


def traces() -> List[str]:
    """Names of traces that are found by name."""
    return [name[: -len(".bin")] if name.endswith(".bin") else name for name in names("trace_name")]


def schema() -> Dict[str, Any]:
    """The JSON Schema of a Result: each name with meaning, unit and law."""
    return json.loads(take_text(library.json_schema()) or "{}")


def generate(workload: str, **options: Any) -> Trace:
    """A trace of a workload, without a GPU: generate("voting", words=64, blocks=2).

    `atomsim gen WORKLOAD --help` has the options; a - in their names is _ here. UsageError has all problems.
    """
    settings = [f"{name.replace('_', '-')}={_value(value)}" for name, value in options.items()]
    trace = Trace.__new__(Trace)
    return trace._take(call("trace_generate", workload.encode(), texts(settings)))


def _flat(values: Iterable[Any]) -> Iterable[int]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _flat(value)
        else:
            yield whole(value)


def _indices(given: Any) -> "array[int]":
    """Whole numbers of a tensor, an array or (nested) lists, in their order in memory."""
    for step in ("detach", "cpu"):  # a torch tensor, wherever it is
        if hasattr(given, step):
            given = getattr(given, step)()
    if not hasattr(given, "__array__") and hasattr(given, "numpy"):
        given = given.numpy()
    if hasattr(given, "__array__") and not isinstance(given, memoryview):
        given = given.__array__()
    try:
        view = memoryview(given)
    except TypeError:
        return array("q", _flat(given))
    if view.format.lstrip("@=<") not in set("bBhHiIlLqQnN"):
        raise TypeError(f"indices are of format {view.format!r}; allowed: whole numbers of up to 64 bits")
    if view.format.lstrip("@=<") in set("qln") and view.itemsize == 8:
        found = array("q")
        found.frombytes(view.tobytes())
        return found
    flat = view.tolist()
    return array("q", _flat(flat if isinstance(flat, list) else [flat]))


def scatter(
    indices: Any,
    op: str = "add",
    type: str = "f32",
    *,
    space: str = "global",
    result: bool = False,
    block_threads: int = 256,
) -> Trace:
    """The trace of `out[indices[i]] op= value[i]`, a thread for each i, as PyTorch's scatter_add_ does.

    indices: whole numbers from 0, -1 for a thread that does nothing: a torch tensor, a numpy array, whatever has the
    buffer protocol or __array__, or nested lists. op: add, min, max, exch, cas, ...; type: u32, s32, f32, u64, s64 or
    f64, of the words; space: where `out` is, "global" or "shared" memory (there each block has its own); result: whether
    the program uses the old values; block_threads: threads of a block, 1 to 1024.
    Raises InputError, with the first index that is none; TypeError.
    """
    numbers = _indices(indices)
    address = (ctypes.c_int64 * max(len(numbers), 1)).from_buffer(numbers or array("q", [0]))
    settings = [
        f"op={op}", f"type={type}", f"space={space}", f"result={'yes' if result else 'no'}",
        f"block-threads={block_threads}",
    ]
    trace = Trace.__new__(Trace)
    return trace._take(call("trace_scatter", address, len(numbers), texts(settings)))


def run(
    trace: AnyTrace,
    machine: AnyMachine,
    *,
    what_if: Settings = None,
    set: Settings = None,
    seed: int = 0,
    threads: int = 0,
    baseline: bool = True,
    causes: Optional[bool] = None,
    progress: Optional[Progress] = None,
) -> Result:
    """Replays a trace on a machine.

    what_if: changes to the program, "replicate=4,pad=1" or several (docs/guide/what-if.md); set: keys of the config,
    {"sm.count": 8}; seed: of the random winner rule; threads: of the simulation, 0 is one for each processor, and the
    result does not depend on it; baseline: also run it without contention; causes: also run it with one thing ideal at
    a time, None is for short runs only; progress: called as progress(blocks_done, blocks) now and then, in further runs
    from 0 again, and ends the run by returning False.
    Raises an AtomsimError with file and place; KeyboardInterrupt within a moment of Ctrl-C. What had no effect is an
    AtomsimWarning.
    """
    on, opened = _machine(machine, set), _trace(trace)

    def ask(page: bool, progress: Optional[Progress]) -> int:
        watcher = Watcher(progress)
        options = _options(watcher, seed, threads)
        options.what_ifs = texts(_settings(what_if))
        options.no_baseline = not baseline
        options.causes = {None: 0, True: 1, False: 2}[causes]
        options.page = page
        with opened._lock:
            return watcher.call("run", on._handle, opened._handle, ctypes.byref(options))

    def make_page() -> str:
        handle = ask(True, None)
        page = library.result_page(handle).decode()
        library.result_free(handle)
        return page

    handle = ask(False, progress)
    notes: List[str] = []
    note = library.result_note(handle, 0)
    while note is not None:
        notes.append(note.decode())
        note = library.result_note(handle, len(notes))
    text = take_text(library.result_json(handle)) or "{}"
    library.result_free(handle)
    for words in notes:
        warnings.warn(words, AtomsimWarning, stacklevel=2)
    return Result(text, notes, make_page)


def advise(
    trace: AnyTrace,
    machine: AnyMachine,
    *,
    set: Settings = None,
    seed: int = 0,
    threads: int = 0,
    progress: Optional[Progress] = None,
) -> Advice:
    """What to change so that a trace costs less, each change simulated. Arguments and errors as of run."""
    on, opened = _machine(machine, set), _trace(trace)
    watcher = Watcher(progress)
    options = _options(watcher, seed, threads)
    with opened._lock:
        handle = watcher.call("advise", on._handle, opened._handle, ctypes.byref(options))
    text = take_text(library.result_json(handle)) or "{}"
    library.result_free(handle)
    return Advice(json.loads(text))


def sweep(
    trace: Union[AnyTrace, Sequence[AnyTrace], None] = None,
    machine: Optional[AnyMachine] = None,
    *,
    vary: Mapping[str, Any],
    set: Optional[Mapping[str, Any]] = None,
    gen: Optional[str] = None,
    zip: bool = False,
    sample: int = 0,
    seed: int = 0,
    threads: int = 0,
    progress: Optional[Progress] = None,
) -> Sweep:
    """Runs many points, on all processors: sweep("weighted", "h200", vary={"sm.count": [66, 132]}).

    vary: values of each key of the config, "what_if.replicate" and the like, "config" (names of machines), or an option
    of the workload: a list, or a text as "64..4096:*2" (docs/guide/sweep.md); trace: one or a list, or gen: a workload whose
    traces are made; zip: first values together, second values, ..., instead of all combinations; sample: number of
    combinations, spread evenly; progress: progress(points_done, points). All points are checked before one runs.
    Raises as run does; ConfigError names the points.
    """
    words: Dict[str, Any] = {
        "vary": {key: value if isinstance(value, str) else list(value) for key, value in vary.items()}
    }
    for name, value in (("set", set), ("gen", gen), ("zip", zip), ("sample", sample)):
        if value:
            words[name] = dict(value) if isinstance(value, Mapping) else value
    given = [] if trace is None else list(trace) if isinstance(trace, (list, tuple)) else [trace]
    opened = [_trace(one) for one in given]
    on = None if machine is None else _machine(machine, None)
    handles = (ctypes.c_void_p * (len(opened) + 1))(*[one._handle for one in opened], None)
    watcher = Watcher(progress)
    options = _options(watcher, seed, threads)
    text = watcher.call(
        "sweep", on._handle if on else None, handles, json.dumps(words).encode(), ctypes.byref(options)
    )
    return Sweep(take_text(text) or "")


def contention(
    indices: Any,
    op: str = "add",
    type: str = "f32",
    machine: AnyMachine = "h200",
    *,
    space: str = "global",
    result: bool = False,
    block_threads: int = 256,
    set: Settings = None,
    threads: int = 0,
    progress: Optional[Progress] = None,
) -> Contention:
    """Is `out[indices[i]] op= value[i]` contended on this machine, and what helps? Arguments as of scatter and run.

    True in a condition if contention costs 5 % or more; print it to see why.
    """
    on = _machine(machine, set)
    trace = scatter(indices, op, type, space=space, result=result, block_threads=block_threads)
    return Contention(
        run(trace, on, threads=threads, progress=progress), advise(trace, on, threads=threads, progress=progress)
    )
