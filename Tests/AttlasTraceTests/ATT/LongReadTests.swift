import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Values read in parts. Core Specification, Vol 3, Part G, 4.8.3; Part F, 3.4.4.5 and 3.4.4.6.
@Suite struct LongReadTests {
    /// `count` octets that count up from `first`, in hexadecimal.
    func octets(_ count: Int, from first: Int = 0) -> String {
        (first..<first + count).map { octet(UInt8($0 & 0xFF)) }.joined()
    }

    func assembled(_ packets: [Packet]) -> [String] {
        decode([.connected()] + packets).lines("assembled")
    }

    /// Read Request of 0x0019 and a response with the first 22 octets: all that MTU 23 has room for.
    var begun: [Packet] { [.att(.tx, "0A 1900"), .att(.rx, "0B" + octets(22))] }

    @Test func aReadAndItsBlobsAreOneValue() {
        let value = assembled(
            begun + [
                .att(.tx, "0C 1900 1600"), .att(.rx, "0D" + octets(22, from: 22)),
                .att(.tx, "0C 1900 2C00"), .att(.rx, "0D" + octets(3, from: 44)),
            ])
        expect(value, equals: ["assembled 7 long read complete peer 0019 unknown @0 \(octets(47)) of 3,5,7"])
    }

    @Test func aValueThatFillsItsPartsEndsWithAnEmptyOne() {
        let value = assembled(
            begun + [
                .att(.tx, "0C 1900 1600"), .att(.rx, "0D" + octets(22, from: 22)), .att(.tx, "0C 1900 2C00"),
                .att(.rx, "0D"),
            ])
        expect(value, equals: ["assembled 7 long read complete peer 0019 unknown @0 \(octets(44)) of 3,5,7"])
    }

    @Test(arguments: ["07", "0B"]) func aValueThatFillsItsPartsMayEndWithAnError(error: String) {
        let value = assembled(
            begun + [
                .att(.tx, "0C 1900 1600"), .att(.rx, "0D" + octets(22, from: 22)), .att(.tx, "0C 1900 2C00"),
                .att(.rx, "01 0C 1900" + error),
            ])
        expect(value, equals: ["assembled 7 long read complete peer 0019 unknown @0 \(octets(44)) of 3,5"])
    }

    @Test func anotherErrorEndsNothing() {
        let value = assembled(
            begun + [
                .att(.tx, "0C 1900 1600"), .att(.rx, "0D" + octets(22, from: 22)), .att(.tx, "0C 1900 2C00"),
                .att(.rx, "01 0C 1900 0E"), .att(.tx, "0C 1900 2C00"), .att(.rx, "0D" + octets(3, from: 44)),
            ])
        expect(value, equals: [])
    }

    @Test func aReadThatJustFillsTheMTUIsNotClaimedToBeLong() {
        expect(assembled(begun), equals: [])
        expect(assembled(begun + [.att(.tx, "0C 1900 1600"), .att(.rx, "01 0C 1900 0B")]), equals: [])
    }

    @Test func aShortReadIsNotContinued() {
        let value = assembled([
            .att(.tx, "0A 1900"), .att(.rx, "0B 0001"), .att(.tx, "0C 1900 0200"), .att(.rx, "0D 02"),
        ])
        expect(value, equals: [])
    }

    @Test func aReadOfAnotherValueInterrupts() {
        let value = assembled(
            begun + [
                .att(.tx, "0A 1500"), .att(.rx, "0B 57"), .att(.tx, "0C 1900 1600"),
                .att(.rx, "0D" + octets(3, from: 22)),
            ])
        expect(value, equals: [])
    }

    @Test func blobsOfAnotherValueInterrupt() {
        let value = assembled(
            begun + [
                .att(.tx, "0C 1500 1600"), .att(.rx, "0D" + octets(3)), .att(.tx, "0C 1900 1600"),
                .att(.rx, "0D" + octets(3, from: 22)),
            ])
        expect(value, equals: [])
    }

