/// The coding of audio: the codec and its configuration. Basic Audio Profile, 4.3.2; Assigned Numbers, 6.12.
public struct AudioCodec: Sendable, Equatable {
    /// Coding format from the Assigned Numbers, 2.11: 6 is LC3, 0xFF a vendor's.
    public let codingFormat: UInt8
    /// Company Identifier of a vendor codec; 0x0000 for the others.
    public let company: UInt16
    /// Vendor-specific codec ID; 0x0000 for the others.
    public let vendorCodec: UInt16
    /// Sampling_Frequency of the codec configuration, as its code; nil without it.
    public internal(set) var samplingFrequency: UInt8?
    /// Frame_Duration, as its code; nil without it.
    public internal(set) var frameDuration: UInt8?
    /// Audio_Channel_Allocation, a bit for each location; nil without it.
    public internal(set) var channelAllocation: UInt32?
    /// Octets_Per_Codec_Frame; nil without it.
    public internal(set) var octetsPerFrame: UInt16?
    /// Codec_Frame_Blocks_Per_SDU; nil without it.
    public internal(set) var framesPerSDU: UInt8?

    /// A codec of a vendor, not of the Assigned Numbers.
    package var isVendorSpecific: Bool { codingFormat == 0xFF }

    /// Codec_ID, 5 octets.
    init(_ bytes: borrowing Bytes, at offset: Int) {
        codingFormat = bytes[offset]
        company = bytes.uint16(at: offset + 1)
        vendorCodec = bytes.uint16(at: offset + 3)
    }

    /// Takes the LTV structures of a Codec_Specific_Configuration. A vendor's codec gives them another meaning.
    mutating func configure(_ data: borrowing Bytes) {
        guard !isVendorSpecific else { return }
        data.forEachAudioParameter { type, value, length in
            switch (type, length) {
            case (0x01, 1): samplingFrequency = data[value]
            case (0x02, 1): frameDuration = data[value]
            case (0x03, 4): channelAllocation = data.uint32(at: value)
            case (0x04, 2): octetsPerFrame = data.uint16(at: value)
            case (0x05, 1): framesPerSDU = data[value]
            default: break
            }
        }
    }

    /// The number of channels: those of the allocation, or one.
    package var channels: Int { max(channelAllocation?.nonzeroBitCount ?? 0, 1) }
    /// Octets of an SDU: its frames of all channels; nil without Octets_Per_Codec_Frame.
    package var octetsPerSDU: Int? { octetsPerFrame.map { Int($0) * channels * Int(framesPerSDU ?? 1) } }

    package var isLC3: Bool { codingFormat == 0x06 }
    /// Microseconds from one SDU to the next; nil without Frame_Duration, or at 11.025 kHz and its multiples, where a frame is longer than
    /// its name.
    package var microsecondsPerSDU: Int? {
        guard frequency?.isMultiple(of: 1_000) == true else { return nil }
        return frameMicroseconds.map { $0 * Int(framesPerSDU ?? 1) }
    }

    /// nil if the number has no name.
    public var name: StaticString? {
        switch codingFormat {
        case 0x00: "µ-law"
        case 0x01: "A-law"
        case 0x02: "CVSD"
        case 0x03: "Transparent"
        case 0x04: "Linear PCM"
        case 0x05: "mSBC"
        case 0x06: "LC3"
        case 0x07: "G.729A"
        case 0xFF: "Vendor-Specific"
        default: nil
        }
    }

    /// Hertz. Assigned Numbers, 6.12.4.1.
    public var frequency: Int? {
        let frequencies = [
            8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000, 384_000,
        ]
        guard let samplingFrequency, 1...frequencies.count ~= Int(samplingFrequency) else { return nil }
        return frequencies[Int(samplingFrequency) - 1]
    }

    /// Microseconds. Assigned Numbers, 6.12.4.2.
    public var frameMicroseconds: Int? {
        switch frameDuration {
        case 0: 7_500
        case 1: 10_000
        default: nil
        }
    }
}
