import AttlasColumns
import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasFuzz
import AttlasInput
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import AttlasWire
import Foundation
import Testing

@testable import AttlasReport

/// Every secret of the definitions in Dissectors/, in every way in which it is transported, is in no output without `--show-keys`.
///
/// The secrets are examples of the definitions, with the octets of their secret fields replaced by a marker.
@Suite struct LeakTests {
    /// Definitions that one library has: those that are shipped, or those of one device.
    struct Group: Sendable, CustomTestStringConvertible {
        let name: String
        let library: DissectorLibrary
        let definitions: [AttributeDefinition]
        let secrets: [Secret]

        var testDescription: String { name }

        init(name: String, library: DissectorLibrary, definitions: [AttributeDefinition]) {
            self.name = name
            self.library = library
            self.definitions = definitions.filter { library.dissector(for: $0.key)?.hasSecrets ?? false }
            secrets = self.definitions.flatMap { Secret.all(of: $0, library) }
        }
    }

    static let groups: [Group] = {
        let folder = String(Repository.root.appending(path: "Dissectors").path())
        let sources = (try? DefinitionSource.files(at: folder)) ?? []
        func isOfOneDevice(_ source: DefinitionSource) -> Bool {
            source.path.contains("/examples/") || source.path.contains("/vendors/devices/")
        }
        let shipped = DefinitionLoader(sources.filter { !isOfOneDevice($0) }, above: DissectorLibrary.empty).files
        let others = sources.filter(isOfOneDevice).map { source in
            let files = DefinitionLoader([source], above: DissectorLibrary.shipped).files
            return Group(
                name: source.path, library: DissectorLibrary.shipped.adding(files),
                definitions: files.flatMap(\.attributes))
        }
        return ([Group(name: "shipped", library: .shipped, definitions: shipped.flatMap(\.attributes))] + others)
            .filter { !$0.definitions.isEmpty }
    }()

    /// A value or the parameters of a packet, with the marker in its secret fields.
    struct Secret: Sendable {
        let definition: AttributeDefinition
        let operation: AttributeAccess
        let octets: [UInt8]
        let isMessage: Bool
        /// The secret fields, by their indices, that it has.
        let fields: Set<Int>

        /// Values with the secret fields of a definition: its examples, and if these have none, what a search finds.
        static func all(of definition: AttributeDefinition, _ library: DissectorLibrary) -> [Secret] {
            guard let dissector = library.dissector(for: definition.key), dissector.hasSecrets else { return [] }
            var found: Set<Int> = []
            var secrets: [Secret] = []
            func add(_ octets: [UInt8], _ operation: AttributeAccess, _ context: [Int64?]) {
                guard let secret = Secret(octets, operation, context, definition, dissector),
                    !secret.fields.isSubset(of: found)
                else { return }
                found.formUnion(secret.fields)
                secrets.append(secret)
            }
            for example in definition.examples {
                let context = dissector.context.map { context in
                    example.context.first { $0.name == context.name }?.value
                }
                add(example.octets, example.operation, context)
            }
            // Additional Authorization Data of a HomeKit request and response; an authentication of Fitbit.
            let layouts = [
                "00 02 01 0100 0A00 02 08 0102030405060708", "02 01 00 0A00 02 08 0102030405060708",
                "C0 50 0102030405060708",
            ]
            for octets in layouts where secrets.isEmpty {
                for operation in definition.layouts.flatMap(\.operations) {
                    add(hex(octets), operation, dissector.context.map { _ in nil })
                }
            }
            var generator = SplitMix64(seed: 1)
            var tries = 0
            let none = dissector.context.map { _ in Int64?.none }
            let operations = definition.layouts.flatMap(\.operations)
            while secrets.isEmpty, tries < 4_000 {
                tries += 1
                var octets = definition.examples.randomElement(using: &generator)?.octets ?? []
                while octets.count < [8, 20, 40, 80][tries % 4] {
                    octets.append(UInt8.random(in: 0...([2, 16, 255][tries % 3]), using: &generator))
                }
                for _ in 0...tries % 4 {
                    let place = Int.random(in: 0..<min(octets.count, 12), using: &generator)
                    octets[place] = UInt8.random(in: 0...([2, 16, 255][tries % 3]), using: &generator)
                }
                add(octets, operations[tries % operations.count], none)
            }
            return secrets
        }

