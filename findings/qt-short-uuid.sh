#!/usr/bin/env bash
# Question: what does QBluetoothUuid("180D") of QtBluetooth hold?
# Guess: 0000180D-0000-1000-8000-00805F9B34FB, as the number 0x180D does.
# True: nothing: it is null, without a message, and a filter or comparison with it finds no service. The number is taken.
# Version: PyQt6 with Qt 6.4.2. Seen: isNull() is True, of all spellings with four digits. Vol 3, Part B, 2.5.1.
. "$(dirname "$0")/lib.sh"
PYTHONPATH='' /usr/bin/python3 - > seen 2>&1 <<'PYTHON'
try:
    from PyQt6.QtBluetooth import QBluetoothUuid
except ImportError:
    raise SystemExit(2)
print(*(QBluetoothUuid(each).isNull() for each in ("180D", "0x180D", "{180D}")))
print(QBluetoothUuid(QBluetoothUuid.ServiceClassUuid.HeartRate).toString(), QBluetoothUuid("0000180d-0000-1000-8000-00805f9b34fb").minimumSize())
PYTHON
[ $? != 2 ] || { echo "not installed: python3-pyqt6.qtbluetooth"; exit 2; }
is "null" "True True True" "$(head -1 seen)"
is "of the number; octets of the long form" "{0000180d-0000-1000-8000-00805f9b34fb} 2" "$(tail -1 seen)"
finish
