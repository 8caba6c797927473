import AttlasDefinitionFiles
import AttlasDissection
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import Testing

/// What values need from values before them.
@Suite struct ValueHistoryTests {
    // MARK: Rates

    /// Cycling Power Measurement at handle 3, with its Accumulated Energy in kilojoules, once a second: a counter of whole
    /// kilojoules stays the same between its steps, and is measured from one step to the next.
    @Test func aRateIsMeasuredFromStepToStep() {
        let discovery: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 1818"),
            .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 10 0300 632A"),
        ]
        // From frame 6 on; FFFF is no step of a kilojoule or two.
        let energy = ["0A00", "0A00", "0B00", "0B00", "0C00", "FFFF", "0100"]
        let readings = readings(discovery + energy.map { .att(.rx, "1B 0300 0008 FA00 \($0)") })
        expect(readings.count, equals: 7)
        // Where the first step began is not known.
        #expect(readings[..<4].allSatisfy { $0.rates.isEmpty })
        expect(readings[4].rates.map(\.name), equals: ["Mean Power"])
        expect(readings[4].rates.map(\.value), equals: [500])
        expect(readings[4].rates.map(\.since), equals: [8])
        expect(readings[6].rates.map(\.value), equals: [2000])
    }

    // MARK: Feature flags

    /// CGM Feature at handle 3 and CGM Session Run Time at handle 5. Whether that ends with a CRC is a flag of the feature.
    private static let glucose: [Packet] = [
        .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0500 1F18"),
        .att(.tx, "08 0100 0500 0328"), .att(.rx, "09 07 0200 02 0300 A82A 0400 02 0500 AB2A"),
    ]
    /// Four octets: as long as with a CRC, if nobody knows better.
    private static let runTime: [Packet] = [.att(.tx, "0A 0500"), .att(.rx, "0B A800 8791")]
    private static let featureWithoutCRC: [Packet] = [.att(.tx, "0A 0300"), .att(.rx, "0B 010000 59 FFFF")]

    @Test func aFlagOfAnotherAttributeChangesTheLayout() {
        let readings = readings(
            [.connected()] + Self.glucose + Self.runTime + Self.featureWithoutCRC + Self.runTime)
        expect(readings.count, equals: 3)
        expect(readings[0].names, equals: ["CGM Session Run Time", "E2E-CRC"])
        expect(readings[2].names, equals: ["CGM Session Run Time"])
        expect(readings[2].unexplained, equals: 2)
    }

    @Test func aDeviceKeepsItsFlagsAndHasNoOthers() {
        let readings = readings(
            [.connected()] + Self.glucose + Self.featureWithoutCRC + [.disconnected(), .connected(Address.probe)]
                + Self.glucose + Self.runTime + [.disconnected(), .connected()] + Self.runTime)
        expect(readings.count, equals: 3)
        expect(readings[1].names, equals: ["CGM Session Run Time", "E2E-CRC"])
        expect(readings[2].names, equals: ["CGM Session Run Time"])
    }

    @Test func anInterpreterOfItsOwnKnowsNoValuesBefore() {
        let collector = decoded([.connected()] + Self.glucose + Self.featureWithoutCRC + Self.runTime) { values in
            ReadingCollector(values: ValueInterpreter(library: values.library))
        }
        expect(collector.readings.last?.names, equals: ["CGM Session Run Time", "E2E-CRC"])
    }

    /// Other definitions see the values before.
    @Test func definitionsMayChangeOnTheWay() {
        var trace = Trace()
        var maker = RecordMaker()
        var sink = Interpreted(library: .shipped) { ReadingCollector(values: $0) }
        for packet in [.connected()] + Self.glucose + Self.featureWithoutCRC {
            maker.make(packet) { trace.decode($0, into: &sink) }
        }
        sink.sink = ReadingCollector(values: sink.use(.withExamples))
        for packet in Self.runTime { maker.make(packet) { trace.decode($0, into: &sink) } }
        expect(sink.sink.readings.map(\.names), equals: [["CGM Session Run Time"]])
    }

    // MARK: Requests

    /// A control point of a vendor at handle 3: its answers do not repeat what was asked for.
    private static let controlPoint = """
        service: { uuid: FFF0, name: Vendor }
        characteristics:
          - uuid: FFF1
            name: Control Point
            context: { Asked: { from: request, field: Op Code, otherwise: 0 } }
            layouts:
              - for: [write]
                fields: [{ name: Op Code, type: uint8 }]
              - for: [notify, indicate]
                fields:
                  - { name: Voltage, type: uint16, scale: 0.001, unit: V, if: Asked == 1 }
                  - { name: Name, type: utf8, if: Asked == 2 }
                  - { name: Octets, type: bytes, if: Asked == 0 }
        """

    @Test func anAnswerIsReadByItsRequest() {
        let loader = DefinitionLoader([.init(path: "x.yaml", text: Self.controlPoint)], above: .shipped)
        expect(loader.mistakes.map(\.description), equals: [])
        var trace = Trace()
        var maker = RecordMaker()
        var sink = Interpreted(library: .shipped.adding(loader.files)) { ReadingCollector(values: $0) }
        let answer = Packet.att(.rx, "1B 0300 4C 0B")
        let discovery: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0500 F0FF"),
            .att(.tx, "08 0100 0500 0328"), .att(.rx, "09 07 0200 18 0300 F1FF"),
        ]
        let questions: [Packet] = [.att(.tx, "52 0300 01"), answer, .att(.tx, "52 0300 02"), answer]
        for packet in discovery + [answer] + questions + [.disconnected(), .connected(), answer] {
            maker.make(packet) { trace.decode($0, into: &sink) }
        }
        expect(
            sink.sink.readings.map(\.names),
            equals: [
                ["Octets"], ["Op Code"], ["Voltage"], ["Op Code"], ["Name"],
                // What was asked for over another connection is forgotten.
                ["Octets"],
            ])
        expect(sink.sink.readings[2].fields, equals: ["Voltage = 2.892"])
    }

    // MARK: Ranging data

    /// Handle 3 is Real-time Ranging Data, 6 the RAS Control Point.
    private static let ranging: [Packet] = [
        .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0800 5B18"),
        .att(.tx, "08 0100 0800 0328"), .att(.rx, "09 07 0200 10 0300 152C 0500 28 0600 172C"),
    ]
    /// Counter 1000, configuration 0, one antenna path; 1 step of mode 0: no errors, −60 dBm, antenna 1, and of an initiator
    /// 1 ppm. In two segments.
    private static let initiated: [Packet] = [
        .att(.rx, "1B 0300 01 E8 03 F6 01 10 00 32 00 00 00 EC 01"), .att(.rx, "1B 0300 06 00 00 C4 01 64 00"),
    ]
    private static let reflected: [Packet] = [
        .att(.rx, "1B 0300 01 E8 03 F6 01 10 00 00 C0 00 00 EC 01"), .att(.rx, "1B 0300 06 00 00 C4 01"),
    ]

    /// LE CS Config Complete of configuration 0: created or removed, the host's role, access address only.
    private static func configured(role: Int, action: Int = 1) -> Packet {
        .event(
            "3E 22 2F 00 4000 00 0\(action) 02 FF 02 08 00 03 0\(role) 00 01 FCFFFF7FFCFFFFFFFF1F 01 00 00 02 00 0A 14 3C 0A"
        )
    }

    @Test func theServersRoleIsTheOtherOne() throws {
        let initiated = try #require(
            readings([.connected(), Self.configured(role: 1)] + Self.ranging + Self.initiated).last)
        expect(initiated.message, equals: "complete of 7, 8")
        #expect(initiated.names.contains("Measured Frequency Offset"))
        let reflected = try #require(
            readings([.connected(), Self.configured(role: 0)] + Self.ranging + Self.reflected).last)
        #expect(reflected.names.contains("Packet RSSI"))
        #expect(!reflected.names.contains("Measured Frequency Offset"))
        #expect(!reflected.hasFault)
    }

    @Test func withoutAConfigurationStepsStayOctets() throws {
        for packets in [[.connected()], [.connected(), Self.configured(role: 1, action: 0)]] {
            let reading = try #require(readings(packets + Self.ranging + Self.initiated).last)
            #expect(reading.names.contains("Steps"))
            #expect(!reading.names.contains("Packet RSSI"))
            #expect(!reading.hasFault)
        }
    }

    @Test func aFilterChangesTheLayout() throws {
        let start = [.connected(), Self.configured(role: 1)] + Self.ranging
        // Of mode 0, the RSSI alone; the server takes it, or does not know Set Filter.
        let taken: [Packet] = [
            .att(.tx, "12 0600 04 0800"), .att(.rx, "13"), .att(.rx, "1D 0600 02 01"), .att(.tx, "1E"),
            .att(.rx, "1B 0300 03 E8 03 F6 01 10 00 32 00 00 00 EC 01 00 C4"),
        ]
        let filtered = try #require(readings(start + taken).last)
        #expect(filtered.names.contains("Packet RSSI"))
        #expect(!filtered.names.contains("Packet Antenna"))
        #expect(!filtered.hasFault)
        let refused: [Packet] = [
            .att(.tx, "12 0600 04 0800"), .att(.rx, "13"), .att(.rx, "1D 0600 02 02"), .att(.tx, "1E"),
        ]
        let whole = try #require(readings(start + refused + Self.initiated).last)
        #expect(whole.names.contains("Packet Antenna"))
    }

    // MARK: Descriptors

    /// A vendor's value, and its Characteristic Presentation Format: sint16, 10⁻¹, °C.
    @Test func aPresentationFormatDescribesItsValue() {
        let discovery: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0500 F0FF"),
            .att(.tx, "08 0100 0500 0328"), .att(.rx, "09 07 0200 12 0300 F1FF"),
            .att(.tx, "04 0400 0500"), .att(.rx, "05 01 0400 0429"),
        ]
        let value = Packet.att(.rx, "1B 0300 67FF")
        let format: [Packet] = [.att(.tx, "0A 0400"), .att(.rx, "0B 0E FF 2F27 01 0000")]
        let readings = readings(discovery + [value] + format + [value])
        // The first value has no definition at all.
        expect(readings.count, equals: 2)
        expect(readings[1].fields, equals: ["Value = -15.3"])
    }
}
