"""The functions of libattlas.so, which attlas.h declares."""
from __future__ import annotations

import contextlib
import ctypes
import json
import os
import queue
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Generator, List, Optional, Sequence, Tuple

if TYPE_CHECKING:
    from ._table import Path as AnyPath


class Stream(ctypes.Structure):
    """struct ArrowArrayStream. https://arrow.apache.org/docs/format/CStreamInterface.html"""

    get_schema: Any
    get_next: Any
    get_last_error: Any
    release: Any


Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.c_void_p)),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.c_void_p)),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))),
    ("private_data", ctypes.c_void_p),
]


class Schema(ctypes.Structure):
    """struct ArrowSchema. https://arrow.apache.org/docs/format/CDataInterface.html"""

    release: Any


Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))), ("private_data", ctypes.c_void_p),
]


class Array(ctypes.Structure):
    """struct ArrowArray."""

    length: int
    release: Any


Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("buffers", ctypes.c_void_p), ("children", ctypes.c_void_p),
    ("dictionary", ctypes.c_void_p), ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))),
    ("private_data", ctypes.c_void_p),
]


class Python(ctypes.Structure):
    """struct attlas_python: what the library calls of this interpreter."""

    _fields_ = [(name, ctypes.c_void_p) for name in (
        "PyGILState_Ensure", "PyGILState_Release", "PyErr_CheckSignals", "PyErr_Fetch", "PyErr_Restore", "Py_AddPendingCall",
        "PyCapsule_GetName", "PyCapsule_GetPointer")] + [("main_thread", ctypes.c_ulong)]


# The names that capsules of each have. https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
_CAPSULES: Dict[Any, bytes] = {Stream: b"arrow_array_stream", Schema: b"arrow_schema", Array: b"arrow_array"}
_GoesOn = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_Take = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_void_p)


class Failure(Exception):
    """An error message of the library."""


def _load() -> ctypes.CDLL:
    path = os.environ.get("ATTLAS_LIBRARY") or Path(__file__).with_name("libattlas.so")
    library = ctypes.CDLL(str(path))
    library.attlas_version.restype = ctypes.c_char_p
    library.attlas_version.argtypes = []
    texts, error = ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(ctypes.c_void_p)
    library.attlas_read_table.restype = None
    library.attlas_read_table.argtypes = [ctypes.c_char_p, ctypes.c_char_p, texts, ctypes.c_void_p]
    library.attlas_open_tables.restype = ctypes.c_void_p
    library.attlas_open_tables.argtypes = [ctypes.c_char_p, texts, texts, error]
    library.attlas_schema.restype = None
    library.attlas_schema.argtypes = [ctypes.c_void_p, ctypes.c_ssize_t, ctypes.POINTER(Schema)]
    library.attlas_next_batch.restype = ctypes.c_ssize_t
    library.attlas_next_batch.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    library.attlas_table_schema.restype = None
    library.attlas_table_schema.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    library.attlas_follow.restype = ctypes.c_void_p
    library.attlas_follow.argtypes = [
        ctypes.c_int, ctypes.c_char_p, texts, texts, ctypes.c_int, _Take, ctypes.c_void_p]
    library.attlas_close_tables.restype = None
    library.attlas_close_tables.argtypes = [ctypes.c_void_p]
    library.attlas_read_document.restype = ctypes.c_void_p
    library.attlas_read_document.argtypes = [
        ctypes.c_char_p, ctypes.c_char_p, texts, _GoesOn, ctypes.c_void_p, error]
    library.attlas_dissect.restype = ctypes.c_void_p
    library.attlas_dissect.argtypes = [
        ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ssize_t, ctypes.c_char_p, texts, error]
    library.attlas_wide_columns.restype = ctypes.c_void_p
    library.attlas_wide_columns.argtypes = [ctypes.c_char_p, texts, error]
    library.attlas_tables_error.restype = ctypes.c_void_p
    library.attlas_tables_error.argtypes = [ctypes.c_void_p]
    library.attlas_free.restype = None
    library.attlas_free.argtypes = [ctypes.c_void_p]
    library.attlas_interruptions.restype = ctypes.c_ssize_t
    library.attlas_interruptions.argtypes = []
    library.attlas_use_python.restype = None
    library.attlas_use_python.argtypes = [ctypes.POINTER(Python)]
    functions = (
        ctypes.cast(getattr(ctypes.pythonapi, field[0]), ctypes.c_void_p) for field in Python._fields_[:-1])
    library.attlas_use_python(Python(*functions, threading.main_thread().ident))
    return library


library = _load()

_allocate = ctypes.CDLL(None).calloc
_allocate.restype = ctypes.c_void_p
_allocate.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
# No function in Python: a pending KeyboardInterrupt would be raised in it, and lost.
_destroy = ctypes.cast(library.attlas_destroy_capsule, ctypes.c_void_p)
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
# A btsnoop file of HCI packets without records.
EMPTY_CAPTURE = b"btsnoop\0" + (1).to_bytes(4, "big") + (1002).to_bytes(4, "big")


