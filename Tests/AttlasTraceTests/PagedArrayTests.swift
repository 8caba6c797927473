import AttlasTestSupport
import AttlasTrace
import Testing

@Suite struct PagedArrayTests {
    @Test func copiesGoTheirOwnWay() {
        var numbers = PagedArray<Int>()
        expect(numbers.count, equals: 0)
        for number in 0..<100 { numbers.append(number) }
        var others = numbers
        for index in stride(from: 0, to: 100, by: 7) { others[index] += 1_000 }
        others.append(5)
        #expect((numbers.count, others.count) == (100, 101))
        for index in 0..<100 {
            expect(numbers[index], equals: index)
            expect(others[index], equals: index.isMultiple(of: 7) ? index + 1_000 : index)
        }
    }
}
