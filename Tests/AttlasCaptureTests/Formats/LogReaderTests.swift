import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

/// Readers of logs that are described, and their engine.
@Suite struct LogReaderTests {
    @Test(arguments: Set(LogReaders.shipped.all.map(\.name)).sorted()) func theExamplesOfEveryReaderHold(name: String) {
        for reader in LogReaders.shipped.all where reader.name == name {
            expect(LogReaderCheck(reader, among: .shipped, file: name).mistakes.map(\.description), equals: [])
        }
    }

    private static let pump = """
        # A pump.
        name: Pump
        words:
          GONE: 0x08
        lines:
          - line: 'pump {peer} up'
            means: connected
          - line: 'set {uuid} to {value:hex}'
            means: write
            has: '!'
          - line: 'down: {status:word}'
            means: disconnected
        examples:
          - text: |
              10:00:00 pump F2:11:22:33:44:55 up
              10:00:01 set  fff1 to 01 02 !
              10:00:01 set  fff1 to 03
              10:00:02 down: GONE
            gives:
              - '!3e130100010000015544332211f200000000000000'
              - '>0402000200'
              - '<05010200f1ff'
              - '>1202000102'
              - '!050400010008'
        """

    @Test func aReaderIsTriedWithItsExamples() throws {
        let reader = try LogReaderFile.read(Self.pump, name: "pump.yaml")
        #expect(LogReaderCheck(reader, among: LogReaders([reader]), file: "pump.yaml").mistakes.isEmpty)
        let wrong = try LogReaderFile.read(
            Self.pump.replacing("'>1202000102'", with: "'>1202000103'"), name: "pump.yaml")
        expect(
            LogReaderCheck(wrong, among: LogReaders([wrong]), file: "pump.yaml").mistakes.map(\.description),
            equals: [
                "pump.yaml:14: packet 4 is >1202000102, but the example gives >1202000103"
            ])
    }

    /// An editor of Windows ends lines with CR and LF.
    /// Twelve digits, or a decimal number of at most 48 bits.
    @Test(
        arguments: [
            ("hex", "A4C138112233", 0xA4C1_3811_2233), ("hex", "a4c138112233 ", 0xA4C1_3811_2233),
            ("hex", "A4C13811223", nil), ("hex", "A4C1381122334", nil), ("hex", "A4C13811223G", nil),
            ("number", "281474976710655", 0xFFFF_FFFF_FFFF), ("number", "281474976710656", nil),
            ("number", "1234567890123456", nil), ("number", "12a", nil), ("number", "", nil),
        ] as [(String, String, UInt64?)])
    func addressesWithoutSeparators(style: String, text: String, address: UInt64?) throws {
        var fields = LogFields()
        let line = Array("to \(text)".utf8)
        let end = try LogTemplate("to {peer:\(style)}").match(Bytes(line.span), from: 3, [], &fields)
        expect(fields.peer?.address, equals: address)
        #expect((end == nil) == (address == nil))
    }

