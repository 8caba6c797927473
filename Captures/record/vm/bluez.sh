#!/bin/sh
# In the virtual machine: BlueZ (bluetoothd, bluetoothctl) on hci0 is the central, bumble on hci1 the peripheral. btmon and tcpdump record both
# controllers from the kernel's monitor channel, a second btmon hci0 alone.
set -u

here=${SESSIONS:-$(dirname "$0")}
btmon -w /tmp/two-controllers.btsnoop >/dev/null 2>&1 &
both=$!
btmon -i hci0 -w /tmp/bluez-central.btsnoop >/dev/null 2>&1 &
one=$!
sleep 1
btvirt -l2 >/dev/null 2>&1 &
sleep 2
tcpdump -i bluetooth-monitor -U -Z root -w /tmp/two-controllers.pcap 2>/dev/null &
tcpdump=$!

"$PYTHON" "$here/peripheral.py" /run/address &
while [ ! -s /run/address ]; do sleep 1; done
address=$(cat /run/address)

rm -rf /var/lib/bluetooth/*
mkdir -p /run/dbus
dbus-daemon --system --nopidfile
/usr/libexec/bluetooth/bluetoothd &
sleep 3

# Each line: seconds to wait before it, and what is typed
while read -r seconds line; do
    sleep "$seconds"
    echo "$line"
done <<EOT | bluetoothctl
1 power on
2 scan le
4 scan off
2 connect $address
8 trust $address
1 menu gatt
1 list-attributes $address
2 select-attribute 00002a24-0000-1000-8000-00805f9b34fb
1 read
1 select-attribute 00002a19-0000-1000-8000-00805f9b34fb
1 read
1 select-attribute 6e40ff02-b5a3-f393-e0a9-e50e24dcca9e
1 read
1 write "0x01 0x1e 0xff 0x40 0x00"
1 read
1 write "0x00 0x00 0x80 0xff" 0 command
1 read
1 select-attribute 00002a6e-0000-1000-8000-00805f9b34fb
1 notify on
6 notify off
1 select-attribute 6e40ff0f-b5a3-f393-e0a9-e50e24dcca9e
1 read
1 back
1 disconnect $address
4 connect $address
6 menu gatt
1 select-attribute 00002a19-0000-1000-8000-00805f9b34fb
1 read
1 select-attribute 00002a6e-0000-1000-8000-00805f9b34fb
1 notify on
4 back
1 disconnect $address
3 quit
EOT

sleep 1
kill "$both" "$one" "$tcpdump"
sleep 1
cp /tmp/two-controllers.* /tmp/bluez-central.btsnoop "$OUT"