    @Test func aPartThatDoesNotFollowOnInterrupts() {
        let value = assembled(begun + [.att(.tx, "0C 1900 1700"), .att(.rx, "0D" + octets(3, from: 23))])
        expect(value, equals: [])
    }

    @Test func notificationsAndWritesDoNotInterrupt() {
        let value = assembled(
            begun + [
                .att(.rx, "1B 1900 FFFF"), .att(.tx, "12 1A00 0100"), .att(.rx, "13"), .att(.tx, "0C 1900 1600"),
                .att(.rx, "0D" + octets(3, from: 22)),
            ])
        expect(value, equals: ["assembled 8 long read complete peer 0019 unknown @0 \(octets(25)) of 3,8"])
    }

    @Test func aLongReadMayConsistOfBlobsOnly() {
        let value = assembled([
            .att(.tx, "0C 1900 0000"), .att(.rx, "0D" + octets(22)), .att(.tx, "0C 1900 1600"), .att(.rx, "0D 16"),
        ])
        expect(value, equals: ["assembled 5 long read complete peer 0019 unknown @0 \(octets(23)) of 3,5"])
    }

    @Test func aPartThatWasCutInterrupts() {
        let value = assembled(
            begun + [
                .att(.tx, "0C 1900 1600"), .frame(.rx, channel: 4, hex("0D" + octets(10, from: 22)), missing: 12),
                .att(.tx, "0C 1900 2C00"), .att(.rx, "0D" + octets(3, from: 44)),
            ])
        expect(value, equals: [])
    }

    @Test func bothSidesMayReadAtOnce() {
        let value = assembled([
            .att(.tx, "0A 1900"), .att(.rx, "0A 1900"), .att(.rx, "0B" + octets(22)),
            .att(.tx, "0B" + octets(22, from: 100)),
            .att(.tx, "0C 1900 1600"), .att(.rx, "0C 1900 1600"), .att(.tx, "0D AA"), .att(.rx, "0D BB"),
        ])
        expect(
            value,
            equals: [
                "assembled 8 long read complete local 0019 unknown @0 \(octets(22, from: 100))AA of 5,8",
                "assembled 9 long read complete peer 0019 unknown @0 \(octets(22))BB of 4,9",
            ])
    }

    @Test func theMTUInForceSetsTheSizeOfAPart() {
        let mtu: [Packet] = [.att(.tx, "02 2000"), .att(.rx, "03 2000")]
        let parts: [Packet] = [
            .att(.tx, "0A 1900"), .att(.rx, "0B" + octets(31)), .att(.tx, "0C 1900 1F00"), .att(.rx, "0D 1F"),
        ]
        expect(
            assembled(mtu + parts), equals: ["assembled 7 long read complete peer 0019 unknown @0 \(octets(32)) of 5,7"]
        )
        expect(assembled(parts), equals: [])
    }

    @Test func withoutTheExchangeTheFirstPartSetsTheSizeOfTheOthers() {
        // The capture was begun later: nobody knows the MTU, but the client continues where the first part ended.
        let recorder = decode([
            .att(.tx, "0A 1900"), .att(.rx, "0B" + octets(31)), .att(.tx, "0C 1900 1F00"),
            .att(.rx, "0D" + octets(31, from: 31)), .att(.tx, "0C 1900 3E00"), .att(.rx, "0D 3E"),
        ])
        expect(
            recorder.lines("assembled"),
            equals: [
                "assembled 6 long read complete peer 0019 unknown @0 \(octets(63)) of 2,4,6"
            ])
    }

    @Test func aNameReadInPartsIsThePeersName() {
        var trace = Trace()
        let name = "Thermometer T3 of the second floor"
        let digits = name.utf8.map(octet).joined()
        _ = decode(
            [
                .connected(), .att(.tx, "08 0100 0900 0328"), .att(.rx, "09 07 0200 02 0300 002A"),
                .att(.tx, "0A 0300"), .att(.rx, "0B" + digits.prefix(44)), .att(.tx, "0C 0300 1600"),
                .att(.rx, "0D" + digits.dropFirst(44)),
            ], with: &trace)
        expect(trace.peers.map(\.name), equals: [name])
    }
}
