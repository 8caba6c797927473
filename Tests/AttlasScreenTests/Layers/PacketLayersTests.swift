import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@testable import AttlasConversation
@testable import AttlasScreen

/// The fields of packets, and which octets they are.
@Suite struct PacketLayersTests {
    /// The layers of the last line of a conversation.
    private func layers(_ packets: [Packet], showsHCI: Bool = false) throws -> [String] {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let screen = try PlayedRecording(
            try folder.write(packets.recorded), columns: 120, rows: 40, showsHCI: showsHCI)
        screen.press(.character("G"))
        return screen.layers
    }

    @Test func everyLayerOfANotificationHasItsOctets() throws {
        // Flags 0x16: 8 bits, contact, RR; 72 bpm; 0x0340 / 1024 s.
        let layers = try layers([
            .connected(), .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 1800 10 1900 372A"),
            .att(.rx, "1B 1900 16 48 4003"),
        ])
        #expect(layers.contains("HCI ACL Data [40200b000700040" + "01b1900164840" + "03]"))
        #expect(layers.contains("  Connection Handle: 0x040 [4020]"))
        #expect(layers.contains("  Data Total Length: 11 [0b00]"))
        #expect(layers.contains("  PDU Length: 7 [0700]"))
        #expect(layers.contains("  Channel ID: 0x0004 [0400]"))
        #expect(layers.contains("Attribute Protocol: Handle Value Notification [1b19001648" + "4003]"))
        #expect(layers.contains("  Opcode: Handle Value Notification (0x1B) [1b]"))
        #expect(layers.contains("  Attribute Handle: 0x0019 [1900]"))
        #expect(layers.contains("    Heart Rate Measurement Value: 72 bpm [48]"))
        #expect(layers.contains("    RR-Interval: 0.8125 s [4003]"))
        #expect(layers.contains { $0.hasPrefix("      Sensor Contact") && $0.hasSuffix("[16]") })
    }

    @Test func listsHaveAnItemForEachAttribute() throws {
        let layers = try layers([
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0500 0018 0600 0D00 0118"),
        ])
        expect(layers.filter { $0.hasPrefix("  Item [") }.count, equals: 2)
        #expect(layers.contains("    Attribute Handle: 0x0006 [0600]"))
        #expect(layers.contains("    End Group Handle: 0x000D [0d00]"))
        #expect(layers.contains { $0.hasPrefix("    Attribute Value") && $0.hasSuffix("[0118]") })
    }

    @Test func everyPDUWithParametersHasTheirFields() throws {
        for code in UInt8.min...UInt8.max {
            guard let definition = ATTOpcode(rawValue: code).definition,
                definition.length != .exactly(1)
            else { continue }
            let pdu = [code] + [UInt8](repeating: 0x07, count: 20)
            let layers = try layers([.connected(), .frame(.rx, channel: 4, pdu)])
            let start = try #require(layers.firstIndex { $0.hasPrefix("Attribute Protocol") })
            // The opcode is the first.
            let fields = layers[start...].filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            #expect(fields.count > 1, "\(definition.name)")
        }
    }

    @Test func whatIsCutShortHasTheOctetsThatAreThere() throws {
        for pdu in [
            "", "01", "0B", "09 07 18", "11 00", "21 0500 01", "23 1900 FFFF 01", "D2 0100 02", "05 02 0100 33",
        ] {
            _ = try layers([.connected(), .att(.tx, "0A 0300"), .att(.rx, pdu)])
            _ = try layers([.connected(), .att(.tx, "0A 0300"), .att(.rx, pdu)], showsHCI: true)
        }
    }

    @Test func keysAreWithheld() throws {
        // Pairing Random and Encryption Information.
        for pdu in ["04 000102030405060708090A0B0C0D0E0F", "06 000102030405060708090A0B0C0D0E0F"] {
            let layers = try layers([.connected(), .frame(.rx, channel: 6, hex(pdu))])
            #expect(layers.contains("  Octets: withheld: they hold a key (--show-keys)"))
            #expect(!layers.joined().lowercased().contains("0a0b0c"))
            #expect(!layers.joined().lowercased().contains("0a 0b 0c"))
        }
    }

