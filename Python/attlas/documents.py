"""The types of the documents that `devices`, `tree`, `stats`, `lint`, `why`, `values`, `infer` and `dissect` give, for type checkers.

Python/make_documents.py writes this file from Documentation/schemas.
"""
from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union


class _DevicesWithoutAddressItemRequired(TypedDict):
    transport: Literal['LE', 'BR/EDR']
    first_seen: str
    connected: bool


class DevicesWithoutAddressItem(_DevicesWithoutAddressItemRequired, total=False):
    name: str
    connection_handle: int
    access_address: str


class RssiRange(TypedDict):
    min: int
    max: int


class CodeName(TypedDict):
    code: str
    name: str


class _NamedUuidRequired(TypedDict):
    uuid: str


class NamedUuid(_NamedUuidRequired, total=False):
    name_from: Literal['assignment']
    name: str


class FieldRepeatsItem(TypedDict):
    fields: List[Field]


class Unexplained(TypedDict):
    offset: int
    length: int


class _FieldRequired(TypedDict):
    name: str


class Field(_FieldRequired, total=False):
    value: Union[Union[float, str, bool, None], List[Union[float, str, bool, None]]]
    withheld: Literal[True]
    raw: Union[Union[int, str], List[Union[int, str]]]
    unit: str
    label: Union[Union[str, None], List[Union[str, None]]]
    special: Union[Union[str, None], List[Union[str, None]]]
    set: List[str]
    bits: Dict[str, Any]
    reserved: Union[int, bool]
    fields: List[Field]
    repeats: List[FieldRepeatsItem]
    unexplained: Unexplained
    offset: int
    length: int
    text: Union[Union[str, None], List[Union[str, None]]]
    date_time: Union[Union[str, None], List[Union[str, None]]]
    out_of_range: Literal[True]
    undefined: Literal[True]
    check: Literal['right', 'wrong']
    bit_offset: int
    bit_length: int


class _FaultRequired(TypedDict):
    layer: Literal['capture', 'hci', 'link layer', 'acl', 'l2cap', 'att', 'smp', 'advertising']
    reason: str


class Fault(_FaultRequired, total=False):
    need: int
    have: int
    limited_by: Literal['captured length', 'signalling command length', 'HCI length', 'link layer length', 'missed packets', 'ACL length', 'L2CAP length', 'SDU length', 'value length']
    offset: int


class _ServiceDataRequired(TypedDict):
    uuid: str
    data: str


class ServiceData(_ServiceDataRequired, total=False):
    name_from: Literal['assignment']
    name: str
    fields: List[Field]
    unexplained: Unexplained
    fault: Fault


class _ManufacturerDataRequired(TypedDict):
    company: str
    name: str
    data: str


class ManufacturerData(_ManufacturerDataRequired, total=False):
    definition: str
    fields: List[Field]
    unexplained: Unexplained
    fault: Fault


class _AdvertisingStructureRequired(TypedDict):
    type: str
    data: str


class AdvertisingStructure(_AdvertisingStructureRequired, total=False):
    name: str
    fields: List[Field]
    unexplained: Unexplained
    fault: Fault


class _DevicesPeriodicAdvertisingBigRequired(TypedDict):
    streams: int
    iso_interval_us: int
    sdu_interval_us: int
    max_sdu_octets: int
    max_pdu_octets: int
    framed: bool
    encrypted: bool


class DevicesPeriodicAdvertisingBig(_DevicesPeriodicAdvertisingBigRequired, total=False):
    phy: Literal['LE 1M', 'LE 2M', 'LE Coded']


class _DevicesPeriodicAdvertisingRequired(TypedDict):
    followed: bool
    lost: bool
    reports: int


class DevicesPeriodicAdvertising(_DevicesPeriodicAdvertisingRequired, total=False):
    address: str
    address_type: Literal['public', 'random-static', 'random-resolvable', 'random-non-resolvable', 'random-reserved']
    sid: int
    interval_us: int
    phy: Literal['LE 1M', 'LE 2M', 'LE Coded']
    rssi_dbm: RssiRange
    name: str
    flags: List[str]
    appearance: CodeName
    tx_power_dbm: int
    services: List[NamedUuid]
    sought_services: List[NamedUuid]
    service_data: List[ServiceData]
    manufacturer_data: List[ManufacturerData]
    structures: List[AdvertisingStructure]
    truncated: Literal[True]
    enabled: bool
    big: DevicesPeriodicAdvertisingBig


class _DevicesDevicesItemRequired(TypedDict):
    address: str
    address_type: Literal['public', 'random-static', 'random-resolvable', 'random-non-resolvable', 'random-reserved']
    advertisements: int
    connectable: bool
    connections: int
    first_seen: str
    last_seen: str
    gone: bool


class DevicesDevicesItem(_DevicesDevicesItemRequired, total=False):
    private_addresses: List[str]
    name: str
    flags: List[str]
    appearance: CodeName
    tx_power_dbm: int
    services: List[NamedUuid]
    sought_services: List[NamedUuid]
    service_data: List[ServiceData]
    manufacturer_data: List[ManufacturerData]
    structures: List[AdvertisingStructure]
    rssi_dbm: RssiRange
    inquiry_responses: int
    connected: bool
    periodic_advertising: List[DevicesPeriodicAdvertising]


