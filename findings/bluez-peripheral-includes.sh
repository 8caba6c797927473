#!/usr/bin/env bash
# Question: which included services does a service of bluez-peripheral have that includes nothing?
# Guess: none.
# True: itself. A client that follows inclusions finds the service in the service.
# Version: bluez-peripheral 0.1.7. Seen: Includes is ["/test/service0"] of /test/service0. Vol 3, Part G, 3.2: at a circular reference, a client
# should stop using the server.
. "$(dirname "$0")/lib.sh"
python_with bluez-peripheral==0.1.7
python - > seen 2> /dev/null <<'PYTHON'
from bluez_peripheral.gatt.service import Service

class Battery(Service):
    def __init__(self):
        super().__init__("180F", True)

service = Battery()
service._path = "/test/service0"
includes = type(service).__dict__.get("Includes") or Service.__dict__["Includes"]
print(includes.prop_getter(service))
PYTHON
is "inclusions" "['/test/service0']" "$(cat seen)"
finish
