import AttlasLocks
import AttlasWire

/// The definitions that are known, and the names of everything that has one.
///
/// Levels of definitions in order of precedence: a user's files, then those that come with the program. Looking a UUID up
/// compiles its definition the first time and costs a hash table and a lock after that: look up once per attribute and keep
/// the result.
public final class DissectorLibrary: Sendable {
    /// The definitions of one level.
    struct Level: Sendable {
        var services: [BluetoothUUID: ServiceDefinition] = [:]
        var definitions: [DefinitionKey: AttributeDefinition] = [:]
        var archive = DefinitionArchive("")
        var archived: [DefinitionKey: DefinitionArchive.Entry] = [:]
        var packets: PacketArchive?
        var contextSources: Set<BluetoothUUID> = []

        func definition(of key: DefinitionKey) -> AttributeDefinition? {
            if let definition = definitions[key] { return definition }
            return key.space.isPacket ? packets?.definition(of: key) : archived[key].map(archive.definition)
        }
    }

    /// Numbers and names that the Bluetooth SIG assigned.
    public let assignedNumbers: AssignedNumbers
    let levels: [Level]
    /// Whether the values of keys are withheld.
    public let withholdsKeys: Bool
    private let compiled = Locked<[CompiledKey: Dissector?]>([:])

    let knownConditions = Locked<Conditions?>(nil)

    /// Names of attributes: a definition is decoded as a whole.
    private let names = Locked<[BluetoothUUID: String?]>([:])

    private struct CompiledKey: Hashable {
        let key: DefinitionKey
        /// The levels before this one are left out.
        let level: Int
    }

    init(levels: [Level], assignedNumbers: AssignedNumbers, withholdsKeys: Bool = true) {
        self.levels = levels
        self.assignedNumbers = assignedNumbers
        self.withholdsKeys = withholdsKeys
    }

    /// The same with keys shown.
    package func showingKeys() -> DissectorLibrary {
        DissectorLibrary(levels: levels, assignedNumbers: assignedNumbers, withholdsKeys: false)
    }

    /// The output of `embed-dissectors`.
    /// - Parameters:
    ///   - archive: the definitions of values.
    ///   - packets: those of HCI packets.
    ///   - tables: the assigned numbers, one text for each case of `AssignedNumbers.Table` but the last.
    public convenience init(archive: StaticString, packets: StaticString, tables: [StaticString]) {
        let archive = DefinitionArchive(archive)
        var level = Level(archive: archive, packets: PacketArchive(packets))
        level.services.reserveCapacity(archive.services.count)
        level.archived.reserveCapacity(archive.entries.count)
        for service in archive.services { level.services[service.uuid] = service }
        for entry in archive.entries { level.archived[entry.key] = entry }
        level.contextSources = Set(archive.contextSources)
        self.init(levels: [level], assignedNumbers: AssignedNumbers(tables))
    }

    /// No definitions and no names.
    package static let empty = DissectorLibrary(levels: [], assignedNumbers: AssignedNumbers())

    /// The same with a level of `files` that precedes it.
    package func adding(_ files: [DefinitionFile]) -> DissectorLibrary {
        var level = Level()
        var assignedNumbers = self.assignedNumbers
        for file in files {
            for service in file.services { level.services[service.uuid] = service }
            for definition in file.attributes {
                level.definitions[definition.key] = definition
                level.contextSources.formUnion(definition.contextSources)
                if definition.kind == .hciCommand, let opcode = definition.uuid.uint16 {
                    assignedNumbers.addedCommands[opcode] = definition.name
                }
            }
        }
        return DissectorLibrary(
            levels: [level] + levels, assignedNumbers: assignedNumbers, withholdsKeys: withholdsKeys)
    }

    /// The dissector of attributes of this type; nil if there is no definition.
    public func dissector(for uuid: BluetoothUUID) -> Dissector? {
        dissector(for: .attribute(uuid))
    }

