import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

@Suite struct HCIDumpTests {
    @Test func packetsAreRead() {
        let reading = Reading(
            hcidumpRecord(Sample.command) + hcidumpRecord(Sample.event, received: 1) + hcidumpRecord(Sample.acl)
                + hcidumpRecord(Sample.acl, received: 1) + hcidumpRecord(Sample.vendor, received: 1))
        #expect(reading.error == nil)
        expect(reading.records.map(\.frame), equals: [1, 2, 3, 4, 5])
        expect(reading.records.map(\.offset), equals: [0, 16, 35, 59, 83])
        expect(
            reading.records.map(\.content),
            equals: [
                .packet(.command), .packet(.event), .packet(.acl), .packet(.acl), .unknownPacket(type: 0xFF),
            ])
        expect(reading.records.map(\.direction), equals: [.tx, .rx, .tx, .rx, .rx])
        expect(reading.records[2].bytes, equals: Sample.aclPacket)
        #expect(
            reading.records.allSatisfy {
                $0.time == Timestamp(seconds: 1_767_225_600, nanoseconds: 7000, precision: 6)
            })
        expect(reading.info?.format, equals: "hcidump")
    }

    @Test(arguments: [
        hcidumpRecord(Sample.acl, received: 2), hcidumpRecord(Sample.acl, padding: 1),
        hcidumpRecord(Sample.acl, microseconds: 1_000_000), hcidumpRecord(Sample.vendor),
        hcidumpRecord(Sample.acl, length: 10),
    ])
    func aFirstRecordThatContradictsItselfIsNoHcidump(record: [UInt8]) {
        expect(Reading(record + hcidumpRecord(Sample.acl)).error?.kind, equals: .unknownFormat)
    }

    @Test(arguments: [
        hcidumpRecord(Sample.acl, length: 0), hcidumpRecord(Sample.acl, length: 60_000),
        hcidumpRecord(Sample.acl, received: 9), hcidumpRecord(Sample.acl, microseconds: .max),
    ])
    func aRecordThatCannotBeCostsOneRecord(record: [UInt8]) {
        let reading = Reading(
            hcidumpRecord(Sample.command) + record + hcidumpRecord(Sample.event) + hcidumpRecord(Sample.command))
        #expect(reading.error == nil)
        expect(reading.faults.count, equals: 1)
        expect(reading.records.map(\.offset), equals: [0, 16, 40, 59])
    }
}