class IntegrityRadioClock(TypedDict):
    sniffer: str
    set: int
    file_spread_us: int


class IntegrityCutsItem(TypedDict):
    packets: int
    acl_packets: int
    cut: str


class IntegrityLimitsItem(TypedDict):
    limit: str
    number: int


class _IntegrityRequired(TypedDict):
    complete: bool
    records: int
    unreadable: int
    lost: int
    missed: int
    skipped: int
    cut: int
    ends_early: bool
    cuts: List[IntegrityCutsItem]
    limits: List[IntegrityLimitsItem]


class Integrity(_IntegrityRequired, total=False):
    wrong_crc: int
    reason: str
    only_side: Literal['tx', 'rx']
    radio_clock: IntegrityRadioClock


class _DevicesRequired(TypedDict):
    schema: Literal['attlas/devices/1']
    file: str
    forgotten: int
    devices: List[DevicesDevicesItem]
    integrity: Integrity


class Devices(_DevicesRequired, total=False):
    without_address: List[DevicesWithoutAddressItem]
    own_periodic_advertising: List[DevicesPeriodicAdvertising]
    periodic_advertising_of_others: List[DevicesPeriodicAdvertising]


class _TreeIncludeRequired(TypedDict):
    handle: int
    included_handle: int
    included_end_handle: int


class TreeInclude(_TreeIncludeRequired, total=False):
    uuid: str
    name_from: Literal['assignment']
    name: str
    known_from: Literal['discovery', 'remembered', 'imported', 'inferred']
    reason: str
    frame: int
    connection: int


class TreeCounts(TypedDict):
    reads: int
    writes: int
    notifications: int
    indications: int
    errors: int


class _CodecRequired(TypedDict):
    coding_format: int


class Codec(_CodecRequired, total=False):
    name: str
    company: int
    vendor_codec: int
    sampling_frequency_hz: int
    frame_duration_us: int
    channel_allocation: int
    octets_per_frame: int
    frames_per_sdu: int


class _TreeEndpointStatesItemRequired(TypedDict):
    time: str
    frame: int
    ase: int
    direction: Literal['sink', 'source']
    state: Literal['Idle', 'Codec Configured', 'QoS Configured', 'Enabling', 'Streaming', 'Disabling', 'Releasing', 'reserved']


class TreeEndpointStatesItem(_TreeEndpointStatesItemRequired, total=False):
    codec: Codec
    cig_id: int
    cis_id: int
    sdu_interval_us: int
    max_sdu_octets: int


class TreeSubscription(TypedDict):
    frame: int
    notifications: bool
    indications: bool


class _TreeAttributeRequired(TypedDict):
    handle: int
    uuid: str
    known_from: Literal['discovery', 'remembered', 'imported', 'inferred']


class TreeAttribute(_TreeAttributeRequired, total=False):
    name_from: Literal['assignment']
    name: str
    reason: str
    frame: int
    connection: int
    counts: TreeCounts
    endpoint_states: List[TreeEndpointStatesItem]
    endpoint_states_left_out: int
    subscription: TreeSubscription
    value: str
    withheld: Literal[True]
    may_continue: Literal[True]
    fields: List[Field]
    unexplained: Unexplained
    fault: Fault


class _TreeCharacteristicRequired(TypedDict):
    handle: int
    value_handle: int
    uuid: str
    properties: List[Literal['broadcast', 'read', 'write without response', 'write', 'notify', 'indicate', 'authenticated signed writes', 'extended properties']]
    known_from: Literal['discovery', 'remembered', 'imported', 'inferred']
    descriptors: List[TreeAttribute]


class TreeCharacteristic(_TreeCharacteristicRequired, total=False):
    name_from: Literal['assignment']
    name: str
    reason: str
    frame: int
    connection: int
    counts: TreeCounts
    endpoint_states: List[TreeEndpointStatesItem]
    endpoint_states_left_out: int
    subscription: TreeSubscription
    value: str
    withheld: Literal[True]
    may_continue: Literal[True]
    fields: List[Field]
    unexplained: Unexplained
    fault: Fault


class _TreeServiceRequired(TypedDict):
    includes: List[TreeInclude]
    characteristics: List[TreeCharacteristic]


class TreeService(_TreeServiceRequired, total=False):
    handle: int
    end_handle: int
    uuid: str
    name_from: Literal['assignment']
    name: str
    primary: bool
    known_from: Literal['discovery', 'remembered', 'imported', 'inferred']
    reason: str
    frame: int
    connection: int
    attributes: List[TreeAttribute]


class TreeFormerItem(TypedDict):
    until_frame: int
    reason: Literal['Service Changed', 'another Database Hash', 'discovery gave another result']
    services: List[TreeService]


class _TreeUnknownRequired(TypedDict):
    handle: int


class TreeUnknown(_TreeUnknownRequired, total=False):
    counts: TreeCounts
    endpoint_states: List[TreeEndpointStatesItem]
    endpoint_states_left_out: int
    subscription: TreeSubscription
    value: str
    may_continue: Literal[True]
    fields: List[Field]
    unexplained: Unexplained
    fault: Fault


