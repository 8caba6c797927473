import AttlasWire

/// The sample data of Mesh Protocol 1.1, 8.2 to 8.4.
public enum Mesh {
    public static let netKey: UInt128 = 0x7DD7_364C_D842_AD18_C17C_2B82_0C84_C3D6

    /// Network PDUs: Friend Request, Friend Offer, the first segment of Config AppKey Add, Segment Acknowledgment, Health Current Status,
    /// the first segment of a message of a vendor. 8.3.1, 8.3.2, 8.3.6, 8.3.7, 8.3.20 and 8.3.24.
    public static let messages = [
        "68eca487516765b5e5bfdacbaf6cb7fb6bff871f035444ce83a670df", "68d4c826296d7979d7dbc0c9b4d43eebec129d20a620d01e",
        "68cab5c5348a230afba8c63d4e686364979deaf4fd40961145939cda0e",
        "68e476b5579c980d0d730f94d7f3509df987bb417eb7c05f",
        "e85cca51e2e8998c3dc87344a16c787f6b08cc897c941a5368",
        "e8624e65bb8c1794e998b4081f47a35251fdd3896d99e4db489b918599",
    ]

    /// A Secure Network beacon with IV Index 0x12345678. 8.4.3.
    public static let beacon = "01003ecaff672f673370123456788ea261582f364f6f"

    /// An advertisement with one AD structure.
    public static func advertisement(_ type: UInt8, _ octets: String) -> Packet {
        let data = hex(octets)
        return .advertisement([UInt8(data.count + 1), type] + data, type: 3)
    }
}
