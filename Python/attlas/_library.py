"""libattlas.so, whose interface attlas.h describes."""
import ctypes
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


class Stream(ctypes.Structure):
    """struct ArrowArrayStream. https://arrow.apache.org/docs/format/CStreamInterface.html"""


Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.c_void_p)),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.c_void_p)),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))),
    ("private_data", ctypes.c_void_p),
]


_GoesOn = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


class Failure(Exception):
    """What the library says instead of an answer."""


def _load():
    path = os.environ.get("ATTLAS_LIBRARY") or Path(__file__).with_name("libattlas.so")
    library = ctypes.CDLL(str(path))
    library.attlas_version.restype = ctypes.c_char_p
    library.attlas_version.argtypes = []
    texts, error = ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(ctypes.c_void_p)
    library.attlas_read_table.restype = None
    library.attlas_read_table.argtypes = [ctypes.c_char_p, ctypes.c_char_p, texts, ctypes.POINTER(Stream)]
    library.attlas_read_document.restype = ctypes.c_void_p
    library.attlas_read_document.argtypes = [
        ctypes.c_char_p, ctypes.c_char_p, texts, _GoesOn, ctypes.c_void_p, error]
    library.attlas_dissect.restype = ctypes.c_void_p
    library.attlas_dissect.argtypes = [
        ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ssize_t, ctypes.c_char_p, texts, error]
    library.attlas_free.restype = None
    library.attlas_free.argtypes = [ctypes.c_void_p]
    return library


library = _load()

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_pointer_of_capsule = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of_capsule.restype = ctypes.c_void_p
_pointer_of_capsule.argtypes = [ctypes.py_object, ctypes.c_char_p]
# A btsnoop file of HCI packets without records.
EMPTY_CAPTURE = b"btsnoop\0" + (1).to_bytes(4, "big") + (1002).to_bytes(4, "big")

_NAME = b"arrow_array_stream"
# What is in capsules that nobody has taken, by its address.
_streams = {}


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _destroy(capsule):
    address = _capsule_pointer(capsule, _NAME)
    stream = _streams.pop(address, None)
    # A consumer that took the stream has released it, or moved it away.
    if stream is not None and stream.release:
        stream.release(ctypes.byref(stream))


_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))


def _texts(options):
    """`name=value` of each option, and of each member of a list."""
    texts = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            texts.append(name.encode() + b"=" + (b"1" if one is True else os.fsencode(one)))
    return (ctypes.c_char_p * (len(texts) + 1))(*texts, None)


def read_table(path, table, options):
    """A stream; `error` of it says what is wrong with it."""
    stream = Stream()
    library.attlas_read_table(os.fsencode(path), table.encode(), _texts(options), ctypes.byref(stream))
    return stream


def _taken(address):
    """A text of the library, which is freed."""
    try:
        return ctypes.string_at(address).decode("utf-8", "replace")
    finally:
        library.attlas_free(address)


def _answer(call):
    error = ctypes.c_void_p()
    address = call(ctypes.byref(error))
    if address is None:
        raise Failure(_taken(error.value))
    return json.loads(_taken(address))


def read_document(path, document, options):
    """The document, of what JSON is made of.

    It is read in another thread, so that this one can be interrupted: control-C ends the reading as well.
    """
    stop = threading.Event()
    goes_on = _GoesOn(lambda _: not stop.is_set())
    with ThreadPoolExecutor(1) as reading:
        answer = reading.submit(_answer, lambda error: library.attlas_read_document(
            os.fsencode(path), document.encode(), _texts(options), goes_on, None, error))
        try:
            return answer.result()
        finally:
            stop.set()


def dissect(attribute, value, operation, options):
    value = bytes(value)
    return _answer(lambda error: library.attlas_dissect(
        str(attribute).encode(), value, len(value), operation.encode() if operation else None, _texts(options), error))


def error(stream):
    """Why the stream gives nothing; None if it is well."""
    text = stream.get_last_error(ctypes.byref(stream))
    return text.decode("utf-8", "replace") if text else None


def capsule(stream):
    """The stream for a consumer of the Arrow PyCapsule interface."""
    address = ctypes.addressof(stream)
    _streams[address] = stream
    return _new_capsule(address, _NAME, ctypes.cast(_destroy, ctypes.c_void_p))
