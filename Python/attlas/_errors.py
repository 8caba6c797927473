"""The exceptions of attlas."""
import os


class Error(Exception):
    """A capture that cannot be read, or a wrong option. The message says what, where and why."""


class NotFoundError(Error, FileNotFoundError):
    """No such file."""


class AccessError(Error, PermissionError):
    """A file that may not be read."""


class SelectionError(Error, LookupError):
    """A selection that matches nothing in the capture."""


for _error in (Error, NotFoundError, AccessError, SelectionError):
    # Where people find them.
    _error.__module__ = "attlas"


def of(reason: str, path: "str | bytes | os.PathLike[str]") -> Error:
    """The exception for a message of the library."""
    if reason.startswith("the selection matches nothing"):
        return SelectionError(reason)
    if ": cannot be opened: " in reason:
        try:
            with open(os.fsdecode(path).split("!/")[0], "rb"):
                pass
        except FileNotFoundError:
            return NotFoundError(reason)
        except PermissionError:
            return AccessError(reason)
        except OSError:
            pass
    return Error(reason)
