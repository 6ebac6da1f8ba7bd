# SPDX-License-Identifier: MIT
"""libatomsim by ctypes: finding it, its functions, its errors. Only this package imports it.

ctypes.CDLL lets go of the interpreter's lock while a function of the library runs, so threads simulate side by side.
"""
import ctypes
import os
import re
import signal
import threading
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional, Sequence

Progress = Callable[[int, int], Any]


class AtomsimWarning(UserWarning):
    """Something that was asked for had no effect; the message says why."""


class AtomsimError(Exception):
    """What the library says. `str()` has a problem a line, each with its place, what was found and what is allowed.

    file, line, column: of the first problem; None where it names none.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        place = re.match(r"(?P<file>[^:\n]+):(?:(?P<line>\d+):(?:(?P<column>\d+):)?)? ", message)
        self.file: Optional[str] = place["file"] if place else None
        self.line: Optional[int] = int(place["line"]) if place and place["line"] else None
        self.column: Optional[int] = int(place["column"]) if place and place["column"] else None


class ConfigError(AtomsimError, ValueError):
    """A config or a setting."""


class TraceError(AtomsimError, ValueError):
    """The bytes or the records of a trace."""


class FileError(AtomsimError, OSError):
    """A file that cannot be read or written, or a name that nothing has."""

    def __str__(self) -> str:
        return str(self.args[0])


class UsageError(AtomsimError, ValueError):
    """An argument."""


class RunError(AtomsimError, RuntimeError):
    """A simulation that cannot go on: deadlock, a block that is too large, interrupted by `progress`."""


class InputError(AtomsimError, ValueError):
    """The contents of what was named: indices, a sweep, the array of a what-if."""


# In the order of AtomsimCode.
ERRORS = (ConfigError, TraceError, FileError, UsageError, RunError, InputError)

ProgressFunction = ctypes.CFUNCTYPE(c_bool, c_void_p, c_uint64, c_uint64)


class Options(ctypes.Structure):
    """AtomsimOptions."""

    _fields_ = [
        ("size", c_size_t),
        ("seed", c_uint64),
        ("threads", c_uint),
        ("no_baseline", c_bool),
        ("progress", ProgressFunction),
        ("data", c_void_p),
        ("what_ifs", POINTER(c_char_p)),
        ("causes", c_int),
        ("page", c_bool),
    ]


# Name, what it returns, what it takes. Texts to be freed are c_void_p, for c_char_p would lose the address.
_FUNCTIONS = (
    ("version", c_char_p),
    ("free", None, c_void_p),
    ("error_code", c_int, c_void_p),
    ("error_message", c_char_p, c_void_p),
    ("error_free", None, c_void_p),
    ("config_load", c_void_p, c_char_p, POINTER(c_char_p), POINTER(c_void_p)),
    ("config_parse", c_void_p, c_char_p, c_char_p, c_size_t, POINTER(c_char_p), POINTER(c_void_p)),
    ("config_with", c_void_p, c_void_p, POINTER(c_char_p), POINTER(c_void_p)),
    ("config_json", c_void_p, c_void_p),
    ("config_free", None, c_void_p),
    ("trace_open", c_void_p, c_char_p, POINTER(c_void_p)),
    ("trace_open_bytes", c_void_p, c_char_p, c_char_p, c_size_t, POINTER(c_void_p)),
    ("trace_generate", c_void_p, c_char_p, POINTER(c_char_p), POINTER(c_void_p)),
    ("trace_scatter", c_void_p, POINTER(c_int64), c_size_t, POINTER(c_char_p), POINTER(c_void_p)),
    ("trace_bytes", c_void_p, c_void_p, POINTER(c_size_t)),
    ("trace_metadata", c_char_p, c_void_p),
    ("trace_blocks", c_uint64, c_void_p),
    ("trace_free", None, c_void_p),
    ("run", c_void_p, c_void_p, c_void_p, POINTER(Options), POINTER(c_void_p)),
    ("advise", c_void_p, c_void_p, c_void_p, POINTER(Options), POINTER(c_void_p)),
    ("sweep", c_void_p, c_void_p, POINTER(c_void_p), c_char_p, POINTER(Options), POINTER(c_void_p)),
    ("result_count", c_bool, c_void_p, c_char_p, POINTER(c_uint64)),
    ("result_number", c_bool, c_void_p, c_char_p, POINTER(c_double)),
    ("result_text", c_char_p, c_void_p, c_char_p),
    ("result_json", c_void_p, c_void_p),
    ("result_page", c_char_p, c_void_p),
    ("result_note", c_char_p, c_void_p, c_size_t),
    ("result_free", None, c_void_p),
    ("statistic_name", c_char_p, c_size_t),
    ("json_schema", c_void_p),
    ("config_name", c_void_p, c_size_t),
    ("trace_name", c_void_p, c_size_t),
)
_NAME = "libatomsim.so.0"


def _places() -> Iterator[str]:
    """Where the library may be: named by the user, as installed, in the build of a checkout, where the system looks."""
    if os.environ.get("ATOMSIM_LIBRARY"):
        yield os.environ["ATOMSIM_LIBRARY"]
        return
    here = Path(__file__).resolve().parent
    try:
        from . import _where  # made by `make install` and `make wheel`
    except ImportError:
        pass
    else:
        for name in _where.NEEDED:
            if (here / name).exists():
                ctypes.CDLL(str(here / name), mode=ctypes.RTLD_GLOBAL)
        if (here / _where.LIBRARY).exists():
            yield str(here / _where.LIBRARY)
    build = here.parent.parent / "build" / ".libs" / _NAME
    if build.exists():
        yield str(build)
    yield _NAME


def _load() -> ctypes.CDLL:
    library = ctypes.CDLL(next(_places()))
    for name, returns, *takes in _FUNCTIONS:
        function = getattr(library, "atomsim_" + name)
        function.restype = returns
        function.argtypes = takes
        setattr(library, name, function)
    return library


library: Any = _load()


def call(name: str, *arguments: Any) -> int:
    """Calls a function that can fail, and returns what it gives. Raises what its error says."""
    error = c_void_p()
    answer = getattr(library, name)(*arguments, byref(error))
    if answer:
        return answer
    message = library.error_message(error).decode("utf-8", "replace")
    code = library.error_code(error)
    library.error_free(error)
    raise ERRORS[code](message)


def texts(values: Sequence[str]) -> Any:
    """A list of texts as C has it, NULL at its end."""
    return (c_char_p * (len(values) + 1))(*[value.encode() for value in values], None)


def take_text(address: Optional[int]) -> Optional[str]:
    """The text at an address that is ours, which is freed; None of NULL."""
    if not address:
        return None
    text = ctypes.string_at(address).decode("utf-8", "replace")
    library.free(address)
    return text


def names(function: str) -> List[str]:
    """All that a function of a number gives, from 0."""
    found: List[str] = []
    while True:
        name = take_text(getattr(library, function)(len(found)))
        if name is None:
            return found
        found.append(name)


class Watcher:
    """Hands progress on to Python, and what Python raises, as Ctrl-C does, back to who called."""

    def __init__(self, progress: Optional[Progress]) -> None:
        self._progress = progress
        self._raised: Optional[BaseException] = None
        self._signal: Optional[int] = None
        self.function = ProgressFunction(self._on_progress)

    def _on_progress(self, _data: Any, done: int, total: int) -> bool:
        try:
            if self._progress is not None and self._progress(done, total) is False:
                return False
        except BaseException as raised:  # pylint: disable=broad-except
            self._raised = self._raised or raised
        return self._raised is None and self._signal is None

    def _on_signal(self, number: int, _frame: Any) -> None:
        self._signal = number

    def call(self, name: str, *arguments: Any) -> int:
        """As the function of this name; raises what progress raised, and what a SIGINT does, which ends it."""
        # Python runs a signal's handler at the first step of progress, where an exception would be lost: a handler of
        # ours keeps it for after the call. Only the main thread may set one.
        before = signal.getsignal(signal.SIGINT)
        ours = callable(before) and threading.current_thread() is threading.main_thread()
        if ours:
            signal.signal(signal.SIGINT, self._on_signal)
        answer: Optional[int] = None
        try:
            answer = call(name, *arguments)
        except AtomsimError:
            if self._raised is None and self._signal is None:
                raise
        finally:
            if ours:
                signal.signal(signal.SIGINT, before)
        # What was there before its end is of no use to who wanted no more.
        if answer is not None and (self._raised is not None or self._signal is not None):
            (library.free if name == "sweep" else library.result_free)(answer)
        if self._raised is not None:
            raise self._raised
        if self._signal is not None:
            before(self._signal, None)  # type: ignore[operator]
            raise RunError(f"{name}: interrupted")
        assert answer is not None
        return answer
