#!/usr/bin/env bash
# Question: what does Home Assistant's reader of Ruuvi make of "not available"?
# Guess: no value, as for temperature and humidity.
# True: the movement counter is 255. And from data format 6 it reads the reserved octet as loudness: a Ruuvi Air has 120 dB(A) always.
# Version: ruuvitag-ble 0.4.0. Seen: 255; 120.0 for an octet of 255, the only value that the format allows.
# Ruuvi, data format 5: counter 0 to 254, 255 is not available; data format 6: offset 14 is reserved, 255.
. "$(dirname "$0")/lib.sh"
python_with ruuvitag-ble==0.4.0
python - > seen <<'PYTHON'
from ruuvitag_ble.df5_decoder import DataFormat5Decoder
from ruuvitag_ble.df6_decoder import DataFormat6Decoder
five = DataFormat5Decoder(bytes.fromhex("058000FFFFFFFF800080008000FFFFFFFFFFCBB8334C884F"))
print(five.temperature_celsius, five.movement_counter)
print(DataFormat6Decoder(bytes.fromhex("06170C5668C79E007000C90501D9FFCD004C884F")).sound_avg_dba)
PYTHON
is "temperature, counter, loudness" "None 255 120.0" "$(xargs < seen)"
finish
