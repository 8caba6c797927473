import AttlasTestSupport
import Testing

@testable import AttlasCapture

/// What is handed to attlas and is not a capture, or not one that it reads.
@Suite struct ForeignFormatTests {
    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Two records of 271 octets.
    static let smartRF =
        hex("01 01000000 2B01F50100000000 1500 14 D6BE898E") + [UInt8](repeating: 0, count: 251)
        + hex("01 02000000 2C01F50100000000 1500 14 D6BE898E") + [UInt8](repeating: 0, count: 251)

    /// A buffer of 64 KiB and the header of a trace: version 2, 64 bits.
    static let eventTrace =
        hex("00000100 80020000 80020000") + [UInt8](repeating: 0, count: 60) + hex("0200 02 C0 1001 0000")

    static let known: [(name: String, bytes: [UInt8])] = [
        ("an Ellisys trace (.btt)", text("Ellisys Trace File\0\0")),
        ("a 7-Zip archive", hex("377ABCAF271C")),
        (
            "an Android bug report without a Bluetooth log in its text",
            text("=======\n== dumpstate: 2026-01-01\n")
        ),
        ("a pcap file as modified by A. Kuznetzov", hex("A1B2CD34 00020004")),
        ("a pcap file as modified by A. Kuznetzov", hex("34CDB2A1 02000400")),
        ("a report of attlas", text("<!DOCTYPE html>\n<html lang=\"en\" class=\"attlas\">\n")),
        ("a Solaris snoop file", text("snoop\0\0\0")), ("an ELF program", hex("7F454C46 0201")),
        ("a TI SmartRF packet sniffer file (.psd)", smartRF),
        ("a picture (PNG)", hex("89504E47 0D0A1A0A 0000000D")), ("a picture (JPEG)", hex("FFD8FFE0 00104A464946")),
        ("a picture (GIF)", text("GIF89a")), ("a picture or film (HEIF, MP4)", hex("00000018") + text("ftypheic")),
        ("a picture (WebP)", text("RIFF") + hex("10270000") + text("WEBP")), ("a PDF document", text("%PDF-1.7\n")),
        ("a Windows event trace (.etl)", eventTrace),
        (
            "the serial output of an nRF Sniffer",
            hex("AB 0600 03 0100 0E 0000 BC AB 0600 03 0200 0E 0000 BC")
        ),
    ]

    @Test(arguments: known)
    func knownFilesAreNamed(name: String, bytes: [UInt8]) {
        let error = Reading(bytes).error
        expect(error?.kind, equals: .unknownFormat)
        expect(error?.reason, equals: "\(name) is not a supported capture format")
    }

    @Test func anUnknownFileShowsItsFirstOctets() {
        let error = Reading(Array(0..<20)).error
        expect(
            error?.reason,
            equals: "unknown format; the file begins with 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f")
        expect(Reading([0xAB]).error?.reason, equals: "unknown format; the file begins with ab")
    }

    @Test(arguments: SampleFile.all)
    func theMessageAndTheDocumentsNameEverySupportedFormat(file: SampleFile) throws {
        let format = try #require(Reading(file.bytes).info?.format)
        #expect(Reading([0xAB]).error?.advice?.contains(format) == true)
        for path in [
            "Documentation/formats.md", "Documentation/tables.md", "Python/attlas/_capture.py",
            "Sources/AttlasCapture/CaptureInfo.swift",
        ] {
            #expect(try Repository.text(path).contains(format), "\(path)")
        }
    }

    @Test func anEmptyFileIsSaidToBeEmpty() {
        let error = Reading([]).error
        expect(error?.kind, equals: .empty)
        expect(error?.detailedDescription, equals: "test: the file is empty (0 octets)")
    }
}