class _TreePeersItemRequired(TypedDict):
    services: List[TreeService]
    unknown_handles: List[TreeUnknown]


class TreePeersItem(_TreePeersItemRequired, total=False):
    address: str
    address_type: Literal['public', 'random-static', 'random-resolvable', 'random-non-resolvable', 'random-reserved']
    name: str
    mtu: int
    mtu_at_least: int
    database_hash: str
    former: List[TreeFormerItem]


class _TreeLocalItemRequired(TypedDict):
    controller: int
    services: List[TreeService]
    unknown_handles: List[TreeUnknown]


class TreeLocalItem(_TreeLocalItemRequired, total=False):
    address: str
    database_hash: str
    former: List[TreeFormerItem]


class Tree(TypedDict):
    schema: Literal['attlas/tree/1']
    file: str
    peers: List[TreePeersItem]
    local: List[TreeLocalItem]
    operations_left_out: int
    integrity: Integrity


class StatsPeer(TypedDict, total=False):
    address: str
    address_type: Literal['public', 'random-static', 'random-resolvable', 'random-non-resolvable', 'random-reserved']
    resolved_from: str
    name: str


class StatsConnectionCentral(TypedDict):
    address: str
    address_type: Literal['public', 'random-static', 'random-resolvable', 'random-non-resolvable', 'random-reserved']


class StatsMoment(TypedDict):
    time: str
    frame: int


class _StatsStepRequired(TypedDict):
    time: str
    frame: int
    event: Literal['parameters']
    interval_us: int
    latency: int
    supervision_timeout_us: int


class StatsStep(_StatsStepRequired, total=False):
    subrate_factor: int
    continuation_number: int


class StatsStep1(TypedDict):
    time: str
    frame: int
    event: Literal['mtu']
    client_rx_mtu: int
    server_rx_mtu: int
    mtu: int


class StatsStep2(TypedDict):
    time: str
    frame: int
    event: Literal['phy']
    tx: Literal['LE 1M', 'LE 2M', 'LE Coded', 'unknown']
    rx: Literal['LE 1M', 'LE 2M', 'LE Coded', 'unknown']


class StatsStep3(TypedDict):
    time: str
    frame: int
    event: Literal['data_length']
    max_tx_octets: int
    max_tx_time_us: int
    max_rx_octets: int
    max_rx_time_us: int


class _StatsStep4Required(TypedDict):
    time: str
    frame: int
    event: Literal['encryption']
    encrypted: bool


class StatsStep4(_StatsStep4Required, total=False):
    reason: CodeName


class StatsStep5(TypedDict):
    time: str
    frame: int
    event: Literal['pairing']
    association: Literal['Just Works', 'Passkey Entry', 'Numeric Comparison', 'Out Of Band']
    secure_connections: bool
    bonding: bool
    key_size: int


class StatsStep6(TypedDict):
    time: str
    frame: int
    event: Literal['pairing_failed']
    reason: CodeName


class _StatsStep7Required(TypedDict):
    time: str
    frame: int
    event: Literal['subscription']
    server: Literal['peer', 'local']
    handle: int
    notifications: bool
    indications: bool


class StatsStep7(_StatsStep7Required, total=False):
    service: NamedUuid
    characteristic: NamedUuid
    descriptor: NamedUuid


class _StatsStep8Required(TypedDict):
    time: str
    frame: int
    event: Literal['audio_endpoint']
    ase: int
    direction: Literal['sink', 'source']
    state: Literal['Idle', 'Codec Configured', 'QoS Configured', 'Enabling', 'Streaming', 'Disabling', 'Releasing', 'reserved']


class StatsStep8(_StatsStep8Required, total=False):
    codec: Codec
    cig_id: int
    cis_id: int
    sdu_interval_us: int
    max_sdu_octets: int


class _StatsConnectionEndRequired(TypedDict):
    time: str
    frame: int
    kind: Literal['expected', 'timeout', 'mic failure', 'not established', 'superseded', 'controller', 'other']
    by: Literal['host', 'peer', 'link', 'unknown', 'central', 'peripheral']


class StatsConnectionEnd(_StatsConnectionEndRequired, total=False):
    duration_us: float
    duration_at_least_us: float
    cause: Literal['controller reset', 'controller closed', 'controller removed']
    reason: CodeName


class _StatsConnectionDiscoveryRequired(TypedDict):
    requests: int
    duration_us: float
    from_frame: int
    to_frame: int


class StatsConnectionDiscovery(_StatsConnectionDiscoveryRequired, total=False):
    after_us: float


class _StatsConnectionPairingRequired(TypedDict):
    from_frame: int


class StatsConnectionPairing(_StatsConnectionPairingRequired, total=False):
    duration_us: float
    to_frame: int


class _StatsConnectionEncryptedRequired(TypedDict):
    time: str
    frame: int


class StatsConnectionEncrypted(_StatsConnectionEncryptedRequired, total=False):
    after_us: float


class _StatsConnectionFirstValueRequired(TypedDict):
    time: str
    frame: int


class StatsConnectionFirstValue(_StatsConnectionFirstValueRequired, total=False):
    after_us: float
    after_previous_end_us: float


