/// Captures in groups, by a name.
package struct FleetGroups: Sendable {
    /// In their order.
    package private(set) var groups: [FleetGroup]
    /// Captures without the name of a group.
    package private(set) var unnamed = 0
    private let isSorted: Bool

    /// - Parameter names: of groups in their order; without them, groups are ordered by names, and numbers in names by value.
    package init(names: [String] = []) {
        groups = names.map { FleetGroup(name: $0) }
        isSorted = names.isEmpty
    }

    /// Adds a capture.
    ///
    /// - Parameter name: of the group of a device; nil if it has none.
    package mutating func add(
        _ all: [FleetCapture.Device], of file: String, hours: Double, by name: (FleetCapture.Device) -> String?
    ) {
        let names = Set(all.compactMap(name))
        if names.isEmpty { unnamed += 1 }
        for group in names {
            let devices = all.filter { name($0) == group }
            if let place = groups.firstIndex(where: { $0.name == group }) {
                groups[place].add(devices, of: file, hours: hours)
                continue
            }
            var new = FleetGroup(name: group)
            new.add(devices, of: file, hours: hours)
            let place =
                isSorted ? groups.firstIndex { Self.parts(group).lexicographicallyPrecedes(Self.parts($0.name)) } : nil
            groups.insert(new, at: place ?? groups.endIndex)
        }
    }

    /// Runs of digits and the text between them; `2.10` comes after `2.9`.
    private static func parts(_ name: String) -> [Part] {
        var parts: [Part] = []
        for character in name {
            guard let digit = character.isASCII ? character.wholeNumberValue : nil else {
                parts.append(.character(character))
                continue
            }
            if case .number(let number) = parts.last, number < Int.max / 20 {
                parts[parts.count - 1] = .number(number * 10 + digit)
            } else {
                parts.append(.number(digit))
            }
        }
        return parts
    }

    private enum Part: Comparable {
        case number(Int)
        case character(Character)
    }
}
