import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@testable import AttlasTrace

/// Resident memory of this process in octets.
func residentSize() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    return (Int(text.split(separator: " ")[1]) ?? 0) * 4096
}

/// What resident memory may grow by in one of these tests.
private let limit = 64 << 20

private func expectBounded(_ body: (inout Feeder) -> Void, _ check: (borrowing Feeder) -> Void) {
    let before = residentSize()
    var feeder = Feeder()
    body(&feeder)
    check(feeder)
    if Sanitizer.leavesMemoryAlone { #expect(residentSize() - before < limit) }
}

/// However long a capture is, and whatever it makes up: an endless pipe is decoded in bounded memory. Each in a separate process,
/// where no other test takes memory.
@Suite(.serialized) struct BoundsTests {
    @Test func connectionsWithoutDisconnections() async { await Self.expectBoundedConnections(4_000) }

    fileprivate static func expectBoundedConnections(_ count: Int) async {
        await #expect(processExitsWith: .success) { [count = count as Int] in
            expectBounded { feeder in
                for number in 0..<count {
                    feeder.connect(handle: number % 0x0F00, number: number % 1000, controller: UInt16(number / 0x0F00))
                }
            } _: { feeder in
                #expect(feeder.trace.connections.count <= TraceLimits.standard.connections)
                expect(feeder.trace.peers.count, equals: 1000)
            }
        }
    }

    @Test func connectionsOnManyControllers() async { await Self.expectBoundedControllers(upTo: 2_000) }

    fileprivate static func expectBoundedControllers(upTo last: UInt16) async {
        await #expect(processExitsWith: .success) { [last = last as UInt16] in
            expectBounded { feeder in
                for controller in 0...last { feeder.connect(handle: 0x40, number: 1, controller: controller) }
            } _: { feeder in
                #expect(feeder.trace.connections.count <= TraceLimits.standard.connections)
            }
        }
    }

    @Test func blobsWithoutEnd() async { await Self.expectBoundedBlobs(10_000) }

    fileprivate static func expectBoundedBlobs(_ count: Int) async {
        await #expect(processExitsWith: .success) { [count = count as Int] in
            expectBounded { feeder in
                feeder.feed(.connected())
                let part = Array(repeating: UInt8(0xAA), count: 22)
                feeder.feed(.att(.tx, "0A 1900"))
                feeder.feed(.frame(.rx, channel: 4, [0x0B] + part))
                for index in 1..<count {
                    feeder.feed(.frame(.tx, channel: 4, hex("0C 1900") + little(index * 22 & 0xFFFF)))
                    feeder.feed(.frame(.rx, channel: 4, [0x0D] + part))
                }
            } _: { feeder in
                #expect(feeder.trace.connections[0].bearer.transmitted.longRead.value.count <= LongRead.limit)
            }
        }
    }

    @Test func halfFramesOnEveryConnection() async {
        await #expect(processExitsWith: .success) {
            expectBounded { feeder in
                let half = Array(repeating: UInt8(0xAA), count: 32_000)
                for number in 0..<2000 {
                    let handle = number % 0x0F00
                    feeder.connect(handle: handle, number: number)
                    for direction in [Direction.tx, .rx] {
                        feeder.feed(
                            .fragment(
                                direction, boundary: direction == .tx ? 0 : 2, hex("FFFF 0400") + half, handle: handle))
                        feeder.feed(.fragment(direction, boundary: 1, half, handle: handle))
                    }
                }
            } _: { feeder in
                #expect(feeder.trace.connections.count <= TraceLimits.standard.connections)
            }
        }
    }
}

/// The same with more of them, and for everything else that a capture can have without end.
@Suite(.serialized) struct BoundsLongTests {
    @Test func connectionsWithoutDisconnections() async { await BoundsTests.expectBoundedConnections(100_000) }
    @Test func connectionsOnEveryController() async { await BoundsTests.expectBoundedControllers(upTo: .max) }
    @Test func blobsWithoutEnd() async { await BoundsTests.expectBoundedBlobs(100_000) }

