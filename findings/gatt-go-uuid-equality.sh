#!/usr/bin/env bash
# Question: are the UUIDs 180D and 0000180D-0000-1000-8000-00805F9B34FB equal in the Go library gatt?
# Guess: yes.
# True: no. A program that looks for the long one finds no service: devices send the short one.
# Version: paypal/gatt of 2015-10-11 (Debian 0.0~git20151011). Seen: false. Vol 3, Part B, 2.5.1 and Part F, 3.2.1: they are compared with 128 bits.
. "$(dirname "$0")/lib.sh"
go_with github.com/paypal/gatt
cat > read.go <<'GO'
package main

import (
	"fmt"

	"github.com/paypal/gatt"
)

func main() {
	long := gatt.MustParseUUID("0000180d-0000-1000-8000-00805f9b34fb")
	fmt.Println(long.Equal(gatt.UUID16(0x180D)), gatt.MustParseUUID("180D").Equal(gatt.UUID16(0x180D)))
}
GO
go_run read.go > seen 2>&1
is "long and short, short and short" "false true" "$(xargs < seen)"
finish
