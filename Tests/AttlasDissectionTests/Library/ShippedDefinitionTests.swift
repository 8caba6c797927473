import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasDocuments
import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@Suite struct ShippedDefinitionTests {
    static let sources: [DefinitionSource] = {
        let folder = Repository.root.appending(path: "Dissectors").path()
        return (try? DefinitionSource.files(at: String(folder))) ?? []
    }()

    /// What is in the binary.
    private static func isOfOneDevice(_ source: DefinitionSource) -> Bool {
        source.path.contains("/examples/") || source.path.contains("/vendors/devices/")
    }

    static let shipped = sources.filter { !isOfOneDevice($0) }
    /// What is not. Several of these devices have the same UUIDs, therefore each file is read alone.
    static let examples = sources.filter(isOfOneDevice)

    @Test func everyExampleHolds() {
        #expect(Self.shipped.count >= 100)
        #expect(Self.examples.count >= 10)
        check(DefinitionLoader(Self.shipped, above: DissectorLibrary.empty), library: .shipped)
    }

    @Test(arguments: examples)
    func everyExampleOfAnExampleFileHolds(_ source: DefinitionSource) {
        let loader = DefinitionLoader([source], above: DissectorLibrary.shipped)
        check(loader, library: DissectorLibrary.shipped.adding(loader.files))
    }

    private func check(_ loader: DefinitionLoader, library: DissectorLibrary) {
        expect(loader.mistakes.map(\.description), equals: [])
        for file in loader.files {
            expect(ExampleCheck(file, library: library).mistakes.map(\.description), equals: [])
            for attribute in file.attributes where !attribute.key.space.isPacket && !attribute.layouts.isEmpty {
                #expect(!attribute.examples.isEmpty, "\(attribute.key) \(attribute.name)")
            }
        }
    }

    /// A definition goes through the archive of the binary and comes out as it went in. Examples stay outside.
    @Test func theBinaryHoldsEveryDefinition() {
        #expect(!Self.examples.isEmpty)
        let loader = DefinitionLoader(Self.shipped, above: DissectorLibrary.empty)
        let read = Set(loader.files.flatMap(\.attributes).filter { !$0.layouts.isEmpty }.map(\.key))
        let library = DissectorLibrary.shipped
        expect(Set((library.definitions + library.packetDefinitions).map(\.key)), equals: read)
    }

    /// Vendors' attributes have names, and values that are shown as they are.
    @Test(arguments: [
        ("6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "Nordic UART"),
        ("00001530-1212-EFDE-1523-785FEABCD123", "Nordic Legacy DFU"),
        ("FE59", "Nordic Secure DFU"),
        ("8D53DC1D-1DB7-4CD3-868B-8A527460AA84", "MCUmgr SMP"),
        ("7905F431-B5CE-4E99-A40F-4B1E122D00D0", "Apple Notification Center"),
        ("E95D0753-251D-470A-A062-FA1922DFA9A8", "micro:bit Accelerometer"),
        ("F000AA40-0451-4000-B000-000000000000", "SensorTag Barometer"),
    ])
    func servicesOfVendorsHaveNames(_ uuid: String, _ name: String) throws {
        try expect(DissectorLibrary.shipped.serviceName(of: #require(BluetoothUUID(uuid))), equals: name)
    }

    @Test func characteristicsOfVendorsHaveNames() throws {
        let uuid = try #require(BluetoothUUID("6E400003-B5A3-F393-E0A9-E50E24DCCA9E"))
        expect(DissectorLibrary.shipped.attributeName(of: uuid), equals: "UART TX")
    }
}
