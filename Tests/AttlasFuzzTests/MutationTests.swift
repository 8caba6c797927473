import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@testable import AttlasFuzz

/// A part of what `make mutate` does with every capture.
@Suite(.serialized) struct MutationTests {
    /// In a separate process, where no other test takes memory.
    @Test func damagedCapturesAreReadAsFarAsTheyGo() async {
        await #expect(processExitsWith: .success) { [seed = seed(for: "mutations") as UInt64] in
            var run = MutationRun(seed: seed)
            run.measuresMemory = Sanitizer.leavesMemoryAlone
            let files = try captureFiles()
            let captures = try files.map {
                FileMutations([UInt8](try Data(contentsOf: $0)), name: $0.lastPathComponent)
            }
            for mutations in captures where mutations.contents.count < 20_000 {
                run.systematic(mutations, "systematic", truncations: 4_096, step: 997)
            }
            run.random(captures, files.map(\.lastPathComponent), count: 60)
            expect(run.findings, equals: [], "\(run.summary)")
            #expect(run.records > 2_000)
        }
    }

    /// Whole PDUs on the channel of ATT, whose opcode is after the headers of ACL data and of L2CAP.
    @Test func everyPDUOfATTIsAddedByMutations() {
        var generator = SeededGenerator(seed: 1)
        var opcodes: Set<UInt8> = []
        for _ in 0..<10_000 {
            let packet = PacketTemplates.any(&generator)
            guard packet.kind == .acl, packet.octets.count > 8, packet.octets[1] & 0x10 == 0,
                packet.octets[6...7] == [0x04, 0x00]
            else { continue }
            opcodes.insert(packet.octets[8])
        }
        for opcode in UInt8.min...UInt8.max {
            guard let definition = ATTOpcode(rawValue: opcode).definition else { continue }
            #expect(opcodes.contains(opcode), "\(definition.name)")
        }
    }

    @Test(arguments: SampleFile.all)
    func lengthsAreFoundInEveryFormat(file: SampleFile) {
        #expect(!FileMutations(file.bytes, name: "a").lengthFields.isEmpty)
    }

    @Test func lengthsOfRecordsAndOfPacketsAreFound() throws {
        for name in ["heart-rate.btsnoop", "two-controllers.pcap"] {
            let mutations = FileMutations(
                [UInt8](try Data(contentsOf: Repository.captures.appending(path: name))), name: name)
            // Two of each record, and those of the packets.
            #expect(mutations.lengthFields.count > 500)
            #expect(
                mutations.lengthFields.contains { $0.width == 1 } && mutations.lengthFields.contains { $0.width == 2 })
        }
    }
}
