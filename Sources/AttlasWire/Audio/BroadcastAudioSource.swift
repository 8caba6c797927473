/// BASE: the service data of the Basic Audio Announcement (0x1851) in periodic advertising. Basic Audio Profile, 3.7.2.2.
///
/// ```
///  0                        3
/// +------------------------+---------------+-----------
/// | Presentation_Delay (3) | Num_Subgroups | subgroups …
/// +------------------------+---------------+-----------
/// a subgroup: Num_BIS, Codec_ID (5), a length and Codec_Specific_Configuration, a length and Metadata, streams
/// a stream: BIS_Index, a length and Codec_Specific_Configuration
/// ```
public struct BroadcastAudioSource: ~Escapable, Copyable {
    private let bytes: Bytes

    /// nil without the head.
    @_lifetime(copy bytes)
    public init?(_ bytes: Bytes) {
        guard bytes.count >= 4 else { return nil }
        self.bytes = bytes
    }

    /// The codec of a stream, with the configurations of its subgroup and of itself; nil if the BASE, as far as it is whole, does not have
    /// it.
    public func codec(ofStream wanted: UInt8) -> AudioCodec? {
        var found: AudioCodec?
        forEachStream { index, codec in
            if index == wanted { found = codec }
            return index != wanted
        }
        return found
    }

    /// - Parameter body: takes BIS_Index and the codec of each stream, as far as the BASE is whole, until it returns false.
    package func forEachStream(_ body: (UInt8, AudioCodec) -> Bool) {
        var offset = 4
        /// The range of the octets after its length.
        func part() -> Range<Int>? {
            guard offset < bytes.count, offset + 1 + Int(bytes[offset]) <= bytes.count else { return nil }
            let range = offset + 1..<offset + 1 + Int(bytes[offset])
            offset = range.upperBound
            return range
        }
        for _ in 0..<bytes[3] {
            guard offset + 6 <= bytes.count else { return }
            let streams = bytes[offset]
            var subgroup = AudioCodec(bytes, at: offset + 1)
            offset += 6
            guard let configuration = part(), part() != nil else { return }
            subgroup.configure(bytes.slice(configuration))
            for _ in 0..<streams {
                guard offset < bytes.count else { return }
                let index = bytes[offset]
                offset += 1
                guard let own = part() else { return }
                var codec = subgroup
                codec.configure(bytes.slice(own))
                guard body(index, codec) else { return }
            }
        }
    }
}
