import AttlasTestSupport
import Testing

@testable import AttlasTrace

/// What is put in by any order of keys, and what it takes.
@Suite struct SortedRunsTests {
    struct Item: Keyed, Equatable {
        let key: Int
        var note = 0
    }

    private func isSound<Element>(_ runs: SortedRuns<Element>) -> Bool {
        let keys = runs.map(\.key)
        return runs.count == keys.count && zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
            && runs.runs.allSatisfy { !$0.isEmpty && $0.count <= SortedRuns<Element>.longestRun }
    }

    @Test func itHoldsWhatADictionaryHolds() {
        var random = SplitMix64(seed: 1)
        var runs = SortedRuns<Item>()
        var model: [Int: Item] = [:]
        for number in 0..<20_000 {
            let key = Int.random(in: 0..<1_000, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0:
                let range = key...key + Int.random(in: 0..<200, using: &random)
                let removed = runs.remove(in: range) { $0.note & 1 == 0 }
                let wanted = model.values.filter { range.contains($0.key) && $0.note & 1 == 0 }
                expect(removed, equals: wanted.sorted { $0.key < $1.key })
                for item in wanted { model[item.key] = nil }
            case 1..<40: expect(runs.remove(key), equals: model.removeValue(forKey: key))
            default:
                runs.insert(Item(key: key, note: number))
                model[key] = Item(key: key, note: number)
            }
            expect(runs[key], equals: model[key])
            if number % 100 == 0 {
                let sorted = model.values.sorted { $0.key < $1.key }
                #expect(isSound(runs) && Array(runs) == sorted)
                #expect(runs.first == sorted.first && runs.last == sorted.last)
                expect(runs.last(notAbove: key), equals: sorted.last { $0.key <= key })
                expect(runs.first(above: key), equals: sorted.first { $0.key > key })
                var down: [Item] = []
                runs.walkDown(from: key) { item in
                    down.append(item)
                    return true
                }
                expect(down, equals: sorted.reversed().filter { $0.key <= key })
            }
        }
    }

    // MARK: How much is looked at

    final class Count {
        var comparisons = 0
    }

    /// A key that counts how often it is compared.
    struct CountedKey: Comparable {
        let value: Int
        let count: Count

        static func < (first: CountedKey, second: CountedKey) -> Bool {
            first.count.comparisons += 1
            return first.value < second.value
        }

        static func == (first: CountedKey, second: CountedKey) -> Bool { first.value == second.value }
    }

    struct CountedItem: Keyed {
        let key: CountedKey
    }

    /// In order, backwards, and in any order; each time with one far away from the others.
    @Test(arguments: 0..<3) func oneAmongManyIsFoundByFewComparisons(order: Int) {
        let count = Count()
        func key(_ value: Int) -> CountedKey { CountedKey(value: value, count: count) }
        var random = SplitMix64(seed: 2)
        var values = Array(0..<50_000)
        if order == 1 { values.reverse() }
        if order == 2 { values.shuffle(using: &random) }
        var runs = SortedRuns<CountedItem>()
        runs.insert(CountedItem(key: key(1_000_000)))
        for value in values { runs.insert(CountedItem(key: key(value))) }
        // Two binary searches: among the runs, and in one of them.
        #expect(count.comparisons < 50_000 * 20)
        #expect(isSound(runs))
        #expect(runs.runs.count <= 2 * 50_000 / SortedRuns<CountedItem>.longestRun + 2)

        count.comparisons = 0
        for value in values.prefix(1_000) { expect(runs[key(value)]?.key.value, equals: value) }
        #expect(count.comparisons < 1_000 * 20)
        count.comparisons = 0
        expect(runs.remove(in: key(100)...key(199)).count, equals: 100)
        #expect(count.comparisons < 2_000)
    }
}
