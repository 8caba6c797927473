import AttlasDissection
import AttlasValues
import AttlasWire

extension JSONWriter {
    /// The members of an object.
    package mutating func write(_ data: AdvertisedData, _ values: ValueInterpreter) {
        member("name", data.name)
        if data.flags != nil {
            key("flags")
            beginArray()
            for flag in data.flagNames { string(flag) }
            endArray()
        }
        if let appearance = data.appearance {
            member("appearance", code: appearance, digits: 4, name: values.appearanceName(appearance))
        }
        member("tx_power_dbm", data.txPower)
        if !data.services.isEmpty { write("services", data.services, values) }
        if !data.soughtServices.isEmpty { write("sought_services", data.soughtServices, values) }
        if !data.serviceData.isEmpty {
            key("service_data")
            beginArray()
            for service in data.serviceData {
                beginObject()
                write(service.uuid, values)
                member("data", hex: Bytes(service.data.span))
                write(fieldsOf: service.data, values.serviceDataDissector(service.uuid), isCut: service.isCut)
                endObject()
            }
            endArray()
        }
        if !data.manufacturerData.isEmpty {
            key("manufacturer_data")
            beginArray()
            for manufacturer in data.manufacturerData {
                beginObject()
                member("company", code: manufacturer.company, digits: 4)
                member("name", values.companyName(manufacturer.company))
                let reading = values.reading(of: manufacturer, in: data)
                if reading.isRecognized { member("definition", reading.dissector?.name) }
                member("data", hex: Bytes(manufacturer.data.span))
                write(fieldsOf: reading.octets, reading.dissector, isCut: manufacturer.isCut)
                endObject()
            }
            endArray()
        }
        if !data.others.isEmpty {
            key("structures")
            beginArray()
            for other in data.others {
                beginObject()
                member("type", code: other.type.rawValue, digits: 2)
                member("name", other.type.name)
                member("data", hex: Bytes(other.data.span))
                endObject()
            }
            endArray()
        }
    }

    /// When a definition says how it is laid out, the members `fields` and what goes with them.
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

    private mutating func write(_ key: StaticString, _ uuids: [BluetoothUUID], _ values: ValueInterpreter) {
        self.key(key)
        beginArray()
        for uuid in uuids {
            beginObject()
            write(uuid, values)
            endObject()
        }
        endArray()
    }

    private mutating func write(_ uuid: BluetoothUUID, _ values: ValueInterpreter) {
        write(uuid, name: values.knownName(uuid, .service), assignee: values.library.assignee(of: uuid))
    }
}
