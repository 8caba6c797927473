import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct LEIsochronousEventsTests {
    @Test func cisEstablished() throws {
        let octets = hex("19 00 41F0 B80B00 B80B00 102700 102700 02 01 03 01 00 01 01 7800 2900 0800")
        let event = try LECISEstablishedEvent(octets.wire)
        expect(event.status, equals: .success)
        expect(event.connectionHandle, equals: 0x0041)
        expect(event.centralPHY.name, equals: "LE 2M")
        expect(event.peripheralPHY.name, equals: "LE 1M")
        expect(event.centralMaxPDU, equals: 120)
        expect(event.peripheralMaxPDU, equals: 41)
        expect(event.isoInterval, equals: 8)
        expect(event.centralTransportLatency, equals: 10_000)
        expect(event.peripheralTransportLatency, equals: 10_000)
        #expect(event.centralSDUInterval == nil && event.peripheralSDUInterval == nil)
    }

    /// Version 2: Sub_Interval 2 ms, Max_SDU 120 and 40, SDU_Interval 10 and 7.5 ms, unframed.
    @Test func cisEstablishedVersion2() throws {
        let octets = hex(
            """
            2A 00 4100 B80B00 B80B00 204E00 102700 02 01 03 01 00 01 01 7800 2900 0800 \
            D00700 7800 2800 102700 4C1D00 00
            """)
        let event = try LECISEstablishedEvent(octets.wire)
        expect(event.centralTransportLatency, equals: 20_000)
        expect(event.centralSDUInterval, equals: 10_000)
        expect(event.peripheralSDUInterval, equals: 7_500)
    }

    @Test func bigSyncEstablished() throws {
        let octets = hex("1D 00 07 102700 03 01 00 03 7800 0900 02 42F0 4300")
        let event = try LEBIGEstablishedEvent(octets.wire)
        #expect(event.isOwn == false)
        expect(event.bigHandle, equals: 7)
        #expect(event.phy == nil)
        expect(event.maxPDU, equals: 120)
        expect(event.isoInterval, equals: 9)
        expect(event.count, equals: 2)
        expect(event.transportLatency, equals: 10_000)
        expect(event.connectionHandle(0), equals: 0x0042)
        expect(event.connectionHandle(1), equals: 0x0043)
        expectParameters(19, of: octets) { bytes in
            // What decides the length is after 15 octets.
            if bytes.count < 15 { throw WireError(.hci, "short", need: 19, have: bytes.count, limit: .hciLength) }
            _ = try LEBIGEstablishedEvent(bytes)
        }
    }

    @Test func periodicSync() throws {
        let octets = hex("26 00 4000 0102 1000 03 00 665544332211 03 A000 00 00 00 00 00")
        let event = try LEPeriodicAdvertisingSyncEvent(octets.wire)
        expect(event.syncHandle, equals: 0x0010)
        expect(event.advertisingSID, equals: 3)
        expect("\(event.address)", equals: "11:22:33:44:55:66")
        expect(event.phy.name, equals: "LE Coded")
        expect(event.interval, equals: 160)
    }

    @Test func bigInfoOfAReport() throws {
        let octets = hex("22 10F0 02 03 0800 01 00 03 7800 102700 6400 02 01 01")
        let event = try LEBIGInfoAdvertisingReportEvent(octets.wire)
        expect(event.syncHandle, equals: 0x0010)
        expect(
            event.group,
            equals: BIGInfo(
                streams: 2, isoInterval: 8, maxPDU: 120, sduInterval: 10_000, maxSDU: 100,
                phy: LEPHY(rawValue: 2), isFramed: true, isEncrypted: true))
    }

    /// With GIV and GSKD the group is encrypted; the structure has no other length.
    @Test func bigInfoOfTheAir() {
        let plain = hex(Audio.bigInfo)
        func expected(_ isEncrypted: Bool) -> BIGInfo {
            BIGInfo(
                streams: 2, isoInterval: 8, maxPDU: 120, sduInterval: 10_000, maxSDU: 100, phy: LEPHY(rawValue: 2),
                isFramed: false, isEncrypted: isEncrypted, seedAccessAddress: 0x1234_5678)
        }
        expect(BIGInfo(plain.wire), equals: expected(false))
        let encrypted = plain + [UInt8](repeating: 0xAA, count: 24)
        expect(BIGInfo(encrypted.wire), equals: expected(true))
        for length in 0..<encrypted.count where length != 33 {
            #expect(BIGInfo(Array(encrypted.prefix(length)).wire) == nil)
        }
    }

    /// PB in bits 12 and 13, TS in bit 14. Vol 4, Part E, 5.4.5.
    @Test(
        arguments: [
            ("4120 0700 0500 0300 AABBCC", 5, 3, ISOPacket.Status.valid), ("4100 0700 0500 0A80 AABBCC", 5, 10, .lost),
            ("4160 0B00 78563412 0100 0340 AABBCC", 1, 3, .possiblyInvalid), ("4110 0200 DDEE", nil, nil, nil),
            ("4170 0200 DDEE", nil, nil, nil), ("4120 0400 FFFF 00C0", 0xFFFF, 0, nil),
        ] as [(String, UInt16?, Int?, ISOPacket.Status?)])
    func isoData(octets: String, number: UInt16?, length: Int?, status: ISOPacket.Status?) throws {
        let octets = hex(octets)
        let packet = try ISOPacket(octets.wire)
        expect(packet.connectionHandle, equals: 0x0041)
        expect(packet.sequenceNumber, equals: number)
        expect(packet.sduLength, equals: length)
        expect(packet.status, equals: status)
        let need = number == nil ? 4 : octets[1] & 0x40 == 0 ? 8 : 12
        for count in 0..<need {
            let error = failure(Array(octets.prefix(count))) { _ = try ISOPacket($0) }
            #expect(error?.need == (count < 4 ? 4 : need) && error?.have == count)
        }
    }

    @Test func anEndpoint() {
        let configured = hex(
            """
            01 01 00 02 05 1400 102700 409C00 102700 409C00 0600000000 13 020107 020200 050303000000 03047800 020502
            """)
        let codec = AudioStreamEndpoint(configured.wire)?.codec
        expect(codec?.codingFormat, equals: 6)
        expect(codec?.frequency, equals: 44_100)
        expect(codec?.frameMicroseconds, equals: 7_500)
        expect(codec?.channelAllocation, equals: 3)
        expect(codec?.octetsPerFrame, equals: 120)
        expect(codec?.framesPerSDU, equals: 2)
        for length in 0..<configured.count {
            let cut = Array(configured.prefix(length))
            let endpoint = AudioStreamEndpoint(cut.wire)
            expect(endpoint == nil, equals: length < 2)
            expect(endpoint?.codec == nil, equals: length < 24)
        }
        let quality = hex("02 02 03 04 102700 00 02 6400 05 1400 409C00")
        let endpoint = AudioStreamEndpoint(quality.wire)
        expect(endpoint?.stream?.group, equals: 3)
        expect(endpoint?.stream?.stream, equals: 4)
        expect(endpoint?.sdu?.interval, equals: 10_000)
        expect(endpoint?.sdu?.maximum, equals: 100)
        #expect(AudioStreamEndpoint(hex("02 07").wire)?.state == nil)
    }

    /// What a stream sets goes before what its subgroup sets.
    @Test func theCodecOfABroadcastStream() {
        let base = Array(hex(Audio.announcement).dropFirst(4))
        let source = BroadcastAudioSource(base.wire)
        expect(source?.codec(ofStream: 1)?.channelAllocation, equals: 1)
        expect(source?.codec(ofStream: 2)?.channelAllocation, equals: 2)
        expect(source?.codec(ofStream: 2)?.frequency, equals: 48_000)
        expect(source?.codec(ofStream: 2)?.octetsPerFrame, equals: 100)
        #expect(source?.codec(ofStream: 3) == nil)
        for length in 0..<base.count {
            let cut = Array(base.prefix(length))
            #expect(BroadcastAudioSource(cut.wire)?.codec(ofStream: 2) == nil)
        }
    }
}
