import AttlasWire

/// A text in UTF-16, as programs of Windows write it: the same text in UTF-8 is inside. Characters beyond ASCII, which no log
/// of packets needs, become question marks.
final class UTF16Text: CaptureContainer {
    let name: String
    let isCompressionOnly = true
    private var source: UTF16Source?

    /// - Parameter input: Begins with the byte order mark.
    init(_ input: consuming InputBuffer, isBigEndian: Bool) {
        name = input.name
        input.consume(2)
        source = UTF16Source(input, isBigEndian)
    }

    /// Whether the text is big-endian; nil if the octets begin with no byte order mark.
    static func isBigEndian(_ bytes: borrowing Bytes) -> Bool? {
        if bytes.starts(with: [0xFE, 0xFF]) { return true }
        return bytes.starts(with: [0xFF, 0xFE]) ? false : nil
    }

    func next() throws(CaptureError) -> ContainerItem? {
        guard let source = source.take() else { return nil }
        return .input(InputBuffer(ByteSource(name: "\(name)!/text") { source.read(into: &$0) }))
    }

    func refusal(_ held: HeldNames) -> CaptureError {
        CaptureError(.unknownFormat, file: name, "it contains no capture")
    }
}

private final class UTF16Source {
    private var input: InputBuffer
    private let isBigEndian: Bool

    init(_ input: consuming InputBuffer, _ isBigEndian: Bool) {
        self.input = input
        self.isBigEndian = isBigEndian
    }

    func read(into buffer: inout OutputSpan<UInt8>) -> ByteSource.Outcome {
        do throws(CaptureError) {
            guard buffer.freeCapacity > 0, try input.fill(2) else { return .octets }
            while buffer.freeCapacity > 0, input.available >= 2 {
                let (low, high) = isBigEndian ? (input.bytes[1], input.bytes[0]) : (input.bytes[0], input.bytes[1])
                buffer.append(high == 0 && low < 0x80 ? low : UInt8(ascii: "?"))
                input.consume(2)
            }
            return .octets
        } catch {
            return ByteSource.Outcome(error)
        }
    }
}