    @Test func peersOneAfterTheOther() async {
        await #expect(processExitsWith: .success) {
            expectBounded { feeder in
                let request = Packet.att(.tx, "08 0E00 1500 0328")
                let response = Packet.att(.rx, "09 07 0F00 10 1000 372A 1200 02 1300 382A 1400 08 1500 392A")
                let end = Packet.disconnected()
                for number in 0..<20_000 {
                    feeder.connect(handle: 0x40, number: number)
                    feeder.feed(request)
                    feeder.feed(response)
                    feeder.feed(end)
                }
            } _: { feeder in
                expect(feeder.trace.peers.count, equals: TraceLimits.standard.peers)
                expect(feeder.trace.connections.count, equals: 1)
            }
        }
    }

    @Test func advertisersWithANameEach() async {
        await #expect(processExitsWith: .success) {
            expectBounded { feeder in
                for number in 0..<100_000 {
                    feeder.feed(
                        Packet(
                            .packet(.event), .rx,
                            hex("3E 16 02 01 00 01") + little(number, 4) + hex("004A 0A 020106 06 09 48524D2D37 C8")))
                }
            } _: { feeder in
                #expect(feeder.trace.peers.isEmpty)
            }
        }
    }

    @Test func distinctUUIDs() async {
        await #expect(processExitsWith: .success) {
            expectBounded { feeder in
                feeder.feed(.connected())
                for number in 0..<200_000 {
                    // Read By Type of a UUID that nobody saw before, and a handle that has it.
                    let uuid = little(number & 0xFFFF) + little(number >> 16) + Array(repeating: 0xA5, count: 12)
                    feeder.feed(.frame(.tx, channel: 4, [0x08, 0x01, 0x00, 0xFF, 0xFF] + uuid))
                    feeder.feed(.frame(.rx, channel: 4, [0x09, 0x03] + little(number & 0xFFFF) + [0x00]))
                }
            } _: { feeder in
                expect(feeder.trace.uuids.count, equals: UUIDTable.limit)
                #expect(feeder.trace.peers[0].table.count <= TraceLimits.standard.attributesOfAServer)
            }
        }
    }

    @Test func largeTablesOfManyPeersAndControllers() async {
        await #expect(processExitsWith: .success) {
            expectBounded { feeder in
                for number in 0..<60 {
                    feeder.connect(handle: 0x40, number: number, controller: UInt16(number))
                    for direction in [Direction.tx, .rx] {
                        // Find Information: 5 descriptors in each response, from the last handle down to the first.
                        for index in (0..<1700).reversed() {
                            feeder.feed(
                                .att(direction, "04 0100 FFFF", controller: UInt16(number)))
                            let items = (1...5).flatMap { little(index * 5 + $0) + hex("0229") }
                            feeder.feed(
                                .frame(
                                    direction == .tx ? .rx : .tx, channel: 4, [0x05, 0x01] + items,
                                    controller: UInt16(number)))
                        }
                    }
                    feeder.feed(.disconnected(controller: UInt16(number)))
                }
            } _: { feeder in
                #expect(feeder.trace.peers.map(\.table.count).reduce(0, +) <= TraceLimits.standard.attributes)
                expect(feeder.trace.peers.last?.table.count, equals: TraceLimits.standard.attributesOfAServer)
                #expect(feeder.trace.localAttributeCount <= TraceLimits.standard.attributes)
            }
        }
    }

    @Test func prepareWritesWithoutExecute() async {
        await #expect(processExitsWith: .success) {
            expectBounded { feeder in
                feeder.feed(.connected())
                let part = hex("1900 0000 A0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1")
                let request = Packet.frame(.tx, channel: 4, [0x16] + part)
                let response = Packet.frame(.rx, channel: 4, [0x17] + part)
                for _ in 0..<200_000 {
                    feeder.feed(request)
                    feeder.feed(response)
                }
            } _: { feeder in
                expect(feeder.sink.faults, equals: 1)
                #expect(feeder.trace.connections[0].bearer.transmitted.queue.octets.count <= PrepareQueue.limit)
            }
        }
    }

    @Test func fragmentsWithoutEnd() async {
        await #expect(processExitsWith: .success) {
            expectBounded { feeder in
                feeder.feed(.connected())
                feeder.feed(.start(.rx, "FFFF 0400 1B 1900"))
                let empty = Packet.more(.rx, "")
                let octet = Packet.more(.rx, "AA")
                for _ in 0..<500_000 {
                    feeder.feed(empty)
                    feeder.feed(octet)
                }
                feeder.feed(.start(.rx, ""))
                for _ in 0..<500_000 { feeder.feed(empty) }
            } _: { feeder in
                #expect(feeder.trace.connections[0].received.frames.count <= 65_540)
                #expect(feeder.trace.connections[0].received.buffer.count <= 65_540)
            }
        }
    }

    @Test func framesOfAnSDUWithoutEnd() async {
        await #expect(processExitsWith: .success) {
            expectBounded { feeder in
                feeder.feed(.connected())
                // LE Credit Based Connection on SPSM 0x0080, from 0x0040 to 0x0041.
                feeder.feed(.frame(.tx, channel: 5, hex("14 01 0A00 8000 4000 FFFF FFFF 0100")))
                feeder.feed(.frame(.rx, channel: 5, hex("15 01 0A00 4100 FFFF FFFF 0100 0000")))
                feeder.feed(.frame(.tx, channel: 0x41, hex("FFFF AA")))
                let empty = Packet.frame(.tx, channel: 0x41, [])
                for _ in 0..<500_000 { feeder.feed(empty) }
            } _: { feeder in
                expect(feeder.trace.connections[0].channels.channels[0].remote.sdu.frames.count, equals: 1)
            }
        }
    }

    @Test func strangersWithoutEnd() async {
        await #expect(processExitsWith: .success) {
            expectBounded { feeder in
                let debug = hex("0400 0000 0A000000")
                for number in 0..<1_000_000 {
                    feeder.feed(
                        .fragment(
                            .rx, boundary: 2, debug, handle: number & 0x0FFF, controller: UInt16(number >> 12 & 0xFFFF))
                    )
                }
            } _: { feeder in
                #expect(feeder.trace.unconnectedPackets.count <= UnannouncedHandles.limit)
                #expect(feeder.trace.connections.isEmpty)
            }
        }
    }

    @Test func presumedConnectionsWithoutEnd() async {
        await #expect(processExitsWith: .success) {
            expectBounded { feeder in
                for number in 0..<100_000 {
                    feeder.feed(
                        .att(.rx, "1B 1900 01", handle: number % 0x0E00, controller: UInt16(number / 0x0E00)))
                }
            } _: { feeder in
                #expect(feeder.trace.connections.count <= TraceLimits.standard.connections)
                #expect(feeder.trace.peers.count <= TraceLimits.standard.peers)
            }
        }
    }

    @Test func requestsWithoutAnswersAndAnswersWithoutRequests() async {
        await #expect(processExitsWith: .success) {
            expectBounded { feeder in
                feeder.feed(.connected())
                let request = Packet.att(.tx, "0A 1900")
                let response = Packet.att(.rx, "0D 57")
                let indication = Packet.att(.rx, "1D 1900 01")
                for _ in 0..<300_000 {
                    feeder.feed(request)
                    feeder.feed(response)
                    feeder.feed(indication)
                }
            } _: { feeder in
                expect(feeder.sink.lastFrame, equals: 900_001)
            }
        }
    }
}
