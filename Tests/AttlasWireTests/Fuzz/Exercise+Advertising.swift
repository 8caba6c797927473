@testable import AttlasWire

extension Exercise {
    mutating func advertising(_ bytes: Bytes) {
        let data = AdvertisingData(bytes)
        use(data.flags ?? 0)
        use(data.txPowerLevel ?? 0)
        use(data.appearance ?? 0)
        if let name = data.localName { use(name) }
        if let manufacturer = data.manufacturerData {
            use(manufacturer.companyIdentifier)
            use(manufacturer.data)
        }
        var structures = data.structures
        var rounds = 0
        while let structure = structures.next() {
            use(structure.type.name)
            use(structure.type.isSolicitation)
            use(structure.data)
            use(structure.missing)
            if let list = structure.serviceUUIDs {
                for index in 0..<list.count { use(list[index]) }
                use(list.remainder)
            }
            if let service = structure.serviceData {
                use(service.uuid)
                use(service.data)
            }
            if let manufacturer = structure.manufacturerData {
                use(manufacturer.companyIdentifier)
                use(manufacturer.data)
            }
            count(&rounds, within: bytes.count)
        }
        use(structures.remainder)
    }
}
