/// Names of HID usages: the tables of HID Usage Tables 1.4 that peripherals with Bluetooth LE report from.
struct HIDUsage {
    static let buttonPage: UInt32 = 0x09

    /// By the usage page.
    private static let tables: [UInt32: AssignedNumbers.Table] = [
        0x01: .hidGenericDesktop, 0x02: .hidSimulation, 0x06: .hidGenericDevice, 0x07: .hidKeyboard, 0x08: .hidLEDs,
        0x0C: .hidConsumer, 0x0D: .hidDigitizers,
    ]

    static let fieldNames: Set<String> = [button, key, control, usage]
    private static let button = "Button"
    private static let key = "Key"
    private static let control = "Control"
    private static let usage = "Usage"

    let numbers: AssignedNumbers

    /// - Parameter usage: the page in the upper 16 bits.
    func name(_ usage: UInt32) -> String {
        let (page, number) = (usage >> 16, usage & 0xFFFF)
        if page == Self.buttonPage { return "\(Self.button) \(number)" }
        if let table = Self.tables[page], let name = numbers.name(UInt16(number), in: table) { return name }
        return "\(Self.usage) \(Self.hexadecimal(page)):\(Self.hexadecimal(number))"
    }

    /// Name of an array's field: the usages that are on.
    static func arrayName(_ usage: UInt32) -> String {
        switch usage >> 16 {
        case 0x07: key
        case buttonPage: button
        case 0x0C: control
        default: self.usage
        }
    }

    /// The table whose numbers are those of the page.
    static func table(ofPage page: UInt32) -> AssignedNumbers.Table? { tables[page] }

    /// Names of all fields that a Report Map may define.
    static func names(in numbers: AssignedNumbers) -> Set<String> {
        numbers.names(in: Array(tables.values)).union(fieldNames)
    }

    private static func hexadecimal(_ number: UInt32) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
