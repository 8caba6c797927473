#!/usr/bin/env bash
# Question: does the controller of bumble refuse what a real one has to refuse: a supervision timeout that is shorter than the latency allows, and an
# identity that is in the resolving list already?
# Guess: yes, as it refuses scan parameters while scanning: Invalid HCI Command Parameters. Vol 4, Part E, 7.8.18 and 7.8.38.
# True: it takes both. The timeout of 1 s is in force with an interval of 150 ms and a latency of 60, which need more than 18.3 s: an app or a
# firmware that passes with bumble fails with the first real controller.
# Version: bumble 0.0.236. Seen: COMMAND_DISALLOWED_ERROR for the scan, then "150.0 60 1000.0" and "SUCCESS SUCCESS".
. "$(dirname "$0")/lib.sh"
python_with bumble==0.0.236
timeout 60 "$python" - > seen 2> /dev/null <<'PYTHON'
import asyncio
from bumble import hci
from bumble_devices import pair_of_devices

async def status(device, command):
    answer = await device.host.send_command(command)
    return hci.HCI_Constant.status_name(answer.return_parameters.status)

async def main():
    central, peripheral = await pair_of_devices()
    await status(central, hci.HCI_LE_Set_Scan_Enable_Command(le_scan_enable=1, filter_duplicates=0))
    print(await status(central, hci.HCI_LE_Set_Scan_Parameters_Command(
        le_scan_type=0, le_scan_interval=16, le_scan_window=16, own_address_type=0, scanning_filter_policy=0)))
    await status(central, hci.HCI_LE_Set_Scan_Enable_Command(le_scan_enable=0, filter_duplicates=0))
    identity = hci.HCI_LE_Add_Device_To_Resolving_List_Command(
        peer_identity_address_type=0, peer_identity_address=hci.Address("11:22:33:44:55:66"), peer_irk=bytes(16),
        local_irk=bytes(16))
    print(await status(central, identity), await status(central, identity))
    await peripheral.start_advertising()
    connection = await central.connect(peripheral.random_address)
    await central.host.send_command(hci.HCI_LE_Connection_Update_Command(
        connection_handle=connection.handle, connection_interval_min=120, connection_interval_max=120, max_latency=60,
        supervision_timeout=100, min_ce_length=0, max_ce_length=0))
    await asyncio.sleep(0.3)
    parameters = connection.parameters
    print(parameters.connection_interval, parameters.peripheral_latency, parameters.supervision_timeout)

asyncio.run(main())
PYTHON
is "scan parameters while scanning" COMMAND_DISALLOWED_ERROR "$(sed -n 1p seen)"
is "an identity twice" "SUCCESS SUCCESS" "$(sed -n 2p seen)"
is "parameters in force" "150.0 60 1000.0" "$(sed -n 3p seen)"
finish
