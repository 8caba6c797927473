extension AdvertisedData {
    /// Adds the data that the same device advertised under another address, as far as it is missing.
    public mutating func fill(from other: AdvertisedData) {
        flags = flags ?? other.flags
        if name == nil || other.isNameComplete && !isNameComplete {
            name = other.name ?? name
            isNameComplete = other.isNameComplete
        }
        appearance = appearance ?? other.appearance
        txPower = txPower ?? other.txPower
        for uuid in other.services { Self.insert(uuid, into: &services) }
        for uuid in other.soughtServices { Self.insert(uuid, into: &soughtServices) }
        for service in other.serviceData where !serviceData.contains(where: { $0.uuid == service.uuid }) {
            Self.insert(service, into: &serviceData)
        }
        for manufacturer in other.manufacturerData
        where !manufacturerData.contains(where: { $0.company == manufacturer.company }) {
            Self.insert(manufacturer, into: &manufacturerData)
        }
        for structure in other.others where !others.contains(where: { $0.type == structure.type }) {
            Self.insert(structure, into: &others)
        }
    }
}
