#!/usr/bin/env bash
# Question: which handles does `bluetoothctl gatt.list-attributes` show of a device?
# Guess: those of the attribute table.
# True: 0x0000 for every attribute. bluetoothd publishes no handle of another device's attributes, and bluetoothctl prints an absent one as 0. The
# handle is in the path: service000a is 0x000A; char000b is the declaration at 0x000B, and its value is at 0x000C.
# Version: bluetoothctl 5.66. Seen: "Handle 0x0000" three times. BlueZ, gatt-api: Handle is "Server Only".
. "$(dirname "$0")/lib.sh"
needs bluetoothctl
python_with dbus-fast==5.2.0
private_bus
mock_bluez
timeout 20 bluetoothctl gatt.list-attributes C6:05:04:03:02:01 < /dev/null > seen 2>&1
is "handles" "Service (Handle 0x0000) Characteristic (Handle 0x0000) Descriptor (Handle 0x0000)" "$(grep -oE '[A-Za-z]+ \(Handle 0x[0-9a-f]+\)' seen | xargs -d '\n')"
is "the last path" "/service000a/char000b/desc000d" "$(grep -o '/service.*' seen | tail -1)"
finish