class StatsConnectionLongestSilence(TypedDict):
    duration_us: float
    from_frame: int
    to_frame: int


class StatsConnectionSettings(TypedDict, total=False):
    interval_us: int
    latency: int
    subrate_factor: int
    continuation_number: int
    supervision_timeout_us: int
    mtu: int
    tx_phy: Literal['LE 1M', 'LE 2M', 'LE Coded']
    rx_phy: Literal['LE 1M', 'LE 2M', 'LE Coded']
    max_tx_octets: int
    max_rx_octets: int


class _StatsControllerVersionRequired(TypedDict):
    version: str
    company_identifier: str
    subversion: int


class StatsControllerVersion(_StatsControllerVersionRequired, total=False):
    company: str


class StatsRadioSideRssiDbm(TypedDict):
    min: int
    mean: float
    max: int


class _StatsRadioSideRequired(TypedDict):
    packets: int
    empty: int
    retransmissions: int
    bad_crc: int
    missed: int
    air_time_us: int


class StatsRadioSide(_StatsRadioSideRequired, total=False):
    constant_sequence_numbers: bool
    rssi_dbm: StatsRadioSideRssiDbm


class StatsRadioChannelsItem(TypedDict):
    channel: int
    packets: int
    bad_crc: int


class _StatsRadioRequired(TypedDict):
    central: StatsRadioSide
    peripheral: StatsRadioSide
    missed_events: int
    unread_packets: int
    channels: List[StatsRadioChannelsItem]


class StatsRadio(_StatsRadioRequired, total=False):
    unknown: StatsRadioSide


class StatsLinkConditions(TypedDict):
    interval_us: int
    mtu: int
    phy: Literal['LE 1M', 'LE 2M', 'LE Coded', 'unknown']
    data_length: int
    encrypted: bool


class _StatsLinkRequired(TypedDict):
    direction: Literal['tx', 'rx', 'unknown']
    values: int
    value_octets: int
    att_octets: int
    l2cap_octets: int
    hci_octets: int
    acl_packets: int
    best_second_octets: int


class StatsLink(_StatsLinkRequired, total=False):
    conditions: StatsLinkConditions
    allowed_octets_per_s: float
    share_of_allowed: float


class _StatsStreamEndRequired(TypedDict):
    time: str
    frame: int


class StatsStreamEnd(_StatsStreamEndRequired, total=False):
    reason: CodeName


class StatsStreamEndpointsItemStatesItem(TypedDict):
    state: str
    time: str
    frame: int


class StatsStreamEndpointsItem(TypedDict):
    ase: int
    direction: Literal['sink', 'source']
    states: List[StatsStreamEndpointsItemStatesItem]
    states_left_out: int


class StatsStreamWayTiming(TypedDict):
    late: int
    largest_lateness_us: int
    gaps: int
    longest_gap_us: int


class _StatsStreamWayRequired(TypedDict):
    sdus: int
    octets: int
    lost: int
    possibly_invalid: int
    sequence_numbers_left_out: int


class StatsStreamWay(_StatsStreamWayRequired, total=False):
    max_pdu_octets: int
    phy: Literal['LE 1M', 'LE 2M', 'LE Coded']
    timing: StatsStreamWayTiming


class _StatsStreamRequired(TypedDict):
    kind: Literal['cis', 'bis']
    controller: int
    handle: int
    begun: StatsMoment


class StatsStream(_StatsStreamRequired, total=False):
    cig_id: int
    cis_id: int
    big_handle: int
    bis_index: int
    own: bool
    iso_interval_us: int
    end: StatsStreamEnd
    codec: Codec
    ases: List[int]
    endpoints: List[StatsStreamEndpointsItem]
    tx: StatsStreamWay
    rx: StatsStreamWay


class ChannelService(TypedDict, total=False):
    uuid: str
    name: str


class StatsChannelData(TypedDict):
    packets: int
    octets: int


class _StatsChannelRequired(TypedDict):
    server: Literal['peer', 'local']
    first: StatsMoment
    last: StatsMoment


class StatsChannel(_StatsChannelRequired, total=False):
    rfcomm_channel: int
    psm: str
    service: ChannelService
    tx: StatsChannelData
    rx: StatsChannelData


class _StatsConnectionLastRssiRequired(TypedDict):
    dbm: int


class StatsConnectionLastRssi(_StatsConnectionLastRssiRequired, total=False):
    change_db: int
    before_end_us: float


class _StatsConnectionBuffersRequired(TypedDict):
    sent: int
    completed: int
    most_in_flight: int
    in_flight_at_end: int


class StatsConnectionBuffers(_StatsConnectionBuffersRequired, total=False):
    count: int


class _StatsConnectionRequired(TypedDict):
    connection: int
    controller: int
    transport: Literal['LE', 'BR/EDR']
    begun: StatsMoment
    steps: List[Union[StatsStep, StatsStep1, StatsStep2, StatsStep3, StatsStep4, StatsStep5, StatsStep6, StatsStep7, StatsStep8]]
    steps_left_out: int
    failed_procedures: int
    settings: StatsConnectionSettings
    links: List[StatsLink]