    /// The dissector of attributes of this type in a service; nil if no definition applies there.
    /// - Parameter service: nil if it is unknown: the definition that comes first applies.
    public func dissector(for uuid: BluetoothUUID, in service: BluetoothUUID?) -> Dissector? {
        let key = DefinitionKey.attribute(uuid)
        guard let service else { return dissector(for: key) }
        var first = 0
        for (index, level) in levels.enumerated() {
            guard let definition = level.definition(of: key) else { continue }
            if applies(definition, in: service, isAdded: index < levels.count - 1) {
                return dissector(for: key, from: first)
            }
            first = index + 1
        }
        return nil
    }

    /// All dissectors that apply in some service; one may be there twice.
    public func dissectors(for uuid: BluetoothUUID) -> [Dissector] {
        levels.indices.compactMap { dissector(for: .attribute(uuid), from: $0) }
    }

    /// A characteristic belongs to the services of its file. Those of the Bluetooth SIG are used in others, too, where
    /// `Dissector.belongs` is false: there, only a value of its format is read by it. Messages in parts have none that tells them from a
    /// vendor's.
    private func applies(_ definition: AttributeDefinition, in service: BluetoothUUID, isAdded: Bool) -> Bool {
        definition.services.isEmpty || definition.services.contains(service)
            || !isAdded && definition.services.contains(where: isAssigned)
                && (isAssigned(service) || definition.assembly == nil && definition.decoder == nil)
    }

    /// Whether it is a service of the Bluetooth SIG, not one of a member or of another organization.
    package func isAssigned(_ service: BluetoothUUID) -> Bool {
        service.uint16.flatMap { assignedNumbers.name($0, in: .services) } != nil
    }

    /// The limit on cached keys, most of which have no definition.
    private static let compiledLimit = 8_192

    /// nil if there is no definition, or only the name of an attribute.
    public func dissector(for key: DefinitionKey) -> Dissector? { dissector(for: key, from: 0) }

    private func dissector(for key: DefinitionKey, from level: Int) -> Dissector? {
        let place = CompiledKey(key: key, level: level)
        if let known = compiled.withLock({ $0[place] }) { return known }
        var dissector: Dissector?
        if let definition = definition(of: key, from: level), key.space.isPacket || !definition.layouts.isEmpty {
            // Every definition was compiled once before it came here; one that fails now would be our mistake, and its
            // values are shown as they are.
            dissector = try? Dissector(
                definition, assignedNumbers: assignedNumbers, withholdsKeys: withholdsKeys, resolve: self.definition)
        }
        compiled.withLock { compiled in
            // Advertising may contain any number of services without a definition.
            if dissector != nil || compiled.count < Self.compiledLimit { compiled[place] = .some(dissector) }
        }
        return dissector
    }

    /// The definition in force.
    package func definition(of uuid: BluetoothUUID) -> AttributeDefinition? {
        definition(of: .attribute(uuid))
    }

    package func definition(of key: DefinitionKey) -> AttributeDefinition? {
        definition(of: key, from: 0)
    }

    private func definition(of key: DefinitionKey, from level: Int) -> AttributeDefinition? {
        for level in levels.dropFirst(level) {
            if let definition = level.definition(of: key) { return definition }
        }
        return nil
    }

    /// Whether other definitions take numbers from values of this type, which therefore have to be kept.
    public func isContext(_ uuid: BluetoothUUID) -> Bool {
        levels.contains { $0.contextSources.contains(uuid) }
    }

    /// A definition with a layout, for a list.
    package struct Summary: Sendable {
        var uuid: BluetoothUUID
        package var kind: AttributeDefinition.Kind
        package var name: String
        package var confidence: Confidence
        package var decoder: NamedDecoder?
        /// The condition under which data of a device is recognized by its other advertised data.
        package var condition: AdvertisedCondition?
        /// From a user's file.
        package var isAdded: Bool

        package var key: DefinitionKey { kind.key(uuid) }
    }

    /// The share of the characteristics of the Bluetooth SIG that have a definition.
    package struct Coverage: Sendable {
        /// Characteristics with an assigned number.
        package var assigned: Int
        package var defined: Int
        /// Number of defined characteristics by confidence.
        package var byConfidence: [Confidence: Int]
        /// Defined characteristics that a named decoder reads when the capture allows it.
        package var namedDecoders: Int
    }

