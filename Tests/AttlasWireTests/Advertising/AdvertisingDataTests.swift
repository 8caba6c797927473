import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct AdvertisingDataTests {
    private func structures(_ octets: [UInt8]) -> (types: [UInt8], data: [[UInt8]], missing: [Int], remainder: Int) {
        var structures = AdvertisingData(octets.wire).structures
        var read: (types: [UInt8], data: [[UInt8]], missing: [Int], remainder: Int) = ([], [], [], 0)
        while let structure = structures.next() {
            read.types.append(structure.type.rawValue)
            read.data.append(structure.data.copy())
            read.missing.append(structure.missing)
        }
        read.remainder = structures.remainder
        return read
    }

    @Test func oneAfterTheOther() {
        let read = structures(hex("02 01 06  03 03 0D 18  01 FF"))
        expect(read.types, equals: [0x01, 0x03, 0xFF])
        expect(read.data, equals: [[0x06], [0x0D, 0x18], []])
        expect(read.missing, equals: [0, 0, 0])
        expect(read.remainder, equals: 0)
    }

    @Test func lengthOfZeroEndsTheList() {
        let read = structures(hex("02 01 06  00  03 03 0D 18"))
        expect(read.types, equals: [0x01])
        expect(read.remainder, equals: 5)
    }

    @Test func nothingAtAll() {
        expect(structures([]).types, equals: [])
        expect(structures([0]).remainder, equals: 1)
    }

    /// The length of the last structure at 1, what is present, one more, and the greatest.
    @Test(arguments: [(1, 0, 0), (2, 1, 0), (4, 3, 0), (5, 3, 1), (255, 3, 251)])
    func length(length: UInt8, count: Int, missing: Int) {
        let read = structures([length, 0x09, 0x41, 0x42, 0x43])
        expect(read.types.first, equals: 0x09)
        expect(read.data.first?.count, equals: count)
        expect(read.missing.first, equals: missing)
    }

    @Test(arguments: 0..<7)
    func everyShorterPrefix(length: Int) {
        let read = structures(Array(hex("02 01 06  03 03 0D 18").prefix(length)))
        expect(read.types, equals: Array([0x01, 0x03].prefix(length < 2 ? 0 : length < 5 ? 1 : 2)))
        expect(read.missing.last, equals: [nil, nil, 1, 0, 0, 2, 1][length])
        expect(read.remainder, equals: [0, 1, 0, 0, 1, 0, 0][length])
    }

    @Test func shortFields() {
        let octets = hex("02 01 06  02 0A F4  03 19 41 03  04 08 41 42 43")
        let data = AdvertisingData(octets.wire)
        expect(data.flags, equals: 0x06)
        expect(data.txPowerLevel, equals: -12)
        expect(data.appearance, equals: 0x0341)
        expect(data.localName?.copy(), equals: Array("ABC".utf8))
    }

    @Test func completeNameBeforeShortened() {
        let octets = hex("02 08 41  03 09 41 42")
        expect(AdvertisingData(octets.wire).localName?.copy(), equals: Array("AB".utf8))
    }

    @Test(arguments: ["", "01 01 01 0A 01 19 01 FF", "01 01 01 0A 02 19 41 02 FF 4C"])
    func absentOrTooShort(octets: String) {
        let octets = hex(octets)
        let data = AdvertisingData(octets.wire)
        #expect(data.flags == nil)
        #expect(data.txPowerLevel == nil)
        #expect(data.appearance == nil)
        #expect(data.localName?.count == nil)
        #expect(data.manufacturerData?.companyIdentifier == nil)
    }

    private func uuids(_ octets: [UInt8]) -> (uuids: [String], remainder: Int)? {
        var structures = AdvertisingData(octets.wire).structures
        guard let structure = structures.next(), let list = structure.serviceUUIDs else { return nil }
        return ((0..<list.count).map { list[$0].description }, list.remainder)
    }

    @Test(arguments: [0x02, 0x03, 0x14])
    func shortUUIDs(type: UInt8) {
        let read = uuids([0x06, type] + hex("0D 18 0F 18 EE"))
        expect(read?.uuids, equals: ["180D", "180F"])
        expect(read?.remainder, equals: 1)
    }

    @Test(arguments: [0x04, 0x05, 0x1F])
    func mediumUUIDs(type: UInt8) {
        let read = uuids([0x08, type] + hex("0D 18 00 00 EE EE EE"))
        expect(read?.uuids, equals: ["180D"])
        expect(read?.remainder, equals: 3)
    }

    @Test(arguments: [0x06, 0x07, 0x15])
    func longUUIDs(type: UInt8) {
        let read = uuids([0x11, type] + hex("10 0F 0E 0D 0C 0B 0A 09 08 07 06 05 04 03 02 01"))
        expect(read?.uuids, equals: ["01020304-0506-0708-090A-0B0C0D0E0F10"])
        expect(read?.remainder, equals: 0)
        expect(uuids([0x10, type] + [UInt8](repeating: 0, count: 15))?.uuids, equals: [])
    }

    @Test func notAList() {
        #expect(uuids(hex("02 01 06")) == nil)
        #expect(ADType(rawValue: 0x14).isSolicitation == true)
        #expect(ADType(rawValue: 0x03).isSolicitation == false)
    }

    private func serviceData(_ octets: [UInt8]) -> (uuid: String, data: [UInt8])? {
        var structures = AdvertisingData(octets.wire).structures
        guard let structure = structures.next(), let data = structure.serviceData else { return nil }
        return (data.uuid.description, data.data.copy())
    }

    @Test func serviceData() {
        var read = serviceData(hex("05 16 0F 18 5A 01"))
        expect(read?.uuid, equals: "180F")
        expect(read?.data, equals: [0x5A, 0x01])
        read = serviceData(hex("06 20 0F 18 00 00 5A"))
        expect(read?.uuid, equals: "180F")
        expect(read?.data, equals: [0x5A])
        read = serviceData(hex("11 21 10 0F 0E 0D 0C 0B 0A 09 08 07 06 05 04 03 02 01"))
        expect(read?.uuid, equals: "01020304-0506-0708-090A-0B0C0D0E0F10")
        expect(read?.data, equals: [])
        #expect(serviceData(hex("02 16 0F")) == nil)
        #expect(serviceData(hex("04 20 0F 18 00")) == nil)
        #expect(serviceData([0x10, 0x21] + [UInt8](repeating: 0, count: 15)) == nil)
        #expect(serviceData(hex("03 03 0F 18")) == nil)
    }

    @Test func manufacturerData() {
        let octets = hex("02 01 06  05 FF 4C 00 10 05")
        expect(AdvertisingData(octets.wire).manufacturerData?.companyIdentifier, equals: 0x004C)
        expect(AdvertisingData(octets.wire).manufacturerData?.data.copy(), equals: [0x10, 0x05])
    }

    @Test(arguments: [
        (0x01, "Flags"), (0x09, "Complete Local Name"), (0x16, "Service Data - 16-bit UUID"), (0x19, "Appearance"),
        (0x31, "Encrypted Advertising Data"), (0xFF, "Manufacturer Specific Data"),
    ])
    func names(type: Int, name: String) {
        expect(ADType(rawValue: UInt8(type)).name, equals: name)
        #expect(ADType(rawValue: 0x00).name == nil)
    }
}