    /// As Protocol Buffers print octets.
    @Test(
        arguments: [
            (#""\000K\"\377""#, [0x00, 0x4B, 0x22, 0xFF]), (#""\0012""#, [0x01, 0x32]), (#""\n\\""#, [0x0A, 0x5C]),
            ("\"\"", []), (#""\00""#, nil), (#""\400""#, nil), (#""\18""#, nil),
        ] as [(String, [UInt8]?)])
    func octetsInQuotes(text: String, octets: [UInt8]?) throws {
        var fields = LogFields()
        let line = Array("data: \(text)".utf8)
        let end = try LogTemplate("data: {value:quoted}").match(Bytes(line.span), from: 6, [], &fields)
        expect(end, equals: line.count)
        expect(fields.value, equals: AppValue(octets))
    }

    /// Only a line that the template fits, as far as it goes, begins a call.
    @Test func aCallBeginsWithItsLine() throws {
        let reader = try LogReaderFile.read(
            """
            name: Pump
            lines:
              - line: 'wrote {uuid} in {number} ms'
                until: 'value: '
                means: write
                with:
                  - 'value: {value:hex}'
            """, name: "pump.yaml")
        func packets(_ text: String) -> [String] { LogReaderCheck.packets(of: text, LogReaders([reader])).suffix(1) }
        expect(packets("wrote fff1 in 3 ms\nvalue: 01"), equals: [">120200" + "01"])
        expect(packets("wrote fff1 in\n3 ms\nvalue: 01"), equals: [">120200" + "01"])
        expect(packets("wrote fff1\nin 3 ms\nvalue: 01"), equals: [">120200" + "01"])
        expect(packets("wrote fff1 for 3 ms\nin 3 ms\nvalue: 01"), equals: [])
        // It does not end one that has begun.
        expect(packets("wrote fff1 in 3 ms\nwrote nothing\nvalue: 01"), equals: [">120200" + "01"])
    }

    @Test func linesMayEndWithCR() throws {
        let reader = try LogReaderFile.read(Self.pump.replacing("\n", with: "\r\n"), name: "pump.yaml")
        #expect(LogReaderCheck(reader, among: LogReaders([reader]), file: "pump.yaml").mistakes.isEmpty)
    }

    static let mistakes: [(change: (String, String), mistake: String)] = [
        (
            ("name: Pump", "name: 'P\u{1B}[2Jump'"),
            "pump.yaml:2: a name has up to 64 letters, digits, blanks and . - _ + ( )"
        ),
        (("name: Pump", "name: '\(String(repeating: "P", count: 65))'"), "pump.yaml:2: a name has up to 64 letters"),
        (("name: Pump", "nome: Pump"), "pump.yaml:2: no key is called nome"),
        (("means: connected", "means: up"), "pump.yaml:6: no line means up; it means one of: heading"),
        (("{peer}", "{pear}"), "pump.yaml:6: no field is called pear: pump {pear} up"),
        (("{value:hex}", "{value:hax}"), "pump.yaml:8: a field is not written as hax: set {uuid} to {value:hax}"),
        (("'down: ", "'{peer} down: "), "pump.yaml:11: it does not begin with text: {peer} down: {status:word}"),
        (("'down: {status:word}'", "'down: {status:word}"), "pump.yaml:11: a text without its closing quote"),
        (("    has: '!'", "    hat: '!'"), "pump.yaml:8: a line has no hat"),
        (("0x08", "eight"), "pump.yaml:4: expected a word and its code: LINK_LOSS: 0x08"),
    ]

    @Test(arguments: mistakes.indices) func aMistakeHasItsLine(index: Int) {
        let (change, expected) = Self.mistakes[index]
        do throws(LogReaderMistake) {
            _ = try LogReaderFile.read(Self.pump.replacing(change.0, with: change.1), name: "pump.yaml")
            Issue.record("no mistake")
        } catch {
            #expect(error.description.hasPrefix(expected), "\(error)")
        }
    }

    /// A log that has handles keeps them.
    @Test func theHandlesOfALogAreKept() {
        let text = "10:00:00 Notification handle = 0x0012 value: 01 3a\n"
        let cuts = Reading(Array(text.utf8)).info?.cuts ?? []
        expect(cuts.map(\.kind), equals: [.noPackets])
        expect(
            cuts.first?.sentence, equals: "the log has no packets: attlas made them of its lines, with their handles")
    }

    /// The address of an object of Python is no value, and lists are.
    @Test func valuesOfPython() {
        let line =
            "2026-11-27 22:13:58,414 bleak DEBUG: Write Characteristic 00002a37-0000-1000-8000-00805f9b34fb | "
            + "/org/bluez/hci0/dev_C0_00_00_00_00_01/service0010/char0011: "
        let text = line + "<memory at 0x7f0460100340>\n" + line + "array('B', [1, 2, 255])\n"
        let reading = Reading(Array(text.utf8))
        expect(reading.faults, equals: ["line of an operation whose value is not readable as octets"])
        expect(
            reading.records.filter { $0.content == .packet(.acl) }.map { Array($0.bytes.dropFirst(8)) },
            equals: [
                hex("04 1200 1200"), hex("05 01 1200 372A"), hex("12 1200 0102FF"), hex("13"),
            ])
    }

    /// The octets of a read come twice, and those of a notification once, also where they repeat themselves.
    @Test func bluetoothctlPrintsAReadTwice() {
        let path = "/org/bluez/hci0/dev_F2_11_22_33_44_55/service000c/char000d"
        let text = """
            Attempting to read \(path)
            \u{1}\u{1B}[0;94m\u{2}[thing]\u{1}\u{1B}[0m\u{2}# \r\u{1B}[K[\u{1B}[0;93mCHG\u{1B}[0m] Attribute \(path) Value:
            [thing]# \r\u{1B}[K  00 48                                            .H
            [thing]# \r\u{1B}[K  00 48                                            .H
            [CHG] Attribute \(path) Value:
              11 11                                            ..
            """
        expect(
            Reading(Array(text.utf8)).records.map { Array($0.bytes.dropFirst(8)) },
            equals: [
                hex("55 44 33 22 11 F2 00 00 00 00 00 00 00"), hex("0A 0E00"), hex("0B 0048"), hex("1B 0E00 1111"),
            ])
    }

    @Test func linesThatAreNotUsedAreCounted() {
        let text = """
            10:00:00 Notification handle = 0x0012 value: 01 3a
            10:00:01 the characteristic is\u{1B}]0;x\u{7} locked
            """
        expect(
            Reading(Array(text.utf8)).info?.cuts.map(\.sentence).last,
            equals: "1 line was not used: “10:00:01 the characteristic is]0;x locked”")
    }

    /// A list of services has lines with UUIDs alone; "Services discovered" of a library has none.
    @Test func theEndOfADiscoveryIsNoService() {
        let text = """
            I 09:54:27.984 [DFU] Services discovered
            D 09:54:28.002 [DFU] gatt.readCharacteristic(00001534-1212-efde-1523-785feabcd123)
            I 09:54:28.009 [DFU] Read Response received from 00001534-1212-efde-1523-785feabcd123, value (0x): 01-00
            """
        let records = Reading(Array(text.utf8)).records
        expect(records.map { $0.bytes[8] }, equals: [0x04, 0x05, 0x0A, 0x0B])
    }

    /// Lines of many kinds of text, over and over: each takes time in proportion to its length.
    @Test(.timeLimit(.minutes(1))) func hostileLinesTakeNoTime() {
        for word in [
            "[", "Error ", "Frame 1: ", "ATT 1 Sent ", "MAC='", "Peripheral(uuid: ", "] ", "gatt.", "\"_index\": ",
        ] {
            let line = String(repeating: word, count: 100_000 / word.utf8.count)
            let reading = Reading(Array((line + "\n" + line + "\n").utf8))
            #expect(reading.records.count < 10)
        }
    }

    /// Numbers in a log are any: a negative status is no code.
    @Test func aNegativeStatusIsNoCode() {
        let text =
            "10:00:00 I Connecting to F2:11:22:33:44:55\n10:00:01 D Connection state changed with status: -3 and new state: DISCONNECTED (0)\n"
        expect(Reading(Array(text.utf8)).records.map { $0.bytes[3] }, equals: [0x1F])
    }
}
