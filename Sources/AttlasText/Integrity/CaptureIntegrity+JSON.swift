import AttlasCapture
import AttlasTrace

extension JSONWriter {
    /// The last member of a document, and its end.
    package mutating func endDocument(_ integrity: CaptureIntegrity, into output: inout Output) {
        write(integrity)
        endDocument(into: &output)
    }

    /// Writes the missing data of a capture.
    package mutating func write(_ integrity: CaptureIntegrity, as key: StaticString = "integrity") {
        object(key) { json in
            json.member("complete", integrity.isComplete)
            json.member("records", integrity.extent.records)
            json.member("unreadable", integrity.extent.unreadable)
            json.member("lost", integrity.lost)
            json.member("missed", integrity.missed)
            if let damaged = integrity.damaged { json.member("wrong_crc", damaged.wrong) }
            json.member("skipped", integrity.skipped)
            json.member("cut", integrity.extent.cut)
            json.member("ends_early", integrity.error != nil)
            json.member("reason", integrity.error?.reason)
            json.write(onlySide: integrity.onlySide)
            json.write(integrity.info?.radioClock)
            json.objects("cuts", integrity.cuts) { json, cut in
                json.member("packets", cut.packets)
                json.member("acl_packets", cut.total)
                json.member("cut", cut.sentence)
            }
            json.objects("limits", integrity.limits) { json, limit in
                json.member("limit", limit.0.rawValue)
                json.member("number", limit.1)
            }
        }
    }

    /// How the clock of the sniffer's radio gave the times.
    package mutating func write(_ clock: RadioClockUse?) {
        guard let clock else { return }
        object("radio_clock") { json in
            json.member("sniffer", clock.sniffer)
            json.member("set", clock.settings)
            json.member("file_spread_us", clock.spread / 1_000)
        }
    }
}
