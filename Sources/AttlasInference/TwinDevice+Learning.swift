import AttlasIncidents
import AttlasTrace
import AttlasWire

/// What a device's operations have in common: what values follow, what is refused, and what stays unknown.
extension TwinDevice {
    /// A value that comes later than this many nanoseconds after a request, or after the value before, does not answer it.
    private static let burst: Int64 = 1_000_000_000

    mutating func learn() {
        let answering = answeringHandles()
        for index in connections.indices { anchor(in: index, answering) }
        learnAnswers(of: answering)
        learnReadbacks()
        learnRefusals()
        noteDeviations()
        noteUnknown()
    }

    // MARK: What sent values follow

    /// The number of the last write in a service before each sent value; nil if a subscription is later.
    private static func forEachSent(
        _ operations: [Operation], _ body: (_ sent: Int, _ write: Int?, _ subscription: Int?) -> Void
    ) {
        var writes: [BluetoothUUID?: Int] = [:]
        var subscriptions: [AttributeHandle: Int] = [:]
        for (index, operation) in operations.enumerated() {
            if operation.isRequestOfApp { writes[operation.attribute?.service] = index }
            if let handle = operation.configured {
                let isOn = operation.octets?.first.map { $0 & 0b11 != 0 } ?? true
                subscriptions[handle] = isOn ? index : nil
            }
            guard operation.kind.isSent else { continue }
            let subscription = subscriptions[operation.handle]
            let write = writes[operation.attribute?.service].flatMap { $0 > subscription ?? -1 ? $0 : nil }
            body(index, write, subscription)
        }
    }

    /// Characteristics whose values answer requests: half of them or more come soon after a write, or none comes without one, at least twice.
    private func answeringHandles() -> [AttributeHandle: Bool] {
        var counts: [AttributeHandle: (all: Int, prompt: Int, unprompted: Int)] = [:]
        for connection in connections {
            let operations = connection.operations
            var answered: [AttributeHandle: Int] = [:]
            Self.forEachSent(operations) { sent, write, _ in
                let operation = operations[sent]
                var count = counts[operation.handle] ?? (0, 0, 0)
                count.all += 1
                if let write {
                    let isFirst = answered.updateValue(write, forKey: operation.handle) != write
                    if isFirst, operation.at - operations[write].at <= Self.burst { count.prompt += 1 }
                } else {
                    count.unprompted += 1
                }
                counts[operation.handle] = count
            }
        }
        // With whether values come only after requests.
        return counts.compactMapValues { count in
            let isOnly = count.unprompted == 0
            return count.prompt * 2 >= count.all || (isOnly && count.prompt > 1) ? isOnly : nil
        }
    }

    private mutating func anchor(in connection: Int, _ answering: [AttributeHandle: Bool]) {
        let operations = connections[connection].operations
        var last: [AttributeHandle: (write: Int, at: Int64)] = [:]
        Self.forEachSent(operations) { sent, write, subscription in
            let operation = operations[sent]
            var anchor = subscription
            if let write, let isOnly = answering[operation.handle] {
                let before = last[operation.handle].flatMap { $0.write == write ? $0.at : nil }
                let isSoon = operation.at - (before ?? operations[write].at) <= Self.burst
                if isSoon || (isOnly && before != nil) {
                    anchor = write
                    last[operation.handle] = (write, operation.at)
                }
            }
            connections[connection].operations[sent].since = anchor.map { operations[$0].frame }
            connections[connection].operations[sent].after = max(
                0, operation.at - (anchor.map { operations[$0].at } ?? 0))
        }
    }

    // MARK: Rules

    private struct Route: Hashable {
        let written: AttributeHandle
        let sent: AttributeHandle
    }

