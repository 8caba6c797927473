import AttlasInference
import AttlasTestSupport
import Testing

@testable import AttlasDocuments

/// What `attlas export --twin` writes.
@Suite struct TwinDocumentTests {
    /// A service 180F with Battery Level, notify, and its configuration.
    private static let discovery: [Packet] = [
        .connected(),
        .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 0F18"),
        .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 1A 0300 192A"),
        .att(.tx, "04 0400 0400"), .att(.rx, "05 01 0400 0229"),
    ]

    private func yaml(_ packets: [Packet], peer: String? = nil) throws -> [String] {
        let model = document(of: packets) { TwinCollector(values: $0) }
        let device = try #require(model.devices(named: peer).first)
        return try printed { output in
            var yaml = TwinYAML(device, model.names)
            yaml.write(file: "a", leftOut: model.leftOut, model.integrity, into: &output)
        }.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }.map(String.init)
    }

    @Test func theTableHasItsHandles() throws {
        let lines = try yaml(Self.discovery + [.att(.tx, "0A 0300"), .att(.rx, "0B 57")])
        let first = try #require(lines.firstIndex(of: "- attributes:"))
        #expect(
            Array(lines[(first + 1)...(first + 4)]) == [
                #"- { handle: 0x0001, type: "2800", uuid: "180F", end_handle: 0x0004 }  # Battery"#,
                #"- { handle: 0x0002, type: "2803", uuid: "2A19", value_handle: 0x0003, properties: [read, write, notify] }  # Battery Level"#,
                #"- { handle: 0x0003, type: "2A19" }  # Battery Level"#,
                #"- { handle: 0x0004, type: "2902" }  # Client Characteristic Configuration"#,
            ])
        #expect(
            lines.dropLast().last
                == #"- { frame: 8, at_us: 7000, read: 0x0003, value: "57", after_us: 1000 }  # Battery Level: 87 %"#)
    }

    /// Values after a subscription are counted from it, and values without one from the connection.
    @Test func sentValuesFollowTheirSubscription() throws {
        let early: [Packet] = [.att(.rx, "1B 0300 10")]
        let lines = try yaml(
            Self.discovery + early + [
                .att(.tx, "12 0400 0100"), .att(.rx, "13"), .att(.rx, "1B 0300 11"), .att(.rx, "1B 0300 12"),
            ])
        let sent = lines.filter { $0.contains("notify: 0x") && $0.contains("frame") }
        expect(sent.map { $0.contains("since_frame: 9") }, equals: [false, true, true])
        #expect(sent[1].contains("after_us: 2000") && sent[2].contains("after_us: 3000"))
        #expect(sent[0].contains("after_us: 7000"))
        #expect(
            lines.contains(
                #"- { note: "sends values that no subscription of the capture asked for", count: 1, handles: [0x0003] }"#
            ))
    }

    /// Half of the values or more come within a second of a write: they answer it.
    @Test func valuesAfterWritesAnswerThem() throws {
        var packets = Self.discovery + [.att(.tx, "12 0400 0100"), .att(.rx, "13")]
        for number in 1...3 {
            packets += [.att(.tx, "12 0300 0\(number)"), .att(.rx, "13"), .att(.rx, "1B 0300 8\(number)")]
        }
        let lines = try yaml(packets)
        #expect(lines.contains("- { write: 0x0003, notify: 0x0003, after_us: 2000, support: 3, of: 3 }"))
        expect(lines.filter { $0.contains("notify: 0x") && $0.contains("since_frame: ") }.count, equals: 3)
    }

    /// A code of security holds until the link is encrypted; a length that is never taken is refused whatever the value.
    @Test func refusalsHaveTheirConditions() throws {
        let lines = try yaml(
            Self.discovery + [
                .att(.tx, "0A 0300"), .att(.rx, "01 0A 0300 05"),
                .att(.tx, "12 0300 01"), .att(.rx, "13"),
                .att(.tx, "12 0300 0102"), .att(.rx, "01 12 0300 0D"),
                .att(.tx, "12 0300 02"), .att(.rx, "01 12 0300 80"),
            ])
        let first = try #require(lines.firstIndex(of: "refusals:"))
        #expect(
            lines[(first + 1)...(first + 3)].map { $0.prefix { $0 != "#" }.trimming() } == [
                "- { handle: 0x0003, operation: read, error: 0x05, when: unencrypted, count: 1, frame: 8 }",
                "- { handle: 0x0003, operation: write, error: 0x0D, when: length, length: 2, count: 1, frame: 12 }",
                #"- { handle: 0x0003, operation: write, error: 0x80, when: value, value: "02", count: 1, frame: 14 }"#,
            ])
    }

    /// Nothing of a name is YAML, or steers a terminal.
    @Test func namesAreQuoted() throws {
        let name = "220A5D1B5B324A3A3A23"  // ", line feed, ], ESC [2J, ::, #
        let lines = try yaml(
            Self.discovery + [.att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 0C 0300 \(name)"), .att(.tx, "0A 0300")])
        #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
        let device = try #require(lines.first { $0.hasPrefix("device: ") })
        #expect(device.hasPrefix(#"device: { side: peer, name: "\"\\n]\\u{1B}[2J"#), "\(device)")
        #expect(lines.contains { $0.contains(#"value: "22 0A 5D 1B 5B 32 4A 3A 3A 23""#) })
    }

    /// Services at 0x0001 to 0x0005 and at 0x0006, and no search for characteristics; a Device Name read by its type alone.
    @Test func anEmptyServiceIsNotDiscovered() throws {
        let services = try yaml([
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0500 0D18 0600 0600 0118"),
        ])
        #expect(
            services.contains(
                #"- { note: "a service whose characteristics were not discovered", count: 1, handles: [0x0001] }"#))
        let name = try yaml([.connected(), .att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 04 0300 4142")])
        #expect(name.contains(#"- { note: "the table was not discovered", count: 1 }"#))
    }

    @Test func whatIsUnknownIsListed() throws {
        let lines = try yaml([.connected(), .att(.tx, "0A 2A00"), .att(.rx, "0B 01"), .att(.tx, "12 2B00 01")])
        let first = try #require(lines.firstIndex(of: "unknown:"))
        #expect(
            Array(lines[(first + 1)...(first + 4)]) == [
                #"- { note: "the table was not discovered", count: 1 }"#,
                #"- { note: "only the handle is known", count: 2, handles: [0x002A, 0x002B] }"#,
                #"- { note: "a request without an answer", count: 1, handles: [0x002B] }"#,
                #"- { note: "the advertising was not captured", count: 1 }"#,
            ])
    }
}

extension Substring {
    fileprivate func trimming() -> String {
        var text = self
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
