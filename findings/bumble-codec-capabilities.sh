#!/usr/bin/env bash
# Question: do the codec capabilities of a PAC record keep their octets in bumble?
# Guess: yes: other entries of LE Audio, such as metadata, keep unknown types.
# True: types that it does not know are left out, and an absent Supported_Max_Codec_Frames_Per_SDU is added with 1.
# Version: bumble 0.0.236. Seen: "03EE0102" becomes "020501". Assigned Numbers, 6.12.4; BAP, 4.3.1: unknown LTV structures are ignored, 1 is the default.
. "$(dirname "$0")/lib.sh"
python_with bumble==0.0.236
python - > seen 2> /dev/null <<'PYTHON'
from bumble.profiles.bap import CodecSpecificCapabilities
from bumble.profiles.le_audio import Metadata
known = "0301f500" "020203" "020301" "05042800f000"
print(bytes(CodecSpecificCapabilities.from_bytes(bytes.fromhex(known + "03ee0102"))).hex().replace(known, "known "))
print(bytes(Metadata.from_bytes(bytes.fromhex("03ee0102"))).hex())
PYTHON
is "capabilities, metadata" "known 020501 03ee0102" "$(xargs < seen)"
finish
