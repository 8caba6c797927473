#!/usr/bin/env bash
# Question: how many octets has a UUID that bumble read as, or was asked to make with, 32 bits?
# Guess: four.
# True: two, if a UUID of 16 bits with the same value is registered: the first one of a value decides for all. A list of 32-bit UUIDs cannot hold it.
# Version: bumble 0.0.236. Seen: from_32_bits(0x180D) has the octets 0D 18 once bumble.gatt is imported; 4 octets before.
# Vol 3, Part B, 2.5.1, and Part C of the Core Specification Supplement: the width is a part of the format, not of the value.
. "$(dirname "$0")/lib.sh"
python_with bumble==0.0.236
seen() { python - "$@" 2> /dev/null <<'PYTHON'
import sys
if sys.argv[1:]:
    import bumble.gatt
from bumble.core import UUID, AdvertisingData
print(UUID.from_32_bits(0x180D).to_bytes().hex(), AdvertisingData.from_bytes(bytes.fromhex("05050D180000")).get(5)[0].to_bytes().hex())
PYTHON
}
is "made and read, alone" "0d180000 0d180000" "$(seen)"
is "made and read, with bumble.gatt" "0d18 0d18" "$(seen gatt)"
finish
