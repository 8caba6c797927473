import AttlasDefinitionFiles
import AttlasDissection
import AttlasTestSupport
import AttlasThreads
import AttlasWire
import Testing

@testable import AttlasDefinitions

@Suite struct LibraryTests {
    private func source(_ path: String, uuid: String = "2A19", name: String = "Mine") -> DefinitionSource {
        let text = "characteristics: [{ uuid: \(uuid), name: \(name), fields: [{ name: X, type: uint8 }] }]"
        return DefinitionSource(path: path, text: text)
    }

    @Test func aUsersDefinitionPrecedesTheShippedOne() throws {
        let loader = DefinitionLoader([source("a.yaml")], above: .shipped)
        let library = DissectorLibrary.shipped.adding(loader.files)
        let uuid = BluetoothUUID(0x2A19 as UInt16)
        expect(library.dissector(for: uuid)?.name, equals: "Mine")
        expect(library.attributeName(of: uuid), equals: "Mine")
        expect(DissectorLibrary.shipped.dissector(for: uuid)?.name, equals: "Battery Level")
        expect(library.dissector(for: BluetoothUUID(0x2A37 as UInt16))?.name, equals: "Heart Rate Measurement")
    }

    @Test func theSameUUIDTwiceInOneLevelIsAMistake() {
        let loader = DefinitionLoader([source("a.yaml"), source("b.yaml", name: "Other")], above: .shipped)
        expect(loader.mistakes.map(\.description), equals: ["b.yaml:1:19: 2A19 is defined already, at a.yaml:1"])
        expect(loader.files.map(\.path), equals: ["a.yaml"])
    }

