import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

/// Bluetooth controllers in captures of USB. Core Specification, Vol 4, Part B, 2.
@Suite struct USBTests {
    private static let kind = PCAPKind()

    private func reading(_ usb: USBRecords, _ records: [[UInt8]]) -> Reading {
        Reading(Self.kind.header(UInt32(usb.linkType)) + records.flatMap { Self.kind.record($0) })
    }

    /// LE Connection Complete has 21 octets: a full packet of 16 and a short one. Records without data are passed over.
    @Test(arguments: USBRecords.all(.little))
    func aPacketMayTakeSeveralTransfers(usb: USBRecords) {
        let event = hex("3E13 01 00 4000 00 00 F2F2F2F2F2F2 1800 0000 4800 00")
        let data = hex("4020 4600 4200 0400 1B 1900") + [UInt8](repeating: 7, count: 63)
        let reading = reading(
            usb,
            [
                usb.command(hex("030C00")), usb.transfer(.control, isOther: true),
                usb.transfer(.event, isOther: true), usb.transfer(.event, Array(event[..<16])),
                usb.transfer(.event, isOther: true), usb.transfer(.event, Array(event[16...])),
                usb.transfer(.received, Array(data[..<64])), usb.transfer(.received, isOther: true),
                usb.transfer(.received, Array(data[64...])),
            ])
        expect(reading.records.map(\.bytes), equals: [hex("030C00"), event, data])
        expect(reading.records.map(\.content), equals: [.packet(.command), .packet(.event), .packet(.acl)])
        expect(reading.records.map(\.direction), equals: [.tx, .rx, .rx])
        expect(reading.records.map(\.frame), equals: [1, 6, 9])
        #expect(reading.error == nil && reading.records.allSatisfy { $0.missing == 0 })
    }

    /// An endpoint's packets are full where a packet ends, and no short one follows: the next one comes in the same transfer.
    @Test func oneTransferMayHaveTwoPackets() {
        let usb = USBRecords(220)
        let first = hex("4020 3C00 3800 0400 1B 1900") + [UInt8](repeating: 1, count: 53)
        let second = hex("4020 0700 0300 0400 0A 1900")
        let reading = reading(
            usb,
            [
                usb.command(hex("030C00")), usb.transfer(.received, first + second),
                usb.transfer(.event, hex("130501400001 00")),
            ])
        expect(reading.records.map(\.bytes), equals: [hex("030C00"), first, second, hex("130501400001 00")])
        expect(reading.records.map(\.frame), equals: [1, 2, 3, 4])
    }

    /// findings/tshark-usb-cut-start.sh.
    @Test func aCaptureMayBeginWithinAnEvent() {
        let usb = USBRecords(220)
        let reading = reading(
            usb,
            [
                usb.transfer(.event, hex("0E180000")), usb.transfer(.event, hex("0E0401030C00")),
                usb.transfer(.event, hex("3E180000")), usb.transfer(.event, hex("0E0401030C00")),
            ])
        expect(reading.records.map(\.fault), equals: [nil, "4 octets that are no packet", nil])
        expect(
            reading.records.compactMap { $0.fault == nil ? $0.bytes : nil },
            equals: [hex("0E0401030C00"), hex("0E0401030C00")])
        expect(reading.records.map(\.frame), equals: [2, 3, 4])
    }

    /// A keyboard, voice, a mass storage device, and the WLAN interface of a composite device. findings/tshark-usb-composite.sh.
    @Test(arguments: USBRecords.all(.little))
    func otherDevicesArePassedOver(usb: USBRecords) {
        var other = usb
        other.device = 9
        // A command block of a mass storage device.
        let storage = hex("55534243 01000000 00000000 00 00 06 000000000000 00000000000000000000")
        let reading = reading(
            usb,
            [
                other.transfer(.event, hex("0000040000000000")), other.transfer(.sent, storage),
                other.transfer(.received, storage),
                other.transfer(.control, setup: hex("2100 0000 0000 0800")),
                usb.command(hex("030C00"), request: [0x21, 0x00]),
                usb.transfer(.received, Sample.aclPacket, address: 0x84), usb.transfer(.received, Sample.aclPacket),
            ])
        expect(reading.records.map(\.bytes), equals: [hex("030C00"), Sample.aclPacket])
        #expect(reading.error == nil)
    }

    /// A modem's QMI message in SEND_ENCAPSULATED_COMMAND, and reports of a security key in which an event begins somewhere.
    @Test(arguments: USBRecords.all(.little))
    func octetsThatLookLikePacketsTellNothing(usb: USBRecords) {
        let message = hex("01 0F00 00 0000 01 2200 0400 01 0100 00")
        let report = [UInt8](repeating: 0x5A, count: 20) + hex("0E0401030C00") + [UInt8](repeating: 0xA5, count: 38)
        let reading = reading(
            usb,
            [
                usb.command(message, request: [0x21, 0x00]), usb.transfer(.event, report), usb.transfer(.event, report),
                usb.transfer(.event, hex("0E0401030C00 0000")),
            ])
        #expect(reading.records.isEmpty && reading.error != nil)
    }

