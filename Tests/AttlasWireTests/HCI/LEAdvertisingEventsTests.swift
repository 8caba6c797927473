import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct LEAdvertisingEventsTests {
    static let address = BluetoothAddress(0xC0DE_0102_0304, isRandom: true)
    static let legacy = hex("04 01 04 03 02 01 DE C0 03 02 01 06 C5")

    @Test func reports() throws {
        let octets = hex("02 02") + Self.legacy + hex("00 00 55 44 33 22 11 00 00 7F")
        let event = try LEAdvertisingReportEvent(octets.wire)
        expect(event.numReports, equals: 2)
        var reports = event.reports

        var report = values(reports.next())
        let first = try #require(report)
        expect(first.eventType, equals: 0x04)
        expect(first.eventTypeName, equals: "SCAN_RSP")
        expect(first.address, equals: Self.address)
        expect(first.data, equals: [0x02, 0x01, 0x06])
        expect(first.missing, equals: 0)
        expect(first.rssi, equals: -59)
        expect(reports.missing, equals: 1)

        report = values(reports.next())
        let second = try #require(report)
        expect(second.eventTypeName, equals: "ADV_IND")
        expect(second.address, equals: BluetoothAddress(0x0011_2233_4455, isRandom: false))
        expect(second.data, equals: [])
        expect(second.rssi, equals: 127)
        report = values(reports.next())
        #expect(report == nil)
        expect(reports.missing, equals: 0)
        expect(reports.remainder, equals: 0)
        expectParameters(2, of: octets) { _ = try LEAdvertisingReportEvent($0) }
    }

    /// Num_Reports at 0, 1, one more than there are, and the greatest.
    @Test(arguments: [(0, 0, 0, 13), (1, 1, 0, 0), (2, 1, 1, 0), (255, 1, 254, 0)])
    func numReports(announced: UInt8, count: Int, missing: Int, remainder: Int) throws {
        let octets = [0x02, announced] + Self.legacy
        var reports = try LEAdvertisingReportEvent(octets.wire).reports
        var read = 0
        while values(reports.next()) != nil { read += 1 }
        expect(read, equals: count)
        expect(reports.missing, equals: missing)
        expect(reports.remainder, equals: remainder)
    }

    /// Data_Length at 0, 1, what is present before the RSSI and with it, one more, and the greatest.
    @Test(arguments: [
        (0, 0, 0, 0x02), (1, 1, 0, 0x01), (3, 3, 0, -59), (4, 4, 0, nil), (5, 4, 1, nil), (255, 4, 251, nil),
    ])
    func dataLength(length: UInt8, count: Int, missing: Int, rssi: Int8?) throws {
        var octets = hex("02 01") + Self.legacy
        octets[10] = length
        var reports = try LEAdvertisingReportEvent(octets.wire).reports
        var report = values(reports.next())
        let only = try #require(report)
        expect(only.data.count, equals: count)
        expect(only.missing, equals: missing)
        expect(only.rssi, equals: rssi)
        report = values(reports.next())
        #expect(report == nil)
    }

    @Test(arguments: 0..<9)
    func cutBeforeTheData(length: Int) throws {
        let octets = hex("02 01") + Self.legacy.prefix(length)
        var reports = try LEAdvertisingReportEvent(octets.wire).reports
        let report = values(reports.next())
        #expect(report == nil)
        expect(reports.missing, equals: 1)
        expect(reports.remainder, equals: length)
    }

    static let extended = hex(
        "25 00 01 04 03 02 01 DE C0 01 02 0A F4 C5 20 03 FE 11 12 13 14 15 56 03 02 01 06")

    @Test func extendedReports() throws {
        let octets = hex("0D 02") + Self.extended + Self.extended
        let event = try LEExtendedAdvertisingReportEvent(octets.wire)
        expect(event.numReports, equals: 2)
        var reports = event.reports
        for _ in 0..<2 { try checkExtended(reports.next()) }
        let end = isNil(reports.next())
        #expect(end)
        expect(reports.missing, equals: 0)
        expect(reports.remainder, equals: 0)
        expectParameters(2, of: octets) { _ = try LEExtendedAdvertisingReportEvent($0) }
    }

    private func checkExtended(_ report: LEExtendedAdvertisingReport?) throws {
        guard let report else {
            Issue.record("no report")
            return
        }
        expect(report.eventType, equals: 0x0025)
        #expect(report.isConnectable == true)
        #expect(report.isScannable == false)
        #expect(report.isDirected == true)
        #expect(report.isScanResponse == false)
        #expect(report.isLegacy == false)
        expect(report.dataStatus, equals: 0b01)
        expect(report.addressType, equals: 1)
        expect(report.address, equals: Self.address)
        expect(report.primaryPHY.name, equals: "LE 1M")
        expect(report.secondaryPHY.name, equals: "LE 2M")
        expect(report.advertisingSID, equals: 10)
        expect(report.txPower, equals: -12)
        expect(report.rssi, equals: -59)
        expect(report.periodicAdvertisingInterval, equals: 0x0320)
        expect(report.directAddressType, equals: 0xFE)
        expect(report.directAddress, equals: BluetoothAddress(0x5615_1413_1211, isRandom: true))
        expect(report.dataLength, equals: 3)
        expect(report.data.copy(), equals: [0x02, 0x01, 0x06])
        expect(report.missing, equals: 0)
    }

    @Test func anonymousAndUndirected() throws {
        var octets = hex("0D 01") + Self.extended
        octets[2] = 0x1A
        octets[4] = 0xFF
        var reports = try LEExtendedAdvertisingReportEvent(octets.wire).reports
        guard let report = reports.next() else {
            Issue.record("no report")
            return
        }
        #expect(report.address == nil)
        #expect(report.directAddress == nil)
        #expect(report.isScannable == true)
        #expect(report.isScanResponse == true)
        #expect(report.isLegacy == true)
        expect(report.dataStatus, equals: 0)
    }

    @Test(arguments: [(0, 0, 0, 3), (1, 1, 0, 2), (3, 3, 0, 0), (4, 3, 1, 0), (255, 3, 252, 0)])
    func extendedDataLength(length: UInt8, count: Int, missing: Int, remainder: Int) throws {
        var octets = hex("0D 01") + Self.extended
        octets[25] = length
        var reports = try LEExtendedAdvertisingReportEvent(octets.wire).reports
        guard let report = reports.next() else {
            Issue.record("no report")
            return
        }
        expect(report.data.count, equals: count)
        expect(report.missing, equals: missing)
        expect(reports.remainder, equals: remainder)
    }

    @Test(arguments: 0..<24)
    func extendedReportCutBeforeTheData(length: Int) throws {
        let octets = hex("0D FF") + Self.extended.prefix(length)
        var reports = try LEExtendedAdvertisingReportEvent(octets.wire).reports
        let end = isNil(reports.next())
        #expect(end)
        expect(reports.missing, equals: 255)
        expect(reports.remainder, equals: length)
    }

    /// What `#expect` may hold of a report.
    private struct Values: Equatable {
        let eventType: UInt8
        let eventTypeName: String?
        let address: BluetoothAddress
        let data: [UInt8]
        let missing: Int
        let rssi: Int8?
    }

    private func values(_ report: LEAdvertisingReport?) -> Values? {
        guard let report else { return nil }
        return Values(
            eventType: report.eventType, eventTypeName: report.eventTypeName, address: report.address,
            data: report.data.copy(), missing: report.missing, rssi: report.rssi)
    }

    private func isNil(_ report: LEExtendedAdvertisingReport?) -> Bool {
        guard report != nil else { return true }
        return false
    }
}
