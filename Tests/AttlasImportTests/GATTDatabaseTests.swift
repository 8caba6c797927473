import AttlasImport
import AttlasTestSupport
import AttlasTrace
import AttlasWire
import Foundation
import Testing

/// A table read back from what a file says, one line for each attribute.
func lines(_ table: ImportedTable) -> [String] {
    func word(_ handle: UInt16) -> String { String(0x10000 + UInt32(handle), radix: 16).dropFirst().uppercased() }
    var lines: [String] = []
    for service in table.services {
        lines.append(
            "\(word(service.handle))–\(word(service.endHandle)) \(service.uuid)\(service.isPrimary ? "" : " secondary")"
        )
    }
    for include in table.includes {
        lines.append(
            "\(word(include.handle)) includes \(word(include.includedHandle))–\(word(include.endHandle))"
                + " \(include.uuid.map { "\($0)" } ?? "-")")
    }
    for characteristic in table.characteristics {
        lines.append(
            "\(word(characteristic.handle)) \(word(characteristic.valueHandle)) \(characteristic.uuid)"
                + " \(characteristic.properties.rawValue)")
    }
    for attribute in table.attributes { lines.append("\(word(attribute.handle)) \(attribute.uuid)") }
    return lines.sorted()
}

@Suite struct GATTDatabaseTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func read(_ text: String, as path: String = "file") throws -> GATTDatabase {
        GATTDatabase(path: try folder.write(text.utf8, to: path))
    }

    /// The part of the only mistake after the file's name.
    private func mistake(_ text: String, as path: String = "file") throws -> String? {
        let database = try read(text, as: path)
        #expect(database.tables.isEmpty)
        expect(database.mistakes.count, equals: 1)
        return database.mistakes.first.map { String($0.dropFirst(database.path.count + 2)) }
    }

    // MARK: attlas

    static let tree = """
        {"file":"a","peers":[{"address":"F2:F2:F2:F2:F2:F2","address_type":"random-static","mtu":185,
          "database_hash":"f1ca2d48ecf58bac8a8830bbb9fba990",
          "services":[
            {"handle":14,"end_handle":21,"uuid":"180D","primary":true,"known_from":"discovery","frame":1,"connection":1,
             "includes":[{"handle":15,"included_handle":22,"included_end_handle":25,"uuid":"180F"}],
             "characteristics":[{"handle":16,"value_handle":17,"uuid":"2A37","properties":["notify","read"],
               "descriptors":[{"handle":18,"uuid":"2902","known_from":"discovery"},
                              {"handle":19,"uuid":"2902","known_from":"inferred"}]}]},
            {"includes":[],"characteristics":[],
             "attributes":[{"handle":64,"uuid":"6E400001-B5A3-F393-E0A9-E50E24DCCA9E"}]}],
          "unknown_handles":[{"handle":99}]}],"local":[]}
        """

    @Test func aTreeIsRead() throws {
        let database = try read(Self.tree)
        expect(database.mistakes, equals: [])
        let table = try #require(database.tables.first)
        expect(table.owner, equals: ImportedOwner(0xF2F2_F2F2_F2F2, isRandom: true))
        expect(table.databaseHash, equals: 0x90A9_FBB9_BB30_888A_AC8B_F5EC_482D_CAF1)
        expect(
            lines(table),
            equals: [
                "000E–0015 180D", "000F includes 0016–0019 180F", "0010 0011 2A37 18", "0012 2902",
                "0040 6E400001-B5A3-F393-E0A9-E50E24DCCA9E",
            ])
    }

    @Test func theNameAndTheHostsTableAreRead() throws {
        let database = try read(
            """
            {"peers":[{"address":"F2:F2:F2:F2:F2:F2","name":"HRM-7",
              "services":[{"handle":14,"end_handle":21,"uuid":"180D","primary":true}]}],
             "local":[{"controller":0,"services":[{"handle":1,"end_handle":5,"uuid":"1800","primary":true}]},
                      {"controller":1,"address":"00:1A:7D:DA:71:13",
                       "services":[{"handle":1,"end_handle":5,"uuid":"1805","primary":true}]}]}
            """)
        expect(database.mistakes, equals: [])
        expect(database.tables.map(\.name), equals: ["HRM-7", nil])
        expect(database.tables.map(\.isLocal), equals: [false, true])
        // A host of which the address is not known is nobody.
        expect(database.tables.last.map(lines), equals: ["0001–0005 1805"])
    }

    @Test func aCaptureGivesTheTablesOfBothSides() {
        let database = GATTDatabase(path: Repository.capture("both-roles.btsnoop"))
        expect(database.mistakes, equals: [])
        expect(database.tables.map(\.name), equals: ["Watch 5", nil])
        expect(database.tables.map(\.isLocal), equals: [false, true])
        expect(database.tables.last?.owner, equals: ImportedOwner(0x001A_7DDA_7113, isRandom: false))
        expect(database.tables.last?.services.map(\.uuid.description), equals: ["1800", "1801", "1805", "1802"])
    }

    @Test func severalTreesStandLineByLine() throws {
        let line = Self.tree.split(separator: "\n").joined()
        try expect(read(line + "\n" + line + "\n").tables.count, equals: 2)
    }

    @Test(arguments: [
        (#"{"peers":[{"services":[{"handle":70000}]}]}"#, "invalid JSON, or a number that is too large"),
        (#"{"peers":[{"services":"none"}]}"#, "peers/0/services: unexpected type of value"),
        (#"{"peers":[{}]}"#, "peers/0: there is no services"),
        (#"{"peers":"#, "invalid JSON, or a number that is too large"),
        (#"{"devices":[]}"#, "there is no peers"),
    ])
    func whatIsNoTreeIsRefused(_ text: String, _ reason: String) throws {
        try expect(mistake(text), equals: "document 1 is not what attlas tree --json writes: \(reason)")
    }

    @Test(arguments: [
        (#"{"peers":[{"address":"F2:F2:F2:F2:F2","services":[]}]}"#, "\"F2:F2:F2:F2:F2\" is not an address"),
        (#"{"peers":[{"address":"F2:F2:F2:F2:F2:+2","services":[]}]}"#, "\"F2:F2:F2:F2:F2:+2\" is not an address"),
        (#"{"peers":[{"database_hash":"00","services":[]}]}"#, "\"00\" is not a Database Hash"),
        (#"{"peers":[{"services":[{"handle":1,"end_handle":2,"uuid":"18"}]}]}"#, "\"18\" is not a UUID"),
    ])
    func whatATreeCannotSayIsRefused(_ text: String, _ reason: String) throws {
        try expect(mistake(text), equals: reason)
    }

    @Test func deepNestingIsNoTree() throws {
        #expect(try mistake(#"{"peers":"# + String(repeating: "[", count: 100_000)) != nil)
    }

    // MARK: BlueZ

    static let cache = """
        [General]
        Name=HRM-7
        [ServiceRecords]

        [Attributes]
        0001=2800:0005:1801
        0002=2803:0003:20:2a05
        0004=2902
        0006=2803:0007:02:f1ca2d48ecf58bac8a8830bbb9fba990:00002b2a-0000-1000-8000-00805f9b34fb
        0014=2801:001c:180f
        0015=2802:0001:0005:1801
        001b=0001:2900
        0028=2800:ffff:6e400001-b5a3-f393-e0a9-e50e24dcca9e
        """

    @Test func theCacheIsRead() throws {
        let database = try read(Self.cache, as: "cache/F2:F2:F2:F2:F2:F2")
        let table = try #require(database.tables.first)
        expect(database.mistakes, equals: [])
        expect(table.owner, equals: ImportedOwner(0xF2F2_F2F2_F2F2, isRandom: nil))
        expect(table.name, equals: "HRM-7")
        expect(table.databaseHash, equals: 0x90A9_FBB9_BB30_888A_AC8B_F5EC_482D_CAF1)
        expect(
            lines(table),
            equals: [
                "0001–0005 1801", "0002 0003 2A05 32", "0004 2902", "0006 0007 2B2A 2",
                "0014–001C 180F secondary", "0015 includes 0001–0005 1801", "001B 2900",
                "0028–FFFF 6E400001-B5A3-F393-E0A9-E50E24DCCA9E",
            ])
    }

    static let attributes = """
        [1]
        UUID=00002800-0000-1000-8000-00805f9b34fb
        Value=0D18
        EndGroupHandle=21

        [2]
        UUID=00002803-0000-1000-8000-00805f9b34fb
        Value=100300372A

        [4]
        UUID=00002902-0000-1000-8000-00805f9b34fb

        [10]
        UUID=00002802-0000-1000-8000-00805f9b34fb
        Value=160019000F18
        """

    @Test func theOlderFormIsRead() throws {
        let database = try read(Self.attributes, as: "00:1A:7D:DA:71:13/F2:F2:F2:F2:F2:F2/attributes")
        let table = try #require(database.tables.first)
        expect(database.mistakes, equals: [])
        expect(table.owner, equals: ImportedOwner(0xF2F2_F2F2_F2F2, isRandom: nil))
        expect(
            lines(table), equals: ["0001–0015 180D", "0002 0003 2A37 16", "0004 2902", "000A includes 0016–0019 180F"])
    }

    @Test func colonsMayBeReplacedInNames() throws {
        let owner = ImportedOwner(0xF2F2_F2F2_F2F2, isRandom: nil)
        try expect(read(Self.cache, as: "F2_F2_F2_F2_F2_F2").tables.first?.owner, equals: owner)
        try expect(read(Self.cache, as: "F2-F2-F2-F2-F2-F2/cache.txt").tables.first?.owner, equals: owner)
        #expect(try read(Self.cache, as: "cache.txt").tables.first?.owner == nil)
    }

    @Test(arguments: [
        ("[Attributes]\n0001=2800:0005", 2), ("[Attributes]\n0001=2800:0005:18", 2), ("[Attributes]\nX=2902", 2),
        ("[Attributes]\n10000=2902", 2), ("[Attributes]\n0001=", 2), ("[Attributes]\n0001=2803:0003:100:2a00", 2),
        ("[Attributes]\n0001=2902:1:2:3:2902", 2), ("[1]\nUUID=2803\nValue=1003", 1), ("[1]\nUUID=2800\nValue=0D1", 1),
        ("[70000]\nUUID=2902", 1), ("[1]\nUUID=29", 1), ("[1]\nUUID=2802\nValue=0100", 1),
    ])
    func whatBlueZDoesNotWriteIsRefused(_ text: String, _ line: Int) throws {
        try expect(mistake(text), equals: "line \(line): not an attribute in BlueZ's format")
    }

    @Test func whatHoldsNoTableIsSaid() throws {
        try expect(mistake("[General]\nName=X"), equals: "it contains no GATT table")
        try expect(mistake("[General]\nName"), equals: "line 2: neither a section nor a key with a value")
        #expect(try mistake(#"{"peers":[]}"#) == "it contains no GATT table")
        #expect(try mistake("A letter") != nil)
        #expect(try mistake("") != nil)
    }

    /// Files with one octet changed, or cut somewhere: nothing traps.
    @Test func damagedFilesAreReadOrRefused() throws {
        var random = SystemRandomNumberGenerator()
        for text in [Self.tree, Self.cache, Self.attributes] {
            for _ in 0..<200 {
                var octets = Array(text.utf8)
                octets[Int.random(in: octets.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                octets.removeLast(Int.random(in: 0..<octets.count / 2, using: &random))
                let database = GATTDatabase(path: try folder.write(octets, to: "damaged"))
                #expect(!database.tables.isEmpty || !database.mistakes.isEmpty)
                for table in database.tables {
                    var trace = Trace()
                    trace.import(table)
                }
            }
        }
    }

    // MARK: Captures

    @Test func aCaptureGivesTheTablesOfItsPeers() throws {
        let database = GATTDatabase(path: Repository.capture("two-peripherals.btsnoop"))
        expect(database.mistakes, equals: [])
        expect(Set(database.tables.map { $0.owner?.description }), equals: ["F2:F2:F2:F2:F2:F2", "E6:0A:33:7C:90:15"])
    }

    @Test func aCaptureCutShortGivesWhatItShows() throws {
        let whole = try Data(contentsOf: Repository.captures.appending(path: "heart-rate.btsnoop"))
        let database = GATTDatabase(path: try folder.write(whole.dropLast(5), to: "cut"))
        expect(database.tables.count, equals: 1)
        expect(database.mistakes.count, equals: 1)
    }

    @Test func aCaptureWithoutDiscoveryHoldsNoTable() {
        let database = GATTDatabase(path: Repository.capture("l2cap-tester.btsnoop"))
        #expect(database.tables.isEmpty)
        #expect(database.mistakes.first?.hasSuffix("it contains no GATT table") == true)
    }

    @Test func aFileThatIsNotThereIsSaid() {
        #expect(GATTDatabase(path: "/nonexistent").mistakes.first?.contains("No such file") == true)
    }
}
