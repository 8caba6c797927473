#!/usr/bin/env bash
# Question: which measured power does go-bluetooth read of an iBeacon with -59 dBm at one metre?
# Guess: -59.
# True: 197, so that every distance computed from it is wrong. The power of Eddystone is signed.
# Version: muka/go-bluetooth 5.60. Seen: 197. Apple, Proximity Beacon Specification: Measured Power is a signed octet.
. "$(dirname "$0")/lib.sh"
go_with github.com/muka/go-bluetooth github.com/godbus/dbus
cat > read.go <<'GO'
package main

import (
	"fmt"

	"github.com/muka/go-bluetooth/api/beacon"
	"github.com/muka/go-bluetooth/bluez/profile/device"
)

func parse(properties *device.Device1Properties) beacon.Beacon {
	found, _ := beacon.NewBeacon(&device.Device1{Properties: properties})
	found.Parse()
	return found
}

func main() {
	data := append([]byte{0x02, 0x15}, make([]byte, 21)...)
	data[22] = 0xC5
	one := parse(&device.Device1Properties{ManufacturerData: map[uint16]interface{}{0x004C: data}})
	fmt.Println(one.GetIBeacon().MeasuredPower)
	uuid := "0000feaa-0000-1000-8000-00805f9b34fb"
	frame := []byte{0x10, 0xC5, 0x02, 'a', 0x07}
	two := parse(&device.Device1Properties{UUIDs: []string{uuid}, ServiceData: map[string]interface{}{uuid: frame}})
	fmt.Println(two.GetEddystone().CalibratedTxPower)
}
GO
go_run read.go > seen 2>&1
is "iBeacon, Eddystone" "197 -59" "$(xargs < seen)"
finish
