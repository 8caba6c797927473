extension CaptureReader {
    /// The formats that can be read. Those that have no signature stand behind those that have one.
    package static let formats: [any FormatReader.Type] = [
        BTSnoop.self,
        PCAP.self,
        PCAPNG.self,
        HCIDump.self,
        PacketLogger.self,
    ]
}