class Held:
    """A stream, a schema or an array in a capsule, which releases it unless a consumer of the Arrow PyCapsule interface took it."""

    def __init__(self, kind: Any) -> None:
        self.address = _allocate(1, ctypes.sizeof(kind))
        if not self.address:
            raise MemoryError
        self.capsule: object = _new_capsule(self.address, _CAPSULES[kind], _destroy)
        # The memory of the capsule.
        self.content: Any = kind.from_address(self.address)


def _texts(options: Dict[str, Any]) -> Any:
    """`name=value` of each option or list member."""
    texts = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            texts.append(name.encode() + b"=" + (b"1" if one is True else os.fsencode(one)))
    return (ctypes.c_char_p * (len(texts) + 1))(*texts, None)


def read_table(path: AnyPath, table: str, options: Dict[str, Any]) -> Held:
    """A stream."""
    stream = Held(Stream)
    library.attlas_read_table(os.fsencode(path), table.encode(), _texts(options), stream.address)
    text = stream.content.get_last_error(ctypes.byref(stream.content))
    if text:
        raise _failure(text.decode("utf-8", "replace"))
    return stream


def _failure(reason: str) -> BaseException:
    """The exception for a message. That of an interrupted reading is raised by Python, unless code that ignores exceptions ran meanwhile."""
    return KeyboardInterrupt() if reason == "interrupted" else Failure(reason)


def _taken(address: Any) -> str:
    """A copy of a text of the library, which is freed."""
    try:
        return ctypes.string_at(address).decode("utf-8", "replace")
    finally:
        library.attlas_free(address)


def _answer(call: Callable[[Any], Any]) -> Any:
    error = ctypes.c_void_p()
    address = call(ctypes.byref(error))
    if address is None:
        raise _failure(_taken(error.value))
    return json.loads(_taken(address))


def read_document(path: AnyPath, document: str, options: Dict[str, Any]) -> Any:
    """A document as parsed JSON."""
    return _answer(lambda error: library.attlas_read_document(
        os.fsencode(path), document.encode(), _texts(options), _GoesOn(), None, error))


class Tables:
    """Several tables of a capture, which is decoded once."""

    def __init__(self, path: AnyPath, names: Sequence[str], options: Dict[str, Any]) -> None:
        error = ctypes.c_void_p()
        tables = (ctypes.c_char_p * (len(names) + 1))(*(name.encode() for name in names), None)
        self._tables = library.attlas_open_tables(os.fsencode(path), tables, _texts(options), ctypes.byref(error))
        if self._tables is None:
            raise _failure(_taken(error.value))
        self._capsule: object = _new_capsule(self._tables, b"attlas_tables", _destroy)

    def next(self) -> Optional[Tuple[int, Held]]:
        """A table's index and its next rows; None at the end."""
        array = Held(Array)
        index = library.attlas_next_batch(self._tables, array.address)
        if index >= 0:
            return index, array
        reason = library.attlas_tables_error(self._tables)
        if reason is not None:
            raise _failure(_taken(reason))
        return None


def schema(table: str) -> Held:
    """The columns of a table."""
    schema = Held(Schema)
    library.attlas_table_schema(table.encode(), schema.address)
    return schema


def follow(
    descriptor: int, name: AnyPath, tables: Sequence[str], options: Dict[str, Any], milliseconds: int,
) -> Generator[Tuple[int, Held], None, None]:
    """Yields (index of the table, array) as rows come.

    Another thread reads, holds at most a few batches, and ends with this generator.
    """
    stop = threading.Event()
    batches: queue.Queue[Any] = queue.Queue(4)

    def put(item: Any) -> bool:
        while not stop.is_set():
            with contextlib.suppress(queue.Full):
                batches.put(item, timeout=0.1)
                return True
        return False

    @_Take
    def take(_: Any, index: int, address: Any) -> bool:
        if not address:
            return not stop.is_set()
        array = Held(Array)
        ctypes.memmove(array.address, address, ctypes.sizeof(Array))
        return put((index, array))

    def read() -> None:
        names = (ctypes.c_char_p * (len(tables) + 1))(*(table.encode() for table in tables), None)
        reason = library.attlas_follow(
            descriptor, os.fsencode(name), names, _texts(options), milliseconds, take, None)
        put(None if reason is None else Failure(_taken(reason)))

    reading = threading.Thread(target=read, daemon=True)
    reading.start()
    try:
        while (item := batches.get()) is not None:
            if isinstance(item, Failure):
                raise item
            yield item
    finally:
        stop.set()
        reading.join()


def dissect(attribute: str, value: bytes, operation: Optional[str], options: Dict[str, Any]) -> Any:
    return _answer(lambda error: library.attlas_dissect(
        str(attribute).encode(), value, len(value), operation.encode() if operation else None, _texts(options), error))


def wide_columns(characteristic: str, options: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The columns of the wide form of a characteristic, by its UUID."""
    own: Dict[str, Any] = {name: options[name] for name in ("dissectors", "show_keys") if name in options}
    columns: List[Dict[str, Any]] = _answer(
        lambda error: library.attlas_wide_columns(characteristic.encode(), _texts(own), error))
    return columns
