import AttlasDefinitions
import AttlasDissection
import AttlasInput

extension FuzzTarget {
    /// Inputs made from a file; none if the target cannot use it.
    package func seeds(from contents: [UInt8], name: String) -> [[UInt8]] {
        switch self {
        case .captures: [contents]
        case .texts: pieces(of: records(contents, name), 64).flatMap(\.texts)
        case .imports: [Array(contents.prefix(64 << 10))]
        case .definitions: [contents]
        case .filter: contents.split(separator: UInt8(ascii: "\n")).map(Array.init)
        case .code: (0..<64).map { [$0] + contents.prefix(16) }
        case .pipeline, .notes:
            pieces(of: records(contents, name), 64).enumerated().map { [UInt8($0 & 7 | 8)] + $1.encoded }
        case .screen:
            pieces(of: records(contents, name), 64).enumerated().map { number, piece in
                // Records, panes, rows, a jump to a time, a narrow size, a search, the help, a filter, and a click.
                let script: [UInt8] =
                    [0xFF, 0x08, 0x01, 0x0A] + "jk".utf8 + [0x80, 0x00, 0xD8, 0x5D, 0x54, 0x81, 0x0F]
                    + "?n\u{8}fconnection == 1\u{A}".utf8 + [0xC0, 0x40, 0x40, 0xFF, 0xEF, 0xFF, 0xFF]
                let rest = [UInt8](repeating: 0xF1, count: headLength - 1 - script.count)
                return [UInt8(number & 31)] + script + rest + piece.encoded
            }
        case .advertising:
            records(contents, name).entries.filter { $0.kind == .event && $0.octets.count > 14 && $0.octets[0] == 0x3E }
                .prefix(64).map { Array($0.octets.dropFirst(13)) }
        case .pairing:
            [
                records(contents, name).entries.filter { $0.kind == .acl && $0.octets.count > 8 && $0.octets[6] == 6 }
                    .flatMap {
                        [UInt8(min(127, $0.octets.count - 8)) | ($0.direction == .rx ? 0x80 : 0)]
                            + $0.octets.dropFirst(8)
                    }
            ].filter { !$0.isEmpty }
        case .dissection: examples
        }
    }

    private func records(_ contents: [UInt8], _ name: String) -> RecordList {
        guard let reader = try? CaptureReader(bytes: contents, name: name), let list = try? RecordList(reader) else {
            return RecordList()
        }
        return list
    }

    private func pieces(of list: RecordList, _ length: Int) -> [RecordList] {
        stride(from: 0, to: list.entries.count, by: length).prefix(32).map { start in
            RecordList(Array(list.entries[start..<min(list.entries.count, start + length)]))
        }
    }

    /// A value of each definition: 24 octets that count up.
    private var examples: [[UInt8]] {
        Fuzzer.keys.indices.map { index in
            [UInt8(index & 0xFF), UInt8(index >> 8), 0] + (0..<24).map { UInt8($0 * 7 & 0xFF) }
        }
    }
}
