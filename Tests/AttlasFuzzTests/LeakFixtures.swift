import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasFuzz
import AttlasInput
import AttlasTestSupport
import AttlasTrace
import AttlasWire
import Foundation
import Testing

/// The definitions of one library that have secrets: the shipped ones, or those of one device.
struct LeakGroup: Sendable, CustomTestStringConvertible {
    let name: String
    let library: DissectorLibrary
    let definitions: [AttributeDefinition]
    let secrets: [LeakSecret]

    var testDescription: String { name }

    init(name: String, library: DissectorLibrary, definitions: [AttributeDefinition]) {
        self.name = name
        self.library = library
        self.definitions = definitions.filter { library.dissector(for: $0.key)?.hasSecrets ?? false }
        secrets = self.definitions.flatMap { LeakSecret.all(of: $0, library) }
    }

    /// All definitions of Dissectors/.
    static let all = groups { _ in true }

    /// Of each way to assemble messages, and packets.
    static let some = groups { source in
        ["huami-band.yaml", "jk-battery.yaml", "pairing-events.yaml", "user-data.yaml"].contains {
            source.path.hasSuffix("/\($0)")
        }
    }

    private static func groups(_ isChosen: (DefinitionSource) -> Bool) -> [LeakGroup] {
        let folder = String(Repository.root.appending(path: "Dissectors").path())
        let files = (try? DefinitionSource.files(at: folder)) ?? []
        // To read the others takes long.
        let sources = files.filter { $0.text.contains("secret: true") && isChosen($0) }
        func isOfOneDevice(_ source: DefinitionSource) -> Bool {
            source.path.contains("/examples/") || source.path.contains("/vendors/devices/")
        }
        let shipped = DefinitionLoader(sources.filter { !isOfOneDevice($0) }, above: DissectorLibrary.empty).files
        let others = sources.filter(isOfOneDevice).map { source in
            let files = DefinitionLoader([source], above: DissectorLibrary.shipped).files
            return LeakGroup(
                name: source.path, library: DissectorLibrary.shipped.adding(files),
                definitions: files.flatMap(\.attributes))
        }
        return [LeakGroup(name: "shipped", library: .shipped, definitions: shipped.flatMap(\.attributes))] + others
    }

    /// Secret fields that no value of the group has.
    var untried: [String] {
        definitions.flatMap { definition in
            let tried = secrets.filter { $0.definition.key == definition.key }.flatMap(\.fields)
            let fields = library.dissector(for: definition.key)?.fields ?? []
            return LeakSecret.fields(of: fields).subtracting(tried).map { "\(definition.name): \(fields[$0].name)" }
        }
    }
}

/// A value or the parameters of a packet, with the marker in its secret fields.
struct LeakSecret: Sendable {
    let definition: AttributeDefinition
    let operation: AttributeAccess
    let octets: [UInt8]
    let isMessage: Bool
    /// The secret fields, by their indices, that it has.
    let fields: Set<Int>

