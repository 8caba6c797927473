"""An earbud of LE Audio and a phone: what the earbud can do, a codec and its quality of service configured, a stream enabled, its metadata changed,
a stream made, the volume turned after pairing, the stream disabled and released. The services and their PDUs are bumble's own."""

import struct

from bumble.device import CigParameters
from bumble.profiles import ascs, bap, le_audio, pacs, vcs

from rig import *

LC3 = hci.CodingFormat(hci.CodecID.LC3)
MEDIA = bap.ContextType.MEDIA | bap.ContextType.CONVERSATIONAL | bap.ContextType.UNSPECIFIED
CAPABILITIES = bap.CodecSpecificCapabilities(
    supported_sampling_frequencies=bap.SupportedSamplingFrequency.FREQ_16000 | bap.SupportedSamplingFrequency.FREQ_48000,
    supported_frame_durations=bap.SupportedFrameDuration.DURATION_7500_US_SUPPORTED | bap.SupportedFrameDuration.DURATION_10000_US_SUPPORTED,
    supported_audio_channel_count=[1],
    min_octets_per_codec_frame=40,
    max_octets_per_codec_frame=155,
    supported_max_codec_frames_per_sdu=1,
)
# 48_4_1 of the Basic Audio Profile: 48 kHz, 10 ms, 120 octets.
CONFIGURATION = bap.CodecSpecificConfiguration(
    sampling_frequency=bap.SamplingFrequency.FREQ_48000,
    frame_duration=bap.FrameDuration.DURATION_10000_US,
    audio_channel_allocation=bap.AudioLocation.FRONT_LEFT,
    octets_per_codec_frame=120,
    codec_frames_per_sdu=1,
)


def metadata(context):
    return bytes(le_audio.Metadata([le_audio.Metadata.Entry(tag=le_audio.Metadata.Tag.STREAMING_AUDIO_CONTEXTS, data=struct.pack("<H", context))]))


async def story(rig):
    central = await rig.central("earbud", cis_enabled=True)
    earbud = await rig.device("Earbud L", random_address="C7:1E:AF:0D:10:01", appearance=0x0941, cis_enabled=True)
    record = pacs.PacRecord(coding_format=LC3, codec_specific_capabilities=CAPABILITIES)
    earbud.add_service(
        pacs.PublishedAudioCapabilitiesService(
            supported_source_context=bap.ContextType.PROHIBITED,
            available_source_context=bap.ContextType.PROHIBITED,
            supported_sink_context=MEDIA,
            available_sink_context=MEDIA,
            sink_audio_locations=bap.AudioLocation.FRONT_LEFT,
            sink_pac=[record],
        )
    )
    earbud.add_service(ascs.AudioStreamControlService(earbud, sink_ase_id=[1]))
    volume = vcs.VolumeControlService(volume_setting=96)
    earbud.add_service(volume)
    earbud.advertising_data = bytes(
        core.AdvertisingData(
            [
                data_types.Flags(0x06),
                data_types.CompleteLocalName("Earbud L"),
                data_types.CompleteListOf16BitServiceUUIDs([core.UUID.from_16_bits(0x184E)]),
            ]
        )
    ) + bytes(bap.UnicastServerAdvertisingData(announcement_type=bap.AnnouncementType.TARGETED, available_audio_contexts=MEDIA))
    await earbud.start_advertising()

    (address,) = await scan(central, "Earbud L")
    connection, client = await connect(central, address)
    await client.request_mtu(185)
    await discover(client)
    for uuid in (0x2BC9, 0x2BCA, 0x2BCE, 0x2BCD):  # Sink PAC, Sink Audio Locations, Supported and Available Audio Contexts
        await attempt(find(client, uuid).read_value())
    ase = find(client, 0x2BC4)
    point = find(client, 0x2BC6)
    await ase.read_value()
    await ase.subscribe()
    await point.subscribe()

    async def tell(operation):
        await client.write_value(point, bytes(operation), with_response=True)
        await pause(120)

    await tell(
        ascs.ASE_Config_Codec(
            ase_id=[1], target_latency=[2], target_phy=[2], codec_id=[LC3], codec_specific_configuration=[bytes(CONFIGURATION)]
        )
    )
    # An ASE that is not there.
    await tell(ascs.ASE_Enable(ase_id=[7], metadata=[metadata(bap.ContextType.MEDIA)]))
    await tell(
        ascs.ASE_Config_QOS(
            ase_id=[1],
            cig_id=[1],
            cis_id=[1],
            sdu_interval=[10000],
            framing=[0],
            phy=[2],
            max_sdu=[120],
            retransmission_number=[5],
            max_transport_latency=[20],
            presentation_delay=[40000],
        )
    )
    await tell(ascs.ASE_Enable(ase_id=[1], metadata=[metadata(bap.ContextType.MEDIA)]))
    streams = await central.setup_cig(
        CigParameters(
            cig_id=1,
            sdu_interval_c_to_p=10000,
            sdu_interval_p_to_c=10000,
            max_transport_latency_c_to_p=20,
            max_transport_latency_p_to_c=20,
            cis_parameters=[CigParameters.CisParameters(cis_id=1, max_sdu_c_to_p=120, max_sdu_p_to_c=0, rtn_c_to_p=5, rtn_p_to_c=0)],
        )
    )
    await central.create_cis([(streams[0], connection)])
    await pause(200)
    await tell(ascs.ASE_Update_Metadata(ase_id=[1], metadata=[metadata(bap.ContextType.CONVERSATIONAL)]))

    state = find(client, 0x2B7D)
    await attempt(state.read_value())  # not without encryption
    await connection.pair()
    await state.read_value()
    await attempt(state.subscribe())
    for opcode in (vcs.VolumeControlPointOpcode.RELATIVE_VOLUME_UP, vcs.VolumeControlPointOpcode.MUTE):
        await attempt(client.write_value(find(client, 0x2B7E), bytes([opcode, volume.change_counter]), with_response=True))
        await pause(120)

    await tell(ascs.ASE_Disable(ase_id=[1]))
    await tell(ascs.ASE_Release(ase_id=[1]))
    await hang_up(central)
    await pause(200)


run(story)
