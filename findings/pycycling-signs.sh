#!/usr/bin/env bash
# Question: which numbers has pycycling for values below zero of cycling and fitness machines?
# Guess: negative ones.
# True: a power of -5 W is 65,531 W, a least power of -100 W is 65,436 W, and a wind from behind of 0.005 m/s is 65.531 m/s from ahead. Power and
# resistance of Indoor Bike Data are right.
# Version: pycycling 0.4.1. Seen: as above. Cycling Power Service, 3.2: sint16; Fitness Machine Service, 4.14 and 4.17: sint16.
. "$(dirname "$0")/lib.sh"
python_with pycycling==0.4.1
python - > seen 2> /dev/null <<'PYTHON'
from pycycling import cycling_power_service, fitness_machine_service
print(cycling_power_service._parse_cycling_power_measurement(bytes.fromhex("0000FBFF")).instantaneous_power)
print(fitness_machine_service._parse_supported_power_range(bytes.fromhex("9CFFE8030500")).minimum_power)
print(fitness_machine_service.parse_fitness_machine_status(bytes.fromhex("12FBFF0A002833")).value.wind_speed)
print(fitness_machine_service.parse_indoor_bike_data(bytes.fromhex("4100FBFF")).instant_power)
PYTHON
is "power, least power, wind, power of a bike" "65531 65436 65.531 -5" "$(xargs < seen)"
finish
