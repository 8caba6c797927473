/// A write of the ASE Control Point that configures endpoints. Audio Stream Control Service, 5.1 and 5.2.
///
/// ```
///  0        1                2
/// +--------+----------------+----
/// | Opcode | Number_of_ASEs | for each ASE …
/// +--------+----------------+----
///  Config Codec (0x01): ASE_ID, Target_Latency, Target_PHY, Codec_ID (5), Codec_Specific_Configuration_Length,
///    Codec_Specific_Configuration
///  Config QoS (0x02): ASE_ID, CIG_ID, CIS_ID, SDU_Interval (3), Framing, PHY, Max_SDU (2), Retransmission_Number,
///    Max_Transport_Latency (2), Presentation_Delay (3)
/// ```
package enum AudioStreamOperation: Sendable {
    case configureCodec([(endpoint: UInt8, codec: AudioCodec)])
    case configureQoS([(endpoint: UInt8, quality: Quality)])
    case receiverStartReady([UInt8])

    /// Quality of service of an endpoint.
    package struct Quality: Sendable, Equatable {
        /// Microseconds.
        package let sduInterval: UInt32
        package let isFramed: Bool
        package let maxSDU: UInt16
        /// Microseconds.
        package let presentationDelay: UInt32
    }

    /// Response codes for capabilities and parameters that the server does not take. Audio Stream Control Service, 5.
    package static let refusals: ClosedRange<Int64> = 0x06...0x09
    /// Response code for a request that the state of the endpoint does not allow.
    package static let invalidTransition: Int64 = 0x04
    /// Response code for an endpoint that the server does not have.
    package static let invalidEndpoint = 0x03

    /// The parts before a cut; nil for another operation.
    package init?(_ bytes: borrowing Bytes) {
        guard bytes.count >= 2 else { return nil }
        var offset = 2
        switch bytes[0] {
        case 0x01:
            var codecs: [(UInt8, AudioCodec)] = []
            while codecs.count < bytes[1], offset + 9 <= bytes.count {
                var codec = AudioCodec(bytes, at: offset + 3)
                let length = Int(bytes[offset + 8])
                guard offset + 9 + length <= bytes.count else { break }
                codec.configure(bytes.dropFirst(offset + 9).prefix(length))
                codecs.append((bytes[offset], codec))
                offset += 9 + length
            }
            self = .configureCodec(codecs)
        case 0x02:
            var qualities: [(UInt8, Quality)] = []
            while qualities.count < bytes[1], offset + 16 <= bytes.count {
                let quality = Quality(
                    sduInterval: bytes.uint24(at: offset + 3), isFramed: bytes[offset + 6] != 0,
                    maxSDU: bytes.uint16(at: offset + 8), presentationDelay: bytes.uint24(at: offset + 13))
                qualities.append((bytes[offset], quality))
                offset += 16
            }
            self = .configureQoS(qualities)
        case 0x04: self = .receiverStartReady((2..<min(2 + Int(bytes[1]), bytes.count)).map { bytes[$0] })
        default: return nil
        }
    }
}
