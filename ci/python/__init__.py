"""Runs the program warplint, which this package installs, and reads its JSON."""

import json
import os
import subprocess
import sysconfig


class Error(Exception):
    """Not judged: the exit status of warplint (2 or 3), and its messages."""

    def __init__(self, status, messages):
        super().__init__(messages)
        self.status = status


class Finding(dict):
    """A finding, with the keys of the JSON document; shown as one line."""

    def __repr__(self):
        return "{name} ({arch}): {message} [{rule}]".format_map(self)


class Report(dict):
    """The JSON document of `warplint check`. `findings` lists what fails the check; it is empty if the check passed."""

    findings = ()


def program():
    """The path of the installed program."""
    here = os.path.dirname(os.path.abspath(__file__))
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")),
               os.path.join(os.path.dirname(here), "bin")]  # the last one: pip install --target
    for folder in folders:
        path = os.path.join(folder, "warplint")
        if os.path.isfile(path):
            return path
    raise FileNotFoundError("the program warplint is in none of " + ", ".join(folders))


def check(*paths, options=()):
    """Judges logs, caches, binaries and folders. `options` are those of `warplint check`. Raises Error if it cannot."""
    command = [program(), "check", "--format", "json", *options, "--", *map(os.fspath, paths)]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace")
    if run.returncode not in (0, 1):
        raise Error(run.returncode, run.stderr)
    report = Report(json.loads(run.stdout))
    if run.returncode == 1:
        report.findings = [Finding(finding) for finding in report["findings"]
                           if not finding["suppressed"] and finding["baseline_state"] != "unchanged"]
    return report
