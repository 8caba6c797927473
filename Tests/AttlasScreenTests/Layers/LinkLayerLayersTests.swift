import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@testable import AttlasConversation
@testable import AttlasScreen

/// The link layer of packets from the air: which octets its fields are.
@Suite struct LinkLayerLayersTests {
    /// Advertising PDUs and the whole of a connection.
    private static let packets: [Packet] = {
        let air = Air()
        let advertising = [
            // ADV_IND: Flags, Complete Local Name "T3"; ADV_DIRECT_IND; SCAN_REQ; SCAN_RSP: TX Power Level.
            "600D \(Air.peripheral) 020106 03095433", "410C \(Air.peripheral) \(Air.central)",
            "C30C \(Air.central) \(Air.peripheral)", "4409 \(Air.peripheral) 020AF4",
            // ADV_EXT_IND: ADI, AuxPtr; ADV_EXT_IND: AdvA, TxPower, AdvData.
            "0707 06 18 3412 000000", "4710 48 41 \(Air.peripheral) F4 02 0A F4 03 09 54 33",
        ]
        // Of the central and of the peripheral in turn: exchanges, and what has an instant at the end.
        let control = [
            "08 FF00000000000000", "09 FF00000000000000", "0C 0C 5900 3412", "0C 0B 0F00 2143",
            "0F 0600 0C00 0000 4800 00 0000 FFFF FFFF FFFF FFFF FFFF FFFF", "11 0F 1A", "14 FB00 4808 FB00 4808",
            "15 1B00 4801 1B00 4801", "1D 03", "1E 04", "03 1122334455667788 9900 0102030405060708 A1A2A3A4", "0D 06",
            "16 03 03", "17 03 03", "18 02 02 0A00", "", "01 FFFFFFFF1F 1400", "", "00 01 0000 1800 0000 4800 1E00", "",
            "02 13",
        ]
        var packets = advertising.map { air.advertising($0) } + [air.connect()]
        for (index, pdu) in control.enumerated() {
            let (side, number) = (index.isMultiple(of: 2) ? Direction.tx : .rx, index / 2 % 2)
            packets.append(
                pdu.isEmpty
                    ? air.empty(side, sn: number, nesn: number) : air.control(side, sn: number, nesn: number, pdu))
        }
        return packets
    }()

    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR, a millisecond apart.
    private func file(_ packets: [Packet]) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 0xFF) } }
        var octets = little(0xA1B2_C3D4, 4) + little(2, 2) + little(4, 2) + little(0, 8) + little(0xFFFF, 4)
        octets += little(256, 4)
        for (index, packet) in packets.enumerated() {
            // Its number of channel 37 is 0, of channel 5 it is 6.
            let channel: UInt8 = packet.direction == .unknown ? 0 : 6
            // Dewhitened, CRC checked and right; the type of the PDU by its direction.
            let kind = packet.direction == .tx ? 2 : packet.direction == .rx ? 3 : 0
            let record =
                [channel, 0xC0, 0, 0, 0, 0, 0, 0] + little(0x0C01 | kind << 7, 2) + packet.octets
            octets += little(1_000_000, 4) + little(index * 1_000, 4) + little(record.count, 4)
            octets += little(record.count, 4) + record
        }
        return octets
    }

    private func screen(_ packets: [Packet], in folder: TemporaryFolder) throws -> PlayedRecording {
        try PlayedRecording(try folder.write(file(packets)), columns: 120, rows: 40, showsHCI: true)
    }

    @Test func advertisingHasItsAddressesAndStructures() throws {
        let folder = try TemporaryFolder()
        let screen = try screen(Self.packets, in: folder)
        let layers = screen.layers
        #expect(layers.contains("  Access Address: 0x8E89BED6 [d6be898e]"))
        #expect(layers.contains("    PDU Type: ADV_IND (0x0) [60]"))
        #expect(layers.contains("    ChSel: 1 [60]") && layers.contains("    TxAdd: 1 [60]"))
        #expect(layers.contains("    Length: 13 [0d]"))
        #expect(layers.contains("    AdvA: 66:55:44:33:22:11 [112233445566]"))
        #expect(layers.contains("      AD Structure: Complete Local Name [03095433]"))
        #expect(layers.contains("        AD Type: 0x09 [09]"))
        #expect(layers.contains { $0.hasPrefix("  CRC: ") })
    }

    @Test func controlPDUsHaveTheirFields() throws {
        let folder = try TemporaryFolder()
        let screen = try screen(Self.packets, in: folder)
        func layers(ofFrame frame: Int) -> [String] {
            screen.press(.character(":"))
            screen.type("\(frame)")
            screen.press(.enter)
            return screen.layers
        }
        let connect = layers(ofFrame: 7)
        #expect(connect.contains("    PDU Type: CONNECT_IND (0x5) [45]"))
        #expect(connect.contains("    Interval: 24 [1800]") && connect.contains("    Hop: 7 [27]"))
        let update = layers(ofFrame: 26)
        #expect(update.contains("    LLID: control (3) [0f]"))
        #expect(update.contains("    Opcode: LL_CONNECTION_UPDATE_IND (0x00) [00]"))
        #expect(update.contains("    Timeout: 72 [4800]") && update.contains("    Instant: 30 [1e00]"))
        let reject = layers(ofFrame: 13)
        #expect(reject.contains { $0.hasPrefix("    ErrorCode: ") && $0.hasSuffix(" (0x1A) [1a]") })
    }

    @Test func everyFieldOfTSharkIsThere() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(file(Self.packets))
        guard let (compared, frames) = try compareWithTShark(path) else { return }
        #expect(compared > 200 && frames == Self.packets.count)
    }

    /// Of recorded captures, when `ATTLAS_CAPTURES` names a folder of them.
    @Test(
        arguments: try ProcessInfo.processInfo.environment["ATTLAS_CAPTURES"].map { folder in
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains(".pcap") }
                .map { "\(folder)/\($0)" }
        } ?? [])
    func everyFieldOfTSharkIsThere(inRecorded path: String) throws {
        guard let (fields, frames) = try compareWithTShark(path) else { return }
        print("\(path): \(fields) fields in \(frames) frames")
    }

    /// A field of the same octets for every one that tshark has; where it has a group of several, or bits of one, those together.
    /// - Returns: fields and frames that were compared; nil without tshark.
    private func compareWithTShark(_ path: String) throws -> (fields: Int, frames: Int)? {
        guard let tshark = Tool("tshark") else { return nil }
        let screen = try PlayedRecording(path, columns: 120, rows: 40, showsHCI: true)
        var ranges: [Int: [Range<Int>]] = [:]
        for number in 0..<screen.recording.lineCount {
            guard let line = screen.recording.line(number), let moment = screen.recording.moment(of: line) else {
                continue
            }
            let layers = moment.sink.sink.layers
            ranges[line.frame, default: []] +=
                layers?.fields.filter { $0.depth > 0 && $0.source == .record }.compactMap(\.range) ?? []
        }
        let output = String(decoding: try tshark.run(["-r", path, "-T", "pdml"]), as: UTF8.self)
        var (compared, frames) = (0, 0)
        for (index, packet) in output.components(separatedBy: "<packet>").dropFirst().enumerated() {
            guard let start = packet.range(of: "<proto name=\"btle\""),
                let end = packet.range(of: "</proto>", range: start.upperBound..<packet.endIndex)
            else { continue }
            guard let own = ranges[index + 1] else {
                Issue.record("frame \(index + 1) has no line")
                continue
            }
            frames += 1
            let layer = packet[start.lowerBound..<end.lowerBound]
            let place = try #require(layer.firstMatch(of: #/size="(\d+)" pos="(\d+)"/#))
            let (length, base) = (Int(place.1) ?? 0, Int(place.2) ?? 0)
            for field in layer.matches(
                of: #/<field name="([a-z_0-9.]+)"(?: showname="([^"]*)")?[^>]* size="(\d+)" pos="(\d+)"/#)
            {
                guard let size = Int(field.3), let position = Int(field.4), size > 0,
                    // Octets of other packets; and an opcode that is encrypted, where attlas has the key.
                    !field.1.hasPrefix("btle.l2cap.fragment"), field.2?.hasPrefix("Control Opcode: Unknown") != true
                else { continue }
                let wanted = position - base..<position - base + size
                // After the fields of LL_LENGTH_REQ and LL_PHY_REQ, tshark 4.0 takes the first of them for the CRC.
                if field.1 == "btle.crc", wanted.upperBound != length { continue }
                let isThere = own.contains(wanted)
                let inside = own.filter { wanted.lowerBound <= $0.lowerBound && $0.upperBound <= wanted.upperBound }
                let isCovered = Set(inside.flatMap(\.self)).count == size
                let isPart = own.contains {
                    $0.lowerBound <= wanted.lowerBound && wanted.upperBound <= $0.upperBound && $0.count <= 8
                }
                #expect(isThere || isCovered || isPart, "frame \(index + 1): \(field.1) \(wanted)")
                compared += 1
            }
        }
        return (compared, frames)
    }
}
