import AttlasTables
import AttlasTestSupport
import Testing

/// What is wrong with a value is in `fields` and in `faults`.
extension TableWriterTests {
    /// The fields of the last value, and the faults.
    private func found(
        _ packets: [Packet]
    ) throws -> (fields: [[String: String]], faults: [[String: String]]) {
        let all = rows(packets).rows
        let operation = try #require(all[.operations]?.last?["operation"])
        let fields = (all[.fields] ?? []).filter { $0["operation"] == operation }
        for fault in all[.faults] ?? [] {
            #expect(fault["operation"] == operation && fault["frame"] == "\(packets.count)")
        }
        return (fields, all[.faults] ?? [])
    }

    /// 16 bits are announced, eight are present: Heart Rate Service 1.0, 3.1.1.
    @Test func aFieldThatAValueEndsWithinIsARow() throws {
        let (fields, faults) = try found([
            .connected(), .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0F00 10 1000 372A"),
            .att(.rx, "1B 1000 01 2C"),
        ])
        let last = try #require(fields.last)
        #expect(last["name"] == "Heart Rate Measurement Value" && last["unit"] == "bpm")
        #expect(last["number"] == nil && last["text"] == nil)
        #expect(last["fault"] == "the value ends within the field" && last["need"] == "3" && last["have"] == "2")
        #expect(last["offset"] == "1" && last["length"] == "1")
        #expect(fields.allSatisfy { $0["faulty"] == "true" } && fields.count > 1)
        let fault = try #require(faults.first)
        #expect(faults.count == 1 && fault["kind"] == "fault" && fault["layer"] == "att")
        expect(fault["reason"], equals: "Heart Rate Measurement Value: the value ends within the field")
        #expect(fault["need"] == "3" && fault["have"] == "2" && fault["field"] == last["field"])
    }

    /// Body Sensor Location has the values 0 to 6: Heart Rate Service 1.0, 3.2.1.
    @Test func aNumberWithoutAMeaningIsUndefined() throws {
        let (fields, faults) = try found([
            .connected(), .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0F00 02 1000 382A"),
            .att(.tx, "0A 1000"), .att(.rx, "0B 09"),
        ])
        #expect(fields.map { $0["undefined"] } == ["true"] && fields.map { $0["faulty"] } == ["true"])
        expect(faults.map { $0["kind"] }, equals: ["undefined"])
        expect(faults.map { $0["reason"] }, equals: ["Body Sensor Location: 9 (undefined)"])
    }

    /// Hours Since Update are 0 to 23, or 255: GATT Specification Supplement, Reference Time Information.
    @Test func aNumberOutsideItsRangeIsMarked() throws {
        let (fields, faults) = try found([
            .connected(), .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0F00 02 1000 142A"),
            .att(.tx, "0A 1000"), .att(.rx, "0B 01 05 03 18"),
        ])
        expect(fields.filter { $0["out_of_range"] == "true" }.map { $0["name"] }, equals: ["Hours Since Update"])
        #expect(fields.allSatisfy { $0["faulty"] == "true" })
        expect(faults.map { $0["kind"] }, equals: ["out_of_range"])
        expect(faults.first?["reason"], equals: "Hours Since Update outside the permitted range 0 to 23 h")
    }

    /// A CRC-16 with the polynomial 0x1021 over 01 02 … 0A, as Memfault's chunks have it; right, and with the last octet changed.
    @Test(arguments: [("13", "right"), ("14", "wrong")])
    func aChecksumIsRightOrWrong(_ last: String, _ verdict: String) throws {
        let uuid = "36 84 BD 4E 2F 72 71 A3 07 40 A5 F6 05 00 22 54"
        let (fields, faults) = try found([
            .connected(), .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 15 0F00 10 1000 \(uuid)"),
            .att(.rx, "1B 1000 00 08 01 02 03 04 05 06 07 08 0A 1B \(last)"),
        ])
        expect(fields.compactMap { $0["checksum"] }, equals: [verdict])
        #expect(fields.allSatisfy { $0["faulty"] == "\(verdict == "wrong")" })
        expect(faults.map { $0["kind"] }, equals: verdict == "wrong" ? ["checksum"] : [])
        #expect(faults.allSatisfy { $0["reason"] == "CRC wrong" })
    }

    /// NaN of a medical float is no fault; a reserved value is. IEEE 11073-20601: 0x007FFFFF and 0x00800001.
    @Test(arguments: [("FFFF7F 00", "NaN", false), ("010080 00", "reserved", true)])
    func aSpecialValueHasItsName(_ octets: String, _ name: String, _ isFaulty: Bool) throws {
        let (fields, faults) = try found([
            .connected(), .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0F00 20 1000 1C2A"),
            .att(.rx, "1D 1000 00 \(octets)"),
        ])
        let temperature = try #require(fields.first { $0["special"] != nil })
        #expect(temperature["special"] == name && temperature["number"] == nil)
        expect(temperature["faulty"], equals: "\(isFaulty)")
        expect(faults.map { $0["kind"] }, equals: isFaulty ? ["special"] : [])
    }

    /// The last item of a Read By Type Response has three octets, of which one is present. Vol 3, Part F, 3.4.4.2.
    @Test func aPDUThatEndsEarlyIsAFaultOfItsOperation() throws {
        let (_, faults) = try found([
            .connected(), .att(.tx, "08 0100 FFFF 192A"), .att(.rx, "09 03 0300 5A 07"),
        ])
        #expect(faults.map { $0["kind"] } == ["fault"] && faults.map { $0["layer"] } == ["att"])
        #expect(faults.first?["field"] == nil)
    }
}