        /// nil if the value has no secret field, or other ones with the marker in them: the octets choose the layout.
        private init?(
            _ value: [UInt8], _ operation: AttributeAccess, _ context: [Int64?], _ definition: AttributeDefinition,
            _ dissector: Dissector
        ) {
            func secrets(in octets: [UInt8]) -> [DissectedField] {
                var dissection = Dissection()
                dissection.context = context
                dissector.dissect(Bytes(octets.span), operation: operation, into: &dissection)
                return (0..<dissection.count).map { dissection[$0] }.filter {
                    $0.field != DissectedField.unexplainedOctets && $0.length >= 2
                        && dissector.fields[Int($0.field)].type == .secret
                }
            }
            let fields = secrets(in: value)
            var octets = value
            for field in fields {
                // The end of a text.
                let isTerminated = octets[field.range.upperBound - 1] == 0
                for (offset, place) in field.range.dropLast(isTerminated ? 1 : 0).enumerated() {
                    octets[place] = LeakTests.marker[offset % 2]
                }
            }
            let marked = secrets(in: octets)
            guard !fields.isEmpty, marked.map(\.field) == fields.map(\.field),
                marked.map(\.range) == fields.map(\.range)
            else { return nil }
            self.definition = definition
            self.operation = operation
            self.octets = octets
            self.fields = Set(fields.map { Int($0.field) })
            isMessage = dissector.hasParts(operation)
        }

        /// An operation with another layout would take octets of the secret for other fields.
        func isCarried(by operation: AttributeAccess) -> Bool {
            !definition.layouts.contains {
                $0.operations.contains(operation) && !$0.operations.contains(self.operation)
            }
        }
    }

    // MARK: The marker

    /// `Qz`: printable, and nowhere else.
    static let marker: [UInt8] = [0x51, 0x7A]
    /// In hexadecimal with and without blanks, as text, as numbers in either order of octets, and in base64.
    private static let forms = [
        "517a", "7a51", "51 7a", "7a 51", "517A", "7A51", "51 7A", "7A 51", "51:7a", "QzQz", "zQzQ", "31313", "20858",
        "1366970746", "2052160081", "UXpR", "RelF6", "elF6UX", "F6UXpR",
    ].map { Data($0.utf8) }

    /// The place of a marker in an output.
    static func leak(in octets: [UInt8]) -> String? {
        let output = Data(octets)
        guard let place = forms.lazy.compactMap({ output.range(of: $0) }).first?.lowerBound else { return nil }
        return String(decoding: octets[max(0, place - 300)..<min(octets.count, place + 60)], as: UTF8.self)
    }

    // MARK: The conversation

    struct Conversation {
        var list = RecordList()
        let secrets: [Secret]
        private let attributes: [Secret]

        init(_ secrets: [Secret]) {
            self.secrets = secrets
            attributes = secrets.filter { !$0.definition.key.space.isPacket }
        }

        private static func handle(_ index: Int) -> UInt16 { UInt16(0x10 * (index + 1)) }

        private func service(_ index: Int) -> BluetoothUUID {
            attributes[index].definition.services.first ?? BluetoothUUID(0xABCD as UInt16)
        }

        /// The same server, as a file of a GATT table has it.
        var imported: ImportedTable {
            var table = ImportedTable(owner: ImportedOwner(0x0605_0403_0201, isRandom: false))
            for index in attributes.indices {
                let start = Self.handle(index)
                table.services.append(
                    .init(handle: start, endHandle: start + 15, uuid: service(index), isPrimary: true))
                table.characteristics.append(
                    .init(
                        handle: start + 1, valueHandle: start + 2, properties: CharacteristicProperties(rawValue: 0xFF),
                        uuid: attributes[index].definition.uuid))
            }
            return table
        }

        mutating func connect() {
            event([0x3E, 19, 0x01, 0x00, 0x40, 0x00, 0x00, 0x00, 1, 2, 3, 4, 5, 6, 24, 0, 0, 0, 72, 0, 0])
        }

        mutating func disconnect() { event([0x05, 4, 0, 0x40, 0, 0x13]) }

        mutating func discover() {
            for index in attributes.indices {
                let start = Self.handle(index)
                let end = little(Int(start + 15))
                att(.tx, [0x10] + little(Int(start)) + end + [0x00, 0x28])
                let uuid = service(index).octets
                att(.rx, [0x11, UInt8(4 + uuid.count)] + little(Int(start)) + end + uuid)
                let type = attributes[index].definition.uuid.octets
                att(.tx, [0x08] + little(Int(start)) + end + [0x03, 0x28])
                let declaration = little(Int(start + 1)) + [0xFF] + little(Int(start + 2)) + type
                att(.rx, [0x09, UInt8(declaration.count)] + declaration)
            }
        }

