import AttlasIncidents
import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasMetrics

/// Groups of generated captures. Devices differ: each has its own rate of losses and its own time to the first value.
struct GeneratedFleet {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func uniform() -> Double { Double.random(in: 1e-12..<1, using: &random) }

    /// About 1, with a standard deviation of its logarithm of 0.4.
    private mutating func spread() -> Double {
        let sum = (0..<12).reduce(-6) { sum, _ in sum + uniform() }
        return pow(1.5, sum)
    }

    private mutating func poisson(_ mean: Double) -> Int {
        var (count, product) = (0, uniform())
        while product > exp(-mean) { (count, product) = (count + 1, product * uniform()) }
        return count
    }

    mutating func group(_ name: String, captures: Int, losses: Double, firstValue: Double) -> FleetGroup {
        var group = FleetGroup(name: name)
        for capture in 0..<captures {
            var device = FleetCapture.Device(name: nil, firmware: nil)
            device.connectedHours = 1
            let lost = poisson(losses * spread())
            device.counts[.losses] = lost
            device.connections = lost + 1
            let slowness = spread() * firstValue
            device.samples[.firstValue] = (0...lost).map { _ in slowness * spread() }
            device.samples[.reconnection] = (0..<lost).map { _ in 3 * spread() }
            // What happens now and then.
            for kind in Incident.Kind.allCases {
                let count = poisson(0.3)
                if count > 0 { device.counts[.incidents(kind)] = count }
            }
            group.add([device], of: "\(name)/\(capture)", hours: 1)
        }
        return group
    }

    /// What holds between two groups of 100 captures.
    static func compare(seed: UInt64, losses: Double = 1, firstValue: Double = 1) -> [FleetMeasure] {
        var fleet = GeneratedFleet(seed: seed)
        let base = fleet.group("a", captures: 100, losses: 1, firstValue: 1)
        let subject = fleet.group("b", captures: 100, losses: losses, firstValue: firstValue)
        return FleetComparison(subject, against: base).differences.filter(\.verdict.isDifference).map(\.measure)
    }
}

@Suite struct FleetTests {
    @Test func aDoubledRateIsWorse() {
        expect(GeneratedFleet.compare(seed: 1, losses: 2), equals: [.losses])
        expect(GeneratedFleet.compare(seed: 1, firstValue: 2), equals: [.firstValue])
        expect(GeneratedFleet.compare(seed: 1), equals: [])
    }

    @Test func groupsAreInTheOrderOfTheirNumbers() {
        var groups = FleetGroups()
        let devices = ["2.10", "2.9", "2.9", "10.0"].map { FleetCapture.Device(name: nil, firmware: $0) }
        for device in devices { groups.add([device], of: "a", hours: 1) { $0.firmware } }
        groups.add([FleetCapture.Device(name: nil, firmware: nil)], of: "a", hours: 1) { $0.firmware }
        expect(groups.groups.map(\.name), equals: ["2.9", "2.10", "10.0"])
        expect(groups.groups.map(\.captures), equals: [2, 1, 1])
        expect(groups.unnamed, equals: 1)
    }

    @Test func aShareIsAtMostAll() throws {
        var (base, subject) = (FleetGroup(name: "a"), FleetGroup(name: "b"))
        var device = FleetCapture.Device(name: nil, firmware: nil)
        device.tries = [.discovery: 2]
        base.add([device], of: "a", hours: 1)
        device.counts[.failures(.discovery)] = 1
        subject.add([device], of: "b", hours: 1)
        let difference = try #require(FleetComparison(subject, against: base).differences.first)
        expect(difference.measure, equals: .failures(.discovery))
        #expect(difference.base.interval == 0...1 && difference.subject.interval?.upperBound == 1)
    }

    @Test func newIncidentsHaveTheirPlaces() throws {
        var (base, subject) = (FleetGroup(name: "a"), FleetGroup(name: "b"))
        var device = FleetCapture.Device(name: nil, firmware: nil)
        base.add([device], of: "a/1", hours: 1)
        device.counts[.incidents(.pairingFailed)] = 2
        device.firstFrames[.pairingFailed] = 12
        subject.add([device], of: "b/1", hours: 1)
        let comparison = FleetComparison(subject, against: base)
        let new = try #require(comparison.newIncidents.first)
        #expect(new.kind == .pairingFailed && new.count == 2 && new.places.map(\.frame) == [12])
        expect(new.places.map(\.file), equals: ["b/1"])
        #expect(!comparison.isWorse && comparison.differences.map(\.verdict) == [.few])
    }
}

/// The promise of Documentation/fleet.md, for 100 fleets each.
@Suite struct FleetLongTests {
    @Test func aPlantedChangeIsFoundAndNoneIsInvented() {
        let seeds: Range<UInt64> = 1_000..<1_100
        #expect(seeds.count { GeneratedFleet.compare(seed: $0, losses: 2).contains(.losses) } >= 95)
        #expect(seeds.count { GeneratedFleet.compare(seed: $0, firstValue: 2).contains(.firstValue) } >= 95)
        #expect(seeds.count { GeneratedFleet.compare(seed: $0).isEmpty } >= 95)
    }
}
