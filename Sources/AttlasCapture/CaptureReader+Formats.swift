extension CaptureReader {
    /// The supported formats. Those without a signature come after those with one.
    package static let formats: [any FormatReader.Type] = [
        BTSnoop.self,
        PCAP.self,
        PCAPNG.self,
        HCIDump.self,
        PacketLogger.self,
    ]
}