class StatsConnection(_StatsConnectionRequired, total=False):
    connection_handle: int
    access_address: str
    role: Literal['central', 'peripheral']
    peer: StatsPeer
    central: StatsConnectionCentral
    advertised_us: float
    end: StatsConnectionEnd
    reconnected_after_us: float
    previous_lost: bool
    attempt_us: float
    failed_attempts: int
    discovery: StatsConnectionDiscovery
    pairing: StatsConnectionPairing
    encrypted: StatsConnectionEncrypted
    bonded: bool
    first_value: StatsConnectionFirstValue
    longest_silence: StatsConnectionLongestSilence
    own_controller: StatsControllerVersion
    peer_controller: StatsControllerVersion
    radio: StatsRadio
    streams: List[StatsStream]
    channels: List[StatsChannel]
    rssi_dbm: RssiRange
    last_rssi: StatsConnectionLastRssi
    buffers: StatsConnectionBuffers


class _MicrosecondsRequired(TypedDict):
    count: int


class Microseconds(_MicrosecondsRequired, total=False):
    min: int
    p50: int
    p90: int
    p99: int
    max: int


class ProcedureOutcomes(TypedDict, total=False):
    done: int
    refused: int
    late: int
    unanswered: int
    cancelled: int
    interrupted: int
    open: int
    doubtful: int


class StatsProcedures(TypedDict):
    kind: Literal['connection attempt', 'feature exchange', 'version exchange', 'data length update', 'PHY update', 'parameter update', 'pairing', 'encryption', 'MTU exchange', 'discovery', 'subscription', 'long read', 'long write', 'L2CAP channel']
    count: int
    duration_us: Microseconds
    outcomes: ProcedureOutcomes


class _StatsIntervalsRequired(TypedDict):
    count: int


class StatsIntervals(_StatsIntervalsRequired, total=False):
    min: float
    p50: float
    p90: float
    p99: float
    max: float


class StatsRoundTripHistogramItem(TypedDict):
    from_us: int
    to_us: int
    count: int


class _StatsRoundTripRequired(TypedDict):
    method: str
    direction: Literal['tx', 'rx', 'unknown']
    rtt_us: Microseconds
    unanswered: int
    answer_missed: int
    open: int
    timed_out: int
    overlapping: int
    untimed: int


class StatsRoundTrip(_StatsRoundTripRequired, total=False):
    server: Literal['peer', 'local']
    handle: int
    service: NamedUuid
    characteristic: NamedUuid
    descriptor: NamedUuid
    rtt_connection_intervals: StatsIntervals
    histogram: List[StatsRoundTripHistogramItem]


class _StatsSlowRequired(TypedDict):
    method: str
    direction: Literal['tx', 'rx', 'unknown']
    request_frame: int
    frame: int
    rtt_us: float


class StatsSlow(_StatsSlowRequired, total=False):
    server: Literal['peer', 'local']
    handle: int
    service: NamedUuid
    characteristic: NamedUuid
    descriptor: NamedUuid


class _StatsValueRequired(TypedDict):
    method: str
    direction: Literal['tx', 'rx', 'unknown']
    count: int
    value_octets: int
    l2cap_octets: int
    hci_octets: int
    best_second_octets: int


class StatsValue(_StatsValueRequired, total=False):
    server: Literal['peer', 'local']
    handle: int
    service: NamedUuid
    characteristic: NamedUuid
    descriptor: NamedUuid
    octets_per_s: float
    per_s: float
    gap_us: Microseconds
    jitter_us: float


class StatsGroupsItem(TypedDict):
    connections: List[int]
    procedures: List[StatsProcedures]
    round_trips: List[StatsRoundTrip]
    slowest: List[StatsSlow]
    values: List[StatsValue]


class StatsOthers(TypedDict):
    links: List[StatsLink]
    round_trips: List[StatsRoundTrip]
    values: List[StatsValue]


class _StatsRequired(TypedDict):
    schema: Literal['attlas/stats/1']
    file: str
    connections: List[StatsConnection]
    by: Literal['connection', 'peer', 'characteristic', 'method']
    groups: List[StatsGroupsItem]
    connections_left_out: int
    operations_left_out: int
    integrity: Integrity


class Stats(_StatsRequired, total=False):
    only_side: Literal['tx', 'rx']
    attempts_without_connection: List[StatsProcedures]
    streams_without_connection: List[StatsStream]
    streams_left_out: int
    channel_packets_left_out: int
    others: StatsOthers


class _KnownPeerRequired(TypedDict):
    address: str
    address_type: Literal['public', 'random-static', 'random-resolvable', 'random-non-resolvable', 'random-reserved']


class KnownPeer(_KnownPeerRequired, total=False):
    name: str


class LintFindingsItemIncident(TypedDict):
    kind: str
    frame: int


class _LintFindingsItemRequired(TypedDict):
    rule: str
    severity: Literal['info', 'warning', 'error']
    title: str
    frame: int
    time: str
    count: int
    last_frame: int
    message: str
    section: str
    fingerprint: str


class LintFindingsItem(_LintFindingsItemRequired, total=False):
    related_frames: List[int]
    by: Literal['host', 'peer', 'central', 'peripheral']
    connection: int
    peer: KnownPeer
    server: Literal['peer', 'local']
    handle: int
    service: NamedUuid
    characteristic: NamedUuid
    descriptor: NamedUuid
    explanation: str
    advice: str
    incident: LintFindingsItemIncident