    @Test func signallingHasItsParameters() throws {
        // Command Reject: invalid CID 0x0041 and 0x0042. Configuration Request: MTU 512, and an option that is cut.
        for (signal, expected) in [
            (
                "01 05 0600 0200 4100 4200",
                ["Reason: Invalid CID in request [0200]", "Local CID: 0x0041 [4100]", "Remote CID: 0x0042 [4200]"]
            ),
            (
                "04 06 0B00 4000 0000 01 02 0002 04 09 03",
                ["Destination CID: 0x0040 [4000]", "Flags: 0x0000 [0000]", "Option: MTU [01020002]"]
            ),
            ("0B 07 0800 0200 0000 B8020000", ["Info Type: 0x0002 [0200]", "Info: b8 02 00 00 [b8020000]"]),
            ("17 08 0C00 2700 4000 4000 0100 4000 4100", ["MTU: 64 [4000]", "Source CID: 0x0041 [4100]"]),
        ] {
            let layers = try layers([.connected(), .frame(.rx, channel: 5, hex(signal))])
            for field in expected { #expect(layers.contains("  " + field), "\(layers)") }
        }
    }

    @Test func bitsAreInTheirOctets() throws {
        // LE Read Local Supported Features: Extended Advertising is bit 12.
        let layers = try layers([.event("0E 0C 01 0320 00 0010000000000000")], showsHCI: true)
        #expect(layers.contains { $0.contains("Extended Advertising: set [10]") }, "\(layers)")
    }
}

/// An independent reader.
@Suite struct TsharkLayersLongTests {
    /// Where tshark finds the fields of HCI, of L2CAP and of what it carries, attlas has a field of the same octets. Of the frames with the
    /// same fields, the first is compared.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tshark")),
        arguments: Repository.captureNames.filter { $0.hasSuffix(".btsnoop") })
    func everyFieldOfTsharkIsThere(name: String) throws {
        let tshark = try #require(Tool("tshark"))
        let path = Repository.capture(name)
        // The octets of datalink 1002 begin with the H4 indicator, those of 2001 without.
        let indicator = try Data(contentsOf: URL(filePath: path))[14] == 0x03 ? 1 : 0
        let wanted = TsharkFields(try tshark.run(["-r", path, "-T", "pdml"]), skipping: indicator).distinct
        let screen = try PlayedRecording(path, columns: 120, rows: 40, showsHCI: true)
        // A frame may have several lines: what is below L2CAP, and what it says.
        var found: [Int: [PacketLayers.Field]] = [:]
        for number in 0..<screen.recording.lineCount {
            let frame = try #require(screen.recording.line(number)).frame
            guard wanted[frame] != nil else { continue }
            screen.view.select(number, screen.recording)
            _ = screen.grid
            let layers = try #require(screen.view.moment?.layers)
            // Of a PDU in several records tshark counts in the whole of it.
            found[frame, default: []] += layers.fields.filter { $0.source == .record }
        }
        var compared = 0
        for (frame, fields) in wanted {
            let there = found[frame] ?? []
            for field in fields where !field.isOwnToTshark && there.contains(where: { field.layer == $0.name }) {
                // tshark has the times of a repeated field in one, and a name with its padding.
                let isThere = there.contains { first in
                    first.range == field.range
                        || first.range?.lowerBound == field.range.lowerBound
                            && there.contains {
                                ($0.name == first.name && $0.depth == first.depth || $0.name == "Padding")
                                    && $0.range?.upperBound == field.range.upperBound
                            }
                }
                // tshark knows one table: not that both sides have one, and not that a handle is another device's later.
                if !isThere, ["both-roles.btsnoop", "handle-reused.btsnoop"].contains(name),
                    field.name.hasPrefix("btatt.heart_rate_")
                {
                    continue
                }
                #expect(isThere, "\(name), frame \(frame): \(field.name) at \(field.range)")
                compared += 1
            }
        }
        #expect(compared > 100)
    }
}

/// The fields of a capture as tshark's PDML has them.
private struct TsharkFields {
    struct Field: Hashable {
        let name: String
        /// Bits without a meaning, and bits of 8 octets that tshark has in two halves.
        var isOwnToTshark: Bool {
            name.hasSuffix("features.reserved") || name.hasPrefix("btl2cap.info_fixedchans_")

        }
        /// The layer that it belongs to.
        var layer: String? {
            switch name.prefix(while: { $0 != "." }) {
            case "bthci_cmd": "HCI Command"
            case "bthci_evt": "HCI Event"
            case "bthci_acl": "HCI ACL Data"
            case "btl2cap": "L2CAP"
            case "btatt": "Attribute Protocol"
            case "btsmp": "Security Manager Protocol"
            default: nil
            }
        }
        /// After the H4 indicator.
        let range: Range<Int>
    }

    private var byFrame: [Int: [Field]] = [:]

    /// The first frame of those with the same fields.
    var distinct: [Int: [Field]] {
        var seen: Set<[Field]> = []
        return byFrame.sorted { $0.key < $1.key }.reduce(into: [:]) { all, next in
            if seen.insert(next.value).inserted { all[next.key] = next.value }
        }
    }

    init(_ pdml: [UInt8], skipping skipped: Int) {
        var frame = 0
        for line in String(decoding: pdml, as: UTF8.self).split(separator: "\n") {
            guard let name = Self.attribute("name", line) else { continue }
            if name == "frame.number", let number = Self.attribute("show", line).flatMap({ Int($0) }) { frame = number }
            let isOfLayer = ["bthci_acl.", "bthci_cmd.", "bthci_evt.", "btl2cap.", "btatt.", "btsmp."].contains {
                name.hasPrefix($0)
            }
            guard isOfLayer, line.contains("<field "), !line.contains("hide=\"yes\""),
                let size = Self.attribute("size", line).flatMap({ Int($0) }), size > 0,
                let place = Self.attribute("pos", line).flatMap({ Int($0) }), place > 0,
                // Made up from other frames.
                !line.contains("showname=\"[")
            else { continue }
            byFrame[frame, default: []].append(Field(name: name, range: place - skipped..<place - skipped + size))
        }
    }

    private static func attribute(_ name: String, _ line: Substring) -> String? {
        guard let start = line.range(of: " \(name)=\"") else { return nil }
        return line[start.upperBound...].split(separator: "\"", maxSplits: 1, omittingEmptySubsequences: false).first
            .map { String($0) }
    }
}
