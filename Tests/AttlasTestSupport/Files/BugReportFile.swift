import Foundation

/// The Bluetooth log in a bug report of Android.
public enum BugReportFile {
    /// Type, packet, and how long it was before Android cut it.
    public static let packets: [(type: UInt8, packet: [UInt8], original: Int)] = [
        (0x20, hex("030C00"), 3), (0x10, hex("0E0401030C00"), 6), (0x21, Sample.aclPacket, 11),
        (0x11, hex("40201B00170004001B1900616161"), 31),
    ]

    /// Made by Python's zlib and base64 from `packets`, with deltas of 1, 2, 3 and 4 ms up to 2026-01-01 and 10 ms.
    private static let python: [UInt8: String] = [
        1: "ARBnIEZIRwYAeJxjYXjBzMCgwMzDwM5wgZ2BQYCPhRHI4WHYwc3AoOgAFGVm"
            + "YGHgkmTgZ1jAz8Ag6KAgzSAOFJGWZEhMTAQAv18GTA==",
        2: "AhBnIEZIRwYAeJxjYWBheMHMwKDAzMPADoQX2BkYBPhYGIFcENzBzcCg6AAU"
            + "Zwaq45Jk4GdQYFjAz8Ag6KAgzSAOFJOWZEhMTAQA1I0Ggw==",
    ]

    /// A bug report whose log is that of Python.
    public static func report(version: UInt8) -> [UInt8] { report(base64: python[version] ?? "") }

    /// A bug report of Android with a log inside.
    public static func report(base64: String) -> [UInt8] {
        let lines = stride(from: 0, to: base64.utf8.count, by: 40).map { String(base64.dropFirst($0).prefix(40)) }
        let text = """
            ========================================================
            == dumpstate: 2026-01-01 00:00:00
            ========================================================

            Build: AP1A.240305.019
            Build fingerprint: 'google/oriole/raven:14/AP1A.240305.019/11445699:user/release-keys'
            - -- --- --- BEGIN:
            --- BEGIN:BTSNOOP_LOG_SUMMARY (90 bytes in) ---
            \(lines.joined(separator: "\n"))
            --- END:BTSNOOP_LOG_SUMMARY (120 bytes out) ---
            more
            """
        return Array(text.utf8)
    }

    /// A record as version 2 lays it out.
    public static func record(
        _ packet: [UInt8], type: UInt8 = 0x11, length: UInt16? = nil, original: UInt16? = nil, delta: UInt32 = 1000
    ) -> [UInt8] {
        let count = UInt16(packet.count + 1)
        return little(length ?? count) + little(original ?? length ?? count) + little(delta, 4) + [type] + packet
    }

    /// A report whose log is not compressed: one stored block of deflate.
    public static func report(_ records: [UInt8], version: UInt8 = 2, lastTime: UInt64 = 1_767_225_600_000_000)
        -> [UInt8]
    {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for octet in records {
            a = (a + UInt32(octet)) % 65_521
            b = (b + a) % 65_521
        }
        let length = UInt16(records.count)
        let stream = hex("7801 01") + little(length) + little(~length) + records + big(b << 16 | a, 4)
        return report(base64: Data([version] + little(lastTime, 8) + stream).base64EncodedString())
    }
}