    /// An advertising report, in two transfers; and an ATT PDU: nothing was commanded since the capture began.
    @Test(arguments: USBRecords.all(.little))
    func otherPacketsTellThatItIsAController(usb: USBRecords) {
        let report = hex("3E 12 02 01 00 01 F2F2F2F2F2F2 06 020106 020A00 C8")
        let scan = reading(
            usb, [usb.transfer(.event, Array(report[..<16])), usb.transfer(.event, Array(report[16...]))])
        expect(scan.records.map(\.bytes), equals: [report])
        let stream = reading(usb, [usb.transfer(.received, hex("4020 0900 0500 0400 1B1900 0048"))])
        expect(stream.records.map(\.direction), equals: [.rx])
    }

    /// Two adapters, of which one was plugged in again.
    @Test func eachDeviceIsAController() {
        let usb = USBRecords(249)
        var (second, third) = (usb, usb)
        second.bus = 2
        third.device = 6
        let reading = reading(usb, [usb, second, third, usb].map { $0.command(hex("030C00")) })
        expect(reading.records.map(\.controller), equals: [0, 1, 2, 0])
    }

    /// Versions of USBPcap before 1.5.
    @Test func theSetupPacketMayBeInAnotherRecord() {
        let usb = USBRecords(249)
        let reading = reading(
            usb,
            [
                usb.transfer(.control, setup: hex("2000 0000 0000 0300"), stage: 0),
                usb.transfer(.control, hex("030C00"), stage: 1), usb.transfer(.control, isOther: true, stage: 2),
            ])
        expect(reading.records.map(\.bytes), equals: [hex("030C00")])
    }

    @Test func octetsThatWereNotCapturedAreCounted() {
        let usb = USBRecords(220)
        let record = usb.transfer(.received, hex("4020 0B00 0700 0400 1B 1900 01020304"))
        let reading = Reading(
            Self.kind.header(220) + Self.kind.record(usb.command(hex("030C00")))
                + Self.kind.record(record.dropLast(3), original: UInt32(record.count))
                + Self.kind.record(usb.transfer(.received, Sample.aclPacket)))
        expect(reading.records.map(\.missing), equals: [0, 3, 0])
        expect(reading.records[1].bytes, equals: hex("4020 0B00 0700 0400 1B 1900 01"))
    }

    /// LE Setup ISO Data Path of handle 0x0060: Vol 4, Part E, 7.8.109.
    @Test func dataOfAnIsochronousStreamIsNoACLData() {
        let usb = USBRecords(220)
        let path = hex("6E20 0D 6000 00 00 0600000000 000000 00")
        let reading = reading(
            usb,
            [
                usb.command(path), usb.transfer(.sent, hex("6020 0800 0000 0400 AABBCCDD")),
                usb.transfer(.sent, Sample.aclPacket),
            ])
        expect(reading.records.map(\.content), equals: [.packet(.command), .packet(.isochronous), .packet(.acl)])
    }

    @Test func aCaptureWithoutAControllerSaysSo() {
        let usb = USBRecords(249)
        let reading = reading(usb, [usb.transfer(.event, hex("0000040000000000"))])
        expect(reading.error?.reason, equals: "a capture of a USB device that is not a Bluetooth controller")
        #expect(reading.records.isEmpty)
    }

    @Test func commentsAndLossesOfPCAPNGAreKept() {
        let blocks = PCAPNGBlocks.both[0]
        let usb = USBRecords(220, order: blocks.order)
        let end = blocks.option(0, [])
        let reading = Reading(
            blocks.section() + blocks.interface(220) + blocks.enhanced(usb.command(hex("030C00")))
                + blocks.enhanced(
                    usb.transfer(.event, isOther: true), options: blocks.option(4, blocks.uint64(7)) + end)
                + blocks.enhanced(
                    usb.transfer(.event, hex("0E0401030C00")), options: blocks.option(1, Array("here".utf8)) + end))
        expect(reading.records.map(\.lost), equals: [0, 7])
        expect(reading.records.map(\.bytes), equals: [hex("030C00"), hex("0E0401030C00")])
    }

    /// tshark reads the same packets.
    @Test(arguments: USBRecords.all(.little))
    func tsharkReadsThePackets(usb: USBRecords) throws {
        guard let tshark = Tool("tshark") else { return }
        let records = [
            usb.command(hex("030C00")), usb.transfer(.event, hex("0E0401030C00")),
            usb.transfer(.sent, Sample.aclPacket),
        ]
        let file = Self.kind.header(UInt32(usb.linkType)) + records.flatMap { Self.kind.record($0) }
        let folder = try TemporaryFolder([("in", file)])
        let lines = try tshark.run([
            "-r", folder.path("in"), "-d", "usb.device==0x00010005,bluetooth", "-T", "fields", "-e", "bthci_cmd.opcode",
            "-e",
            "bthci_evt.code", "-e", "bthci_acl.chandle",
        ])
        expect(String(decoding: lines, as: UTF8.self), equals: "0x0c03\t\t\n\t0x0e\t\n\t\t0x0040\n")
    }
}
