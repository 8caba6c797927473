import AttlasDissection
import AttlasValues
import AttlasWire

extension JSONWriter {
    /// The members of an object.
    package mutating func write(_ data: AdvertisedData, _ values: ValueInterpreter) {
        member("name", data.name)
        if data.flags != nil { array("flags", data.flagNames) { $0.string($1) } }
        if let appearance = data.appearance {
            member("appearance", code: appearance, digits: 4, name: values.appearanceName(appearance))
        }
        member("tx_power_dbm", data.txPower)
        if !data.services.isEmpty { objects("services", data.services) { $0.write($1, values) } }
        if !data.soughtServices.isEmpty { objects("sought_services", data.soughtServices) { $0.write($1, values) } }
        if !data.serviceData.isEmpty {
            objects("service_data", data.serviceData) { json, service in
                json.write(service.uuid, values)
                json.member("data", hex: Bytes(service.data.span))
                json.write(fieldsOf: service.data, values.serviceDataDissector(service.uuid), isCut: service.isCut)
            }
        }
        if !data.manufacturerData.isEmpty {
            objects("manufacturer_data", data.manufacturerData) { json, manufacturer in
                json.member("company", code: manufacturer.company, digits: 4)
                json.member("name", values.companyName(manufacturer.company))
                let reading = values.reading(of: manufacturer, in: data)
                if reading.isRecognized { json.member("definition", reading.dissector?.name) }
                json.member("data", hex: Bytes(manufacturer.data.span))
                json.write(fieldsOf: reading.octets, reading.dissector, isCut: manufacturer.isCut)
            }
        }
        if !data.others.isEmpty {
            objects("structures", data.others) { json, other in
                json.member("type", code: other.type.rawValue, digits: 2)
                let dissector = values.structureDissector(other.type)
                json.member("name", dissector?.name ?? other.type.name)
                json.member("data", hex: Bytes(other.data.span))
                json.write(fieldsOf: other.data, dissector, isCut: other.isCut)
            }
        }
    }

    /// The members `fields` and its companions, when a definition describes the layout.
    private mutating func write(fieldsOf octets: [UInt8], _ dissector: Dissector?, isCut: Bool) {
        guard let dissector else { return }
        let value = Bytes(octets.span)
        var dissection = Dissection()
        dissector.dissect(value, operation: .notify, into: &dissection)
        members {
            $0.append(
                jsonOf: dissection, of: dissector, value: ShownOctets(value, dissection, of: dissector),
                isPartial: isCut)
        }
    }

    private mutating func write(_ uuid: BluetoothUUID, _ values: ValueInterpreter) {
        write(uuid, name: values.knownName(uuid, .service), assignee: values.library.assignee(of: uuid))
    }
}
