"""The command attlas, which the wheel installs beside the library."""
import os
import sysconfig


def command() -> str:
    """Its path: of the environment variable ATTLAS, of this Python's scripts, or else the one that PATH has."""
    named = os.environ.get("ATTLAS")
    if named:
        return named
    installed = os.path.join(sysconfig.get_path("scripts"), "attlas")
    return installed if os.access(installed, os.X_OK) else "attlas"
