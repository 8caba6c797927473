import AttlasInput
import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasCapture

/// Captures/malformed: one file, one fault.
@Suite struct MalformedFilesTests {
    struct Outcome: Sendable {
        /// Records that could be read.
        var good = 0
        var faults: [String] = []
        var error: String?
        /// What follows the path in an archive or a bug report.
        var inner = ""
    }

    static let folder = Repository.captures.appending(path: "malformed")

    static let hint = ". The file was still being written, or was copied incompletely."

    static let damaged = ". The file is damaged, or was copied incompletely."

    static let readable = "Datalinks 1001 (HCI H1), 1002 (HCI H4) and 2001 (Linux monitor) are supported."

    static let expected = uncompressed.merging(newer) { one, _ in one }

    static let newer: [String: Outcome] = [
        "btsnoop-datalink-1003.btsnoop": Outcome(
            error: "btsnoop with datalink 1003 (HCI BSCP): not supported, "
                + "because the file does not state if the packets are still in serial line frames. " + readable),
        "btsnoop-datalink-2002.btsnoop": Outcome(
            error: "btsnoop with datalink 2002 (Linux simulator): not supported, "
                + "because it contains the traffic between BlueZ's emulated controllers, not HCI. " + readable),
        "packetlogger-length-zero.pklg": Outcome(good: 2, faults: ["record with an impossible length, 0 octets"]),
        "packetlogger-length-beyond-the-end.pklg": Outcome(
            good: 2, faults: ["record of 9999 octets ends after the end of the file"]),
        "packetlogger-record-cut-short.pklg": Outcome(
            good: 1, error: "the last record is cut short: 23 octets needed, 20 available (at offset 24)" + hint),
        "packetlogger-byte-order-changes.pklg": Outcome(
            good: 2, faults: ["record with an impossible length, 318767104 octets"]),
        "hcidump-length-beyond-the-end.hcidump": Outcome(
            good: 2, faults: ["packet of 9999 octets ends after the end of the file"]),
        "hcidump-direction-of-two.hcidump": Outcome(good: 2, faults: ["record header that contradicts itself"]),
        "hcidump-record-cut-short.hcidump": Outcome(
            good: 1, error: "the last record is cut short: 23 octets needed, 20 available (at offset 24)" + hint),
        "btsnooz-version-3.txt": Outcome(
            error: "btsnooz version 3: not supported, only 1 and 2 are", inner: "!/btsnooz"),
        "btsnooz-length-zero.txt": Outcome(good: 2, faults: ["record of 0 octets without a packet type"]),
        "btsnooz-without-zlib.txt": Outcome(
            error: "zlib reports: incorrect header check (at offset 9)" + damaged, inner: "!/btsnooz"),
        "btsnooz-text-cut-short.txt": Outcome(
            error: "the text ends before the end of the log (at offset 19)" + damaged, inner: "!/btsnooz"),
        "gzip-cut-short.btsnoop.gz": Outcome(
            good: 1, error: "the gzip stream ends early (at offset 63)" + damaged),
        "zip-without-a-capture.zip": Outcome(
            error: "the archive contains no capture, but readme.txt, data.bin. "
                + "An Android bug report contains a capture only if the Bluetooth HCI snoop log was enabled before."),
        "zip-file-damaged.zip": Outcome(
            error: "the contents cannot be read: ZIP decompression failed (-3) (at offset 0)" + damaged,
            inner: "!/hci.log"),
        "tar-cut-short.tar": Outcome(
            good: 1, error: "the contents cannot be read: Truncated tar archive (at offset 60)" + damaged,
            inner: "!/hci.log"),
    ]