        /// Every secret in every situation.
        mutating func transport() {
            for (index, secret) in attributes.enumerated() {
                let handle = Self.handle(index) + 2
                let value = secret.octets
                let half = value.count / 2
                for operation in AttributeAccess.allCases where secret.isCarried(by: operation) {
                    send(operation, handle, value)
                }
                let header: [UInt8] =
                    if case .header(let header)? = secret.definition.assembly?.rule {
                        (0..<header.octets).map { UInt8(truncatingIfNeeded: header.first >> UInt64(8 * $0)) }
                    } else {
                        []
                    }
                if secret.isMessage {
                    // Parts, then one whose beginning is missing.
                    send(secret.operation, handle, header + value[..<half])
                    send(secret.operation, handle, header + value[half...])
                    send(secret.operation, handle, Array(value[half...]))
                }
                if secret.isCarried(by: .read) { read(handle, value, type: secret.definition.uuid) }
                if secret.isCarried(by: .notify) {
                    att(.rx, [0x23] + little(Int(handle)) + little(value.count) + value)
                }
                if secret.isCarried(by: .write) { write(handle, value) }
                // The value that is kept.
                send(secret.operation, handle, header + value[..<half])
            }
        }

        private mutating func read(_ handle: UInt16, _ value: [UInt8], type: BluetoothUUID) {
            let place = little(Int(handle))
            // Cut by the capture.
            att(.tx, [0x0A] + place)
            att(.rx, [0x0B] + value.dropLast(value.count / 3), missing: value.count / 3)
            // A long read, and a part of one.
            att(.tx, [0x0A] + place)
            att(.rx, [0x0B] + value.prefix(22))
            att(.tx, [0x0C] + place + little(min(22, value.count)))
            att(.rx, [0x0D] + value.dropFirst(22).prefix(21))
            att(.tx, [0x0C] + place + [1, 0])
            att(.rx, [0x0D] + value.dropFirst(1))
            // Several values in one PDU.
            att(.tx, [0x0E] + place + place)
            att(.rx, [0x0F] + value + value)
            att(.tx, [0x20] + place + place)
            att(.rx, [0x21] + little(value.count) + value + little(value.count) + value.dropLast(1))
            att(.tx, [0x08, 1, 0, 0xFF, 0xFF] + type.octets)
            if value.count <= 253 {
                att(.rx, [0x09, UInt8(value.count + 2)] + place + value)
            } else {
                att(.rx, [0x01, 0x08, 1, 0, 0x0A])
            }
            if type.uint16 != nil {
                att(.tx, [0x06, 1, 0, 0xFF, 0xFF] + type.octets + value)
                att(.rx, [0x01, 0x06, 1, 0, 0x0A])
            }
        }

        private mutating func write(_ handle: UInt16, _ value: [UInt8]) {
            let place = little(Int(handle))
            let half = value.count / 2
            // Cut by the capture.
            for missing in [1, value.count / 3] {
                att(.tx, [0x12] + place + value.dropLast(missing), missing: missing)
                att(.rx, [0x13])
            }
            att(.tx, [0xD2] + place + value + [UInt8](repeating: 1, count: 12))
            // Prepared writes, executed and cancelled.
            for flags: UInt8 in [1, 0] {
                for (offset, part) in [(0, value[..<half]), (half, value[half...])] {
                    att(.tx, [0x16] + place + little(offset) + part)
                    att(.rx, [0x17] + place + little(offset) + part)
                }
                att(.tx, [0x18, flags])
                att(.rx, [0x19])
            }
            // Frames in fragments, the first one of them incomplete.
            let frame = little(value.count + 3) + [4, 0, 0x52] + place + value
            for last in [false, true] {
                acl(.tx, 0x00, Array(frame.prefix(7 + half)))
                if last { acl(.tx, 0x10, Array(frame.dropFirst(7 + half))) }
            }
        }

