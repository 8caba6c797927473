import AttlasTrace
import AttlasValues
import AttlasWire

/// An attribute without a distinguishing name.
private struct Instance: Hashable {
    let peer: BluetoothAddress?
    let handle: AttributeHandle
}

extension [LintFinding] {
    /// With fingerprints of the rule, the peer and the attribute: no times, no frames, and no address that changes. Attributes that
    /// are the same by that are counted in the order of their handles.
    func identified(in trace: borrowing Trace) -> [LintFinding] {
        var words: [String] = []
        var instances: [Instance] = []
        var known: [String: [Instance]] = [:]
        for finding in self {
            let place = finding.place
            let peer = place.peer.flatMap { trace.lastingName(of: $0) }
            let text = finding.words(peer: peer)
            let instance = Instance(peer: peer == nil ? place.peer : nil, handle: place.handle ?? 0)
            words.append(text)
            instances.append(instance)
            if known[text]?.contains(instance) != true { known[text, default: []].append(instance) }
        }
        // A stable sort: instances of one handle stay in the order in which they were found.
        known = known.mapValues { $0.sorted { $0.handle < $1.handle } }
        var identified = self
        for index in indices {
            let occurrence = known[words[index]]?.firstIndex(of: instances[index]) ?? 0
            identified[index].fingerprint = fingerprint(of: "\(words[index])\n\(occurrence)")
        }
        return identified
    }
}

extension LintFinding {
    fileprivate func words(peer: String?) -> String {
        var words = [rule.id, "\(field)", place.party?.rawValue ?? "", place.server?.rawValue ?? "", peer ?? ""]
        if let attribute = place.attribute {
            words += [attribute.service, attribute.characteristic, attribute.type].map {
                $0.map { "\($0)" } ?? ""
            }
        } else if let handle = place.handle {
            words.append("\(handle)")
        }
        return words.joined(separator: "\n")
    }
}

/// FNV-1a of 128 bits.
private func fingerprint(of text: String) -> String {
    var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
    for octet in text.utf8 { hash = (hash ^ UInt128(octet)) &* 0x100_0000_0000_0000_0000_013B }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
}
