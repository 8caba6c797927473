#!/usr/bin/env bash
# Question: which packets does gopacket's NgReader give of a pcapng file with HCI on one interface and Ethernet on another?
# Guess: all, with the number of the interface.
# True: those of the first interface's link type. The others are skipped, without an error or a count: of a sniffer and a phone in one file, one is lost.
# Version: gopacket 1.1.19. Seen: 1 packet of 2, then EOF; 2 with the option WantMixedLinkType. pcapng, 4.2: each interface has a link type.
. "$(dirname "$0")/lib.sh"
go_with github.com/google/gopacket
python - <<'PYTHON'
from captures import *
ethernet = bytes(12) + b"\x08\x00" + bytes(20)
open("two.pcapng", "wb").write(section(201) + block(1, struct.pack("<HHI", 1, 0, 0)) + packet(struct.pack(">I", 1) + received(att("1B0300AABB"))[1]) +
                               packet(ethernet, interface=1))
PYTHON
cat > read.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/google/gopacket/pcapgo"
)

func count(options pcapgo.NgReaderOptions) {
	file, _ := os.Open("two.pcapng")
	reader, _ := pcapgo.NewNgReader(file, options)
	for packets := 0; ; packets++ {
		if _, _, err := reader.ReadPacketData(); err != nil {
			fmt.Println(packets, err)
			return
		}
	}
}

func main() {
	count(pcapgo.DefaultNgReaderOptions)
	count(pcapgo.NgReaderOptions{WantMixedLinkType: true})
}
GO
go_run read.go > seen 2>&1
is "packets by default, and with WantMixedLinkType" "1 EOF 2 EOF" "$(xargs < seen)"
finish
