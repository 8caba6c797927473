import AttlasTestSupport
import Testing

/// `attlas why`: a capture, a characteristic or a peer, and the status.
@Suite struct WhyCommandTests {
    private let capture = Repository.capture("heart-rate.btsnoop")

    @Test func whatIsInTheCapture() throws {
        let result = try Command.attlas(["why", capture, "Heart Rate Measurement"])
        expect(result.status, equals: 0)
        #expect(
            result.output.contains("the host subscribed to notifications; accepted in frame 139."))
        let list = try Command.attlas(["why", capture])
        expect(list.status, equals: 0)
        #expect(
            list.output.hasPrefix(
                "1 thing broke (177 records, 9.5 s)\n\n1  HRM-7 F2:F2:F2:F2:F2:F2: System ID cannot be read"))
    }

    @Test func whatIsNotInTheCapture() throws {
        let result = try Command.attlas(["why", capture, "Temperature Measurement"])
        expect(result.status, equals: 1)
        #expect(
            result.output.hasPrefix(
                "No characteristic and no peer of this capture is called “Temperature Measurement”.\nIt has: HRM-7, "))
        try expect(Command.attlas(["why", "/nonexistent"]).status, equals: 1)
        try expect(Command.attlas(["why"]).status, equals: 64)
    }

    /// An app's log does not say whether the link was encrypted, how long an answer of one line took, and why Android failed.
    @Test func whatAnAppDoesNotKnow() throws {
        let folder = try TemporaryFolder()
        let log = """
            V 10:00:00.000 Connecting to F2:11:22:33:44:55...
            I 10:00:01.000 Connected to F2:11:22:33:44:55
            I 10:00:02.000 Data written to 00002a39-0000-1000-8000-00805f9b34fb, value: (0x) 01
            D 10:00:03.000 gatt.readCharacteristic(00002a38-0000-1000-8000-00805f9b34fb)
            E 10:00:03.100 Error 5 (0x5): GATT INSUF AUTHENTICATION
            D 10:00:05.000 [Callback] Connection state changed with status: 133 and new state: DISCONNECTED (0)
            V 10:00:06.000 Connecting to F2:11:22:33:44:55...
            D 10:00:36.000 [Callback] Connection state changed with status: 133 and new state: DISCONNECTED (0)
            """
        let path = try folder.write(log.utf8)
        let list = try Command.attlas(["why", path]).output
        #expect(list.contains("Read Request of Body Sensor Location by the host: refused with"))
        #expect(!list.contains("encrypt") && !list.contains("controller"))
        #expect(list.contains("cause   likely · The stack gives no reason. After a connect"))
        #expect(list.contains("✗ 2 statuses of the app, such as Android's 133, cannot be in a packet"))
        let shown = try Command.attlas(["show", path]).output
        #expect(
            shown.contains("frame 10: “status 133 of Android (GATT_ERROR) in the log") && shown.contains("100 ms")
                && !shown.contains("0 µs"))
    }

    /// The printers of `lint`: an error for what broke, a warning for what was slow or repeated.
    @Test func formatsForCI() throws {
        let capture = Repository.capture("heart-rate.btsnoop")
        let lines = try Command.attlas(["why", "--format", "github", "--fail-on", "broke", capture])
        expect(lines.status, equals: 2)
        let annotations = lines.output.split(separator: "\n")
        #expect(
            annotations.count == 2 && annotations[0].hasPrefix("::error ") && annotations[1].hasPrefix("::warning "))
        #expect(annotations[0].contains("line=136,title=incident/request-refused%3A request refused::System ID"))
        for format in ["sarif", "junit", "gitlab", "markdown"] {
            let document = try Command.attlas(["why", "--format", format, capture])
            #expect(document.status == 0 && document.output.contains("incident/request-refused"))
        }
        #expect(try Command.attlas(["why", "--format", "json", capture]).output.hasPrefix("{\"schema\":\"attlas/why/"))
        try expect(Command.attlas(["why", "--format", "github", capture, "HRM-7"]).status, equals: 64)
    }

    /// USBPcap runs on Windows, usbmon on Linux.
    @Test(arguments: [("249", "Windows: "), ("220", "Linux: ")])
    func adviceIsForTheSystemThatCapturedUSB(linkType: String, way: String) throws {
        let refused: [Packet] = [
            .command("030C00"), .event("0E 04 01 030C 00"), .att(.tx, "0A 1500"), .att(.rx, "01 0A 1500 05"),
        ]
        let files = refused.map { $0.at(microseconds: 1_767_225_600_000_000) }.files
        let file = try #require(files.first { $0.name == "pcap \(linkType), little endian, µs" })
        let folder = try TemporaryFolder([("usb.pcap", file.bytes)])
        #expect(
            try Command.attlas(["why", folder.path("usb.pcap")]).output.contains(
                "Pair first, then repeat the request. \(way)"))
    }

    @Test func failOn() throws {
        func status(_ weight: String, _ capture: String) throws -> Int32 {
            try Command.attlas(["why", "--fail-on", weight, Repository.capture(capture)]).status
        }
        #expect(try status("broke", "heart-rate.btsnoop") == 2 && status("hindered", "heart-rate.btsnoop") == 2)
        // A procedure that is refused and accepted later.
        #expect(try status("broke", "earbud.btsnoop") == 0 && status("hindered", "earbud.btsnoop") == 2)
    }

    @Test(.enabled(if: Command.hasSchemaValidator)) func documentsFitTheSchema() throws {
        try expectDocuments(of: Repository.someCaptureNames)
    }

    fileprivate func expectDocuments(of captures: [String]) throws {
        var documents = ""
        for name in captures {
            let result = try Command.attlas(["why", "--json", Repository.capture(name)])
            expect(result.status, equals: 0)
            let story = try Command.attlas(["why", "--json", Repository.capture(name), "00"])
            #expect(!result.output.isEmpty && !story.output.isEmpty, "\(name)")
            documents += result.output + story.output
        }
        let verdict = try Command.judge(documents, bySchema: "why", ["--document"])
        #expect(verdict.isEmpty, "\(verdict)")
    }

    /// What broke comes first in the summary of `show`, and is named where `lint` finds nothing.
    @Test func theSummaries() throws {
        let shown = try Command.attlas(["show", capture]).output
        #expect(shown.contains("\nbroke: request refused (frame 136)\n"))
        #expect(shown.hasSuffix("Next: attlas why \(capture) lists what broke, why, and what to do.\n"))
        let healthy = try Command.attlas(["show", Repository.capture("keyboard.btsnoop")]).output
        #expect(!healthy.contains("broke:") && healthy.contains("Next: attlas tree"))
        #expect(
            try Command.attlas(["lint", capture]).output.contains(
                "What broke (attlas why has the causes): request refused (frame 136)"))
    }
}

@Suite struct WhyCommandLongTests {
    @Test(.enabled(if: Command.hasSchemaValidator)) func documentsFitTheSchema() throws {
        try WhyCommandTests().expectDocuments(of: Repository.captureNames)
    }
}
