import AttlasWire

/// Files that are not captures for attlas, but are handed to it: named, with advice.
struct ForeignFormat: Sendable {
    /// Octets from the beginning that are looked at.
    static let signatureLength = 512

    let name: String
    let advice: String?
    private let recognizes: @Sendable (borrowing Bytes) -> Bool

    static func recognize(_ bytes: borrowing Bytes) -> ForeignFormat? {
        for format in all where format.recognizes(bytes) { return format }
        return nil
    }

    private static let otherLogs = "Record a btsnoop, pcap or pcapng log instead."
    private static let pictures = "attlas needs the log itself, as a file or as text: attlas help getting-a-log."

    /// Those with a signature come before the one that is guessed from the shape of its first records.
    private static let all: [ForeignFormat] = [
        ForeignFormat("an Ellisys trace (.btt)", "Export it from the Ellisys software as btsnoop or pcap.") {
            $0.starts(with: "Ellisys Trace File")
        },
        ForeignFormat("a 7-Zip archive", "Unpack it first; gz, xz, zst, bz2, lz4, zip and tar are supported.") {
            $0.starts(with: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C])
        },
        ForeignFormat(
            "an Android bug report without a Bluetooth log in its text",
            "Use the whole .zip: it contains btsnoop_hci.log if the Bluetooth HCI snoop log was enabled."
        ) { $0.mentions("dumpstate") },
        ForeignFormat("a pcap file as modified by A. Kuznetzov", "Convert it: editcap -F pcap IN OUT.") {
            $0.starts(with: [0xA1, 0xB2, 0xCD, 0x34]) || $0.starts(with: [0x34, 0xCD, 0xB2, 0xA1])
        },
        // Its octets of packets look like a hex dump.
        ForeignFormat("a report of attlas", "Open it in a browser.") {
            $0.starts(with: "<!DOCTYPE html>\n<html lang=\"en\" class=\"attlas\">")
        },
        ForeignFormat("a Solaris snoop file", nil) { $0.starts(with: "snoop\0\0\0") },
        ForeignFormat("an ELF program", nil) { $0.starts(with: "\u{7F}ELF") },
        ForeignFormat("a picture (PNG)", pictures) { $0.starts(with: [0x89, 0x50, 0x4E, 0x47]) },
        ForeignFormat("a picture (JPEG)", pictures) { $0.starts(with: [0xFF, 0xD8, 0xFF]) },
        ForeignFormat("a picture (GIF)", pictures) { $0.starts(with: "GIF8") },
        ForeignFormat("a picture or film (HEIF, MP4)", pictures) { $0.contains("ftyp", at: 4) },
        ForeignFormat("a picture (WebP)", pictures) { $0.starts(with: "RIFF") && $0.contains("WEBP", at: 8) },
        ForeignFormat("a PDF document", pictures) { $0.starts(with: "%PDF-") },
        ForeignFormat(
            "a Windows event trace (.etl)",
            "Convert it with Microsoft's btetlparse: btetlparse.exe -pcapng OUT.pcapng IN.etl."
        ) { isEventTrace($0) },
        ForeignFormat(
            "the serial output of an nRF Sniffer",
            "Record with Wireshark's nRF Sniffer or nrfutil ble-sniffer, which write pcap files."
        ) { isNordicSerial($0) },
        ForeignFormat("a TI SmartRF packet sniffer file (.psd)", otherLogs) { isSmartRF($0) },
    ]

    private init(
        _ name: String, _ advice: String?, _ recognizes: @escaping @Sendable (borrowing Bytes) -> Bool
    ) {
        self.name = name
        self.advice = advice
        self.recognizes = recognizes
    }

    /// The header of a buffer, 72 octets with its size first, then that of a trace of a system of 32 or 64 bits.
    private static func isEventTrace(_ bytes: borrowing Bytes) -> Bool {
        guard bytes.count >= 76 else { return false }
        let size = bytes.uint32(at: 0)
        return size >= 1024 && size.isMultiple(of: 1024) && bytes.uint32(at: 4) <= size && bytes.uint16(at: 72) == 2
            && (1...2).contains(bytes[74]) && bytes[75] == 0xC0
    }

    /// SLIP frames from 0xAB to 0xBC, whose fourth octet is the version of the protocol.
    private static func isNordicSerial(_ bytes: borrowing Bytes) -> Bool {
        guard bytes.count >= 7, bytes[0] == 0xAB, bytes[3] <= 3 else { return false }
        for index in 7..<max(7, bytes.count - 1) where bytes[index] == 0xBC && bytes[index + 1] == 0xAB { return true }
        return false
    }

    /// Records of 271 octets: flags 8, number 32 from 1, ticks 64, length 16, payload that begins with its own length.
    private static func isSmartRF(_ bytes: borrowing Bytes) -> Bool {
        guard bytes.count >= 271 + 5 else { return false }
        return bytes.uint32(at: 1) == 1 && bytes.uint16(at: 13) == UInt16(bytes[15]) + 1
            && bytes.uint32(at: 271 + 1) == 2
    }
}

extension Bytes {
    /// Whether `text` is anywhere in the octets.
    fileprivate func mentions(_ text: StaticString) -> Bool {
        for offset in 0..<max(0, count - text.utf8CodeUnitCount + 1) where contains(text, at: offset) { return true }
        return false
    }
}