    static let uncompressed: [String: Outcome] = [
        "empty.btsnoop": Outcome(error: "the file is empty (0 octets)"),
        "btsnoop-header-only.btsnoop": Outcome(),
        "btsnoop-header-cut-short.btsnoop": Outcome(
            error: "the btsnoop file header is cut short: 16 octets needed, 14 available (at offset 0)" + hint),
        "btsnoop-datalink-1004.btsnoop": Outcome(
            error: "btsnoop with datalink 1004 (HCI H5, three-wire UART): not supported, "
                + "because the file does not state if the packets are still in serial line frames. "
                + "Datalinks 1001 (HCI H1), 1002 (HCI H4) and 2001 (Linux monitor) are supported."),
        "btsnoop-record-cut-short.btsnoop": Outcome(
            good: 1, error: "the last record is cut short: 35 octets needed, 32 available (at offset 52)" + hint),
        "btsnoop-record-header-cut-short.btsnoop": Outcome(
            good: 1,
            error: "the last record's header is cut short: 24 octets needed, 20 available (at offset 52)" + hint),
        "btsnoop-included-beyond-original.btsnoop": Outcome(
            good: 2, faults: ["4 octets captured of a packet of 2"]),
        "btsnoop-included-length-4-gib.btsnoop": Outcome(
            good: 2, faults: ["packet of 4294967295 octets is longer than the limit of 262144"]),
        "btsnoop-length-beyond-the-end.btsnoop": Outcome(
            good: 2, faults: ["packet of 9999 octets ends after the end of the file"]),
        "btsnoop-packet-empty.btsnoop": Outcome(
            good: 2, faults: ["packet of 0 octets is too short for the header of its link type"]),
        "btsnoop-time-before-year-zero.btsnoop": Outcome(good: 2),
        "btsnoop-drops-counter-restarts.btsnoop": Outcome(good: 2),
        "pcap-baseband-255.pcap": Outcome(
            error: "pcap with link type 255 (Bluetooth BR/EDR baseband): not supported yet. \(PCAP.advice)"),
        "pcap-nrf-sniffer-version-9.pcap": Outcome(
            good: 2, faults: ["nRF Sniffer protocol version 9: not supported, only versions 0 to 3 are"]),
        "pcap-air-whitened.pcap": Outcome(
            good: 2, faults: ["packet from the air that is still whitened: not supported"]),
        "pcap-ppi-around-wifi.pcap": Outcome(
            good: 2, faults: ["per-packet information around a packet of link type 105 (IEEE 802.11)"]),
        "pcap-modified-by-kuznetzov.pcap": Outcome(
            error: "a pcap file as modified by A. Kuznetzov is not a supported capture format. "
                + "Convert it: editcap -F pcap IN OUT."),
        "pcap-captured-length-4-gib.pcap": Outcome(
            good: 2, faults: ["packet of 4294967295 octets is longer than the limit of 262144"]),
        "pcap-pseudo-header-cut-short.pcap": Outcome(
            good: 2, faults: ["packet of 3 octets is too short for the header of its link type"]),
        "pcap-record-cut-short.pcap": Outcome(
            good: 1, error: "the last record is cut short: 31 octets needed, 28 available (at offset 56)" + hint),
        "pcapng-block-length-lies.pcapng": Outcome(
            good: 2, faults: ["block length is 48 before the body and 60 after it"]),
        "pcapng-block-length-zero.pcapng": Outcome(
            good: 2, faults: ["block with an impossible length, 0 octets"]),
        "pcapng-block-cut-short.pcapng": Outcome(
            good: 1, error: "the last block is cut short: 48 octets needed, 45 available (at offset 96)" + hint),
        "pcapng-packet-beyond-its-block.pcapng": Outcome(
            good: 2, faults: ["packet of 17 octets in a block with room for 16"]),
        "pcapng-interface-unknown.pcapng": Outcome(
            good: 2, faults: ["packet of interface 7, but its section describes 1"]),
        "pcapng-interface-of-link-type-255.pcapng": Outcome(
            good: 2,
            faults: [
                "interface 1 has link type 255 (Bluetooth BR/EDR baseband): not supported yet, its packets are skipped"
            ]),
        "pcapng-baseband-255.pcapng": Outcome(
            faults: [
                "interface 0 has link type 255 (Bluetooth BR/EDR baseband): not supported yet, its packets are skipped"
            ],
            error: "pcapng with link type 255 (Bluetooth BR/EDR baseband): not supported yet. \(PCAP.advice)"),
        "pcapng-section-without-byte-order.pcapng": Outcome(
            good: 2, faults: ["section header without a byte order"]),
        "gzip-named-btsnoop.btsnoop": Outcome(
            error: "zlib reports: invalid stored block lengths (at offset 0)" + damaged),
    ]

    @Test func everyFileGivesWhatItsNamePromises() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
            .filter { $0 != "make.py" && $0 != "README.md" }
        expect(Set(names), equals: Set(Self.expected.keys))
        for name in names.sorted() {
            guard let outcome = Self.expected[name] else { continue }
            let path = Self.folder.appending(path: name).path()
            let reading = Reading { () throws(CaptureError) in try CaptureReader(path: path) }
            expect(reading.records.count(where: { $0.fault == nil }), equals: outcome.good, "\(name)")
            expect(reading.faults, equals: outcome.faults, "\(name)")
            expect(
                reading.error?.detailedDescription, equals: outcome.error.map { "\(path)\(outcome.inner): \($0)" },
                "\(name)")
        }
    }

    @Test func everyFileHasItsLineInTheReadme() throws {
        let readme = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
        for name in Self.expected.keys {
            #expect(readme.contains("`\(name)`"), "\(name)")
        }
    }
}
