#!/usr/bin/env python3
"""Runs the steps of Packaging/ci in another root, as GitHub or GitLab would.

usage: run-ci.py ROOT FOLDER github SERVER [INPUT=VALUE…]
       run-ci.py ROOT FOLDER gitlab JOB [VARIABLE=VALUE…]

FOLDER is the one that was checked out, a path in the root. Without inputs they are those of the examples in Documentation/ci, and so are the variables
with example=yes. Prints what the steps print; the status is 1 if one fails.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent


def read(path):
    return yaml.safe_load((ROOT / path).read_text())


def run(root, folder, script, environment):
    """The status of a script, with nothing else in the environment."""
    path = root / "tmp/step.sh"
    path.write_text(script)
    kept = {"http_proxy": os.environ["http_proxy"], "no_proxy": "127.0.0.1"} if "http_proxy" in os.environ else {}
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/root", "LC_ALL": "C.UTF-8", **kept, **environment}
    variables = [f"{name}={value}" for name, value in environment.items()]
    command = ["chroot", root, "/usr/bin/env", "-i", "-C", folder, *variables]
    return subprocess.run([*command, "bash", "--noprofile", "--norc", "-eo", "pipefail", "/tmp/step.sh"], stdin=subprocess.DEVNULL).returncode


def github(root, folder, server, inputs):
    action = read("Packaging/ci/action.yml")
    if not inputs:
        steps = read("Documentation/ci/github.yml")["jobs"]["captures"]["steps"]
        inputs = next(step["with"] for step in steps if "/Packaging/ci@" in step["uses"])
    assert set(inputs) <= set(action["inputs"]), inputs
    values = {f"inputs.{name}": inputs.get(name, facts.get("default", "")) for name, facts in action["inputs"].items()}
    values |= {"github.server_url": server, "github.action_repository": "OWNER/attlas", "github.action_ref": "v1.0.0"}
    files = {name: root / "tmp" / name for name in ("GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("")
    (root / "tmp/runner").mkdir(exist_ok=True)
    status = 0
    for step in action["runs"]["steps"]:
        assert step["shell"] == "bash" and "${{" not in step["run"], step["name"]
        if "if" in step:
            assert step["if"] == "${{ !cancelled() && steps.install.outcome == 'success' }}"
            is_wanted = values["steps.install.outcome"] == "success"
        else:
            is_wanted = status == 0
        if not is_wanted:
            continue
        environment = {
            name: re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda match: values[match[1]], text) for name, text in step.get("env", {}).items()}
        environment |= {name: f"/tmp/{name}" for name in files} | {"RUNNER_TEMP": "/tmp/runner"}
        added = files["GITHUB_PATH"].read_text().split()
        environment["PATH"] = ":".join([*added, "/usr/bin:/bin"])
        print(f"::group::{step['name']}", flush=True)
        one = run(root, folder, step["run"], environment)
        print(f"::endgroup::{step['name']}: status {one}", flush=True)
        status = status or one
        if "id" in step:
            values[f"steps.{step['id']}.outcome"] = "failure" if one else "success"
    return status


def gitlab(root, folder, job, variables):
    file = read("Packaging/ci/gitlab.yml")
    if variables.pop("example", None):
        variables = read("Documentation/ci/gitlab.yml")["variables"] | variables
    assert set(variables) <= set(file["variables"]), variables
    base = file[file[job]["extends"]]
    return run(root, folder, "\n".join(base["before_script"] + file[job]["script"]), file["variables"] | variables)


if __name__ == "__main__":
    root, folder, kind, which, *settings = sys.argv[1:]
    given = dict(setting.split("=", 1) for setting in settings)
    sys.exit(1 if {"github": github, "gitlab": gitlab}[kind](Path(root), folder, which, given) else 0)
