"""The folders that attlas.mcp may read."""
from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import Dict, Iterator, List, Sequence, Tuple

from ._answer import as_json

# Files and folders that a list of files looks at.
LOOKED_AT = 20_000


class FolderError(Exception):
    """A file or a folder that cannot be read. The message is a sentence."""


class Folders:
    """Nothing outside the folders can be opened, and no symbolic link in them is followed. Files are named FOLDER/PATH."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._folders: Dict[str, int] = {}
        for path in paths:
            name = Path(path).resolve().name or "root"
            if name in self._folders:
                raise FolderError(f"Two folders are named {name}. Start a server for each.")
            try:
                self._folders[name] = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            except OSError as error:
                raise FolderError(f"The folder {path} cannot be opened: {error.strerror}.") from None

    def files(self) -> Tuple[List[str], int]:
        """The names of the files in order, without hidden ones, and the number of files that are left out."""
        names: List[str] = []
        left_out = looked_at = 0
        for label, folder in self._folders.items():
            for path, folders, files, _ in os.fwalk(".", follow_symlinks=False, dir_fd=folder):
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                looked_at += 1 + len(files)
                if looked_at > LOOKED_AT:
                    left_out += len(files)
                    folders.clear()
                    continue
                for file in sorted(files):
                    name = os.path.normpath(os.path.join(label, path, file))
                    # An archive's members have !/ in their names, and other names could not be repeated.
                    if file.startswith(".") or not name.isprintable() or "!/" in name:
                        left_out += 1
                    else:
                        names.append(name)
        return names, left_out

    @contextlib.contextmanager
    def open(self, name: str) -> Iterator[int]:
        """A descriptor of a file. Replacing a part of its path cannot lead it elsewhere."""
        label, *parts = name.split("/")
        if label not in self._folders or not parts:
            raise FolderError(f"{as_json(name)} is in none of the folders: {', '.join(self._folders)}.")
        if any(part in ("", ".", "..") for part in parts):
            raise FolderError(f"{as_json(name)} is not a name that captures lists.")
        with contextlib.ExitStack() as opened:
            descriptor = self._folders[label]
            for place, part in enumerate(parts, 1):
                kind = os.O_DIRECTORY if place < len(parts) else os.O_NONBLOCK | os.O_NOCTTY
                try:
                    descriptor = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | kind, dir_fd=descriptor)
                except OSError as error:
                    is_link = error.errno == errno.ELOOP or (
                        error.errno == errno.ENOTDIR and stat.S_ISLNK(os.stat(part, dir_fd=descriptor, follow_symlinks=False).st_mode))
                    reason = "symbolic links are not followed" if is_link else error.strerror
                    raise FolderError(f"{as_json(name)} cannot be opened: {reason}.") from None
                except ValueError:
                    raise FolderError(f"{as_json(name)} is not a name that captures lists.") from None
                opened.callback(os.close, descriptor)
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise FolderError(f"{as_json(name)} is not a file.")
            yield descriptor