    private mutating func learnAnswers(of answering: [AttributeHandle: Bool]) {
        var pairs: [Route: (requests: ValueSeries, responses: ValueSeries, times: [Int64])] = [:]
        var writes: [AttributeHandle: Int] = [:]
        for connection in connections {
            var places: [Int: Int] = [:]
            var answered: Set<[Int]> = []
            for (index, operation) in connection.operations.enumerated() {
                if operation.isRequestOfApp, operation.error == nil {
                    places[operation.frame] = index
                    writes[operation.handle, default: 0] += 1
                }
                guard let since = operation.since, let place = places[since], answering[operation.handle] != nil,
                    answered.insert([place, Int(operation.handle)]).inserted
                else { continue }
                let request = connection.operations[place]
                guard let asked = request.octets, let response = operation.octets else { continue }
                var pair =
                    pairs[Route(written: request.handle, sent: operation.handle)]
                    ?? (ValueSeries(), ValueSeries(), [])
                // RequestSearch pairs by frames.
                pair.requests.append(asked, time: request.at, frame: pair.times.count * 2)
                pair.responses.append(response, time: operation.at, frame: pair.times.count * 2 + 1)
                pair.times.append(operation.after ?? 0)
                pairs[Route(written: request.handle, sent: operation.handle)] = pair
            }
        }
        answers = pairs.map { route, pair in
            let search = RequestSearch(pair.requests, pair.responses, starts: pair.responses.frames)
            let echoes = search.relations(hasSelector: true).compactMap { relation in
                if case .request(let place, let inverted) = relation.kind {
                    (place: relation.place, request: place, inverted: inverted)
                } else {
                    nil
                }
            }
            return Answer(
                written: route.written, sent: route.sent, support: pair.times.count,
                count: writes[route.written] ?? 0, after: pair.times.sorted()[pair.times.count / 2], echoes: echoes)
        }.sorted { ($0.written, $0.sent) < ($1.written, $1.sent) }
        // One request gives several answers: a challenge, or a state that is not seen.
        for (route, pair) in pairs {
            var responses: [ArraySlice<UInt8>: [ArraySlice<UInt8>]] = [:]
            for index in 0..<pair.requests.count {
                responses[pair.requests[index], default: []].append(pair.responses[index])
            }
            let repeated = responses.values.filter { $0.count > 1 }
            if !repeated.isEmpty, repeated.allSatisfy({ Set($0).count == $0.count }) {
                note("the answer to a repeated request is another one each time", route.written)
            }
        }
    }

    private mutating func learnReadbacks() {
        var counts: [AttributeHandle: (same: Int, other: Int)] = [:]
        for connection in connections {
            var written: [AttributeHandle: [UInt8]] = [:]
            for operation in connection.operations where operation.error == nil {
                guard let octets = operation.octets, operation.attribute?.descriptor == nil else { continue }
                if operation.kind == .read, let last = written.removeValue(forKey: operation.handle) {
                    counts[operation.handle, default: (0, 0)].same += last == octets ? 1 : 0
                    counts[operation.handle, default: (0, 0)].other += last == octets ? 0 : 1
                } else if operation.isRequestOfApp {
                    written[operation.handle] = octets
                }
            }
        }
        readbacks = counts.filter { $0.value.other == 0 && $0.value.same > 1 }
            .map { Readback(handle: $0.key, support: $0.value.same) }.sorted { $0.handle < $1.handle }
    }

    private mutating func learnRefusals() {
        struct Target: Hashable {
            let handle: AttributeHandle
            let kind: Operation.Kind
        }
        var all: [Target: [Operation]] = [:]
        for operation in connections.flatMap(\.operations) where operation.isAnswered && !operation.kind.isSent {
            all[Target(handle: operation.handle, kind: operation.kind), default: []].append(operation)
        }
        for (target, operations) in all {
            let taken = operations.filter { $0.error == nil }
            let lengths = Set(taken.compactMap { $0.octets?.count })
            let values = Set(taken.compactMap(\.octets))
            for operation in operations {
                guard let error = operation.error else { continue }
                var condition: Refusal.Condition?
                if error.wantsSecurity {
                    condition = operation.isEncrypted ? taken.isEmpty ? .always : nil : .unencrypted
                } else if taken.isEmpty {
                    condition = .always
                } else if target.kind == .write, let octets = operation.octets {
                    condition =
                        !lengths.contains(octets.count)
                        ? .length(octets.count) : values.contains(octets) ? nil : .value(octets)
                }
                // What is refused once and taken the next time is in the order of the operations alone.
                guard let condition else { continue }
                if let index = refusals.firstIndex(where: {
                    $0.handle == target.handle && $0.kind == target.kind && $0.error == error && $0.when == condition
                }) {
                    refusals[index].count += 1
                } else if refusals.count < 1_024 {
                    refusals.append(
                        Refusal(
                            handle: target.handle, kind: target.kind, error: error, when: condition,
                            frame: operation.frame))
                }
            }
        }
        refusals.sort { $0.frame < $1.frame }
    }

