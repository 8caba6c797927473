import AttlasWire

/// Many definitions in one text, of which each is decoded when it is first looked up.
///
/// The text: how many services; each one's UUID and name; how many attributes; each one's UUID, length and kind;
/// the UUIDs whose values are context; then the definitions, one after the other.
package struct DefinitionArchive: Sendable {
    struct Entry: Sendable {
        var uuid: BluetoothUUID
        var kind: AttributeDefinition.Kind
        var start: Int

        var key: DefinitionKey { kind.key(uuid) }
    }

    let text: StaticString
    private(set) var services: [ServiceDefinition] = []
    private(set) var entries: [Entry] = []
    /// The attributes whose values are the context of others.
    private(set) var contextSources: [BluetoothUUID] = []

    init(_ text: StaticString) {
        self.text = text
        guard text.utf8CodeUnitCount > 0 else { return }
        var coder = ArchiveCoder(reading: text, at: 0)
        var headLength = 0
        coder.code(&headLength)
        Self.code(services: &services, with: &coder)
        var kinds: [Int] = []
        var lengths: [(BluetoothUUID, Int)] = []
        Self.code(index: &lengths, kinds: &kinds, with: &coder)
        Self.code(uuids: &contextSources, with: &coder)
        var start = headLength
        entries.reserveCapacity(lengths.count)
        for (index, (uuid, length)) in lengths.enumerated() {
            let kind = AttributeDefinition.Kind(rawValue: UInt8(kinds[index])) ?? .characteristic
            entries.append(Entry(uuid: uuid, kind: kind, start: start))
            start += length
        }
    }

    func definition(_ entry: Entry) -> AttributeDefinition {
        var coder = ArchiveCoder(reading: text, at: entry.start)
        var definition = AttributeDefinition.empty
        definition.code(with: &coder)
        return definition
    }

    /// The text of an archive: ASCII.
    package static func text(services: [ServiceDefinition], attributes: [AttributeDefinition]) -> [UInt8] {
        var bodies: [UInt8] = []
        var lengths: [(BluetoothUUID, Int)] = []
        var kinds: [Int] = []
        for var attribute in attributes {
            var coder = ArchiveCoder()
            attribute.code(with: &coder)
            bodies += coder.output
            lengths.append((attribute.uuid, coder.output.count))
            kinds.append(Int(attribute.kind.rawValue))
        }
        var head = ArchiveCoder()
        var services = services
        code(services: &services, with: &head)
        code(index: &lengths, kinds: &kinds, with: &head)
        var sources = Set(attributes.flatMap(\.contextSources)).sorted { $0.value < $1.value }
        code(uuids: &sources, with: &head)
        // The length of the head counts itself, in four groups of six bits; signed numbers go doubled.
        let headLength = (head.output.count + 4) * 2
        let groups = (0..<4).map { UInt8(truncatingIfNeeded: headLength >> ($0 * 6) & 0x3F) | ($0 < 3 ? 0x40 : 0) }
        return groups + head.output + bodies
    }

    private static func code(services: inout [ServiceDefinition], with coder: inout ArchiveCoder) {
        let empty = ServiceDefinition(uuid: AttributeDefinition.empty.uuid, name: "", position: .none)
        coder.code(&services, empty: empty) { coder, service in
            coder.code(&service.uuid)
            coder.code(&service.name)
        }
    }

    private static func code(uuids: inout [BluetoothUUID], with coder: inout ArchiveCoder) {
        coder.code(&uuids, empty: AttributeDefinition.empty.uuid) { $0.code(&$1) }
    }

    private static func code(
        index: inout [(BluetoothUUID, Int)], kinds: inout [Int], with coder: inout ArchiveCoder
    ) {
        coder.code(&index, empty: (AttributeDefinition.empty.uuid, 0)) { coder, entry in
            coder.code(&entry.0)
            coder.code(&entry.1)
        }
        coder.code(&kinds, empty: 0) { $0.code(&$1) }
    }
}
