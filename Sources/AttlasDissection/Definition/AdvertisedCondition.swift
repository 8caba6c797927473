import AttlasWire

/// Advertised data, besides its manufacturer data, that a device must have for a definition to apply to these.
package struct AdvertisedCondition: Hashable, Sendable {
    /// nil for any: the number is a part of the data, and the layout begins with it.
    package var company: UInt16?
    /// The device's name begins with one of these; empty for any name.
    package var names: [String] = []
    /// It has one of these services, or data of one; empty for any.
    package var services: [BluetoothUUID] = []

    /// Permitted lengths of the data after the company's number; empty for any.
    package var lengths: [Int] = []

    package init() {}

    func holds(company: UInt16, length: Int, name: String?, services: (BluetoothUUID) -> Bool) -> Bool {
        if let own = self.company, own != company { return false }
        if !lengths.isEmpty, !lengths.contains(length) { return false }
        if !names.isEmpty {
            guard let name, names.contains(where: { name.hasPrefix($0) }) else { return false }
        }
        return self.services.isEmpty || self.services.contains(where: services)
    }

    /// `0x0001`
    private var companyText: String {
        guard let company else { return "any company" }
        let digits = String(company, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }

    /// `0x0001, by name`
    package var summary: String {
        companyText + (names.isEmpty ? "" : ", by name") + (services.isEmpty ? "" : ", by service")
    }

    /// `0x0001, named GVH51…`
    package var description: String {
        var text = companyText
        if !names.isEmpty { text += ", named " + names.map { $0 + "…" }.joined(separator: " or ") }
        if !services.isEmpty { text += ", with " + services.map(\.description).joined(separator: " or ") }
        if !lengths.isEmpty { text += ", " + lengths.map { String($0) }.joined(separator: " or ") + " octets" }
        return text
    }

    /// Represents the condition, as a UUID represents others: equal for equal conditions.
    package var identity: BluetoothUUID {
        // FNV-1a of 128 bits.
        var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
        func add(_ octets: some Sequence<UInt8>) {
            for octet in octets { hash = (hash ^ UInt128(octet)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B }
            hash = (hash ^ 0xFF) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
        }
        add(company.map { String($0) }?.utf8.map { $0 } ?? [])
        for name in names.sorted() { add(name.utf8) }
        for service in services.sorted(by: { $0.value < $1.value }) { add(service.description.utf8) }
        for length in lengths.sorted() { add(String(length).utf8) }
        return BluetoothUUID(hash)
    }
}
