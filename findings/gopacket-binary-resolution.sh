#!/usr/bin/env bash
# Question: which time does gopacket's NgReader give of a packet at 0.5 s, in a pcapng file with a resolution of 2^-20 s?
# Guess: 0.5 s.
# True: 0.499646464 s, 0.35 ms early: a unit is rounded to whole nanoseconds. The error grows within each second, and with the resolution: of 2^-30 s,
# it is up to 74 ms. Resolutions of powers of ten are right.
# Version: gopacket 1.1.19. Seen: 499646464 ns. pcapng, 4.2: if_tsresol with its highest bit is a negative power of 2.
. "$(dirname "$0")/lib.sh"
go_with github.com/google/gopacket
python - <<'PYTHON'
from captures import *
data = struct.pack(">I", 1) + received(att("1B0300AABB"))[1]
for name, resolution, units in (("binary", 0x94, 1 << 20), ("decimal", 9, 10**9)):
    open(name + ".pcapng", "wb").write(section(201, option(9, bytes([resolution]))) + packet(data, time=1_700_000_000 * units + units // 2))
PYTHON
cat > read.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/google/gopacket/pcapgo"
)

func main() {
	for _, name := range []string{"binary.pcapng", "decimal.pcapng"} {
		file, _ := os.Open(name)
		reader, _ := pcapgo.NewNgReader(file, pcapgo.DefaultNgReaderOptions)
		_, info, _ := reader.ReadPacketData()
		fmt.Println(info.Timestamp.Nanosecond())
	}
}
GO
go_run read.go > seen 2>&1
is "nanoseconds" "499646464 500000000" "$(xargs < seen)"
finish
