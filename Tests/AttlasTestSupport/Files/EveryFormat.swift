import AttlasCapture
import AttlasWire

/// A conversation of commands, events and ACL data, whose packets have their times, laid out by hand.
extension [Packet] {
    /// In every format that can hold it and says who sent each packet.
    public var files: [(name: String, bytes: [UInt8])] {
        var files = [
            ("btsnoop 1001", btsnoop(1001)), ("btsnoop 1002", btsnoop), ("btsnoop 2001", btsnoop(2001)),
            ("hcidump", hcidump), ("btsnooz", BugReportFile.report(snooz, lastTime: last?.microseconds ?? 0)),
        ]
        for log in PacketLoggerRecords.both {
            files.append(
                (
                    "PacketLogger \(log)",
                    flatMap {
                        log.record(
                            $0.packetLoggerType, $0.octets, seconds: $0.seconds, microseconds: $0.rest)
                    }
                ))
        }
        for kind in PCAPKind.all {
            files.append(("pcap 201, \(kind)", pcap(kind, 201) { $0.behindDirection }))
            files.append(("pcap 254, \(kind)", pcap(kind, 254) { [0, 0] + big($0.monitorOpcode) + $0.octets }))
            for usb in USBRecords.all(kind.order) {
                files.append(("pcap \(usb.linkType), \(kind)", pcap(kind, UInt32(usb.linkType)) { usb.record($0) }))
            }
        }
        for blocks in PCAPNGBlocks.both {
            files.append(("pcapng 201, \(blocks)", pcapng(blocks, 201) { $0.behindDirection }))
            files.append(("pcapng 187, \(blocks)", pcapng(blocks, 187) { $0.h4 }))
            for usb in USBRecords.all(blocks.order) {
                files.append(("pcapng \(usb.linkType), \(blocks)", pcapng(blocks, usb.linkType) { usb.record($0) }))
            }
            // if_tsresol: a power of ten.
            files.append(
                (
                    "pcapng 201 nanoseconds, \(blocks)",
                    pcapng(blocks, 201, ticks: 1_000, options: blocks.option(9, [9])) { $0.behindDirection }
                ))
        }
        return files
    }

    /// The link type that has no place for the direction.
    public var withoutDirections: [UInt8] { pcap(PCAPKind(), 187) { $0.h4 } }

    private func pcap(_ kind: PCAPKind, _ linkType: UInt32, _ body: (Packet) -> [UInt8]) -> [UInt8] {
        kind.header(linkType)
            + flatMap {
                kind.record(body($0), seconds: $0.seconds, fraction: $0.rest * (kind.isNanoseconds ? 1_000 : 1))
            }
    }

    private func pcapng(
        _ blocks: PCAPNGBlocks, _ linkType: UInt16, ticks: UInt64 = 1, options: [UInt8] = [],
        _ body: (Packet) -> [UInt8]
    ) -> [UInt8] {
        let end = blocks.option(0, [])
        return blocks.section() + blocks.interface(linkType, options: options.isEmpty ? [] : options + end)
            + flatMap {
                // epb_flags: 1 is inbound, 2 outbound.
                let flags = blocks.option(2, blocks.uint32($0.isReceived ? 1 : 2))
                return blocks.enhanced(body($0), ticks: $0.microseconds * ticks, options: flags + end)
            }
    }

    private var hcidump: [UInt8] {
        flatMap {
            hcidumpRecord($0.h4, received: $0.isReceived ? 1 : 0, seconds: $0.seconds, microseconds: $0.rest)
        }
    }

    private var snooz: [UInt8] {
        zip(self, prefix(1) + self).flatMap { packet, before in
            BugReportFile.record(
                packet.octets, type: packet.snoozType, delta: UInt32(packet.microseconds - before.microseconds))
        }
    }
}

extension Packet {
    /// After its indicator. Vol 4, Part A, 2.
    public var h4: [UInt8] { [type.rawValue] + octets }

    var isReceived: Bool { direction == .rx }

    var type: HCIPacketType {
        guard case .packet(let type) = content else { preconditionFailure("not a packet of HCI") }
        return type
    }

    /// Since 1970.
    public var microseconds: UInt64 {
        guard let time else { preconditionFailure("a packet without its time") }
        return UInt64(time.seconds) * 1_000_000 + UInt64(time.nanoseconds / 1_000)
    }

    fileprivate var seconds: UInt32 { UInt32(microseconds / 1_000_000) }
    fileprivate var rest: UInt32 { UInt32(microseconds % 1_000_000) }

    /// LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR: the direction in 32 bits, big endian.
    fileprivate var behindDirection: [UInt8] { [0, 0, 0, isReceived ? 1 : 0] + h4 }

    /// Linux's opcode, the type of PacketLogger, and the upper octet of Android's message.
    var monitorOpcode: UInt16 { kind(2, 3, sent: 4, received: 5) }
    fileprivate var packetLoggerType: UInt8 { kind(0x00, 0x01, sent: 0x02, received: 0x03) }
    fileprivate var snoozType: UInt8 { kind(0x20, 0x10, sent: 0x21, received: 0x11) }

    private func kind<Number>(_ command: Number, _ event: Number, sent: Number, received: Number) -> Number {
        switch type {
        case .command: command
        case .event: event
        default: isReceived ? received : sent
        }
    }
}