class LintCount(TypedDict):
    info: int
    warning: int
    error: int


class LintSuppressedItem(TypedDict):
    rule: str
    reason: str
    count: int


class LintUncheckedRulesItem(TypedDict):
    reason: str
    rules: List[str]


class _LintRequired(TypedDict):
    schema: Literal['attlas/lint/1']
    file: str
    findings: List[LintFindingsItem]
    count: LintCount
    left_out: int
    integrity: Integrity
    suppressed: List[LintSuppressedItem]
    rules: int
    rules_checked: int
    unchecked_rules: List[LintUncheckedRulesItem]
    silent_rules: List[str]


class Lint(_LintRequired, total=False):
    only_side: Literal['tx', 'rx']


class Peer(TypedDict, total=False):
    address: str
    address_type: Literal['public', 'random-static', 'random-resolvable', 'random-non-resolvable', 'random-reserved']
    name: str


class _IncidentAttributeRequired(TypedDict):
    handle: int


class IncidentAttribute(_IncidentAttributeRequired, total=False):
    server: Literal['peer', 'local']
    service: NamedUuid
    characteristic: NamedUuid
    descriptor: NamedUuid


class IncidentCause(TypedDict):
    certainty: Literal['proved', 'likely', 'unknown']
    text: str


class _IncidentStepsItemRequired(TypedDict):
    text: str


class IncidentStepsItem(_IncidentStepsItemRequired, total=False):
    frame: int


class _WhyIncidentRequired(TypedDict):
    kind: Literal['link lost', 'instant passed', 'no link layer response', 'integrity check failed', 'never established', 'attempt failed', 'attempt cancelled', 'attempt pending', 'ended with an error', 'wrong address type', 'authenticated payload timeout', 'not reconnected', 'device restarted', 'reconnect storm', 'closed by a timer', 'pairing failed', 'pairing unfinished', 'encryption failed', 'key missing', 'paired again', 'security request ignored', 'sent during encryption setup', 'request refused', 'request unanswered', 'unrequested response', 'read past the end', 'long write not executed', 'database out of sync', 'procedure failed', 'subscription refused', 'subscription not renewed', 'no values', 'values stopped', 'indication unconfirmed', 'notified on another handle', 'change not discovered', 'subscription missing', 'values cut', 'update refused', 'update not made', 'update repeated', 'update unanswered', 'slow transfer', 'buffers full', 'credits exhausted', 'channel refused', 'channel closed', 'stream not established', 'stream lost', 'command failed', 'command unanswered', 'scan not started', 'advertising not started', 'advertising ended', 'hardware error', 'data buffer overflow', 'controller gone', 'records lost', 'clock step', 'one direction only', 'ends in the middle']
    weight: Literal['broke', 'hindered', 'noted']
    title: str
    frame: int
    time: str
    frames: List[int]
    count: int
    what: str
    cause: IncidentCause
    next: str
    steps: List[IncidentStepsItem]


class WhyIncident(_WhyIncidentRequired, total=False):
    peer: Peer
    connection: int
    attribute: IncidentAttribute
    before: str
    follows: int


class WhyClosedByPeer(TypedDict):
    count: int
    frames: List[int]


class _WhyAnswersItemSentencesItemRequired(TypedDict):
    text: str


class WhyAnswersItemSentencesItem(_WhyAnswersItemSentencesItemRequired, total=False):
    frame: int
    incident: Literal['link lost', 'instant passed', 'no link layer response', 'integrity check failed', 'never established', 'attempt failed', 'attempt cancelled', 'attempt pending', 'ended with an error', 'wrong address type', 'authenticated payload timeout', 'not reconnected', 'device restarted', 'reconnect storm', 'closed by a timer', 'pairing failed', 'pairing unfinished', 'encryption failed', 'key missing', 'paired again', 'security request ignored', 'sent during encryption setup', 'request refused', 'request unanswered', 'unrequested response', 'read past the end', 'long write not executed', 'database out of sync', 'procedure failed', 'subscription refused', 'subscription not renewed', 'no values', 'values stopped', 'indication unconfirmed', 'notified on another handle', 'change not discovered', 'subscription missing', 'values cut', 'update refused', 'update not made', 'update repeated', 'update unanswered', 'slow transfer', 'buffers full', 'credits exhausted', 'channel refused', 'channel closed', 'stream not established', 'stream lost', 'command failed', 'command unanswered', 'scan not started', 'advertising not started', 'advertising ended', 'hardware error', 'data buffer overflow', 'controller gone', 'records lost', 'clock step', 'one direction only', 'ends in the middle']


class WhyAnswersItemFindingsItem(TypedDict):
    rule: str
    severity: Literal['info', 'warning', 'error']
    frame: int
    message: str


class _WhyAnswersItemRequired(TypedDict):
    sentences: List[WhyAnswersItemSentencesItem]
    findings: List[WhyAnswersItemFindingsItem]
    advice: List[str]
    not_in_capture: List[str]


