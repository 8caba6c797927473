import AttlasTrace

extension JSONWriter {
    /// What is missing from a capture.
    package mutating func write(_ integrity: CaptureIntegrity, as key: StaticString = "integrity") {
        self.key(key)
        beginObject()
        member("complete", integrity.isComplete)
        member("records", integrity.extent.records)
        member("unreadable", integrity.extent.unreadable)
        member("lost", integrity.lost)
        member("missed", integrity.missed)
        member("skipped", integrity.skipped)
        member("cut", integrity.extent.cut)
        member("ends_early", integrity.error != nil)
        member("reason", integrity.error?.reason)
        write(onlySide: integrity.onlySide)
        self.key("cuts")
        beginArray()
        for cut in integrity.cuts {
            beginObject()
            member("packets", cut.packets)
            member("acl_packets", cut.total)
            member("cut", cut.sentence)
            endObject()
        }
        endArray()
        self.key("limits")
        beginArray()
        for (limit, number) in integrity.limits {
            beginObject()
            member("limit", limit.rawValue)
            member("number", number)
            endObject()
        }
        endArray()
        endObject()
    }
}
