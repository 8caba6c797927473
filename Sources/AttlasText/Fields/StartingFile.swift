import AttlasWire

/// A definition file for someone to fill in: valid from the start, so that it can be checked at once.
package struct StartingFile {
    private let uuid: BluetoothUUID
    private let name: String
    private let service: BluetoothUUID?
    private let serviceName: String
    private let values: [[UInt8]]

    /// - Parameter values: that a capture shows; they become examples.
    package init(uuid: BluetoothUUID, name: String, service: BluetoothUUID?, serviceName: String, values: [[UInt8]]) {
        self.uuid = uuid
        self.name = name
        self.service = service
        self.serviceName = serviceName
        self.values = values
    }

    /// Names longer than this make no good lines, and longer values no good tables.
    private static let mostFields = 32

    package var text: String {
        var lines = [
            "# What the values of this characteristic mean. attlas dissectors check FILE reports mistakes and runs the examples;",
            "# attlas show CAPTURE --dissectors FILE uses it. attlas help dissectors.md has everything the format can say.",
        ]
        if let service { lines.append("service: { uuid: \(service), name: \(Self.quoted(serviceName)) }") }
        lines += [
            "characteristics:",
            "  - uuid: \(uuid)",
            "    name: \(Self.quoted(name))",
            "    fields:",
        ]
        // The shortest one, so that every example can be read.
        let count = min(values.map(\.count).min() ?? 0, Self.mostFields)
        for index in 0..<count { lines.append("      - { name: Octet \(index), type: uint8 }") }
        if count == 0 || values.contains(where: { $0.count > count }) {
            lines.append("      - { name: Rest, type: bytes }")
        }
        lines += [
            "      # - { name: Temperature, type: sint16, scale: 0.01, unit: °C, special: { -32768: not known } }",
            "      # - { name: Mode, type: uint8, values: { 0: \"Off\", 1: \"On\" } }",
            "      # - { name: Flags, type: uint8, bits: { 0: Alarm, 1: Speed Present } }",
            "      # - { name: Speed, type: uint16, order: big, if: Speed Present }",
            "    # summary: \"{Temperature:unit}{Alarm?, alarm}\"",
            "    examples:",
        ]
        if values.isEmpty { lines.append("      - { hex: \"\" }") }
        for value in values { lines.append("      - { hex: \"\(Self.hex(value))\" }") }
        return lines.joined(separator: "\n") + "\n"
    }

    package static func hex(_ octets: [UInt8]) -> String {
        var text = TextBuffer()
        text.append(spacedHexOf: Bytes(octets.span))
        return text.text
    }

    /// In double quotes, as YAML reads them. A terminal may print them.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: quoted += " "
            case _ where scalar.steersDisplay:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                quoted += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
