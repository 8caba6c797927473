/// Names of HID usages: those that mice, keyboards, remote controls and game pads report. HID Usage Tables 1.4.
enum HIDUsage {
    static let keyboardPage: UInt32 = 0x07

    private static let names: [UInt32: String] = [
        0x0001_0030: "X", 0x0001_0031: "Y", 0x0001_0032: "Z", 0x0001_0033: "Rx", 0x0001_0034: "Ry",
        0x0001_0035: "Rz", 0x0001_0036: "Slider", 0x0001_0037: "Dial", 0x0001_0038: "Wheel",
        0x0001_0039: "Hat Switch", 0x0001_0081: "System Power Down", 0x0001_0082: "System Sleep",
        0x0001_0083: "System Wake Up", 0x0002_00BA: "Rudder", 0x0002_00BB: "Throttle", 0x0002_00C4: "Accelerator",
        0x0002_00C5: "Brake", 0x0007_00E0: "Left Control", 0x0007_00E1: "Left Shift", 0x0007_00E2: "Left Alt",
        0x0007_00E3: "Left GUI", 0x0007_00E4: "Right Control", 0x0007_00E5: "Right Shift",
        0x0007_00E6: "Right Alt", 0x0007_00E7: "Right GUI", 0x0008_0001: "Num Lock", 0x0008_0002: "Caps Lock",
        0x0008_0003: "Scroll Lock", 0x0008_0004: "Compose", 0x0008_0005: "Kana", 0x000C_0030: "Power",
        0x000C_0040: "Menu", 0x000C_00B0: "Play", 0x000C_00B1: "Pause", 0x000C_00B2: "Record",
        0x000C_00B3: "Fast Forward", 0x000C_00B4: "Rewind", 0x000C_00B5: "Scan Next Track",
        0x000C_00B6: "Scan Previous Track", 0x000C_00B7: "Stop", 0x000C_00CD: "Play/Pause",
        0x000C_00CF: "Voice Command", 0x000C_00E2: "Mute", 0x000C_00E9: "Volume Increment",
        0x000C_00EA: "Volume Decrement", 0x000C_0223: "AC Home", 0x000C_0224: "AC Back", 0x000C_0238: "AC Pan",
        0x000D_0030: "Tip Pressure", 0x000D_0042: "Tip Switch", 0x000D_0044: "Barrel Switch",
        0x000D_0051: "Contact Identifier", 0x000D_0054: "Contact Count",
    ]

    static let fieldNames = Set(names.values).union([button, key, control, usage])
    private static let button = "Button"
    private static let key = "Key"
    private static let control = "Control"
    private static let usage = "Usage"

    /// - Parameter usage: the page in the upper 16 bits.
    static func name(_ usage: UInt32) -> String {
        if let name = names[usage] { return name }
        let (page, number) = (usage >> 16, usage & 0xFFFF)
        if page == 0x09 { return "\(button) \(number)" }
        return "\(self.usage) \(hexadecimal(page)):\(hexadecimal(number))"
    }

    /// What an array reports: the usages that are on.
    static func arrayName(_ minimum: UInt32) -> String {
        switch minimum >> 16 {
        case keyboardPage: key
        case 0x09: button
        case 0x0C: control
        default: usage
        }
    }

    /// The keys of the keyboard page that have a name in text.
    static let keys: [LabelledRange] = {
        var keys = [
            LabelledRange(first: 0, last: 0, label: "none"), LabelledRange(first: 1, last: 1, label: "roll-over"),
        ]
        func add(_ first: Int, _ labels: [String]) {
            for (index, label) in labels.enumerated() {
                let number = Int64(first + index)
                keys.append(LabelledRange(first: number, last: number, label: label))
            }
        }
        add(0x04, "ABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890".map { "\($0)" })
        add(0x28, ["Return", "Escape", "Backspace", "Tab", "Space", "-", "=", "[", "]", "\\"])
        add(0x33, [";", "'", "`", ",", ".", "/", "Caps Lock"])
        add(0x3A, (1...12).map { "F\($0)" })
        add(0x46, ["Print Screen", "Scroll Lock", "Pause", "Insert", "Home", "Page Up", "Delete", "End", "Page Down"])
        add(0x4F, ["Right", "Left", "Down", "Up", "Num Lock"])
        return keys
    }()

    private static func hexadecimal(_ number: UInt32) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
