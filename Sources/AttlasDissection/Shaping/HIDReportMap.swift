import AttlasWire

/// The fields of HID reports as a Report Map lays them out. Device Class Definition for HID 1.11, 6.2.2.
package struct HIDReportMap {
    package static let uuid = BluetoothUUID(0x2A4B as UInt16)

    /// Whether the octets end within an item or a collection. 6.2.2.2 to 6.2.2.6.
    package static func isUnclosed(_ map: [UInt8]) -> Bool {
        var (index, depth) = (0, 0)
        while index < map.count {
            let prefix = map[index]
            // A long item.
            if prefix == 0xFE { return false }
            index += 1 + [0, 1, 2, 4][Int(prefix & 3)]
            if prefix & 0xFC == 0xA0 { depth += 1 }
            if prefix & 0xFC == 0xC0 { depth -= 1 }
        }
        return depth > 0 || index > map.count
    }

    enum ReportType: UInt8 {
        case input = 1
        case output = 2
        case feature = 3
    }

    private static let padding = "Padding"
    private static let vendorData = "Vendor Data"
    /// Name of a field without a usage.
    private static let unnamed = "Field"

    /// All but those that are a number of a usage.
    static func fieldNames(_ numbers: AssignedNumbers) -> Set<String> {
        HIDUsage.names(in: numbers).union([padding, vendorData, unnamed])
    }

    /// More fields than a keyboard with every usage has.
    private static let fieldLimit = 512

    private let usages: HIDUsage

    init(_ usages: HIDUsage) {
        self.usages = usages
    }

    /// State of the global items; Push and Pop keep copies.
    private struct Globals {
        var usagePage: UInt32 = 0
        var logicalMinimum: Int32 = 0
        var reportSize = 0
        var reportCount = 0
        var reportID: UInt8 = 0
    }

    /// State of the local items, up to the next main item.
    private struct Locals {
        var usages: [UInt32] = []
        var minimum: UInt32?
        var maximum: UInt32?
    }

    /// - Parameters:
    ///   - map: the value of the Report Map characteristic.
    ///   - report: the Report ID of the Report Reference descriptor; 0 when the device uses none.
    /// - Returns: the fields of that report, padding included; nil if the map does not describe it or cannot be read.
    func fields(of map: [UInt8], report: UInt8, _ type: ReportType) -> [FieldDefinition]? {
        var globals = Globals()
        var stack: [Globals] = []
        var locals = Locals()
        var fields: [FieldDefinition] = []
        var index = 0
        while index < map.count {
            let prefix = map[index]
            let size = [0, 1, 2, 4][Int(prefix & 3)]
            // A long item: its length, its tag, then that number of undefined octets.
            if prefix == 0xFE {
                guard index + 1 < map.count else { return nil }
                index += 3 + Int(map[index + 1])
                continue
            }
            guard index + 1 + size <= map.count else { return nil }
            var data: UInt32 = 0
            for place in (0..<size).reversed() { data = data << 8 | UInt32(map[index + 1 + place]) }
            index += 1 + size
            switch prefix & 0xFC {
            case 0x04: globals.usagePage = data
            case 0x14: globals.logicalMinimum = Self.signed(data, octets: size)
            case 0x74: globals.reportSize = Int(data)
            case 0x94: globals.reportCount = Int(data)
            case 0x84: globals.reportID = UInt8(truncatingIfNeeded: data)
            case 0xA4 where stack.count < 16: stack.append(globals)
            case 0xB4: globals = stack.popLast() ?? globals
            // A usage of four octets names its page itself.
            case 0x08 where locals.usages.count < Self.fieldLimit:
                locals.usages.append(size == 4 ? data : globals.usagePage << 16 | data)
            case 0x18: locals.minimum = size == 4 ? data : globals.usagePage << 16 | data
            case 0x28: locals.maximum = size == 4 ? data : globals.usagePage << 16 | data
            case 0x80, 0x90, 0xB0:
                let isWanted = Self.type(of: prefix) == type && globals.reportID == report
                if isWanted, !append(data, globals, locals, to: &fields) { return nil }
                locals = Locals()
            case 0xA0, 0xC0: locals = Locals()
            default: break
            }
        }
        return fields.isEmpty ? nil : fields
    }

    private static func type(of item: UInt8) -> ReportType? {
        switch item & 0xFC {
        case 0x80: .input
        case 0x90: .output
        case 0xB0: .feature
        default: nil
        }
    }

    /// - Parameter flags: of the main item: bit 0 constant, bit 1 variable.
    private func append(
        _ flags: UInt32, _ globals: Globals, _ locals: Locals, to fields: inout [FieldDefinition]
    ) -> Bool {
        guard globals.reportCount > 0, globals.reportSize > 0 else { return true }
        guard globals.reportSize <= 64, fields.count + globals.reportCount <= Self.fieldLimit else { return false }
        let bits = globals.reportSize
        // A vendor's page has no usages that anyone could name.
        if bits == 8, globals.reportCount > 1, locals.usages.count < 2, globals.usagePage >= 0xFF00 {
            var field = FieldDefinition.named(Self.unique(Self.vendorData, in: fields), .bytes)
            field.size = SourceText(text: "\(globals.reportCount)", position: .none)
            fields.append(field)
            return true
        }
        let type: FieldType = globals.logicalMinimum < 0 && bits > 1 ? .signed(bits: bits) : .unsigned(bits: bits)
        let first = locals.usages.first ?? locals.minimum
        let labels = flags & 3 == 0 ? self.labels(globals, locals) : .none
        for position in 0..<globals.reportCount {
            let usage = Self.usage(at: position, locals)
            let name =
                flags & 1 != 0
                ? Self.padding : flags & 2 != 0 ? usage.map(usages.name) : first.map(HIDUsage.arrayName)
            var field = FieldDefinition.named(Self.unique(name ?? Self.unnamed, in: fields), type)
            field.labels = labels
            // An array, or one bit for one usage.
            if flags & 1 != 0 {
                field.role = .padding
            } else if flags & 2 == 0 || bits == 1 {
                field.role = first.map { [0x08, 0x0D].contains($0 >> 16) } ?? false ? .lamp : .key
            }
            fields.append(field)
        }
        return true
    }

    /// The names of the numbers in an array: the least stands for the first usage.
    private func labels(_ globals: Globals, _ locals: Locals) -> Labels {
        let least = Int64(globals.logicalMinimum)
        func label(_ index: Int, _ usage: UInt32) -> LabelledRange {
            LabelledRange(first: least + Int64(index), last: least + Int64(index), label: usages.name(usage))
        }
        guard locals.usages.isEmpty else {
            return .ranges(locals.usages.enumerated().map { label($0.offset, $0.element) })
        }
        guard let minimum = locals.minimum else { return .none }
        if Int64(minimum & 0xFFFF) == least, let table = HIDUsage.table(ofPage: minimum >> 16) {
            return .assigned(table)
        }
        let count = min(Int(locals.maximum ?? minimum) - Int(minimum) + 1, Self.fieldLimit)
        return count > 0 ? .ranges((0..<count).map { label($0, minimum &+ UInt32($0)) }) : .none
    }

    /// Usages apply one after the other; the last one to all that remain.
    private static func usage(at position: Int, _ locals: Locals) -> UInt32? {
        if !locals.usages.isEmpty { return locals.usages[min(position, locals.usages.count - 1)] }
        guard let minimum = locals.minimum else { return nil }
        let maximum = max(locals.maximum ?? minimum, minimum)
        return min(minimum &+ UInt32(truncatingIfNeeded: position), maximum)
    }

    private static func unique(_ name: String, in fields: [FieldDefinition]) -> String {
        guard fields.contains(where: { $0.name == name }) else { return name }
        var number = 2
        while fields.contains(where: { $0.name == "\(name) \(number)" }) { number += 1 }
        return "\(name) \(number)"
    }

    private static func signed(_ data: UInt32, octets: Int) -> Int32 {
        switch octets {
        case 1: Int32(Int8(truncatingIfNeeded: data))
        case 2: Int32(Int16(truncatingIfNeeded: data))
        default: Int32(bitPattern: data)
        }
    }
}
