import AttlasWire

extension JSONWriter {
    /// The member `fault`.
    package mutating func write(_ error: WireError) {
        key("fault")
        beginObject()
        member("layer", error.layer.rawValue)
        member("reason", literal: error.reason)
        member("need", error.need)
        member("have", error.have)
        member("limited_by", error.limit.rawValue)
        endObject()
    }
}
