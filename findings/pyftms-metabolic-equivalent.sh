#!/usr/bin/env bash
# Question: what does pyftms read of a metabolic equivalent of 13.0 (a fast run) in Treadmill Data, Indoor Bike Data and Rower Data?
# Guess: 13.0.
# True: -12.6: the octet is read as signed.
# Version: pyftms 0.2.20. Seen: -12.6 in each. Fitness Machine Service, 4.9: Metabolic Equivalent is uint8, in tenths.
. "$(dirname "$0")/lib.sh"
python_with pyftms==0.2.20
python - > seen 2> errors <<'PYTHON'
import importlib.util
import io
import sys
import types
import typing
# Its client needs Python 3.12; its values do not.
typing.override = getattr(typing, "override", lambda function: function)
path = importlib.util.find_spec("pyftms").submodule_search_locations
for name in ("pyftms", "pyftms.client", "pyftms.client.properties"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["pyftms"].__path__ = path
sys.modules["pyftms.client.properties"].MovementDirection = type("MovementDirection", (), {"FORWARD": 0, "BACKWARD": 1})
from pyftms.models.realtime_data import IndoorBikeData, RowerData, TreadmillData
for kind, value in ((TreadmillData, "0002 E803 82"), (IndoorBikeData, "0004 E803 82"), (RowerData, "0004 31 0A00 82")):
    print(round(kind._deserialize(io.BytesIO(bytes.fromhex(value))).metabolic_equivalent, 1))
PYTHON
is "metabolic equivalents" "-12.6 -12.6 -12.6" "$(xargs < seen)"
finish
