/// The word that was probably intended.
package enum NearestWord {
    /// `; did you mean "type"?`, or nothing when no word is near.
    package static func suggestion(for word: String, among candidates: some Sequence<String>) -> String {
        guard let nearest = nearest(to: word, among: candidates) else { return "" }
        return "; did you mean \"\(nearest)\"?"
    }

    /// With few other letters; or the only one of which it is a part.
    package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let limit = max(1, word.count / 3)
        var best: (distance: Int, word: String)?
        let candidates = candidates.sorted()
        for candidate in candidates where abs(candidate.count - word.count) <= limit {
            let distance = editDistance(word.lowercased(), candidate.lowercased())
            if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
        }
        if let best { return best.word }
        let longer = candidates.filter { word.count > 2 && $0.lowercased().contains(word.lowercased()) }
        return longer.count == 1 ? longer[0] : nil
    }

    /// Insertions, removals, replacements and swaps of neighbours that turn one word into the other.
    private static func editDistance(_ first: String, _ second: String) -> Int {
        let first = Array(first.prefix(100))
        let second = Array(second.prefix(100))
        var beforePrevious: [Int] = []
        var previous = Array(0...second.count)
        for row in 0..<first.count {
            var current = [row + 1]
            for column in 0..<second.count {
                var cost = previous[column] + (first[row] == second[column] ? 0 : 1)
                cost = min(cost, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[second.count]
    }
}
