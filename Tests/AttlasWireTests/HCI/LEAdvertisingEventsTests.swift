import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct LEAdvertisingEventsTests {
    static let address = BluetoothAddress(0xC0DE_0102_0304, isRandom: true)
    static let legacy = hex("04 01 04 03 02 01 DE C0 03 02 01 06 C5")

    @Test func reports() throws {
        let octets = hex("02 02") + Self.legacy + hex("00 00 55 44 33 22 11 00 00 7F")
        let event = try LEAdvertisingReportEvent(octets.wire)
        #expect(event.numReports == 2)
        var reports = event.reports

        var report = values(reports.next())
        let first = try #require(report)
        #expect(first.eventType == 0x04)
        #expect(first.eventTypeName == "SCAN_RSP")
        #expect(first.address == Self.address)
        #expect(first.data == [0x02, 0x01, 0x06])
        #expect(first.missing == 0)
        #expect(first.rssi == -59)
        #expect(reports.missing == 1)

        report = values(reports.next())
        let second = try #require(report)
        #expect(second.eventTypeName == "ADV_IND")
        #expect(second.address == BluetoothAddress(0x0011_2233_4455, isRandom: false))
        #expect(second.data == [])
        #expect(second.rssi == 127)
        report = values(reports.next())
        #expect(report == nil)
        #expect(reports.missing == 0)
        #expect(reports.remainder == 0)
        expectParameters(2, of: octets) { _ = try LEAdvertisingReportEvent($0) }
    }

    /// Num_Reports at 0, 1, one more than there are, and the greatest.
    @Test(arguments: [(0, 0, 0, 13), (1, 1, 0, 0), (2, 1, 1, 0), (255, 1, 254, 0)])
    func numReports(announced: UInt8, count: Int, missing: Int, remainder: Int) throws {
        let octets = [0x02, announced] + Self.legacy
        var reports = try LEAdvertisingReportEvent(octets.wire).reports
        var read = 0
        while values(reports.next()) != nil { read += 1 }
        #expect(read == count)
        #expect(reports.missing == missing)
        #expect(reports.remainder == remainder)
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
        #expect(only.data.count == count)
        #expect(only.missing == missing)
        #expect(only.rssi == rssi)
        report = values(reports.next())
        #expect(report == nil)
    }

    @Test(arguments: 0..<9)
    func cutBeforeTheData(length: Int) throws {
        let octets = hex("02 01") + Self.legacy.prefix(length)
        var reports = try LEAdvertisingReportEvent(octets.wire).reports
        let report = values(reports.next())
        #expect(report == nil)
        #expect(reports.missing == 1)
        #expect(reports.remainder == length)
    }

    static let extended = hex(
        "25 00 01 04 03 02 01 DE C0 01 02 0A F4 C5 20 03 FE 11 12 13 14 15 56 03 02 01 06")

    @Test func extendedReports() throws {
        let octets = hex("0D 02") + Self.extended + Self.extended
        let event = try LEExtendedAdvertisingReportEvent(octets.wire)
        #expect(event.numReports == 2)
        var reports = event.reports
        for _ in 0..<2 { try checkExtended(reports.next()) }
        let end = isNil(reports.next())
        #expect(end)
        #expect(reports.missing == 0)
        #expect(reports.remainder == 0)
        expectParameters(2, of: octets) { _ = try LEExtendedAdvertisingReportEvent($0) }
    }

    private func checkExtended(_ report: LEExtendedAdvertisingReport?) throws {
        guard let report else {
            Issue.record("no report")
            return
        }
        #expect(report.eventType == 0x0025)
        #expect(report.isConnectable == true)
        #expect(report.isScannable == false)
        #expect(report.isDirected == true)
        #expect(report.isScanResponse == false)
        #expect(report.isLegacy == false)
        #expect(report.dataStatus == 0b01)
        #expect(report.addressType == 1)
        #expect(report.address == Self.address)
        #expect(report.primaryPHY.name == "LE 1M")
        #expect(report.secondaryPHY.name == "LE 2M")
        #expect(report.advertisingSID == 10)
        #expect(report.txPower == -12)
        #expect(report.rssi == -59)
        #expect(report.periodicAdvertisingInterval == 0x0320)
        #expect(report.directAddressType == 0xFE)
        #expect(report.directAddress == BluetoothAddress(0x5615_1413_1211, isRandom: true))
        #expect(report.dataLength == 3)
        #expect(report.data.copy() == [0x02, 0x01, 0x06])
        #expect(report.missing == 0)
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
        #expect(report.dataStatus == 0)
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
        #expect(report.data.count == count)
        #expect(report.missing == missing)
        #expect(reports.remainder == remainder)
    }

    @Test(arguments: 0..<24)
    func extendedReportCutBeforeTheData(length: Int) throws {
        let octets = hex("0D FF") + Self.extended.prefix(length)
        var reports = try LEExtendedAdvertisingReportEvent(octets.wire).reports
        let end = isNil(reports.next())
        #expect(end)
        #expect(reports.missing == 255)
        #expect(reports.remainder == length)
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
