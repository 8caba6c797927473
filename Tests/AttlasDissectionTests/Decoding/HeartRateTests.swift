import AttlasDissection
import AttlasTestSupport
import AttlasWire
import Testing

/// Heart Rate Measurement, octet by octet after the Heart Rate Service specification, 3.1.
@Suite struct HeartRateTests {
    /// Every combination of the five flags.
    @Test(arguments: 0..<32)
    func everyCombinationOfFlags(flags: Int) throws {
        var value: [UInt8] = [UInt8(flags)]
        var expected = ["Flags = \(flags)"]
        if flags & 0x01 != 0 {
            value += [0x2C, 0x01]
            expected.append("Heart Rate Measurement Value = 300")
        } else {
            value += [0x48]
            expected.append("Heart Rate Measurement Value = 72")
        }
        if flags & 0x08 != 0 {
            value += [0x78, 0x00]
            expected.append("Energy Expended = 120")
        }
        if flags & 0x10 != 0 {
            value += [0x40, 0x03, 0x00, 0x04]
            expected += ["RR-Interval = 0.8125", "RR-Interval = 1"]
        }
        let dissected = try Dissected(0x2A37, value, .notify)
        expect(dissected.numbers, equals: expected)
        #expect(dissected.dissection.fault == nil)
        #expect(dissected.dissection.unexplained.isEmpty)
        #expect(!dissected.dissection.hasReservedBits)
        // Records lie one after the other and cover the value.
        var offset = 0
        for record in dissected.records {
            expect(record.range.lowerBound, equals: offset)
            offset = record.range.upperBound
        }
        expect(offset, equals: value.count)
    }

    @Test func everyShorterPrefixIsAFaultWithTheFieldsBefore() throws {
        let whole = hex("1F 2C 01 78 00 40 03")
        let complete = [0: 0, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3]
        let need = [0: 1, 1: 3, 2: 3, 3: 5, 4: 5, 5: 7, 6: 7]
        for length in 0..<whole.count {
            let dissected = try Dissected(0x2A37, Array(whole[..<length]), .notify)
            expect(dissected.records.count, equals: complete[length], "\(length)")
            expect(dissected.dissection.fault?.need, equals: need[length], "\(length)")
            expect(dissected.dissection.fault?.have, equals: length)
            expect(dissected.dissection.fault?.reason, equals: .truncated)
        }
    }

    @Test func octetsBehindTheLastFieldAreUnexplained() throws {
        let dissected = try Dissected(0x2A37, hex("00 48 DE AD"), .notify)
        expect(dissected.dissection.unexplained, equals: 2..<4)
        expect(dissected.text, equals: "72 bpm · unexplained DE AD")
    }

    @Test func reservedBitsAreNoted() throws {
        let dissected = try Dissected(0x2A37, hex("A0 48"), .notify)
        #expect(dissected.dissection.hasReservedBits)
        #expect(dissected.json.contains(#""set":[],"reserved_bits":[5,7]"#))
        expect(dissected.text, equals: "72 bpm · reserved bits set")
    }

    @Test func jsonHasTheShapeOfTheContract() throws {
        let dissected = try Dissected(0x2A37, hex("1E 48 78 00 40 03 50 03"), .notify)
        #expect(
            dissected.json == """
                "fields":[{"name":"Flags","value":30,"set":["Sensor Contact Detected","Sensor Contact Supported",\
                "Energy Expended Present","RR-Interval Present"],"offset":0,"length":1},\
                {"name":"Heart Rate Measurement Value","value":72,"unit":"bpm","offset":1,"length":1},\
                {"name":"Energy Expended","value":120,"unit":"kJ","offset":2,"length":2},\
                {"name":"RR-Interval","value":[0.8125,0.828125],"raw":[832,848],"unit":"s","offset":4,"length":4}]
                """)
    }
}
