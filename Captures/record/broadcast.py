"""A broadcast of audio: a television announces it with extended and periodic advertising and makes a group of two streams; a receiver scans, follows the
train, takes the streams, loses interest. Two logs: broadcast of the receiver, broadcaster of the television. The announcements are bumble's own."""

import struct

from bumble.device import (
    AdvertisingEventProperties,
    AdvertisingParameters,
    BigParameters,
    BigSyncParameters,
    PeriodicAdvertisingParameters,
)
from bumble.profiles import bap, le_audio

from rig import *

# 48_2_1 of the Basic Audio Profile: 48 kHz, 10 ms, 100 octets.
COMMON = bap.CodecSpecificConfiguration(
    sampling_frequency=bap.SamplingFrequency.FREQ_48000,
    frame_duration=bap.FrameDuration.DURATION_10000_US,
    octets_per_codec_frame=100,
)


def stream(index, location):
    return bap.BasicAudioAnnouncement.BIS(
        index=index, codec_specific_configuration=bap.CodecSpecificConfiguration(audio_channel_allocation=location)
    )


def announcement(context, language):
    Tag = le_audio.Metadata.Tag
    return bap.BasicAudioAnnouncement(
        presentation_delay=40000,
        subgroups=[
            bap.BasicAudioAnnouncement.Subgroup(
                codec_id=hci.CodingFormat(hci.CodecID.LC3),
                codec_specific_configuration=COMMON,
                metadata=le_audio.Metadata(
                    [
                        le_audio.Metadata.Entry(tag=Tag.STREAMING_AUDIO_CONTEXTS, data=struct.pack("<H", context)),
                        le_audio.Metadata.Entry(tag=Tag.LANGUAGE, data=language),
                    ]
                ),
                bis=[stream(1, bap.AudioLocation.FRONT_LEFT), stream(2, bap.AudioLocation.FRONT_RIGHT)],
            )
        ],
    )


async def story(rig):
    receiver = await rig.central("broadcast")
    television = await rig.device("Television", random_address="C4:0B:5E:7A:11:02", story="broadcaster")
    advertised = core.AdvertisingData([data_types.BroadcastName("Lounge TV")])
    advertising_set = await television.create_advertising_set(
        advertising_parameters=AdvertisingParameters(
            advertising_event_properties=AdvertisingEventProperties(is_connectable=False),
            primary_advertising_interval_min=100,
            primary_advertising_interval_max=100,
            advertising_sid=5,
            secondary_advertising_phy=hci.Phy.LE_2M,
        ),
        advertising_data=bap.BroadcastAudioAnnouncement(0x4C8E21).get_advertising_data() + bytes(advertised),
        periodic_advertising_parameters=PeriodicAdvertisingParameters(
            periodic_advertising_interval_min=100, periodic_advertising_interval_max=100
        ),
        periodic_advertising_data=announcement(bap.ContextType.MEDIA, b"eng").get_advertising_data(),
        auto_start=False,
    )
    await advertising_set.start()
    await advertising_set.start_periodic()
    big = await television.create_big(
        advertising_set, BigParameters(num_bis=2, sdu_interval=10000, max_sdu=100, max_transport_latency=20, rtn=2)
    )

    found = asyncio.Event()
    receiver.on("advertisement", lambda advertisement: found.set())
    await receiver.start_scanning(own_address_type=hci.OwnAddressType.PUBLIC)
    await found.wait()
    sync = await receiver.create_periodic_advertising_sync(television.random_address, sid=5, sync_timeout=2)
    heard = asyncio.Event()
    sync.on(sync.EVENT_PERIODIC_ADVERTISEMENT, lambda advertisement: heard.set())
    await heard.wait()
    await receiver.stop_scanning()
    streams = await receiver.create_big_sync(sync, BigSyncParameters(big_sync_timeout=100, bis=[1, 2]))
    await pause(250)
    # The program changes.
    await advertising_set.set_periodic_advertising_data(announcement(bap.ContextType.LIVE, b"deu").get_advertising_data())
    await pause(250)
    await streams.terminate()
    await sync.terminate()
    await big.terminate()
    await advertising_set.stop_periodic()
    await advertising_set.stop()
    await pause(100)


run(story)