    // MARK: Notes

    private mutating func note(_ text: StaticString, _ handle: AttributeHandle) {
        Self.add(text, handle, to: &unknown)
    }

    private static func add(_ text: StaticString, _ handle: AttributeHandle?, to notes: inout [Note]) {
        let index = notes.firstIndex { $0.text.description == text.description } ?? notes.count
        if index == notes.count { notes.append(Note(text: text)) }
        notes[index].count += 1
        if let handle, !notes[index].handles.contains(handle) { notes[index].handles.append(handle) }
    }

    private mutating func noteDeviations() {
        let properties = Dictionary(
            tables.flatMap(\.attributes).compactMap { attribute in attribute.target.map { ($0, attribute.properties) } }
        ) { first, _ in first }
        var configured: Set<AttributeHandle> = []
        // A subscription may be older than the capture.
        let isKnown = connections.allSatisfy(\.isWhole)
        for operation in connections.flatMap(\.operations) {
            if let handle = operation.configured { configured.insert(handle) }
            guard operation.kind.isSent else { continue }
            if isKnown, !configured.contains(operation.handle) {
                Self.add(
                    "sends values that no subscription of the capture asked for", operation.handle, to: &deviations)
            }
            guard let allowed = properties[operation.handle] ?? nil else { continue }
            if !allowed.contains(operation.kind == .notify ? .notify : .indicate) {
                Self.add("sends values against its properties", operation.handle, to: &deviations)
            }
        }
    }

    private mutating func noteUnknown() {
        let operations = connections.flatMap(\.operations)
        let known = Set(
            operations.lazy.filter { ($0.kind == .read || $0.kind.isSent) && $0.value != nil && $0.error == nil }
                .map(\.handle))
        let types = Set(tables.flatMap(\.attributes).lazy.filter { $0.type != nil }.map(\.handle))
        let attributes = tables.last?.attributes ?? []
        let services = attributes.filter { $0.type == .primaryService || $0.type == .secondaryService }
        if services.isEmpty { Self.add("the table was not discovered", nil, to: &unknown) }
        for service in services {
            let range = service.handle..<max(service.handle, service.end ?? 0)
            if !range.isEmpty,
                !attributes.contains(where: { $0.handle > range.lowerBound && $0.handle <= range.upperBound })
            {
                note("a service whose characteristics were not discovered", service.handle)
            }
        }
        for attribute in attributes {
            guard let target = attribute.target, attribute.properties?.contains(.read) == true else { continue }
            let isRefused = refusals.contains { $0.handle == target && $0.kind == .read && $0.when == .always }
            if !known.contains(target), !isRefused { note("never read: it has no value", target) }
        }
        for operation in operations {
            if !types.contains(operation.handle) { note("only the handle is known", operation.handle) }
            if !operation.kind.isSent, operation.kind != .command, !operation.isAnswered {
                note("a request without an answer", operation.handle)
            }
            if operation.value?.octets.isWithheld == true {
                note("values are withheld, because of keys", operation.handle)
            }
            if operation.value?.isPartial == true { note("values without their ends", operation.handle) }
        }
        if connections.contains(where: { !$0.isWhole }) {
            Self.add("connections whose beginning was not captured", nil, to: &unknown)
        }
        if connections.contains(where: \.hasEnhancedBearers) {
            Self.add("enhanced bearers: a twin has the fixed channel alone", nil, to: &unknown)
        }
        if advertising.isEmpty { Self.add("the advertising was not captured", nil, to: &unknown) }
    }
}