class WhyAnswersItem(_WhyAnswersItemRequired, total=False):
    peer: Peer
    server: Literal['peer', 'local']
    service: NamedUuid
    characteristic: NamedUuid
    handle: int


class _WhyRequired(TypedDict):
    schema: Literal['attlas/why/2']
    file: str
    incidents: List[WhyIncident]
    answers: List[WhyAnswersItem]
    not_in_capture: List[str]
    known: List[str]
    integrity: Integrity


class Why(_WhyRequired, total=False):
    subject: str
    incidents_left_out: int
    closed_by_peer: WhyClosedByPeer


class ValuesDirectionsItemDistinctItem(TypedDict):
    value: str
    count: int
    first_frame: int


class _ValuesDirectionsItemGroupsItemColumnsItemRequired(TypedDict):
    distinct: int
    changes: int
    entropy_bits: float


class ValuesDirectionsItemGroupsItemColumnsItem(_ValuesDirectionsItemGroupsItemColumnsItemRequired, total=False):
    min: int
    max: int
    claim: str


class _ValuesDirectionsItemGroupsItemRequired(TypedDict):
    values: int
    columns: List[ValuesDirectionsItemGroupsItemColumnsItem]


class ValuesDirectionsItemGroupsItem(_ValuesDirectionsItemGroupsItemRequired, total=False):
    selector_place: int
    selector: str
    octets: int


class ValuesDirectionsItem(TypedDict):
    direction: Literal['written', 'received']
    values: int
    min_octets: int
    max_octets: int
    distinct: List[ValuesDirectionsItemDistinctItem]
    groups: List[ValuesDirectionsItemGroupsItem]


class _ValuesCharacteristicsItemRequired(TypedDict):
    characteristic: NamedUuid
    handle: int
    withheld: int
    partial: int
    directions: List[ValuesDirectionsItem]


class ValuesCharacteristicsItem(_ValuesCharacteristicsItemRequired, total=False):
    service: NamedUuid


class _ValuesAdvertisedItemRequired(TypedDict):
    devices: int
    withheld: int
    partial: int
    directions: List[ValuesDirectionsItem]


class ValuesAdvertisedItem(_ValuesAdvertisedItemRequired, total=False):
    company: str
    name: str
    service_data: NamedUuid
    ad_type: str


class _ValuesChannelsItemRequired(TypedDict):
    server: Literal['peer', 'local']
    withheld: int
    partial: int
    directions: List[ValuesDirectionsItem]


class ValuesChannelsItem(_ValuesChannelsItemRequired, total=False):
    rfcomm_channel: int
    psm: str
    name: str


class Values(TypedDict):
    schema: Literal['attlas/values/1']
    file: str
    characteristics: List[ValuesCharacteristicsItem]
    advertised: List[ValuesAdvertisedItem]
    channels: List[ValuesChannelsItem]
    not_examined: int
    left_out: int
    integrity: Integrity


class _InferDirectionsItemMessagesRequired(TypedDict):
    count: int
    joined: int
    skipped: int
    text: str
    support: int
    of: int


class InferDirectionsItemMessages(_InferDirectionsItemMessagesRequired, total=False):
    chance_exponent: int


class _InferDirectionsItemDialectRequired(TypedDict):
    name: str
    support: int
    of: int


class InferDirectionsItemDialect(_InferDirectionsItemDialectRequired, total=False):
    chance_exponent: int


class _InferDirectionsItemRelationsItemRequired(TypedDict):
    kind: Literal['request', 'request_selects', 'marks']
    place: int
    text: str
    support: int
    of: int


class InferDirectionsItemRelationsItem(_InferDirectionsItemRelationsItemRequired, total=False):
    chance_exponent: int


class _InferDirectionsItemLayoutsItemClaimsItemRequired(TypedDict):
    place: int
    octets: int
    kind: Literal['constant', 'opcode', 'counter', 'length', 'time', 'uptime', 'number', 'float', 'SFLOAT', 'sum', 'address', 'uuid', 'flags', 'text', 'scrambled', 'check']
    text: str
    doubts: List[str]


class InferDirectionsItemLayoutsItemClaimsItem(_InferDirectionsItemLayoutsItemClaimsItemRequired, total=False):
    order: Literal['big', 'little']
    signed: bool
    support: int
    of: int
    chance_exponent: int


class _InferDirectionsItemLayoutsItemRequired(TypedDict):
    values: int
    distinct: int
    min_octets: int
    max_octets: int
    claims: List[InferDirectionsItemLayoutsItemClaimsItem]


class InferDirectionsItemLayoutsItem(_InferDirectionsItemLayoutsItemRequired, total=False):
    selector_place: int
    selector: str
    octets: int


class _InferDirectionsItemRequired(TypedDict):
    direction: Literal['written', 'received']
    values: int
    distinct: int
    relations: List[InferDirectionsItemRelationsItem]
    doubts: List[str]
    layouts: List[InferDirectionsItemLayoutsItem]


class InferDirectionsItem(_InferDirectionsItemRequired, total=False):
    messages: InferDirectionsItemMessages
    dialect: InferDirectionsItemDialect


class _InferCharacteristicsItemRequired(TypedDict):
    characteristic: NamedUuid
    handle: int
    withheld: int
    partial: int
    directions: List[InferDirectionsItem]


