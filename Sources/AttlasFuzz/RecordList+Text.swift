import AttlasWire

extension RecordList {
    /// The packets of HCI as programs print them, one text for each way.
    var texts: [[UInt8]] {
        let ways: [(Entry, UInt8) -> String] = [
            { "\($0.direction == .rx ? ">" : "<") \(Self.hexadecimal([$1] + $0.octets))\n" },
            { entry, type in
                let name = ["", "CMD", "ACL", "SCO", "EVT", "ISO"][Int(type)]
                return
                    "[00:00:01.500] \(name) \(entry.direction == .rx ? "<=" : "=>") \(Self.hexadecimal(entry.octets))\n"
            },
            { "HCI ACLDATA \($0.direction == .rx ? "RX <-" : "TX ->") \(Self.hexadecimal([$1] + $0.octets, "")) \n" },
            { entry, type in
                let octets = "0x" + Self.hexadecimal(entry.octets, " 0x")
                return type == 1
                    ? "ble_hs_hci_cmd_send: ogf=0x08 ocf=0x0001 len=1\n\(octets)\n" : "ble_hs_hci_acl_tx(): \(octets)\n"
            },
            { entry, type in
                "c3 \(["", "C", "H", "H", "E", "D"][Int(type)]):\(Self.hexadecimal(entry.octets))\n"
            },
            { entry, type in
                let line = entry.direction == .rx ? "Notification received from" : "Data written to"
                let value = Self.hexadecimal(entry.octets.suffix(20), "-")
                return "I\t10:00:00.000\t\(line) 00002a3\(type)-0000-1000-8000-00805f9b34fb, value: (0x) \(value)\n"
            },
            { entry, type in
                let start = "[RxBLEKit|DEBG|10:00:00.000]: Peripheral(uuid: 1, name: nil) "
                let value = Self.hexadecimal(entry.octets.suffix(20), "")
                let attribute = "Characteristic(uuid: FFF\(type), id: 1)"
                return entry.direction == .rx
                    ? "\(start)didUpdateValueFor(for:\(attribute),\nvalue: Optional(\"\(value)\"),\nerror: nil)\n"
                    : "\(start)writeValue(\ndata: \(value),\nfor: \(attribute),\ntype: withResponse)\n"
            },
            { Self.dump([$1] + $0.octets) }, { entry, _ in Self.hexadecimal(entry.octets) + "\n" },
        ]
        return ways.map { way in
            entries.compactMap { entry in entry.indicator.map { Array(way(entry, $0).utf8) } }.flatMap(\.self)
        }
    }

    private static func hexadecimal(_ octets: some Collection<UInt8>, _ separator: String = " ") -> String {
        octets.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined(separator: separator)
    }

    private static func dump(_ octets: [UInt8]) -> String {
        stride(from: 0, to: octets.count, by: 16).map { start in
            let offset = String(start, radix: 16)
            let line = octets[start..<min(octets.count, start + 16)]
            return String(repeating: "0", count: max(0, 4 - offset.count)) + "\(offset)  \(hexadecimal(line))   ....\n"
        }.joined() + "\n"
    }
}

extension RecordList.Entry {
    fileprivate var indicator: UInt8? {
        switch kind {
        case .command: 1
        case .acl: 2
        case .synchronous: 3
        case .event: 4
        case .isochronous: 5
        case .monitor, .packetLogger, .unknownPacket: nil
        }
    }
}
