import AttlasTestSupport
import Foundation
import Testing

/// `--gatt-db`: tables from elsewhere.
@Suite struct GATTDatabaseTests {
    @Test func anotherCaptureNamesEveryHandle() throws {
        let result = try attlas(
            "show", "--json", "--gatt-db", capture("heart-rate.btsnoop"), capture("after-discovery.btsnoop"))
        expect(result.status, equals: 0)
        #expect(result.errors.isEmpty)
        let operations = result.output.split(separator: "\n").filter { $0.contains(#""type":"att""#) }
        // 0x0042 is no attribute of the strap.
        #expect(operations.count { !$0.contains(#""known_from":"imported""#) } == 2)
        #expect(operations.count { $0.contains(#""handle":66"#) } == 2)
    }

    @Test func aTreeNamesWhatItsCaptureNames() throws {
        let tree = try attlas("tree", "--json", capture("heart-rate.btsnoop")).output
        let folder = try TemporaryFolder()
        let file = try folder.write(tree.utf8)
        for arguments in [["show", "--json"], ["show"], ["tree"], ["tree", "--json"]] {
            let after = [capture("after-discovery.btsnoop")]
            let byTree = try Command.attlas(arguments + ["--gatt-db", file] + after)
            let byCapture = try Command.attlas(arguments + ["--gatt-db", capture("heart-rate.btsnoop")] + after)
            expect(byTree.output, equals: byCapture.output)
            #expect(byTree.output.contains("imported"))
        }
    }

    @Test func bothSidesOfALinkAreNamed() throws {
        var packets = try Repository.packets(of: "both-roles.btsnoop")
        // Without the discovery of either side.
        packets.removeSubrange(44..<138)
        let folder = try TemporaryFolder()
        let tree = try folder.write(attlas("tree", "--json", capture("both-roles.btsnoop")).output.utf8)
        for database in [capture("both-roles.btsnoop"), tree] {
            let result = try Command.attlas(
                ["show", "--json", "--gatt-db", database, "-"], input: Data(packets.btsnoop))
            let lines = result.output.split(separator: "\n").filter { $0.contains(#""type":"att""#) }
            for server in ["peer", "local"] {
                let used = lines.filter { $0.contains(#""server":"\#(server)","handle""#) }
                #expect(used.count > 10)
                #expect(used.allSatisfy { $0.contains(#""known_from":"imported""#) }, "\(server)")
            }
            if Command.hasSchemaValidator { #expect(try Command.judge(result.output, bySchema: "show").isEmpty) }
        }
    }

    @Test func aTableOfNoUseIsSaid() throws {
        let result = try attlas("tree", "--gatt-db", capture("heart-rate.btsnoop"), capture("ice-cream.btsnoop"))
        expect(result.status, equals: 0)
        #expect(result.errors.contains("not used: it contains the table of F2:F2:F2:F2:F2:F2, and "))
        #expect(result.errors.contains("has no such peer"))
    }

    @Test func amongSeveralTablesNoneIsGuessed() throws {
        let result = try attlas(
            "show", "--gatt-db", capture("two-peripherals.btsnoop"), capture("after-discovery.btsnoop"))
        #expect(result.errors.contains("with 2 tables the choice is ambiguous"))
        #expect(!result.output.contains("(imported)"))
    }

    @Test func aTableThatCannotBeReadIsStatus1AndTheCaptureIsShown() throws {
        let result = try attlas("show", "--gatt-db", "/nonexistent", capture("heart-rate.btsnoop"))
        expect(result.status, equals: 1)
        #expect(result.output.contains("97 ATT operations"))
        #expect(result.errors.contains("/nonexistent: cannot be opened"))
    }

    private func capture(_ name: String) -> String { Repository.capture(name) }

    private func attlas(_ arguments: String..., input: Data? = nil) throws -> Command.Result {
        try Command.attlas(arguments, input: input)
    }
}
