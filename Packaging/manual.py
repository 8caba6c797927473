"""The man pages of all commands, by the generator of the argument parser, under the names that `man attlas show` looks for.

usage: manual.py GENERATOR BINARY VERSION EPOCH FOLDER
"""
import datetime
import pathlib
import re
import subprocess
import sys
import tempfile

STATUS = """\
.Bl -tag -width 6n
.It 0
Done.
.It 1
An input could not be read to its end. The part before is shown.
.It 2
.Fl -fail-on
applies, or an expectation is not met. 1 precedes 2.
.It 64
Wrong usage.
.El
"""

generator, binary, version, epoch, folder = sys.argv[1:]
date = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc).date().isoformat()
folder = pathlib.Path(folder)
folder.mkdir(parents=True, exist_ok=True)
with tempfile.TemporaryDirectory() as made:
    subprocess.run(
        [generator, binary, "--multi-page", "--section", "1", "--date", date, "--output-directory", made], check=True)
    # attlas.dissectors.show.1 is a page of `attlas dissectors show`.
    pages = {path.name[:-2].replace(".", "-"): path.read_text() for path in sorted(pathlib.Path(made).iterdir())}

summaries = {name: re.search(r'^\.Nd "?(.*?)\.?"?$', text, re.M)[1] for name, text in pages.items()}
for name, text in pages.items():
    # An empty line is no paragraph.
    text = re.sub(r"\n{2,}", "\n.Pp\n", text.rstrip("\n") + "\n")
    text = re.sub(r"^(\.Dt|\.Xr) (\S+)", lambda found: f"{found[1]} {found[2].replace('.', '-')}", text, flags=re.M)
    text = re.sub(r"^\.Os$", f'.Os "attlas {version}"', text, flags=re.M)
    text = re.sub(r"^\.Nd .*$", lambda _: f'.Nd "{summaries[name]}"', text, flags=re.M)
    # The page has the name with a hyphen, the synopsis what is typed.
    typed = name.replace("-", " ")
    text = re.sub(r"^\.Nm$", f'.Nm "{typed}"', text, flags=re.M)
    text = text.replace(f'.Nm "{typed}"', f".Nm {name}", 1)
    text = text.replace(".Ex -std\n", STATUS)
    # Only the commands' pages say what they are for.
    below = [other for other in pages if re.fullmatch(rf"{name}-[a-z]+", other) and other != "attlas-help"]
    if below:
        text = text[:text.index('.Sh "SEE ALSO"')] if '.Sh "SEE ALSO"' in text else text
        commands = "".join(f".It Xr {other} 1\n{summaries[other]}.\n" for other in below)
        text = text.replace('.Sh "EXIT STATUS"', f'.Sh COMMANDS\n.Bl -tag -width 6n\n{commands}.El\n.Sh "EXIT STATUS"')
    (folder / f"{name}.1").write_text(text)