        /// HCI packets and records of the Linux monitor: whole, and as far as the capture has them.
        mutating func sendPackets() {
            for secret in secrets {
                let number = secret.definition.uuid.uint16 ?? 0
                let (low, high) = (UInt8(number & 0xFF), UInt8(number >> 8))
                for octets in [secret.octets, secret.octets.dropLast(1)] {
                    let missing = UInt8(secret.octets.count - octets.count)
                    let length = UInt8(truncatingIfNeeded: secret.octets.count)
                    switch secret.definition.key.space {
                    case .hciCommand: add(.command, .tx, [low, high, length] + octets, missing: missing)
                    case .hciResult: add(.event, .rx, [0x0E, length + 3, 1, low, high] + octets, missing: missing)
                    case .hciEvent: add(.event, .rx, [low, length] + octets, missing: missing)
                    case .leEvent: add(.event, .rx, [0x3E, length + 1, low] + octets, missing: missing)
                    case .monitorRecord: add(.monitor, .tx, [low, high] + octets, missing: missing)
                    default: break
                    }
                }
            }
        }

        private mutating func send(_ operation: AttributeAccess, _ handle: UInt16, _ value: [UInt8]) {
            let place = little(Int(handle))
            switch operation {
            case .write:
                att(.tx, [0x12] + place + value)
                att(.rx, [0x13])
            case .read:
                att(.tx, [0x0A] + place)
                att(.rx, [0x0B] + value)
            case .notify: att(.rx, [0x1B] + place + value)
            case .indicate:
                att(.rx, [0x1D] + place + value)
                att(.tx, [0x1E])
            }
        }

        private mutating func att(_ direction: Direction, _ pdu: [UInt8], missing: Int = 0) {
            acl(
                direction, direction == .tx ? 0x00 : 0x20, little(pdu.count + missing) + [4, 0] + pdu, missing: missing)
        }

        private mutating func acl(_ direction: Direction, _ flags: UInt8, _ octets: [UInt8], missing: Int = 0) {
            add(.acl, direction, [0x40, flags] + little(octets.count + missing) + octets, missing: UInt8(missing))
        }

        private mutating func event(_ octets: [UInt8]) { add(.event, .rx, octets) }

        private mutating func add(
            _ kind: RecordList.Kind, _ direction: Direction, _ octets: [UInt8], missing: UInt8 = 0
        ) {
            var entry = RecordList.Entry(kind, direction, octets)
            entry.missing = missing
            list.entries.append(entry)
        }
    }

    /// Discovered in the first connection, remembered in the second.
    private static func conversation(_ secrets: [Secret]) -> Conversation {
        var conversation = Conversation(secrets)
        conversation.connect()
        conversation.discover()
        conversation.transport()
        conversation.sendPackets()
        conversation.disconnect()
        conversation.connect()
        conversation.transport()
        return conversation
    }

    // MARK: The tests

    @Test(arguments: groups) func everySecretIsTried(_ group: Group) {
        let tried = Set(group.secrets.map(\.definition.key))
        #expect(group.definitions.filter { !tried.contains($0.key) }.map { "\($0.key) \($0.name)" } == [])
    }

    @Test(arguments: groups) func noOutputHasASecret(_ group: Group) {
        let discovered = Self.conversation(group.secrets)
        check(discovered, group) { Trace() }
        var imported = Conversation(group.secrets)
        imported.connect()
        imported.transport()
        check(imported, group) {
            var trace = Trace()
            trace.import(imported.imported)
            return trace
        }
    }

    private func check(_ conversation: Conversation, _ group: Group, _ makeTrace: @escaping () -> Trace) {
        let fuzzer = Fuzzer(library: group.library, makeTrace: makeTrace)
        var choice: UInt8 = 0
        var isShown = false
        fuzzer.inspector.onFinding = { Issue.record("\($0)") }
        fuzzer.inspector.onOutput = { form, octets in
            isShown = isShown || !octets.isEmpty
            if let leak = Self.leak(in: octets) { Issue.record("\(form) of \(choice): \(leak)") }
        }
        // Conversation plain, with packets and octets, and narrow; tables, columns, reports, trees, statistics, answers, findings,
        // differences.
        for next: UInt8 in [0x00, 0x18, 0x50, 0x03, 0x13, 0x14, 0x04, 0x05, 0x16, 0x06, 0x07] {
            choice = next
            isShown = false
            fuzzer.pipeline(conversation.list, choice)
            #expect(isShown, "\(choice) has no output")
        }
    }

