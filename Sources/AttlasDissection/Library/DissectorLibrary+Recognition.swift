import AttlasWire

/// Manufacturer data whose layout depends on the device's other advertised data.
extension DissectorLibrary {
    /// A definition that applies to advertised data.
    public struct Recognized: Sendable {
        /// Definition that reads the data.
        public let dissector: Dissector
        /// Whether its layout begins with the number in the place of the company's.
        public let takesCompany: Bool
    }

    /// The definition whose condition holds; nil if there is none. A user's definitions for the company come before the shipped ones.
    /// - Parameter length: octets after the company's number.
    public func recognized(
        company: UInt16, length: Int, name: String?, services: (BluetoothUUID) -> Bool
    ) -> Recognized? {
        for (level, conditions) in conditions.enumerated() {
            for (key, condition) in conditions
            where condition.holds(company: company, length: length, name: name, services: services) {
                guard let dissector = dissector(for: key) else { continue }
                return Recognized(dissector: dissector, takesCompany: condition.company == nil)
            }
            if levels[level].definitions[.manufacturerData(company)] != nil { return nil }
        }
        return nil
    }

    /// The definition with this name, in any letter case.
    func recognized(named text: String) -> Dissector? {
        let name = text.lowercased()
        for (key, _) in conditions.joined() {
            guard let dissector = dissector(for: key), dissector.name.lowercased() == name else { continue }
            return dissector
        }
        return nil
    }

    typealias Conditions = [[(key: DefinitionKey, condition: AdvertisedCondition)]]

    /// Conditions of each level, in the order of their files. Read once, when data is first looked up: few runs need them.
    private var conditions: Conditions {
        knownConditions.withLock { known in
            if let known { return known }
            let all = levels.map { level in
                let own = level.definitions.values.filter { $0.key.space == .recognizedData }
                    .sorted { ($0.name, $0.uuid.value) < ($1.name, $1.uuid.value) }
                let archived = level.archive.entries.filter { $0.key.space == .recognizedData }
                    .map { level.archive.definition($0) }
                return (own + archived).compactMap { definition in
                    definition.condition.map { (definition.key, $0) }
                }
            }
            known = all
            return all
        }
    }
}