class InferCharacteristicsItem(_InferCharacteristicsItemRequired, total=False):
    service: NamedUuid


class _InferAdvertisedItemRequired(TypedDict):
    devices: int
    withheld: int
    partial: int
    directions: List[InferDirectionsItem]


class InferAdvertisedItem(_InferAdvertisedItemRequired, total=False):
    company: str
    name: str
    service_data: NamedUuid
    ad_type: str


class _InferChannelsItemRequired(TypedDict):
    server: Literal['peer', 'local']
    withheld: int
    partial: int
    directions: List[InferDirectionsItem]


class InferChannelsItem(_InferChannelsItemRequired, total=False):
    rfcomm_channel: int
    psm: str
    name: str


class _InferRequired(TypedDict):
    schema: Literal['attlas/infer/1']
    file: str
    characteristics: List[InferCharacteristicsItem]
    advertised: List[InferAdvertisedItem]
    channels: List[InferChannelsItem]
    too_few: int
    not_examined: int
    left_out: int
    integrity: Integrity


class Infer(_InferRequired, total=False):
    subject: str
    draft: str


class _DissectedRequired(TypedDict):
    name: str
    value: Union[str, None]
    fields: List[Field]


class Dissected(_DissectedRequired, total=False):
    uuid: str
    operation: str
    alternatives: List[str]
    withheld: Literal[True]
    unexplained: Unexplained
    fault: Fault


# Other names of the same classes.
DevicesPeriodicAdvertisingStructuresItem = AdvertisingStructure
DevicesDevicesItemStructuresItem = AdvertisingStructure
DevicesCodeName = CodeName
StatsCodeName = CodeName
TreeEndpointStatesItemCodec = Codec
StatsCodec = Codec
DevicesFault = Fault
TreeFault = Fault
DevicesField = Field
TreeField = Field
DevicesFieldRepeatsItem = FieldRepeatsItem
TreeFieldRepeatsItem = FieldRepeatsItem
WhyIncidentAttribute = IncidentAttribute
WhyIncidentCause = IncidentCause
WhyIncidentStepsItem = IncidentStepsItem
DevicesIntegrity = Integrity
TreeIntegrity = Integrity
StatsIntegrity = Integrity
LintIntegrity = Integrity
WhyIntegrity = Integrity
ValuesIntegrity = Integrity
InferIntegrity = Integrity
DevicesIntegrityCutsItem = IntegrityCutsItem
TreeIntegrityCutsItem = IntegrityCutsItem
StatsIntegrityCutsItem = IntegrityCutsItem
LintIntegrityCutsItem = IntegrityCutsItem
WhyIntegrityCutsItem = IntegrityCutsItem
ValuesIntegrityCutsItem = IntegrityCutsItem
InferIntegrityCutsItem = IntegrityCutsItem
DevicesIntegrityLimitsItem = IntegrityLimitsItem
TreeIntegrityLimitsItem = IntegrityLimitsItem
StatsIntegrityLimitsItem = IntegrityLimitsItem
LintIntegrityLimitsItem = IntegrityLimitsItem
WhyIntegrityLimitsItem = IntegrityLimitsItem
ValuesIntegrityLimitsItem = IntegrityLimitsItem
InferIntegrityLimitsItem = IntegrityLimitsItem
DevicesIntegrityRadioClock = IntegrityRadioClock
TreeIntegrityRadioClock = IntegrityRadioClock
StatsIntegrityRadioClock = IntegrityRadioClock
LintIntegrityRadioClock = IntegrityRadioClock
WhyIntegrityRadioClock = IntegrityRadioClock
ValuesIntegrityRadioClock = IntegrityRadioClock
InferIntegrityRadioClock = IntegrityRadioClock
LintFindingsItemPeer = KnownPeer
DevicesPeriodicAdvertisingManufacturerDataItem = ManufacturerData
DevicesDevicesItemManufacturerDataItem = ManufacturerData
StatsMicroseconds = Microseconds
DevicesNamedUuid = NamedUuid
StatsNamedUuid = NamedUuid
LintNamedUuid = NamedUuid
WhyNamedUuid = NamedUuid
ValuesNamedUuid = NamedUuid
InferNamedUuid = NamedUuid
WhyIncidentPeer = Peer
WhyAnswersItemPeer = Peer
StatsProceduresOutcomes = ProcedureOutcomes
DevicesPeriodicAdvertisingRssiDbm = RssiRange
DevicesDevicesItemRssiDbm = RssiRange
StatsConnectionRssiDbm = RssiRange
DevicesPeriodicAdvertisingServiceDataItem = ServiceData
DevicesDevicesItemServiceDataItem = ServiceData
TreeCharacteristicCounts = TreeCounts
TreeAttributeCounts = TreeCounts
TreeUnknownCounts = TreeCounts
TreePeersItemFormerItem = TreeFormerItem
TreeLocalItemFormerItem = TreeFormerItem
TreeCharacteristicSubscription = TreeSubscription
TreeAttributeSubscription = TreeSubscription
TreeUnknownSubscription = TreeSubscription
DevicesUnexplained = Unexplained
TreeUnexplained = Unexplained
