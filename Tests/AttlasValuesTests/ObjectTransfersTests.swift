import AttlasDissection
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace
@testable import AttlasValues

/// What is remembered of objects has an end. Documentation/limits.md.
@Suite struct ObjectTransfersTests {
    private var objects = ObjectTransfers()

    private func place(_ connection: Int) -> ObjectTransfers.Place {
        ObjectTransfers.Place(server: .init(connection: connection, side: .peer), service: nil)
    }

    /// Read of two octets.
    private mutating func ask(_ connection: Int) {
        let request = hex("05 00000000 02000000")
        objects.follow(
            Bytes(request.span), type: BluetoothUUID(0x2AC5 as UInt16), .write, at: place(connection), frame: 1)
    }

    /// Octets of the transfer that an SDU of the connection belongs to; nil if nothing was asked for.
    private mutating func receive(_ connection: Int) -> Int? {
        let octets: [UInt8] = [0x01]
        let sdu = ChannelSDU(
            psm: 0x0025, localChannel: L2CAPChannel(rawValue: 0x40), remoteChannel: L2CAPChannel(rawValue: 0x41),
            credits: 1, mtu: 512, missing: 0, bytes: Bytes(octets.span))
        objects.follow(sdu, .rx, connection: connection)
        return objects.transfer?.transferred
    }

    @Test mutating func transfers() {
        for connection in 0..<64 { ask(connection) }
        let first = receive(0)
        expect(first, equals: 1)
        ask(64)
        let (forgotten, last) = (receive(0), receive(64))
        #expect(forgotten == nil)
        expect(last, equals: 1)
    }

    @Test mutating func anEndedConnection() {
        ask(1)
        objects.forget(connection: 1)
        let transferred = receive(1)
        #expect(transferred == nil)
        #expect(objects.isEmpty)
    }

    /// Names of objects of 513 servers: those before are forgotten.
    @Test mutating func servers() {
        let name = Array("a".utf8)
        for connection in 0..<513 {
            objects.follow(
                Bytes(name.span), type: BluetoothUUID(0x2ABE as UInt16), .read, at: place(connection), frame: 1)
        }
        for (connection, known) in [(0, nil), (511, nil), (512, "a")] as [(Int, String?)] {
            ask(connection)
            _ = receive(connection)
            expect(objects.transfer?.object.name, equals: known)
        }
    }
}
