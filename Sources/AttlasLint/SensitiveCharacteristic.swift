/// Why others should not read a value. Characteristics of the Bluetooth SIG by what they tell of a person.
enum SensitiveCharacteristic: String {
    case health = "Health data"
    case location = "Location data"
    case identity = "Personal data"
    case input = "Keyboard, pointer or other input"
    case messages = "Messages or calls"

    init?(_ uuid: UInt16) {
        guard let kind = Self.kinds[uuid] else { return nil }
        self = kind
    }

    /// Whether the profile demands encryption: Blood Pressure, Glucose and Pulse Oximeter Profile, HID over GATT Profile.
    static func isProtected(_ uuid: UInt16) -> Bool { protected.contains(uuid) }

    private static let protected: Set<UInt16> = [
        0x2A18, 0x2A22, 0x2A33, 0x2A34, 0x2A35, 0x2A36, 0x2A4D, 0x2A5E, 0x2A5F, 0x2B34, 0x2B35, 0x2B36,
    ]

    private static let kinds: [UInt16: SensitiveCharacteristic] = {
        var kinds: [UInt16: SensitiveCharacteristic] = [:]
        for uuid in ofHealth { kinds[uuid] = .health }
        for uuid in ofPlaces { kinds[uuid] = .location }
        for uuid in ofPersons { kinds[uuid] = .identity }
        for uuid in ofInput { kinds[uuid] = .input }
        for uuid in ofMessages { kinds[uuid] = .messages }
        return kinds
    }()

    private static let ofHealth: [UInt16] = [
        0x2A18,  // Glucose Measurement
        0x2A34,  // Glucose Measurement Context
        0x2A1C,  // Temperature Measurement
        0x2A1E,  // Intermediate Temperature
        0x2A35,  // Blood Pressure Measurement
        0x2A36,  // Intermediate Cuff Pressure
        0x2A37,  // Heart Rate Measurement
        0x2A5E,  // PLX Spot-Check Measurement
        0x2A5F,  // PLX Continuous Measurement
        0x2A9C,  // Body Composition Measurement
        0x2A9D,  // Weight Measurement
        0x2AA7,  // CGM Measurement
        0x2B21,  // IDD Status
        0x2B34,  // Enhanced Blood Pressure Measurement
        0x2B35,  // Enhanced Intermediate Cuff Pressure
        0x2B36,  // Blood Pressure Record
        0x2B8B,  // Live Health Observations
        0x2BDD,  // Stored Health Observations
    ]

    private static let ofPlaces: [UInt16] = [
        0x2A67,  // Location and Speed
        0x2A68,  // Navigation
        0x2A69,  // Position Quality
        0x2AAE,  // Latitude
        0x2AAF,  // Longitude
    ]

    private static let ofPersons: [UInt16] = [
        0x2A80,  // Age
        0x2A85,  // Date of Birth
        0x2A87,  // Email Address
        0x2A8A,  // First Name
        0x2A8C,  // Gender
        0x2A8E,  // Height
        0x2A90,  // Last Name
        0x2A98,  // Weight
        0x2A9F,  // User Control Point
    ]

    private static let ofInput: [UInt16] = [
        0x2A22,  // Boot Keyboard Input Report
        0x2A33,  // Boot Mouse Input Report
        0x2A4D,  // Report
    ]

    private static let ofMessages: [UInt16] = [
        0x2A46,  // New Alert
        0x2BC1,  // Incoming Call
        0x2BC2,  // Call Friendly Name
    ]
}