    @Test func aBadFileIsLeftOutAndTheOthersLoad() {
        let bad = DefinitionSource(path: "bad.yaml", text: "characteristics: [{ uuid: 2A98, nam: X }]")
        let loader = DefinitionLoader([source("a.yaml"), bad], above: .shipped)
        expect(loader.files.map(\.path), equals: ["a.yaml"])
        expect(loader.mistakes.count, equals: 1)
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

    /// `show` and `lint` decode on several threads with one library, whose parts are read when they are first asked for.
    @Test func severalThreadsUseOneLibrary() {
        for _ in 0..<50 {
            let library = DissectorLibrary(archive: shippedArchive, packets: shippedPackets, tables: shippedTables)
            let look: @Sendable () -> Void = {
                for opcode in [0x0C03, 0x200B, 0x200D] as [UInt16] {
                    let key = DefinitionKey.hciCommand(HCIOpcode(rawValue: opcode))
                    #expect(library.definition(of: key) != nil)
                    #expect(library.dissector(for: key) != nil)
                }
                expect(library.dissector(for: BluetoothUUID(0x2A37 as UInt16))?.name, equals: "Heart Rate Measurement")
                expect(library.attributeName(of: BluetoothUUID(0x2A6E as UInt16)), equals: "Temperature")
            }
            let workers = (0..<2).compactMap { _ in Worker(look) }
            for worker in workers { worker.join() }
        }
    }

    @Test func aShortUUIDIsFoundByItsLongForm() throws {
        let uuid = try #require(BluetoothUUID("00002A37-0000-1000-8000-00805F9B34FB"))
        expect(DissectorLibrary.shipped.dissector(for: uuid)?.name, equals: "Heart Rate Measurement")
    }

    @Test func namesComeFromTheAssignedNumbers() throws {
        let library = DissectorLibrary.shipped
        expect(library.serviceName(of: BluetoothUUID(0x1800 as UInt16)), equals: "Generic Access")
        expect(library.serviceName(of: BluetoothUUID(0x1801 as UInt16)), equals: "Generic Attribute")
        expect(library.serviceName(of: BluetoothUUID(0x180D as UInt16)), equals: "Heart Rate")
        #expect(library.serviceName(of: BluetoothUUID(0xFEED as UInt16)) == nil)
        expect(library.assignee(of: BluetoothUUID(0xFEED as UInt16)), equals: "Tile, Inc.")
        #expect(library.assignee(of: BluetoothUUID(0x180D as UInt16)) == nil)
        #expect(library.serviceName(of: BluetoothUUID(0x0000 as UInt16)) == nil)
        expect(library.attributeName(of: BluetoothUUID(0x2A6E as UInt16)), equals: "Temperature")
        expect(
            library.attributeName(of: BluetoothUUID(0x2902 as UInt16)), equals: "Client Characteristic Configuration")
        expect(library.attributeName(of: BluetoothUUID(0x2803 as UInt16)), equals: "Characteristic")
        expect(library.companyName(of: 0x0000), equals: "Ericsson AB")
        expect(library.companyName(of: 0x004C), equals: "Apple, Inc.")
        expect(library.appearanceName(of: 0x0341), equals: "Heart Rate Belt")
        expect(library.unitName(of: BluetoothUUID(0x27AD as UInt16)), equals: "percentage")
        let vendor = try #require(BluetoothUUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E"))
        expect(library.serviceName(of: vendor), equals: "Nordic UART")
    }

    /// Codes of 32 bits next to those of 16, of which the lower half of a number is looked up.
    /// An unassigned subcategory leaves the category. Assigned Numbers, 2.6: 0x0340 is Generic Heart Rate Sensor.
    @Test func anAppearanceKeepsItsCategory() {
        let numbers = DissectorLibrary.shipped.assignedNumbers
        expect(numbers.name(0x0341, in: .appearances), equals: "Heart Rate Belt")
        expect(numbers.name(0x0345, in: .appearances), equals: "Heart Rate Sensor, 0x0345")
        #expect(numbers.name(0xFFC5, in: .appearances) == nil)
    }

    @Test func namesOfObservationsHaveThirtyTwoBits() throws {
        let yaml = definition(
            """
            - { name: Observation, type: uint32, values: mdc-types }
            - { name: Unit, type: uint16, values: mdc-units }
            """)
        try expect(
            Dissected(yaml: yaml, hex("B8 4B 02 00 20 02")).text, equals: "Observation Oxygen Saturation · Unit %")
        try expect(Dissected(yaml: yaml, hex("B8 4B 00 00 00 00")).text, equals: "Observation 19384 · Unit 0")
    }

    @Test func aNameWithoutFieldsIsAName() {
        let text = "characteristics: [{ uuid: FFE1, name: Serial }]"
        let loader = DefinitionLoader([DefinitionSource(path: "a.yaml", text: text)], above: .shipped)
        let library = DissectorLibrary.shipped.adding(loader.files)
        let uuid = BluetoothUUID(0xFFE1 as UInt16)
        expect(library.attributeName(of: uuid), equals: "Serial")
        #expect(library.dissector(for: uuid) == nil)
    }

    // MARK: HCI packets

    @Test(arguments: [
        (0x0000, "NOP"), (0x0406, "Disconnect"), (0x0C03, "Reset"), (0x1009, "Read BD_ADDR"),
        (0x200A, "LE Set Advertising Enable"), (0x2011, "LE Add Device To Filter Accept List"),
        (0x2019, "LE Enable Encryption"), (0x201B, "LE Long Term Key Request Negative Reply"),
        (0x2032, "LE Set PHY"), (0x2043, "LE Extended Create Connection"), (0x2060, "LE Read Buffer Size [v2]"),
        (0x2062, "LE Set CIG Parameters"), (0xFC00, "Vendor Specific"), (0xFFFF, "Vendor Specific"),
        (0x2004, nil), (0x23FF, nil), (0xFBFF, nil),
    ])
    func commandsHaveNames(opcode: UInt16, name: String?) {
        let library = DissectorLibrary.shipped
        expect(library.assignedNumbers.name(opcode, in: .hciOpcodes), equals: name)
        let isVendors = opcode >= 0xFC00
        expect(library.dissector(for: .hciCommand(HCIOpcode(rawValue: opcode)))?.name, equals: isVendors ? nil : name)
    }

    @Test(arguments: [
        (0x03, "Connection Complete"), (0x0E, "Command Complete"), (0x13, "Number Of Completed Packets"),
        (0x59, "Encryption Change [v2]"), (0x3E, "LE Meta"), (0xFF, "Vendor Specific"), (0x00, nil), (0xFE, nil),
    ])
    func eventsHaveNames(code: UInt8, name: String?) {
        expect(DissectorLibrary.shipped.dissector(for: .hciEvent(HCIEventCode(rawValue: code)))?.name, equals: name)
    }

    @Test(arguments: [
        (0x01, "LE Connection Complete"), (0x0B, "LE Directed Advertising Report"),
        (0x29, "LE Enhanced Connection Complete [v2]"), (0x00, nil), (0xFF, nil),
    ])
    func lowEnergyEventsHaveNames(code: UInt8, name: String?) {
        expect(DissectorLibrary.shipped.dissector(for: .leEvent(LESubeventCode(rawValue: code)))?.name, equals: name)
    }

    /// An opcode or a code is no UUID, and parameters are no fields of values.
    @Test func packetsStayApartFromValues() throws {
        let text = """
            hci-commands: [{ opcode: 0x2A19, name: Odd Command, fields: [{ name: Odd Field, type: uint8 }] }]
            hci-events: [{ code: 0x01, name: Odd Event }]
            """
        let loader = DefinitionLoader([DefinitionSource(path: "a.yaml", text: text)], above: .shipped)
        expect(loader.mistakes.map(\.description), equals: [])
        let library = DissectorLibrary.shipped.adding(loader.files)
        expect(library.attributeName(of: BluetoothUUID(0x2A19 as UInt16)), equals: "Battery Level")
        expect(library.assignedNumbers.name(0x2A19, in: .hciOpcodes), equals: "Odd Command")
        #expect(!library.fieldNames.contains("Odd Field"))
        #expect(!library.fieldNames.contains("Num HCI Command Packets"))
        #expect(!library.attributeNames.contains("Odd Event"))
        expect(library.definitions.count, equals: DissectorLibrary.shipped.definitions.count)
        let added = library.packetDefinitions.filter(\.isAdded)
        expect(added.map { "\($0.kind) \($0.key) \($0.name)" }, equals: ["HCI command 0x2A19 Odd Command"])
        // Only its name is known.
        let event = try #require(library.dissector(for: .hciEvent(HCIEventCode(rawValue: 0x01))))
        #expect(event.name == "Odd Event" && !event.hasLayout)
    }

    // MARK: Recognized data

    private func recognition(_ items: String) throws -> DissectorLibrary {
        let text = "manufacturer-data:\n" + items
        let loader = DefinitionLoader([DefinitionSource(path: "a.yaml", text: text)], above: .shipped)
        try #require(loader.mistakes.map(\.description) == [])
        return DissectorLibrary.shipped.adding(loader.files)
    }

    /// The company, the beginning of the name, the service and the number of octets have to fit, each if it is given.
    @Test func dataIsRecognizedByWhatElseIsAdvertised() throws {
        let library = try recognition(
            """
            - { company: 0x0001, when: { name: [GVH51, B5178] }, name: Named, fields: [{ name: X, type: uint8 }] }
            - { company: any, when: { service: FEE5, octets: [2, 3] }, name: Served, fields: [{ name: X, type: uint8 }] }
            """)
        let heartRate = BluetoothUUID(0x180D as UInt16)
        let served = BluetoothUUID(0xFEE5 as UInt16)
        func name(_ company: UInt16, _ length: Int, _ name: String?, _ service: BluetoothUUID) -> String? {
            library.recognized(company: company, length: length, name: name) { $0 == service }?.dissector.name
        }
        expect(name(0x0001, 6, "GVH5101_1234", heartRate), equals: "Named")
        expect(name(0x0001, 6, "B5178", heartRate), equals: "Named")
        #expect(name(0x0001, 6, "gvh5101", heartRate) == nil)
        #expect(name(0x0001, 6, "My GVH5101", heartRate) == nil)
        #expect(name(0x0001, 6, nil, heartRate) == nil)
        #expect(name(0x0002, 6, "GVH5101", heartRate) == nil)
        expect(name(0x1234, 3, nil, served), equals: "Served")
        #expect(name(0x1234, 4, nil, served) == nil)
        #expect(name(0x1234, 3, nil, heartRate) == nil)
        let any = library.recognized(company: 0x1234, length: 2, name: nil) { $0 == served }
        #expect(any?.takesCompany == true)
        #expect(library.recognized(company: 1, length: 0, name: "GVH51") { _ in false }?.takesCompany == false)
    }

    /// What a user says of a company goes before what is shipped for a name.
    @Test func aUsersCompanyPrecedesAShippedCondition() throws {
        let library = try recognition("- { company: 0x0001, name: Mine, fields: [{ name: X, type: uint8 }] }")
        #expect(library.recognized(company: 0x0001, length: 6, name: "GVH5101_1") { _ in false } == nil)
        let shipped = DissectorLibrary.shipped.recognized(company: 0x0001, length: 6, name: "GVH5101_1") { _ in false }
        expect(shipped?.dissector.name, equals: "Govee Thermometer by Its Name")
    }

    @Test(
        arguments: [
            ("company: any, name: A", #"1:32: "any" needs "when""#),
            ("company: 1, when: {}, name: A", "1:41: a condition needs a name or a service"),
            ("company: 1, when: { octets: 3 }, name: A", "1:41: a condition needs a name or a service"),
            ("company: 1, when: { name: '' }, name: A", "1:49: the beginning of a name is empty"),
            ("company: 1, when: { service: 12 }, name: A", nil),
            ("company: 1, when: { name: A, octets: 300 }, name: A", "1:60: manufacturer data have 0 to 255 octets"),
        ] as [(String, String?)])
    func conditionsThatCannotBe(item: String, mistake: String?) {
        let text = "manufacturer-data: [{ \(item), fields: [{ name: X, type: uint8 }] }]"
        let loader = DefinitionLoader([DefinitionSource(path: "a.yaml", text: text)], above: .shipped)
        expect(loader.mistakes.count, equals: 1)
        if let mistake { expect(loader.mistakes.first?.description, equals: "a.yaml:" + mistake) }
    }

    @Test func typesOfADStructuresThatHaveNoDefinition() {
        for (type, message) in [
            ("0x09", "attlas reads 0x09 without a definition, by manufacturer-data, or by service-data"),
            ("0xFF", "attlas reads 0xFF without a definition, by manufacturer-data, or by service-data"),
            ("0x100", "an AD type has 8 bits"),
        ] {
            let text = "ad-structures: [{ type: \(type), name: X, fields: [{ name: X, type: uint8 }] }]"
            let loader = DefinitionLoader([DefinitionSource(path: "a.yaml", text: text)], above: .shipped)
            expect(loader.mistakes.map(\.message), equals: [message])
        }
    }

    @Test func theSameConditionTwiceIsAMistake() {
        let item = "{ company: any, when: { name: [A, B] }, name: X, fields: [{ name: X, type: uint8 }] }"
        let text = "manufacturer-data: [\(item), \(item.replacing("[A, B]", with: "[B, A]"))]"
        let loader = DefinitionLoader([DefinitionSource(path: "a.yaml", text: text)], above: .shipped)
        expect(loader.mistakes.map(\.message), equals: ["data with this condition is defined already, at a.yaml:1"])
    }
}
