import AttlasMetrics
import AttlasText
import AttlasWire

/// The keys of a capture as one JSON document, described by Documentation/schemas/keys.schema.json.
package struct KeysJSON {
    private var json = JSONWriter()
    private let model: KeysModel
    private let showsValues: Bool

    package init(_ model: KeysModel, showsValues: Bool) {
        self.model = model
        self.showsValues = showsValues
    }

    package mutating func write(file: String, into output: inout Output) {
        json.beginDocument("attlas/keys/1")
        json.member("file", file)
        let showsValues = showsValues
        json.objects("keys", model.keys) { json, key in
            json.member("kind", key.kind.rawValue)
            json.member("source", key.source)
            json.member("frame", key.frame)
            if let device = key.device { json.write(device) }
            json.member("of_host", key.isOfHost)
            switch key.kind {
            case .identityResolvingKey: json.member("addresses", key.addresses)
            case .longTermKey, .shortTermKey:
                json.member("connections", key.connections.count)
                json.member("packets", key.packets)
            case .signatureKey: json.member("signed_writes", key.signedWrites)
            case .linkKey: break
            }
            guard showsValues else { return json.member("withheld", true) }
            json.objects("forms", key.forms) { json, form in
                json.member("form", form.name)
                json.member("value", form.text)
            }
        }
        json.member("forgotten", model.forgotten)
        json.objects("unread", model.unread) { json, unread in
            json.member("connection", unread.connection)
            json.member("frame", unread.frame)
            json.member("decryption", literal: unread.reason.word)
        }
        json.endDocument(model.integrity, into: &output)
    }
}
