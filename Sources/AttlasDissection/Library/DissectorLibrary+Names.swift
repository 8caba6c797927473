/// All known names, to distinguish a wrong name from one that does not occur in a capture.
///
/// Collecting them reads every definition: for messages and for checking input of users, never for decoding.
extension DissectorLibrary {
    /// Names of all known services, members and organizations with a UUID.
    public var serviceNames: Set<String> {
        var names = assignedNumbers.names(in: [.services, .members, .organizations])
        for level in levels { names.formUnion(level.services.values.map(\.name)) }
        return names
    }

    /// Names of all known companies.
    package var companyNames: Set<String> { assignedNumbers.names(in: [.companies]) }

    /// Names of characteristics, descriptors and declarations.
    public var attributeNames: Set<String> {
        assignedNumbers.names(in: [.characteristics, .descriptors, .declarations])
            .union(everyDefinition.map(\.name))
    }

    /// Names of fields, and of the bits that have a name.
    public var fieldNames: Set<String> {
        var names = ValueShape.fieldNames(assignedNumbers)
        func collect(_ elements: [Element]) {
            for element in elements {
                switch element {
                case .field(let field):
                    names.insert(field.name)
                    names.formUnion(field.bits.map(\.name))
                    collect(field.elements)
                case .choice(let branches):
                    for branch in branches { collect(branch.elements) }
                }
            }
        }
        for definition in everyDefinition {
            for layout in definition.layouts { collect(layout.elements) }
        }
        return names
    }

    /// The meanings of the codes 0x80–0x9F, in any service.
    public var applicationErrorNames: Set<String> { assignedNumbers.names(in: [.applicationErrors]) }

    /// All definitions of values.
    private var everyDefinition: [AttributeDefinition] {
        levels.flatMap { level in
            level.definitions.values.filter { !$0.kind.space.isPacket }
                + level.archived.values.map(level.archive.definition)
        }
    }
}
