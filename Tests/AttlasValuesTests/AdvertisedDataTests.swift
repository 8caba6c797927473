import AttlasTestSupport
import AttlasTrace
import AttlasWire
import Testing

@testable import AttlasValues

/// What a device says of itself, over several advertisements. Core Specification Supplement, Part A, 1.
@Suite struct AdvertisedDataTests {
    private func data(_ advertisements: String...) -> AdvertisedData {
        var data = AdvertisedData()
        for advertisement in advertisements { add(hex(advertisement), to: &data) }
        return data
    }

    private func add(_ octets: [UInt8], to data: inout AdvertisedData) {
        data.add(AdvertisingData(Bytes(octets.span)))
    }

    @Test func everyStructureHasItsPlace() {
        let data = data(
            "02 01 06  03 19 4103  02 0A F8  05 03 0D18 0F18  03 14 0A18  06 09 48524D2D37",
            "04 16 0F18 5A  05 FF 4C00 1005  02 1B 00")
        expect(data.flagNames, equals: ["LE General Discoverable", "BR/EDR Not Supported"])
        expect(data.appearance, equals: 0x0341)
        expect(data.txPower, equals: -8)
        expect(data.services.map(\.uint16), equals: [0x180D, 0x180F])
        expect(data.soughtServices.map(\.uint16), equals: [0x180A])
        expect(data.name, equals: "HRM-7")
        expect(data.serviceData.map(\.uuid.uint16), equals: [0x180F])
        expect(data.serviceData.map(\.data), equals: [[0x5A]])
        expect(data.manufacturerData.map(\.company), equals: [0x004C])
        expect(data.manufacturerData.map(\.data), equals: [[0x10, 0x05]])
        expect(data.others.map(\.data), equals: [[0x00]])
    }

    @Test func whatWasSaidLastOfOneThingCounts() {
        let data = data("04 16 0F18 5A  04 16 1018 01  02 0A F8", "04 16 0F18 59  02 0A 04")
        expect(data.serviceData.map(\.data), equals: [[0x59], [0x01]])
        expect(data.txPower, equals: 4)
    }

    @Test func aShortenedNameDoesNotReplaceAWholeOne() {
        expect(data("03 08 4852", "06 09 48524D2D37").name, equals: "HRM-7")
        expect(data("06 09 48524D2D37", "03 08 4852").name, equals: "HRM-7")
        // Zeros after it are no part of it.
        expect(data("05 09 48520000").name, equals: "HR")
    }

    @Test func structuresThatAreTooShortSayNothing() {
        let data = data("01 01  02 19 41  01 0A")
        #expect(data.flags == nil && data.appearance == nil && data.txPower == nil)
    }

    /// A device with something new in every packet.
    @Test func listsAreBounded() {
        var data = AdvertisedData()
        for number in 0..<1_000 {
            add(hex("03 03") + little(number), to: &data)
            add(hex("04 16") + little(number) + [1], to: &data)
            add(hex("04 FF") + little(number) + [1], to: &data)
        }
        expect(data.services.count, equals: 32)
        expect(data.serviceData.count, equals: 32)
        expect(data.manufacturerData.count, equals: 32)
    }

    /// 2 048 octets of what is kept as octets; a new value of what is known already takes the place of the old one.
    @Test func octetsAreBounded() {
        func serviceData(_ uuid: Int, _ octet: UInt8) -> [UInt8] {
            [252 + 1, 0x16] + little(uuid) + [UInt8](repeating: octet, count: 250)
        }
        var data = AdvertisedData()
        for uuid in 0..<20 { add(serviceData(uuid, 1), to: &data) }
        // Eight of 250 octets.
        expect(data.serviceData.count, equals: 8)
        add(serviceData(0, 2), to: &data)
        expect(data.serviceData.first?.data, equals: [UInt8](repeating: 2, count: 250))
    }

    // MARK: The same device under two addresses

    @Test func whatIsKnownIsFilledUp() {
        var data = data("02 01 06  03 08 4852  04 16 0F18 5A  03 03 0D18")
        data.fill(from: self.data("02 01 04  02 0A F8  06 09 48524D2D37  04 16 0F18 01  04 16 1018 02  03 03 0F18"))
        expect(data.flags, equals: 6)
        expect(data.txPower, equals: -8)
        expect(data.name, equals: "HRM-7")
        expect(data.services.map(\.uint16), equals: [0x180D, 0x180F])
        expect(data.serviceData.map(\.data), equals: [[0x5A], [0x02]])
    }
}
