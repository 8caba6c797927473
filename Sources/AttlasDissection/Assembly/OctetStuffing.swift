extension AssemblyDefinition.OctetStuffing {
    /// The octets of the frames, one after another. Sequences that break the rules of the code stay as they are.
    package func decode(_ frames: [UInt8]) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(frames.count)
        for frame in frames.split(separator: end) {
            switch self {
            case .slip: Self.appendSLIP(frame, to: &octets)
            case .cobs: Self.appendCOBS(frame, to: &octets)
            }
        }
        return octets
    }

    /// RFC 1055: DB DC is C0, DB DD is DB.
    private static func appendSLIP(_ frame: ArraySlice<UInt8>, to octets: inout [UInt8]) {
        var isEscaped = false
        for octet in frame {
            if isEscaped {
                isEscaped = false
                octets.append(octet == 0xDC ? 0xC0 : octet == 0xDD ? 0xDB : octet)
            } else if octet == 0xDB {
                isEscaped = true
            } else {
                octets.append(octet)
            }
        }
    }

    /// Each block begins with its length; all but the longest and the last have a zero after them.
    private static func appendCOBS(_ frame: ArraySlice<UInt8>, to octets: inout [UInt8]) {
        var rest = frame
        while let length = rest.popFirst() {
            octets += rest.prefix(Int(length) - 1)
            rest = rest.dropFirst(Int(length) - 1)
            if length < 0xFF, !rest.isEmpty { octets.append(0) }
        }
    }
}
