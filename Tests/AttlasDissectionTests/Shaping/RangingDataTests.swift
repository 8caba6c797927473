import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasWire
import Testing

/// Ranging Service 1.0, 3.2.1: a ranging header, subevents, and in them steps whose length depends on the role, the packets
/// of the round-trip time, the antenna paths and the filters.
@Suite struct RangingDataTests {
    /// Segment header, counter 1000 with configuration 2, −10 dBm, antenna paths 1 and 2.
    private static let header = "03 E8 23 F6 03 "
    /// Connection event 16, 0.5 ppm, partial results, −20 dBm: that many steps.
    private static func subevent(_ steps: String) -> String { "10 00 32 00 01 00 EC \(steps) " }
    /// Two bit errors in the payload, −60 dBm, antenna 1, and of an initiator 1 ppm.
    private static let reflected = "00 20 C4 01 "
    private static let initiated = reflected + "64 00 "
    /// I −1 and Q 1, medium; I 2047 and Q −2048, good; 0 and 0, unavailable in an extension slot with a tone.
    private static let tones = "05 FF 1F 00 01 FF 07 80 00 00 00 00 23 "

    private func dissected(
        _ value: String, initiator: Bool = true, roundTripTime: UInt8 = 0, configuration: Int = 2,
        type: UInt16 = 0x2C15,
        filters: [String] = []
    ) throws -> Dissected {
        var configurations: [RangingData.Configuration?] = [nil, nil, nil, nil]
        configurations[configuration] = .init(isInitiator: initiator, roundTripTime: roundTripTime)
        var conditions = RangingData.Conditions(configurations: configurations, filters: .init())
        for filter in filters {
            conditions.filters.follow(controlPoint: Bytes(hex(filter).span), .write)
            conditions.filters.follow(controlPoint: Bytes(hex("02 01").span), .indicate)
        }
        let sources = try #require(
            ValueShape.sources(for: .rangingData, descriptorOf: nil, value: { _ in nil }, ranging: { conditions }))
        let dissector = try #require(
            DissectorLibrary.shipped.dissector(
                for: BluetoothUUID(type), name: "Test", decoder: .rangingData, sources))
        return Dissected(dissector, hex(value), .notify)
    }

    private func values(_ dissected: Dissected, _ name: String) -> [Int64] {
        zip(dissected.names, dissected.raws).filter { $0.0 == name }.map(\.1)
    }

    private func numbers(_ dissected: Dissected, _ name: String) -> [String] {
        dissected.numbers.filter { $0.hasPrefix("\(name) = ") }.map { String($0.dropFirst(name.count + 3)) }
    }

    @Test func stepsOfAnInitiatorInTwoSubevents() throws {
        let first = Self.subevent("03") + Self.initiated + "02 \(Self.tones)" + "82 "
        // Bit errors in the access address, no RSSI, antenna 2, no offset; then NADM unknown, −60 dBm, 10 ns, antenna 1.
        let second = "11 00 00 00 00 00 EC 02 " + "00 01 7F 02 00 C0 " + "01 00 FF C4 14 00 01"
        let data = try dissected(Self.header + first + second)
        #expect(data.dissection.fault == nil)
        #expect(data.dissection.unexplained.isEmpty)
        #expect(!data.dissection.hasReservedBits)
        expect(values(data, "Step Mode"), equals: [0, 2, 0x82, 0, 1])
        expect(values(data, "Packet Quality"), equals: [0x20, 0x01, 0x00])
        expect(numbers(data, "Packet RSSI"), equals: ["-60", "-60"])
        expect(values(data, "Packet RSSI"), equals: [-60, 0x7F, -60])
        expect(values(data, "Packet Antenna"), equals: [1, 2, 1])
        expect(numbers(data, "Measured Frequency Offset"), equals: ["1"])
        expect(values(data, "Measured Frequency Offset"), equals: [100, -16_384])
        expect(values(data, "Antenna Permutation Index"), equals: [5])
        expect(values(data, "I"), equals: [-1, 2047, 0])
        expect(values(data, "Q"), equals: [1, -2048, 0])
        expect(values(data, "Tone Quality Indicator"), equals: [0x01, 0x00, 0x23])
        expect(numbers(data, "ToA-ToD Initiator"), equals: ["10"])
        expect(values(data, "Packet NADM"), equals: [0xFF])
        expect(values(data, "Start ACL Connection Event"), equals: [16, 17])
        expect(
            data.text,
            equals: "ranging counter 1000 · -10 dBm · connection event 16: 3 steps, complete, "
                + "connection event 17: 2 steps, complete")
    }

    @Test func aReflectorMeasuresNoFrequencyOffset() throws {
        let steps = Self.subevent("02") + Self.reflected + "01 00 00 C4 FE FF 01"
        let data = try dissected(Self.header + steps, initiator: false)
        #expect(data.dissection.fault == nil)
        #expect(data.dissection.unexplained.isEmpty)
        expect(numbers(data, "ToD-ToA Reflector"), equals: ["-1"])
        #expect(!data.names.contains("Measured Frequency Offset"))
        // Taken for an initiator's, the same octets do not add up.
        #expect(try dissected(Self.header + steps).dissection.fault != nil)
    }

    @Test(arguments: [0, 1, 2, 3, 6] as [UInt8]) func aSoundingSequenceHasPhases(roundTripTime: UInt8) throws {
        let hasPhases = roundTripTime == 1 || roundTripTime == 2
        let phases = hasPhases ? "FF FF FF FF 01 02 03 04 " : ""
        let steps =
            Self.subevent("02") + "01 00 06 C4 00 80 01 \(phases)" + "03 00 06 C4 02 00 01 \(phases)\(Self.tones)"
        let data = try dissected(Self.header + steps, roundTripTime: roundTripTime)
        #expect(data.dissection.fault == nil)
        #expect(data.dissection.unexplained.isEmpty)
        expect(values(data, "ToA-ToD Initiator"), equals: [-32_768, 2])
        expect(numbers(data, "ToA-ToD Initiator"), equals: ["1"])
        expect(values(data, "Packet PCT1"), equals: (hasPhases ? [0xFFFF_FFFF, 0xFFFF_FFFF] : []))
        expect(numbers(data, "Packet PCT2"), equals: (hasPhases ? ["67305985", "67305985"] : []))
        expect(values(data, "I"), equals: [-1, 2047, 0])
    }

    @Test(arguments: [("01", 2), ("04", 2), ("0B", 4), ("0F", 5)])
    func eachAntennaPathHasAToneAndOneMore(mask: String, count: Int) throws {
        let steps = "02 05" + String(repeating: " FF 1F 00 01", count: count)
        let data = try dissected("03 E8 23 F6 \(mask) " + Self.subevent("01") + steps)
        #expect(data.dissection.fault == nil)
        #expect(data.dissection.unexplained.isEmpty)
        expect(values(data, "I"), equals: Array(repeating: -1, count: count))
    }

    /// Set Filter: the mode in two bits, then a bit for each field.
    @Test func filteredFieldsAreNotThere() throws {
        // Mode 0: RSSI alone. Mode 2: the terms of the tones and paths 1 and 2. Mode 3: NADM and the quality of the tones.
        let steps = Self.subevent("03") + "00 C4 " + "02 FF 1F 00 FF 07 80 00 00 00 " + "03 06 01 00 23"
        let data = try dissected(
            Self.header + steps, roundTripTime: 1, filters: ["04 08 00", "04 6A 00", "04 0B 08"])
        #expect(data.dissection.fault == nil)
        #expect(data.dissection.unexplained.isEmpty)
        expect(values(data, "Packet RSSI"), equals: [-60])
        expect(values(data, "I"), equals: [-1, 2047, 0])
        expect(values(data, "Tone Quality Indicator"), equals: [0x01, 0x00, 0x23])
        expect(values(data, "Packet NADM"), equals: [6])
        #expect(!data.names.contains("Packet Quality"))
        #expect(!data.names.contains("Antenna Permutation Index"))
    }

    @Test func aFilterHoldsWhenTheServerTakesIt() {
        func filters(_ answer: String) -> RangingData.Filters {
            var filters = RangingData.Filters()
            filters.follow(controlPoint: Bytes(hex("04 08 00").span), .write)
            filters.follow(controlPoint: Bytes(hex(answer).span), .indicate)
            return filters
        }
        #expect(filters("02 01") != RangingData.Filters())
        #expect(filters("02 04") != RangingData.Filters())
        // Op Code Not Supported; an answer to something else.
        expect(filters("02 02"), equals: RangingData.Filters())
        expect(filters("00 E8 03"), equals: RangingData.Filters())
    }

    /// Octets stay octets; a subevent without steps does not need to be known.
    @Test func anotherConfigurationsStepsStayOctets() throws {
        let empty = "0F 00 00 C0 F1 13 EC 00 "
        let data = try dissected(Self.header + empty + Self.subevent("03") + "00 20 C4 01", configuration: 1)
        #expect(data.dissection.fault == nil)
        expect(values(data, "Subevent Abort Reason"), equals: [1, 0])
        expect(data.names.suffix(2), equals: ["Number of Steps Reported", "Steps"])
        #expect(!data.names.contains("Step"))
    }

    /// Without First Segment, a message that begins in the middle.
    @Test func aLaterSegmentIsNotTakenForTheFirst() throws {
        try expect(
            dissected("10 20 30 40").names, equals: ["First Segment", "Last Segment", "Segment Counter", "Data"])
    }

    @Test func onDemandDataIsLaidOutTheSame() throws {
        let data = try dissected(
            Self.header + Self.subevent("01") + Self.initiated, type: 0x2C16)
        expect(data.names.first, equals: "Ranging Data")
        expect(values(data, "Packet RSSI"), equals: [-60])
        expect(data.text, equals: "ranging counter 1000 · -10 dBm · connection event 16: 1 steps, complete")
    }

    @Test func everyShorterValueIsAFault() throws {
        let whole = hex(
            Self.header + Self.subevent("02") + Self.initiated + "03 00 06 C4 02 00 01 01 02 03 04 05 06 07 08 "
                + Self.tones)
        var dissected = try dissected("03", roundTripTime: 1)
        let boundaries = [Self.header].map { hex($0).count }
        for length in 2..<whole.count where !boundaries.contains(length) {
            dissected = Dissected(dissected.dissector, Array(whole[..<length]), .notify)
            expect(dissected.dissection.fault?.reason, equals: .truncated, "\(length)")
        }
        dissected = Dissected(dissected.dissector, whole, .notify)
        #expect(dissected.dissection.fault == nil)
    }

    /// The longest body: 256 steps with four antenna paths, in subevents of 160 steps at most.
    @Test func theLongestBodyIsReadWhole() throws {
        let tones = "02 00" + String(repeating: " FF 1F 00 01", count: 5)
        func subevent(_ steps: Int) -> String {
            Self.subevent(String(steps, radix: 16)) + Self.initiated + String(repeating: "\(tones) ", count: steps - 1)
        }
        let data = try dissected("03 E8 23 F6 0F " + subevent(160) + subevent(96))
        #expect(data.dissection.fault == nil)
        expect(values(data, "Antenna Permutation Index").count, equals: 254)
    }
}
