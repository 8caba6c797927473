import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// Parts that several documents share.
extension JSONWriter {
    package mutating func endDocument(into output: inout Output) {
        endObject()
        endLine()
        output.write(&text)
    }

    package mutating func member(_ key: StaticString, _ time: Timestamp) {
        self.key(key)
        value { text in
            text.append("\"")
            text.append(utc: time)
            text.append("\"")
        }
    }

    @inline(__always)
    package mutating func member(_ key: StaticString, microsecondsOf nanoseconds: Int64?) {
        guard let nanoseconds else { return }
        self.key(key)
        value { $0.append(microsecondsOf: nanoseconds) }
    }

    /// The member `peer`; nothing of an unknown one.
    package mutating func write(peer address: BluetoothAddress?, resolvedFrom: BluetoothAddress? = nil, name: String?) {
        guard address != nil || name != nil else { return }
        object("peer") { json in
            if let address { json.write(address) }
            json.member("resolved_from", resolvedFrom?.description)
            json.member("name", name)
        }
    }

    /// `"service":{"uuid":"180D","name":"Heart Rate"}`
    package mutating func write(_ key: StaticString, _ index: UUIDIndex?, _ kind: NameKind, _ names: UUIDNames) {
        if let index { write(key, names[index], name: names.knownName(index, kind)) }
    }

    /// The members `notifications` and `indications` of a Client Characteristic Configuration.
    package mutating func write(configuration: UInt16) {
        member("notifications", configuration & 0x0001 != 0)
        member("indications", configuration & 0x0002 != 0)
    }
}