    @Test(arguments: groups) func columnsOfOctetsHaveNoSecret(_ group: Group) {
        var columns: [[UInt8]] = []
        var trace = Trace()
        var sink = Interpreted(library: group.library) { values in
            TableWriter(
                ArrowSink(Table.allCases) { batch in
                    columns += batch.columns.filter { $0.kind == .octets }.map(\.octets)
                }, capture: 1, values: values)
        }
        Self.conversation(group.secrets).list.forEachRecord { trace.decode($0, into: &sink) }
        trace.finish(into: &sink)
        _ = sink.finish(in: trace, CaptureIntegrity(CaptureExtent(), in: trace))
        #expect(columns.contains { !$0.isEmpty })
        for column in columns {
            let digits = column.flatMap { Array(($0 < 16 ? "0" : "").utf8) + Array(String($0, radix: 16).utf8) }
            #expect(Self.leak(in: digits) == nil)
        }
    }

    /// What `open` shows of each packet, and copies: the fields, and their octets.
    private struct LayersSink: EventSink {
        var values: ValueInterpreter
        var record: KeptRecord?
        var text: [UInt8] = []

        var wantsPackets: Bool { true }

        mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
            guard let record else { return }
            let layers = PacketLayers(record, event, &values, in: trace)
            for field in layers.fields { text += Array("\(field.name) \(field.value)\n".utf8) }
            for source in PacketLayers.Source.allCases {
                for octet in layers.octets(of: source) {
                    text += Array((octet < 16 ? "0" : "").utf8) + Array(String(octet, radix: 16).utf8)
                }
                text.append(0x0A)
            }
        }
    }

    @Test(arguments: groups) func layersHaveNoSecret(_ group: Group) {
        var trace = Trace()
        var sink = Interpreted(library: group.library) { LayersSink(values: $0) }
        Self.conversation(group.secrets).list.forEachRecord { record in
            sink.sink.record = KeptRecord(record)
            trace.decode(record, into: &sink)
        }
        #expect(!sink.sink.text.isEmpty)
        if let leak = Self.leak(in: sink.sink.text) { Issue.record("\(leak)") }
    }

    /// The tree of the full screen with the last values, and what it copies of each.
    @Test(arguments: groups) func theTreeOfTheScreenHasNoSecret(_ group: Group) throws {
        var stream = BTSnoopStream()
        for entry in Self.conversation(group.secrets).list.entries { stream.append(entry) }
        let capture = try SeekableCapture(bytes: stream.octets, name: "leak")
        let recording = try Recording(capture, Trace(), library: group.library, options: ConversationText.Options())
        recording.advance(records: .max)
        var view = RecordingView(isASCII: false)
        let size = Grid.Size(columns: 200, rows: 80)
        recording.resize(columns: size.columns)
        var copies = 0
        func press(_ key: ScreenKey) {
            view.layOut(recording, size)
            let grid = view.paint(recording, size)
            let rows = (0..<size.rows).map { grid.text(row: $0) }.joined(separator: "\n")
            if let leak = Self.leak(in: Array(rows.utf8)) { Issue.record("\(leak)") }
            guard case .copy(let text) = view.handle(key, recording) else { return }
            copies += 1
            if let leak = Self.leak(in: Array(text.utf8)) { Issue.record("copied: \(leak)") }
        }
        for key: ScreenKey in [.end, .character("y"), .tab, .tab, .tab, .home] { press(key) }
        for _ in 0..<3 * group.secrets.count {
            press(.down)
            press(.character("y"))
        }
        #expect(copies > group.secrets.count)
    }

    /// The tests above would find a leak: with `--show-keys`, every secret is there.
    @Test(arguments: groups) func whoAsksSeesEverySecret(_ group: Group) {
        let conversation = Self.conversation(group.secrets)
        let fuzzer = Fuzzer(library: group.library.showingKeys())
        var json = ""
        fuzzer.inspector.onOutput = { form, octets in
            if form == .json { json = String(decoding: octets, as: UTF8.self) }
        }
        fuzzer.pipeline(conversation.list, 0x08)
        for secret in conversation.secrets {
            let digits = secret.octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(json.contains(digits), "\(secret.definition.key) \(secret.definition.name)")
        }
        #expect(Self.leak(in: Array(json.utf8)) != nil)
    }
}

extension BluetoothUUID {
    /// As on the air: least significant octet first.
    fileprivate var octets: [UInt8] {
        if let number = uint16 { return little(Int(number)) }
        let digits = Array(description.filter { $0 != "-" })
        return stride(from: 30, through: 0, by: -2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 }
    }
}
