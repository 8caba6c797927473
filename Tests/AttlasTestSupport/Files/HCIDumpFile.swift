/// A record of hcidump -w.
public func hcidumpRecord(
    _ packet: [UInt8], received: UInt8 = 0, padding: UInt8 = 0, length: UInt16? = nil,
    seconds: UInt32 = 1_767_225_600, microseconds: UInt32 = 7
) -> [UInt8] {
    little(length ?? UInt16(packet.count)) + [received, padding] + little(seconds, 4) + little(microseconds, 4) + packet
}
