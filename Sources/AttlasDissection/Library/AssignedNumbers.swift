import AttlasWire

/// The Bluetooth SIG's assigned numbers: names for numbers, as sorted text that is searched and never parsed.
public struct AssignedNumbers: Sendable {
    /// A kind of assigned number. The raw value is the name of the table's file in `Dissectors/assigned-numbers`, and the argument of
    /// `values:`.
    public enum Table: String, CaseIterable, Sendable {
        case services, characteristics, descriptors, declarations, members
        case organizations, companies, appearances, units
        case objectTypes = "object-types"
        case namespaceDescriptions = "namespace-descriptions"
        /// The last two digits of a service's UUID (0x18xx), then the error code.
        case applicationErrors = "application-errors"
        /// Commands of the Management interface between BlueZ and the Linux kernel.
        case mgmtCommands = "mgmt-commands"
        case mgmtEvents = "mgmt-events"
        case mgmtStatuses = "mgmt-statuses"
        /// Usage pages of HID, and the usages of some of them.
        case hidPages = "hid-pages"
        case hidGenericDesktop = "hid-generic-desktop"
        case hidSimulation = "hid-simulation"
        case hidGenericDevice = "hid-generic-device"
        case hidKeyboard = "hid-keyboard"
        case hidLEDs = "hid-leds"
        case hidConsumer = "hid-consumer"
        case hidDigitizers = "hid-digitizers"
        /// Observation types in 32 bits, and units: the codes of IEEE 11073-10101 (MDC).
        case mdcTypes = "mdc-types"
        case mdcUnits = "mdc-units"
        /// The names of the definitions of commands.
        case hciOpcodes = "hci-opcodes"
        /// The last one: its names are those of `HCIErrorCode`.
        case hciErrors = "hci-errors"

        /// Number of digits of a code that is shown with its name.
        public var digits: Int? {
            switch self {
            case .hciOpcodes, .mgmtCommands, .mgmtEvents: 4
            case .hciErrors, .mgmtStatuses: 2
            default: nil
            }
        }
    }

    private var tables: [NameTable]
    /// Names of commands in a user's files, which precede the table.
    var addedCommands: [UInt16: String] = [:]

    /// - Parameter tables: one text for each table, in the order of `Table.allCases`; none is an empty table.
    init(_ tables: [StaticString] = []) {
        self.tables = tables.map(NameTable.init)
    }

    /// Name of a 16-bit number; nil if it is not assigned.
    public func name(_ number: UInt16, in table: Table) -> String? {
        if table == .hciErrors { return UInt8(exactly: number).map { HCIErrorCode(rawValue: $0).name } }
        if table == .hciOpcodes { return commandName(HCIOpcode(rawValue: number)) }
        if let name = assignedName(UInt32(number), in: table) { return name }
        return table == .appearances ? categoryName(number) : nil
    }

    /// An appearance with an unassigned subcategory still has its category, the ten upper bits. Assigned Numbers, 2.6.
    private func categoryName(_ appearance: UInt16) -> String? {
        guard let name = assignedName(UInt32(appearance & 0xFFC0), in: .appearances), appearance >= 0x40 else {
            return nil
        }
        let category = name.hasPrefix("Generic ") ? name.dropFirst("Generic ".count) : name[...]
        let digits = String(appearance, radix: 16, uppercase: true)
        return "\(category), 0x\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)"
    }

    /// The name of a number that a field has, of which a table of 16-bit numbers takes the lower half.
    func name(ofRaw raw: Int64, in table: Table) -> String? {
        table == .mdcTypes
            ? assignedName(UInt32(truncatingIfNeeded: raw), in: table)
            : name(UInt16(truncatingIfNeeded: raw), in: table)
    }

    private func commandName(_ opcode: HCIOpcode) -> String? {
        addedCommands[opcode.rawValue] ?? assignedName(UInt32(opcode.rawValue), in: .hciOpcodes)
            ?? (opcode.isVendorSpecific ? "Vendor Specific" : nil)
    }

    private func assignedName(_ number: UInt32, in table: Table) -> String? {
        guard let index = Table.allCases.firstIndex(of: table), index < tables.count else { return nil }
        return tables[index].name(of: number)
    }

    /// Every name in some tables.
    func names(in wanted: [Table]) -> Set<String> {
        Set(zip(Table.allCases, tables).filter { wanted.contains($0.0) }.flatMap { $0.1.names })
    }

    /// The count of numbers in a table.
    func count(of table: Table) -> Int {
        guard let index = Table.allCases.firstIndex(of: table), index < tables.count else { return 0 }
        return tables[index].names.count
    }

    /// The name of a 16-bit UUID in whichever table has it.
    public func name(of uuid: BluetoothUUID) -> String? {
        guard let number = uuid.uint16 else { return nil }
        let tables: [Table] = [
            .characteristics, .services, .descriptors, .declarations, .members, .organizations, .units, .objectTypes,
        ]
        for table in tables {
            if let name = name(number, in: table) { return name }
        }
        return nil
    }
}

/// Lines of four to eight hexadecimal digits, a tab and a name, sorted by number.
struct NameTable: Sendable {
    private let text: StaticString

    init(_ text: StaticString) {
        self.text = text
    }

    func name(of number: UInt32) -> String? {
        let octets = text.octets
        var low = 0
        var high = octets.count
        while low < high {
            let line = Self.line(around: (low + high) / 2, in: octets)
            guard let found = Self.number(of: octets.extracting(line)) else { return nil }
            if found == number { return Self.name(of: octets.extracting(line)) }
            if found < number { low = line.upperBound + 1 } else { high = line.lowerBound }
        }
        return nil
    }

    var names: [String] {
        let octets = text.octets
        var names: [String] = []
        var start = 0
        while start < octets.count {
            let line = Self.line(around: start, in: octets)
            names.append(Self.name(of: octets.extracting(line)) ?? "")
            start = line.upperBound + 1
        }
        return names
    }

    /// The text after the number and the tab.
    private static func name(of line: Span<UInt8>) -> String? {
        var start = 0
        while start < line.count, line[start] != UInt8(ascii: "\t") { start += 1 }
        guard let text = try? UTF8Span(validating: line.extracting(droppingFirst: min(start + 1, line.count))) else {
            return nil
        }
        return String(copying: text)
    }

    private static func line(around offset: Int, in octets: Span<UInt8>) -> Range<Int> {
        let newline = UInt8(ascii: "\n")
        var start = offset
        while start > 0, octets[start - 1] != newline { start -= 1 }
        var end = offset
        while end < octets.count, octets[end] != newline { end += 1 }
        return start..<end
    }

    private static func number(of line: Span<UInt8>) -> UInt32? {
        var number: UInt32 = 0
        for place in 0..<line.count {
            switch line[place] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt32(line[place] - UInt8(ascii: "0"))
            case UInt8(ascii: "A")...UInt8(ascii: "F"):
                number = number << 4 | UInt32(line[place] - UInt8(ascii: "A") + 10)
            case UInt8(ascii: "\t"): return place < 4 ? nil : number
            default: return nil
            }
        }
        return nil
    }
}
