import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasWire
import Testing

@Suite struct LibraryTests {
    private func source(_ path: String, uuid: String = "2A19", name: String = "Mine") -> DefinitionSource {
        let text = "characteristics: [{ uuid: \(uuid), name: \(name), fields: [{ name: X, type: uint8 }] }]"
        return DefinitionSource(path: path, text: text)
    }

    @Test func aUsersDefinitionPrecedesTheShippedOne() throws {
        let loader = DefinitionLoader([source("a.yaml")], above: .shipped)
        let library = DissectorLibrary.shipped.adding(loader.files)
        let uuid = BluetoothUUID(0x2A19 as UInt16)
        #expect(library.dissector(for: uuid)?.name == "Mine")
        #expect(library.attributeName(of: uuid) == "Mine")
        #expect(DissectorLibrary.shipped.dissector(for: uuid)?.name == "Battery Level")
        #expect(library.dissector(for: BluetoothUUID(0x2A37 as UInt16))?.name == "Heart Rate Measurement")
    }

    @Test func theSameUUIDTwiceInOneLevelIsAMistake() {
        let loader = DefinitionLoader([source("a.yaml"), source("b.yaml", name: "Other")], above: .shipped)
        #expect(
            loader.mistakes.map(\.description)
                == ["b.yaml:1:19: 2A19 is defined already, at a.yaml:1"])
        #expect(loader.files.map(\.path) == ["a.yaml"])
    }

    @Test func aBadFileIsLeftOutAndTheOthersLoad() {
        let bad = DefinitionSource(path: "bad.yaml", text: "characteristics: [{ uuid: 2A98, nam: X }]")
        let loader = DefinitionLoader([source("a.yaml"), bad], above: .shipped)
        #expect(loader.files.map(\.path) == ["a.yaml"])
        #expect(loader.mistakes.count == 1)
    }

    /// A file may use what another one defines, as long as that one stays.
    @Test func filesMayUseEachOther() {
        let user = DefinitionSource(
            path: "b.yaml", text: "characteristics: [{ uuid: 2E98, name: B, fields: [{ name: Y, use: 2E99 }] }]")
        let used = source("a.yaml", uuid: "2E99")
        #expect(DefinitionLoader([user, used], above: .shipped).mistakes.isEmpty)
        let broken = DefinitionSource(path: "a.yaml", text: used.text + "\nx: 1")
        #expect(DefinitionLoader([user, broken], above: .shipped).files.isEmpty)
    }

    @Test func aShortUUIDIsFoundByItsLongForm() throws {
        let uuid = try #require(BluetoothUUID("00002A37-0000-1000-8000-00805F9B34FB"))
        #expect(DissectorLibrary.shipped.dissector(for: uuid)?.name == "Heart Rate Measurement")
    }

    @Test func namesComeFromTheAssignedNumbers() throws {
        let library = DissectorLibrary.shipped
        #expect(library.serviceName(of: BluetoothUUID(0x1800 as UInt16)) == "Generic Access")
        #expect(library.serviceName(of: BluetoothUUID(0x1801 as UInt16)) == "Generic Attribute")
        #expect(library.serviceName(of: BluetoothUUID(0x180D as UInt16)) == "Heart Rate")
        #expect(library.serviceName(of: BluetoothUUID(0xFEED as UInt16)) == "Tile, Inc.")
        #expect(library.serviceName(of: BluetoothUUID(0x0000 as UInt16)) == nil)
        #expect(library.attributeName(of: BluetoothUUID(0x2A6E as UInt16)) == "Temperature")
        #expect(library.attributeName(of: BluetoothUUID(0x2902 as UInt16)) == "Client Characteristic Configuration")
        #expect(library.attributeName(of: BluetoothUUID(0x2803 as UInt16)) == "Characteristic")
        #expect(library.companyName(of: 0x0000) == "Ericsson AB")
        #expect(library.companyName(of: 0x004C) == "Apple, Inc.")
        #expect(library.appearanceName(of: 0x0341) == "Heart Rate Belt")
        #expect(library.unitName(of: BluetoothUUID(0x27AD as UInt16)) == "percentage")
        let vendor = try #require(BluetoothUUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E"))
        #expect(library.serviceName(of: vendor) == "Nordic UART")
    }

    @Test func aNameWithoutFieldsIsAName() {
        let text = "characteristics: [{ uuid: FFE1, name: Serial }]"
        let loader = DefinitionLoader([DefinitionSource(path: "a.yaml", text: text)], above: .shipped)
        let library = DissectorLibrary.shipped.adding(loader.files)
        let uuid = BluetoothUUID(0xFFE1 as UInt16)
        #expect(library.attributeName(of: uuid) == "Serial")
        #expect(library.dissector(for: uuid) == nil)
    }
}
