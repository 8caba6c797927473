"""libattlas.so, whose interface attlas.h describes."""
import ctypes
import os
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


def _load():
    path = os.environ.get("ATTLAS_LIBRARY") or Path(__file__).with_name("libattlas.so")
    library = ctypes.CDLL(str(path))
    library.attlas_version.restype = ctypes.c_char_p
    library.attlas_version.argtypes = []
    library.attlas_read_table.restype = None
    library.attlas_read_table.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(Stream)]
    return library


library = _load()

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_pointer_of_capsule = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of_capsule.restype = ctypes.c_void_p
_pointer_of_capsule.argtypes = [ctypes.py_object, ctypes.c_char_p]
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


def read_table(path, table):
    """A stream; `error` of it says what is wrong with it."""
    stream = Stream()
    library.attlas_read_table(os.fsencode(path), table.encode(), ctypes.byref(stream))
    return stream


def error(stream):
    """Why the stream gives nothing; None if it is well."""
    text = stream.get_last_error(ctypes.byref(stream))
    return text.decode("utf-8", "replace") if text else None


def capsule(stream):
    """The stream for a consumer of the Arrow PyCapsule interface."""
    address = ctypes.addressof(stream)
    _streams[address] = stream
    return _new_capsule(address, _NAME, ctypes.cast(_destroy, ctypes.c_void_p))
