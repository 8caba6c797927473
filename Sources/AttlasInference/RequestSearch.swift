/// Compares the first value after each request with that request.
struct RequestSearch {
    private let requests: ValueSeries
    private let responses: ValueSeries

    private static let reach = 8
    private static let fewestChanges = 6

    /// - Parameters:
    ///   - requests: what was written to characteristics of the service.
    ///   - starts: the frame in which each response begins.
    init(_ requests: ValueSeries, _ responses: ValueSeries, starts: [Int]) {
        var (pairs, next) = ([(Int, Int)](), 0)
        for response in 0..<responses.count {
            let before = next
            while next < requests.count, requests.frames[next] < starts[response] { next += 1 }
            // Only the first after it, and only if the request is not of the same frame.
            if next > before { pairs.append((next - 1, response)) }
        }
        self.requests = requests.selecting(pairs.map(\.0))
        self.responses = responses.selecting(pairs.map(\.1))
    }

    func relations(hasSelector: Bool) -> [InferredRelation] {
        guard responses.count >= InferenceLimits.fewest else { return [] }
        var relations: [InferredRelation] = []
        let requestColumns = (0..<min(Self.reach, requests.lengths.lowerBound)).map { requests.column($0) }
        for place in 0..<min(Self.reach, responses.lengths.lowerBound) {
            let response = responses.column(place)
            let found = requestColumns.indices.compactMap { request in
                echo(of: requestColumns[request], in: response).map { (request, $0) }
            }
            if let (request, (inverted, evidence)) = found.max(by: { $0.1.1.bits ?? 0 < $1.1.1.bits ?? 0 }) {
                relations.append(
                    InferredRelation(
                        kind: .request(place: request, inverted: inverted), place: place, selector: .all,
                        evidence: evidence))
            }
        }
        if relations.isEmpty, !hasSelector, let selects = selector() { relations.append(selects) }
        return relations
    }

    private func echo(of request: Column, in response: Column) -> (inverted: UInt8, evidence: Evidence)? {
        guard !response.isConstant, request.changes >= Self.fewestChanges else { return nil }
        var counts = [Int](repeating: 0, count: 256)
        for (asked, answered) in zip(request.octets, response.octets) { counts[Int(asked ^ answered)] += 1 }
        guard let hits = counts.max(), hits * 50 >= response.octets.count * 49,
            let inverted = counts.firstIndex(of: hits)
        else { return nil }
        // What follows from the request is known without it where the request stays the same.
        let bits = Double(request.changes) * response.entropy - Chance.cost(of: Self.reach * Self.reach * 256)
        guard bits >= Chance.limit else { return nil }
        return (
            UInt8(inverted),
            Evidence(support: hits, of: response.octets.count, distinct: response.distinct, bits: bits)
        )
    }

    /// An octet of the request that selects the layout of the response: looked for as if it were the response's first octet.
    private func selector() -> InferredRelation? {
        for place in 0..<min(4, requests.lengths.lowerBound) {
            let column = requests.column(place)
            guard column.changes >= Self.fewestChanges else { continue }
            var joined = ValueSeries()
            for index in 0..<responses.count {
                joined.append([column.octets[index]] + responses[index], time: responses.times[index], frame: index)
            }
            let groups = ValueGroups(joined)
            guard let opcode = groups.opcode, opcode.place == 0 else { continue }
            let bits = opcode.bits - Chance.cost(of: 4)
            guard bits >= Chance.limit else { continue }
            return InferredRelation(
                kind: .requestSelects(layouts: groups.groups.count), place: place, selector: .all,
                evidence: Evidence(of: responses.count, distinct: column.distinct, bits: bits))
        }
        return nil
    }
}
