import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct L2CAPSignalTests {
    @Test func header() throws {
        let octets = hex("12 07 08 00  06 00 0C 00 04 00 F4 01")
        let signal = try L2CAPSignal(octets.wire)
        expect(signal.code.rawValue, equals: 0x12)
        expect(signal.name, equals: "Connection Parameter Update Request")
        expect(signal.identifier, equals: 7)
        expect(signal.length, equals: 8)
        expect(signal.data.count, equals: 8)
        expect(signal.missing, equals: 0)
        expect(signal.excess, equals: 0)
        expectNeed(4, of: octets, layer: .l2cap) { _ = try L2CAPSignal($0) }
    }

    @Test(arguments: [
        ("00 00", 0, 0, 3), ("01 00", 1, 0, 2), ("03 00", 3, 0, 0), ("04 00", 3, 1, 0), ("FF FF", 3, 65532, 0),
    ])
    func length(length: String, count: Int, missing: Int, excess: Int) throws {
        let octets = hex("08 01" + length + "AA BB CC")
        let signal = try L2CAPSignal(octets.wire)
        expect(signal.data.count, equals: count)
        expect(signal.missing, equals: missing)
        expect(signal.excess, equals: excess)
    }

    @Test func severalInOneFrame() throws {
        let octets = hex("0A 01 02 00 02 00  08 02 00 00  06 03 04 00 40 00 41 00")
        var signals = L2CAPSignals(octets.wire)
        var read: [(String, UInt8, Int)] = []
        while let signal = try signals.next() { read.append((signal.name, signal.identifier, signal.data.count)) }
        expect(read.map(\.0), equals: ["Information Request", "Echo Request", "Disconnection Request"])
        expect(read.map(\.1), equals: [1, 2, 3])
        expect(read.map(\.2), equals: [2, 0, 4])
    }

    @Test(arguments: 1..<4)
    func headerCutBehindAnother(length: Int) throws {
        let octets = hex("08 02 00 00") + [UInt8](repeating: 0xEE, count: length)
        var signals = L2CAPSignals(octets.wire)
        let first = try signals.next()?.identifier
        expect(first, equals: 2)
        do throws(WireError) {
            _ = try signals.next()
            Issue.record("read")
        } catch {
            expect(error.need, equals: 4)
            expect(error.have, equals: length)
        }
        let end = try signals.next()?.identifier
        #expect(end == nil)
    }

    @Test(arguments: [
        (0x01, "Command Reject Response"), (0x0C, "Create Channel Request"), (0x16, "Flow Control Credit Indication"),
        (0x1A, "Credit Based Reconfigure Response"),
    ])
    func names(code: Int, name: String) {
        expect(L2CAPSignalCode(rawValue: UInt8(code)).name, equals: name)
    }

    @Test func allAndOnlyThose() {
        for code in UInt8.min...UInt8.max {
            expect(L2CAPSignalCode(rawValue: code).name != nil, equals: (0x01...0x1A).contains(code))
        }
    }
}
