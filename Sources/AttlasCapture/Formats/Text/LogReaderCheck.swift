import AttlasWire

/// Runs the examples of a reader.
package struct LogReaderCheck {
    package private(set) var mistakes: [LogReaderMistake] = []

    /// - Parameters:
    ///   - readers: It and the others, as they are tried.
    ///   - file: For mistakes.
    package init(_ reader: LogReader, among readers: LogReaders, file: String) {
        for example in reader.examples {
            let given = Self.packets(of: example.text, readers)
            guard given != example.gives else { continue }
            let place = zip(given, example.gives).prefix { $0 == $1 }.count
            func item(_ items: [String]) -> String { place < items.count ? items[place] : "nothing" }
            mistakes.append(
                LogReaderMistake(
                    file: file, line: example.line,
                    message: "packet \(place + 1) is \(item(given)), but the example gives \(item(example.gives))"))
        }
    }

    /// The packets of a log: `>0a0300` a PDU that is sent, `<0b64` one that is received, `!3e13…` an event, `?` an unreadable one.
    package static func packets(of text: String, _ readers: LogReaders) -> [String] {
        var found: [String] = []
        do throws(CaptureError) {
            var rest = Array(text.utf8)[...]
            let source = ByteSource(name: "example") { buffer in
                while buffer.freeCapacity > 0, let octet = rest.popFirst() { buffer.append(octet) }
                return .octets
            }
            let log = AppLog(name: "example", readers)
            var reader = CaptureReader(source, from: CapturePosition(format: log, offset: 0))
            while let record = try reader.next() {
                let octets = record.bytes.copy()
                let missing = record.missing > 0 ? " (\(record.missing) missing)" : ""
                switch record.content {
                case .packet(.acl):
                    found.append((record.direction == .tx ? ">" : "<") + octets.dropFirst(8).hexadecimal + missing)
                case .packet: found.append("!" + octets[...].hexadecimal)
                default: found.append("?")
                }
            }
        } catch {
            found.append(error.reason)
        }
        return found
    }
}

extension ArraySlice<UInt8> {
    fileprivate var hexadecimal: String {
        let digits = Array("0123456789abcdef")
        return String(flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
