/// The codecs of a Sink PAC or a Source PAC. Published Audio Capabilities Service, 3.1; Basic Audio Profile, 4.3.1.
///
/// ```
///  Number_of_PAC_records, and in each: Codec_ID (5), Codec_Specific_Capabilities_Length, Codec_Specific_Capabilities,
///    Metadata_Length, Metadata
/// ```
package struct AudioCapabilities: Sendable, Equatable {
    /// The capabilities of one codec.
    package struct Record: Sendable, Equatable {
        package let codingFormat: UInt8
        /// Supported_Sampling_Frequencies: bit 0 is the first code of `AudioCodec.samplingFrequency`.
        package private(set) var samplingFrequencies: UInt16?
        /// Supported_Frame_Durations: bits 0 and 1 are the codes 0 and 1.
        package private(set) var frameDurations: UInt8?
        /// Supported_Audio_Channel_Counts: bit 0 is one channel, which a record without it supports.
        package private(set) var channelCounts: UInt8 = 1
        /// Supported_Octets_Per_Codec_Frame.
        package private(set) var octetsPerFrame: ClosedRange<UInt16>?
        /// Supported_Max_Codec_Frames_Per_SDU; 1 without it.
        package private(set) var maxFramesPerSDU: UInt8 = 1

        init(codingFormat: UInt8, _ data: borrowing Bytes) {
            self.codingFormat = codingFormat
            guard codingFormat != 0xFF else { return }
            data.forEachAudioParameter { type, value, length in
                switch (type, length) {
                case (0x01, 2): samplingFrequencies = data.uint16(at: value)
                case (0x02, 1): frameDurations = data[value]
                case (0x03, 1): channelCounts = data[value]
                case (0x04, 4):
                    let (least, most) = (data.uint16(at: value), data.uint16(at: value + 2))
                    octetsPerFrame = least...max(least, most)
                case (0x05, 1): maxFramesPerSDU = data[value]
                default: break
                }
            }
        }

        /// The first parameter of a configuration of this codec that the record does not have; nil if it has all.
        package func lack(for codec: AudioCodec) -> Lack? {
            if let known = samplingFrequencies, let code = codec.samplingFrequency, 1...16 ~= code,
                known & 1 << (code - 1) == 0
            {
                return .samplingFrequency
            }
            if let known = frameDurations, let code = codec.frameDuration, code < 2, known & 1 << code == 0 {
                return .frameDuration
            }
            if let octetsPerFrame, let octets = codec.octetsPerFrame, !octetsPerFrame.contains(octets) {
                return .octetsPerFrame
            }
            if 1...8 ~= codec.channels, channelCounts & 1 << (codec.channels - 1) == 0 { return .channels }
            return codec.framesPerSDU ?? 1 > maxFramesPerSDU ? .framesPerSDU : nil
        }
    }

    /// A parameter of a configuration that no record supports.
    package enum Lack: Sendable, Equatable {
        case samplingFrequency, frameDuration, octetsPerFrame, channels, framesPerSDU
    }

    /// The records, at most 255.
    package private(set) var records: [Record] = []

    /// nil if the value ends within a record.
    package init?(_ bytes: borrowing Bytes) {
        guard bytes.count > 0 else { return nil }
        var offset = 1
        for _ in 0..<bytes[0] {
            let capabilities = offset + 6
            guard capabilities <= bytes.count else { return nil }
            let metadata = capabilities + Int(bytes[offset + 5])
            guard metadata < bytes.count else { return nil }
            let data = bytes.dropFirst(capabilities).prefix(metadata - capabilities)
            records.append(Record(codingFormat: bytes[offset], data))
            offset = metadata + 1 + Int(bytes[metadata])
            guard offset <= bytes.count else { return nil }
        }
    }
}

extension Bytes {
    /// Length-Type-Value structures: the type, and where and how long the value is.
    @inline(__always)
    func forEachAudioParameter(_ body: (_ type: UInt8, _ value: Int, _ length: Int) -> Void) {
        var offset = 0
        while offset < count, self[offset] > 0, offset + 1 + Int(self[offset]) <= count {
            body(self[offset + 1], offset + 2, Int(self[offset]) - 1)
            offset += 1 + Int(self[offset])
        }
    }
}
