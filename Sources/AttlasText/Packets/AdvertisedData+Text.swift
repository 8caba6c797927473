import AttlasDissection
import AttlasValues
import AttlasWire

extension TextBuffer {
    /// `"HRM-7" · Heart Rate Belt · Heart Rate, Battery · Apple: 02 15 …`
    package mutating func append(_ data: AdvertisedData, _ values: ValueInterpreter, showsName: Bool = true) {
        let start = count
        func separate(_ text: inout TextBuffer) {
            if text.count > start { text.append(" · ") }
        }
        if showsName, let name = data.name {
            append("\"")
            append(display: name)
            append("\"")
        }
        if let appearance = data.appearance {
            separate(&self)
            append(display: values.appearanceName(appearance))
        }
        if !data.services.isEmpty {
            separate(&self)
            append(display: data.services.map { values.advertisedName($0) }.joined(separator: ", "))
        }
        if !data.soughtServices.isEmpty {
            separate(&self)
            append("seeks ")
            append(display: data.soughtServices.map { values.advertisedName($0) }.joined(separator: ", "))
        }
        if let txPower = data.txPower {
            separate(&self)
            append("tx power ")
            append(decimal: txPower)
            append(" dBm")
        }
        for service in data.serviceData {
            separate(&self)
            append(display: values.advertisedName(service.uuid))
            append(": ")
            append(advertised: service.data, values.serviceDataDissector(service.uuid), isCut: service.isCut)
        }
        for manufacturer in data.manufacturerData {
            separate(&self)
            let reading = values.reading(of: manufacturer, in: data)
            if reading.isRecognized, let dissector = reading.dissector {
                append(display: dissector.name)
            } else {
                append(display: values.companyName(manufacturer.company))
            }
            append(": ")
            append(advertised: reading.octets, reading.dissector, isCut: manufacturer.isCut)
        }
        for other in data.others {
            separate(&self)
            let dissector = values.structureDissector(other.type)
            append(display: dissector?.name ?? other.type.name ?? "AD type \(other.type)")
            append(": ")
            append(advertised: other.data, dissector, isCut: other.isCut)
        }
        if !data.flagNames.isEmpty {
            separate(&self)
            append(display: data.flagNames.joined(separator: ", "))
        }
    }

    /// In one line, by its definition when there is one.
    private mutating func append(advertised octets: [UInt8], _ dissector: Dissector?, isCut: Bool) {
        defer { if isCut { append(" · …") } }
        let value = Bytes(octets.span)
        guard let dissector else { return append(octets: value, limit: 32) }
        var dissection = Dissection()
        dissector.dissect(value, operation: .notify, into: &dissection)
        append(
            summaryOf: dissection, of: dissector, value: ShownOctets(value, dissection, of: dissector), isPartial: isCut
        )
    }
}
