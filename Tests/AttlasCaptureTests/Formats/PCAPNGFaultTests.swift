import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

/// pcapng blocks that are not what they say. Each is between two good packets.
@Suite struct PCAPNGFaultTests {
    let blocks = PCAPNGBlocks()

    func reading(of fault: [UInt8]) -> Reading {
        Reading(
            blocks.section() + blocks.interface(187) + blocks.enhanced(Sample.command) + fault
                + blocks.enhanced(Sample.event))
    }

    @Test func aTrailingLengthThatLiesCostsOneRecord() {
        let reading = reading(of: blocks.enhanced(Sample.acl, trailing: 48))
        #expect(reading.error == nil)
        expect(reading.records.map(\.frame), equals: [1, 2, 3])
        expect(reading.faults, equals: ["block length is 44 before the body and 48 after it"])
        expect(reading.records[1].bytes, equals: Sample.aclPacket)
        expect(reading.records[2].content, equals: .packet(.event))
    }

    @Test func aSkippedBlockWhoseTrailingLengthLiesIsReported() {
        let reading = reading(of: blocks.block(0x1234, hex("AABBCCDD"), trailing: 4))
        #expect(reading.error == nil)
        expect(reading.faults, equals: ["block length is 16 before the body and 4 after it"])
        expect(reading.records.last?.content, equals: .packet(.event))
    }

    @Test func anInterfaceWhoseTrailingLengthLiesStillDescribesOne() {
        let idb = blocks.block(1, blocks.uint16(187) + blocks.uint16(0) + blocks.uint32(0), trailing: 0)
        let reading = Reading(blocks.section() + idb + blocks.enhanced(Sample.event))
        expect(reading.records.map { $0.fault == nil }, equals: [false, true])
        #expect(reading.error == nil)
    }

    @Test(arguments: [
        UInt32(0), 1, 4, 8, 11, 12, 13, 28, 31, 33, 43, 45, 524_288, 524_292, 0x0100_0000, 0x7FFF_FFFC, .max,
    ])
    func aBlockLengthThatLiesCostsOneRecord(length: UInt32) {
        let truth = blocks.enhanced(Sample.acl)
        let lie = truth.prefix(4) + little(length, 4) + truth.dropFirst(8)
        let reading = reading(of: Array(lie))
        #expect(reading.error == nil)
        expect(reading.records.map(\.frame), equals: [1, 2, 3])
        expect(reading.faults.count, equals: 1)
        expect(reading.records[2].content, equals: .packet(.event))
    }

    @Test func aPacketOfAnUnknownInterfaceIsBroken() {
        let reading = reading(
            of: blocks.enhanced(Sample.acl, interface: 1) + blocks.enhanced(Sample.acl, interface: .max))
        expect(
            reading.faults,
            equals: [
                "packet of interface 1, but its section describes 1",
                "packet of interface 4294967295, but its section describes 1",
            ])
        expect(reading.records.map(\.frame), equals: [1, 2, 3, 4])
    }

    @Test func packetsOfASectionWithoutInterfacesAreBroken() {
        let reading = Reading(
            blocks.section() + blocks.interface(187) + blocks.section() + blocks.enhanced(Sample.acl)
                + blocks.simple(Sample.acl))
        #expect(reading.faults.count == 2 && reading.error == nil)
    }

    @Test(arguments: [UInt32(13), 262_144, 262_145, .max])
    func aCapturedLengthThatLiesIsBroken(captured: UInt32) {
        let reading = reading(of: blocks.enhanced(Sample.acl, captured: captured, original: .max))
        #expect(reading.error == nil)
        // 12 octets of packet: one more is beyond the block.
        expect(reading.records.map { $0.fault == nil }, equals: [true, false, true])
    }

    @Test func moreCapturedThanThereWasIsBroken() {
        expect(
            reading(of: blocks.enhanced(Sample.acl, original: 3)).faults,
            equals: ["12 octets captured of a packet of 3"])
    }

    @Test func aSimplePacketLongerThanItsBlockIsBroken() {
        expect(
            reading(of: blocks.simple(Sample.acl, original: 13)).faults,
            equals: ["packet of 13 octets in a block with room for 12"])
    }

    @Test func optionsThatLieAreLeftOut() {
        let options = blocks.option(4, blocks.uint64(7)) + blocks.uint16(2) + blocks.uint16(0xFFFF)
        let reading = reading(of: blocks.enhanced(Sample.acl, options: options))
        #expect(reading.error == nil && reading.faults.isEmpty)
        expect(reading.records.map(\.lost), equals: [0, 7, 0])
    }

    @Test func aSectionHeaderWithoutByteOrderCostsOneBlock() {
        let lie = blocks.block(0x0A0D_0D0A, [UInt8](repeating: 0, count: 16))
        let reading = reading(of: lie)
        expect(reading.faults, equals: ["section header without a byte order"])
        #expect(reading.records.count == 3 && reading.error == nil)
    }

    @Test func endlessInterfacesAreNotRemembered() {
        let file = blocks.section() + (0..<5000).flatMap { _ in blocks.interface(187) } + blocks.enhanced(Sample.acl)
        let reading = Reading(file)
        expect(reading.info?.interfaces.count, equals: 4096)
        expect(reading.faults.count, equals: 5000 - 4096)
        expect(reading.records.last?.content, equals: .packet(.acl))
    }

    @Test func garbageAtTheEndIsAnError() {
        let reading = Reading(
            blocks.section() + blocks.interface(187) + blocks.enhanced(Sample.acl) + [UInt8](repeating: 0, count: 64))
        expect(reading.records.count, equals: 2)
        expect(reading.error?.kind, equals: .unreadable)
        expect(
            reading.error?.reason, equals: "block with an impossible length, 0 octets, and no readable record follows")
    }
}
