/// HCI packets after their H4 indicators.
public enum Sample {
    /// Reset.
    public static let command = hex("01 030C00")
    /// Command Complete of it.
    public static let event = hex("04 0E 04 01 030C 00")
    /// Read Request on handle 0x0040.
    public static let acl = hex("02 4000 0700 0300 0400 0A 1900")
    /// The same without its indicator.
    public static let aclPacket = Array(acl.dropFirst())
    public static let vendor = hex("FF 0102")
    /// After LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR's direction.
    public static let sent = hex("00000000") + acl
    public static let received = hex("00000001") + acl
}