    package func coverage(_ definitions: [Summary]) -> Coverage {
        let own = definitions.filter { definition in
            definition.kind == .characteristic
                && definition.uuid.uint16.flatMap { assignedNumbers.name($0, in: .characteristics) } != nil
        }
        return Coverage(
            assigned: assignedNumbers.count(of: .characteristics), defined: own.count,
            byConfidence: Dictionary(grouping: own, by: \.confidence).mapValues(\.count),
            namedDecoders: own.filter { $0.decoder != nil }.count)
    }

    /// Every definition of a value in force, sorted by kind and UUID.
    package var definitions: [Summary] { summaries { !$0.space.isPacket } }

    /// Every definition of an HCI packet in force, sorted by kind and code.
    package var packetDefinitions: [Summary] { summaries(where: \.space.isPacket) }

    private func summaries(where isIncluded: (DefinitionKey) -> Bool) -> [Summary] {
        var seen: [DefinitionKey: Summary] = [:]
        for (index, level) in levels.enumerated() {
            let keys = Array(level.definitions.keys) + Array(level.archived.keys) + (level.packets?.keys ?? [])
            for key in keys where isIncluded(key) && seen[key] == nil {
                guard let definition = level.definition(of: key), !definition.layouts.isEmpty else { continue }
                seen[key] = Summary(
                    uuid: definition.uuid, kind: definition.kind, name: definition.name,
                    confidence: definition.confidence, decoder: definition.decoder,
                    condition: definition.condition, isAdded: index < levels.count - 1)
            }
        }
        // The UUID of recognized data is made of its condition, and means nothing to a reader.
        return seen.values.sorted {
            ($0.kind.rawValue, $0.condition == nil ? "" : $0.name, $0.uuid.value)
                < ($1.kind.rawValue, $1.condition == nil ? "" : $1.name, $1.uuid.value)
        }
    }
}

extension DissectorLibrary {
    /// The name of a service that is defined here or by the Bluetooth SIG. A 16-bit UUID of a member has none: other vendors use them too.
    public func serviceName(of uuid: BluetoothUUID) -> String? {
        for level in levels {
            if let service = level.services[uuid] { return service.name }
        }
        guard let number = uuid.uint16 else { return nil }
        return assignedNumbers.name(number, in: .services)
    }

    /// The member of the SIG, or the standards organization, that a 16-bit UUID without a name is assigned to.
    public func assignee(of uuid: BluetoothUUID) -> String? {
        guard let number = uuid.uint16, serviceName(of: uuid) == nil, definition(of: uuid) == nil else { return nil }
        return assignedNumbers.name(number, in: .members) ?? assignedNumbers.name(number, in: .organizations)
    }

    /// The name of a characteristic, a descriptor or a declaration.
    public func attributeName(of uuid: BluetoothUUID) -> String? {
        if let known = names.withLock({ $0[uuid] }) { return known }
        let name = foundName(of: uuid)
        // A capture may list any number of UUIDs.
        names.withLock { if $0.count < Self.compiledLimit { $0[uuid] = .some(name) } }
        return name
    }

    private func foundName(of uuid: BluetoothUUID) -> String? {
        if let definition = definition(of: uuid) { return definition.name }
        guard let number = uuid.uint16 else { return nil }
        return assignedNumbers.name(number, in: .characteristics) ?? assignedNumbers.name(number, in: .descriptors)
            ?? assignedNumbers.name(number, in: .declarations)
    }

    /// The name of a unit, as the Presentation Format descriptor gives it.
    package func unitName(of uuid: BluetoothUUID) -> String? {
        uuid.uint16.flatMap { assignedNumbers.name($0, in: .units) }
    }

    /// nil for an unassigned Company Identifier.
    public func companyName(of identifier: UInt16) -> String? {
        assignedNumbers.name(identifier, in: .companies)
    }

    /// The meaning of an application error code (0x80–0x9F) in a service.
    public func applicationErrorName(of code: UInt8, in service: BluetoothUUID) -> String? {
        guard let number = service.uint16, number >> 8 == 0x18 else { return nil }
        return assignedNumbers.name(number << 8 | UInt16(code), in: .applicationErrors)
    }

    /// nil for an unassigned Appearance value.
    public func appearanceName(of value: UInt16) -> String? {
        assignedNumbers.name(value, in: .appearances)
    }
}
