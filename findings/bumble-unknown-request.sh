#!/usr/bin/env bash
# Question: what does a bumble server answer to an ATT request that it does not know?
# Guess: Error Response, Request Not Supported.
# True: nothing, so that the client waits 30 s and may not use the bearer any more.
# Version: bumble 0.0.236. Seen: "Ignoring GATT Request" for 0x3E and, because it is odd, "Ignoring GATT Response" for 0x3F.
# Vol 3, Part F, 3.4.1.1: a request that the server does not support gets Error Response with Request Not Supported.
. "$(dirname "$0")/lib.sh"
python_with bumble==0.0.236
timeout 60 "$python" - > seen 2> /dev/null <<'PYTHON'
import asyncio
from bumble_devices import pair_of_devices
from bumble import att

async def main():
    central, peripheral = await pair_of_devices()
    await peripheral.start_advertising(auto_restart=True)
    connection = await central.connect(peripheral.random_address)
    answers = []
    connection.gatt_client.on_gatt_pdu = lambda pdu: answers.append(bytes(pdu).hex())
    for request in ("3e0100", "3f0100", "0a0300"):
        answers.clear()
        central.send_l2cap_pdu(connection.handle, att.ATT_CID, bytes.fromhex(request))
        await asyncio.sleep(0.5)
        print(request[:2], bool(answers), answers[0][:2] if answers else "")

asyncio.run(main())
PYTHON
is "opcode, an answer, its opcode" "3e False 3f False 0a True 0b" "$(grep -E '^[0-9a-f]{2} ' seen | xargs)"
finish
