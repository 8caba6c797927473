#!/usr/bin/env bash
# The wheel as its user meets it: installed by pip in a Debian that has Python and no Swift. The command, tables, pytest and an assistant use it.
# usage: test-wheel.sh WHEEL FOLDER, with the wheels of pyarrow, pytest and mcp in the folder
set -euo pipefail
wheel=$(realpath "$1")
others=$(realpath "$2")
[ "$(id -u)" = 0 ] || exec sudo --preserve-env=http_proxy "$0" "$wheel" "$others"
. "$(dirname "$0")/debian-root.sh"

folder=$(mktemp -d /var/tmp/attlas-wheel.XXXXXX)
root=$folder/root
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$folder"' EXIT
mkdir "$root"
chmod 755 "$folder" "$root"
make_debian "$root" python3-venv

mkdir "$root/wheels"
cp "$wheel" "$others"/*.whl "$root/wheels"
cp "$(dirname "$0")/../Captures/heart-rate.btsnoop" "$root/tmp"
# The environment of this machine may name other places of packages.
within() { chroot "$root" /usr/bin/env -i LC_ALL=C.UTF-8 HOME=/tmp PATH=/usr/bin:/bin "$@"; }
within python3 -m venv /opt/attlas
within /opt/attlas/bin/pip install --quiet --no-index --find-links /wheels attlas

# Without another package. The command needs nothing of this system but its C library.
within /opt/attlas/bin/attlas why /tmp/heart-rate.btsnoop | grep --quiet 'System ID cannot be read: Insufficient Authentication'
within /opt/attlas/bin/attlas --version --verbose
within /opt/attlas/bin/python - <<'EOF'
import glob, attlas
capture = attlas.open("/tmp/heart-rate.btsnoop")
assert not glob.glob("/usr/lib/**/libswift*", recursive=True)
rows = {name: 0 for name in attlas.TABLES}
for name, batch in capture.tables():
    rows[name] += len(batch)
assert (rows["records"], rows["operations"], rows["attributes"]) == (177, 97, 23), rows
assert capture.lint()["findings"]
assert attlas.dissect("Heart Rate Measurement", b"\x00\x48")["fields"][1]["value"] == 72
EOF
# With a reader of Arrow.
within /opt/attlas/bin/pip install --quiet --no-index --find-links /wheels pyarrow
within /opt/attlas/bin/python - <<'EOF'
import attlas, pyarrow
fields = pyarrow.table(attlas.open("/tmp/heart-rate.btsnoop").fields)
assert [row["number"] for row in fields.to_pylist() if row["unit"] == "bpm"][0] == 72
EOF
# The command is found where PATH does not name it.
within /opt/attlas/bin/pip install --quiet --no-index --find-links /wheels pytest 'mcp>=2,<3'
cat > "$root/tmp/test_strap.py" <<'EOF'
from attlas.testing import expect

def test_subscribes():
    expect("/tmp/heart-rate.btsnoop", {"characteristic": "2A37", "notifies-within": "500 ms"})
EOF
within /opt/attlas/bin/python -m pytest --quiet -p no:cacheprovider /tmp/test_strap.py
within /opt/attlas/bin/python - <<'EOF'
import asyncio, sys
from mcp import Client
from mcp.client.stdio import StdioServerParameters

async def ask():
    async with Client(StdioServerParameters(command=sys.executable, args=["-m", "attlas.mcp", "/tmp"])) as client:
        answer = await client.call_tool("what_broke", {"capture": "tmp/heart-rate.btsnoop"})
        assert "Insufficient Authentication" in answer.content[0].text, answer

asyncio.run(ask())
EOF
echo "$(basename "$wheel"): $(du -h --apparent-size "$wheel" | cut -f1), installed and asked in a Debian without Swift, $SECONDS s"