    /// Values with the secret fields of a definition: its examples, and if these have none, what a search finds.
    static func all(of definition: AttributeDefinition, _ library: DissectorLibrary) -> [LeakSecret] {
        guard let dissector = library.dissector(for: definition.key), dissector.hasSecrets else { return [] }
        let wanted = fields(of: dissector.fields)
        var found: Set<Int> = []
        var secrets: [LeakSecret] = []
        func add(_ octets: [UInt8], _ operation: AttributeAccess, _ context: [Int64?]) {
            guard let secret = LeakSecret(octets, operation, context, definition, dissector),
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
        // Layouts that the search hardly finds.
        let layouts = [
            // HomeKit: Additional Authorization Data of a request and of a response.
            "00 02 01 0100 0A00 02 08 0102030405060708", "02 01 00 0A00 02 08 0102030405060708",
            // Fitbit: authentication.
            "C0 50 0102030405060708",
            // BlueZ's management: User Passkey Reply.
            "01000000 1E00 060504030201 01 40E20100",
            // Helium: fields of 8, 4 and any number of octets; an answer that is not text.
            "09 0102030405060708 1A 04 01020304 1D 01020304", "01 02 03 04",
            // Espressif: Set Thread with a dataset.
            "08 08 92 01 06 0A 04 01020304",
            // GoPro: the first part of Home Network.
            "21 72 F5 EF 3A 04 61 62 63 64",
            // Withings: Probe, and a challenge.
            "01 0101 0013 0101 000F 00000001 01 41 01 42 06 616263646566", "01 0128 0009 0513 0005 04 61626364",
        ]
        for octets in layouts where found != wanted {
            for operation in definition.layouts.flatMap(\.operations) {
                add(hex(octets), operation, dissector.context.map { _ in nil })
            }
        }
        var generator = SplitMix64(seed: 1)
        var tries = 0
        let none = dissector.context.map { _ in Int64?.none }
        let operations = definition.layouts.flatMap(\.operations)
        while found != wanted, tries < 4_000 {
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

    /// The indices of those that are secret.
    static func fields(of all: [FieldDescription]) -> Set<Int> {
        Set(all.indices.filter { all[$0].type == .secret })
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
        guard !fields.isEmpty else { return nil }
        func marked(from start: Int) -> [UInt8] {
            var octets = value
            for field in fields {
                // The end of a text.
                let isTerminated = octets[field.range.upperBound - 1] == 0
                for (offset, place) in field.range.dropLast(isTerminated ? 1 : 0).enumerated() where offset >= start {
                    octets[place] = LeakMarker.octets[offset % 2]
                }
            }
            return octets
        }
        // The first octets of a secret may choose its layout.
        let found = [0, 1, 2].lazy.map(marked).first { octets in
            let again = secrets(in: octets)
            return again.map(\.field) == fields.map(\.field) && again.map(\.range) == fields.map(\.range)
        }
        guard let octets = found else { return nil }
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

/// The octets of every secret.
enum LeakMarker {
    /// `Qz`: printable, and nowhere else.
    static let octets: [UInt8] = [0x51, 0x7A]
    /// In hexadecimal with and without blanks, as text, as numbers in either order of octets, and in base64.
    private static let forms = [
        "517a", "7a51", "51 7a", "7a 51", "517A", "7A51", "51 7A", "7A 51", "51:7a", "QzQz", "zQzQ", "31313", "20858",
        "1366970746", "2052160081", "UXpR", "RelF6", "elF6UX", "F6UXpR",
    ]

    /// The place of a marker in an output.
    static func find(in output: [UInt8]) -> String? {
        let text = output.map { $0 == 0 ? 1 : $0 } + [0]
        guard let place = forms.lazy.compactMap({ self.place(of: $0, in: text) }).first else { return nil }
        return String(decoding: output[max(0, place - 300)..<min(output.count, place + 60)], as: UTF8.self)
    }

    /// The C library's search: a loop over octets takes minutes in a debug build.
    /// - Parameter text: ends with 0.
    static func place(of form: String, in text: [UInt8]) -> Int? {
        unsafe text.withUnsafeBytes { text in
            guard let start = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self),
                let found = unsafe strstr(start, form)
            else { return nil }
            return unsafe UnsafePointer(found) - start
        }
    }
}

/// Attributes and packets with secrets, in every way in which they are transported.
struct LeakConversation {
    var list = RecordList()
    let secrets: [LeakSecret]
    private let attributes: [LeakSecret]

    init(_ secrets: [LeakSecret], _ fill: (inout LeakConversation) -> Void) {
        self.secrets = secrets
        attributes = secrets.filter { !$0.definition.key.space.isPacket }
        fill(&self)
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

extension BluetoothUUID {
    /// As on the air: least significant octet first.
    fileprivate var octets: [UInt8] {
        if let number = uint16 { return little(Int(number)) }
        let digits = Array(description.filter { $0 != "-" })
        return stride(from: 30, through: 0, by: -2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 }
    }
}
