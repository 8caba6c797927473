import AttlasFiles
import AttlasTestSupport
import AttlasTesting
import Foundation
import Testing

/// The first level of the library: owned values of captures.
@Suite struct CaptureTests {
    /// A heart rate sensor is discovered, subscribed to, notifies twice, and refuses a read.
    private static let packets: [Packet] = timed([
        .connected(),
        // Read By Group Type: Heart Rate, 0x0001 to 0x0008. Read By Type: three characteristics.
        .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0800 0D18"),
        .att(.tx, "08 0100 0800 0328"), .att(.rx, "09 07 0200 10 0300 372A 0500 02 0600 382A 0700 02 0800 392A"),
        .att(.tx, "08 0800 0800 0328"), .att(.rx, "01 08 0800 0A"),
        .att(.tx, "04 0400 0400"), .att(.rx, "05 01 0400 0229"),
        .att(.tx, "12 0400 0100"), .att(.rx, "13"),
        .att(.rx, "1B 0300 06 48"), .att(.rx, "1B 0300 16 8B 5A02"),
        .att(.tx, "0A 0600"), Packet.att(.rx, "0B 01").at(milliseconds: 1_014 + 286),
        Packet.att(.tx, "0A 0800").at(milliseconds: 1_301), Packet.att(.rx, "01 0A 0800 05").at(milliseconds: 1_302),
    ])

    /// 1 ms apart, from the first second on, where a packet has no time.
    private static func timed(_ packets: [Packet]) -> [Packet] {
        packets.enumerated().map { $1.time == nil ? $1.at(milliseconds: Double(1_000 + $0)) : $1 }
    }

    private func capture() throws -> Capture { try Capture(Self.packets.btsnoop, named: "built") }

    @Test func operationsAreInTheOrderOfTheRecords() throws {
        let operations = Array(try capture().operations)
        expect(operations.map(\.frame), equals: Array(2...17))
        let notification = operations[10]
        expect(notification.method, equals: .notification)
        expect(notification.direction, equals: .rx)
        expect(notification.connection, equals: 1)
        expect(notification.attribute?.handle, equals: 3)
        expect(notification.attribute?.uuid, equals: 0x2A37)
        expect(notification.attribute?.service, equals: 0x180D)
        expect(notification.value?.octets, equals: [0x06, 0x48])
        expect("\(notification)", equals: "Handle Value Notification Heart Rate Measurement: 72 bpm · contact")
    }

    @Test func anAnswerNamesItsRequest() throws {
        let read = try #require(try capture().operations.first { $0.method == .readResponse })
        expect(read.request?.frame, equals: 14)
        expect(read.request?.roundTrip, equals: .milliseconds(287))
        expect(read.attribute?.uuid, equals: 0x2A38)
    }

    @Test func onlyARefusedRequestHasAnError() throws {
        let errors = try capture().operations.compactMap { operation in operation.error.map { (operation, $0) } }
        // The end of the discovery, in frame 7, is not one.
        expect(errors.map(\.0.frame), equals: [17])
        expect(errors.first?.1.code, equals: 0x05)
        expect(errors.first?.1.description, equals: "Insufficient Authentication")
    }

    @Test(arguments: ["2A37", "Heart Rate Measurement", "00002a37-0000-1000-8000-00805f9b34fb"])
    func valuesOfACharacteristicHaveFields(name: String) throws {
        let values = Array(try capture().values(of: name))
        expect(values.map(\.frame), equals: [12, 13])
        try expect(values[0]["Heart Rate Measurement Value"]?.number, equals: 72)
        try expect(
            values[1]["heart rate measurement value"]?.description, equals: "Heart Rate Measurement Value: 139 bpm")
        // The definition has the field, this value does not.
        #expect(try values[0]["RR-Interval"] == nil)
        try expect(values[1].fields.all("RR-Interval").count, equals: 1)
    }

    @Test func aWrongNameIsAnErrorWithTheNearestOne() throws {
        let value = try #require(try capture().values(of: "2A37").first { _ in true })
        #expect(throws: UnknownName.self) { try value["Heart Rate Measurment Value"] }
        do {
            _ = try value["Heart Rate Measurment Value"]
        } catch {
            #expect(error.description.contains("did you mean \"Heart Rate Measurement Value\"?"))
        }
        do {
            _ = try capture().values(of: "Heart Rate Measurment")
            Issue.record("no error")
        } catch let error as UnknownName {
            #expect(error.description.contains("did you mean \"Heart Rate Measurement\"?"))
        }
    }

    /// Connected to two devices at once: 0x0040 is F2:F2:F2:F2:F2:F2, 0x0041 is C1:C1:C1:C1:C1:C1.
    @Test func anOperationKnowsItsDeviceAndConnection() throws {
        // LE Connection Complete: status 0, central, 30 ms, latency 0, timeout 720 ms. Core Specification, Vol 4, Part E, 7.7.65.1.
        func connected(_ handle: String, _ address: String) -> String {
            "event 3E13 01 00 \(handle) 00 01 \(address) 1800 0000 4800 00\n"
        }
        // The ACL data of handle 0x0041 is not written as text: the second device sends nothing.
        let conversation = try AttlasTesting.Conversation(
            connected("4100", "C1C1C1C1C1C1") + connected("4000", "F2F2F2F2F2F2")
                + "> 08 0100 FFFF 0328\n< 09 07 0200 02 0300 002A\n> 0A 0300\n< 0B 4852 4D\n> 0A 0300\n< 0B 4852 4D")
        let capture = try Capture(conversation.octets, named: "two")
        let operations = Array(capture.operations)
        expect(Set(operations.map(\.connection)), equals: [2])
        #expect(operations.allSatisfy { $0.device?.address?.description == "F2:F2:F2:F2:F2:F2" })
        // It says its name in frame 6.
        expect(operations[0].device?.description, equals: "F2:F2:F2:F2:F2:F2")
        expect(operations[5].device?.description, equals: "HRM F2:F2:F2:F2:F2:F2")
        let value = try #require(try capture.values(of: "2A00").first { _ in true })
        #expect(value.device?.address == operations[0].device?.address && value.connection == 2)
    }

    @Test func filtersSelectAsInTheCommand() throws {
        let capture = try capture()
        try expect(capture.operations(where: "error").map(\.frame), equals: [17])
        // With its declaration.
        try expect(capture.operations(where: "char == 2A38").map(\.frame), equals: [5, 14, 15])
        try expect(capture.operations(where: "frame > 12").values(of: "2A37").map(\.frame), equals: [13])
        let error = #expect(throws: FilterError.self) { try capture.operations(where: "frame = 12") }
        expect(error?.column, equals: 7)
    }

    @Test(arguments: ["2A19", "Battery Level", "6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E"])
    func anAttributeThatIsNotThereIsAnError(name: String) throws {
        let error = #expect(throws: UnknownName.self) { try capture().values(of: name) }
        expect(error?.description, equals: "built has no attribute \(name)")
        // It was discovered, and has no value.
        try expect(Array(capture().values(of: "2A39")).count, equals: 0)
    }

    /// 2^64 - 1 and -2^63 have more digits than a Double.
    @Test func integersOf64BitsAreWhole() throws {
        let dissector = try Dissector(
            yaml: """
                characteristics:
                  - uuid: FFF1
                    name: Wide
                    fields:
                      - { name: A, type: uint64 }
                      - { name: B, type: sint64 }
                      - { name: C, type: uint8, scale: 0.5 }
                """)
        let fields = try dissector.decode([UInt8](repeating: 0xFF, count: 8) + [0, 0, 0, 0, 0, 0, 0, 0x80] + [3])
        try expect(fields["A"]?.integer, equals: 18_446_744_073_709_551_615)
        try expect(fields["B"]?.integer, equals: -9_223_372_036_854_775_808)
        #expect(try fields["C"]?.integer == nil && fields["C"]?.number == 1.5)
    }

    @Test func documentsHaveWhatTheCommandPrints() throws {
        let capture = try capture()
        let server = try #require(capture.tree.servers.first)
        expect(server.address?.description, equals: "F2:F2:F2:F2:F2:F2")
        expect(server.services.map(\.uuid), equals: [0x180D])
        expect(server.services[0].characteristics.map(\.uuid), equals: [0x2A37, 0x2A38, 0x2A39])
        expect(server.services[0].characteristics[0].properties, equals: .notify)
        #expect("\(capture.tree)".contains("Heart Rate Measurement  2A37  notify"))
        let incident = try #require(capture.incidents.first)
        expect(incident.kind, equals: .requestRefused)
        expect(incident.certainty, equals: .proved)
        #expect(incident.weight >= .hindered && incident.frames.contains(17))
        #expect(incident.device?.address == server.address && incident.connection == 1)
        let times = try capture.roundTrips(.read)
        expect(times.count, equals: 2)
        #expect(times.p99 == .microseconds(287_000) && times.minimum == .microseconds(1_000))
        try expect(capture.roundTrips(.read, of: "2A38").maximum, equals: .microseconds(287_000))
        try expect(capture.roundTrips(.read, of: "2A39", with: "f2:f2").maximum, equals: .microseconds(1_000))
        try expect(capture.roundTrips(.write, of: "2902").count, equals: 1)
        #expect(try capture.roundTrips(.indication).p99 == nil)
        #expect(throws: UnknownName.self) { try capture.roundTrips(.read, of: "2A19") }
        #expect(throws: UnknownName.self) { try capture.roundTrips(.read, with: "HRM-7") }
        #expect(capture.error == nil && capture.missing == [])
    }

    @Test func definitionsOfYourOwnReadCaptures() throws {
        let dissector = try Dissector(
            yaml: "characteristics: [{ uuid: 2A37, name: Pulse, fields: [{ name: All, type: uint16 }] }]")
        let capture = try Capture(Self.packets.btsnoop, named: "built", dissectors: [dissector])
        #expect(try capture.values(of: "2A37").map { try $0["All"]?.number } == [0x4806, 0x8B16])
        #expect(try capture.values(of: "Pulse").reduce(0) { count, _ in count + 1 } == 2)
    }

    @Test func aDamagedCaptureGivesWhatCameBeforeAndTheReason() throws {
        let octets = Self.packets.btsnoop
        let capture = try Capture(Array(octets.dropLast(3)), named: "cut")
        expect(Array(capture.operations).last?.frame, equals: 16)
        guard case .cutShort = capture.error?.kind else {
            Issue.record("\(capture.error as Any)")
            return
        }
        expect(capture.missing.count, equals: 1)
        expect(capture.tree.servers.count, equals: 1)
    }

    @Test func aCaptureThatWentAwayIsAnError() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.packets.btsnoop, to: "log")
        let capture = try Capture(path)
        expect(Array(capture.operations).count, equals: 16)
        try FileManager.default.removeItem(atPath: path)
        #expect(Array(capture.operations).isEmpty)
        #expect(capture.error?.description.contains("cannot be opened") == true)
        #expect(capture.tree.servers.isEmpty)
    }

    @Test func keysAreWithheld() throws {
        let dissector = try Dissector(
            yaml: """
                characteristics:
                  - { uuid: 2A38, name: Key, fields: [{ name: Secret, type: uint8, secret: true }] }
                """)
        let capture = try Capture(Self.packets.btsnoop, named: "built", dissectors: [dissector])
        let value = try #require(try capture.values(of: "2A38").first { _ in true })
        #expect(value.octets == nil)
        #expect(try value["Secret"]?.number == nil)
        expect("\(value)", equals: "withheld")
        #expect(!"\(capture.tree)".contains("01 · "))
    }

    @Test func standardInputIsRefusedBecauseItCannotBeReadAgain() {
        let error = #expect(throws: CaptureError.self) { try Capture("-") }
        #expect(error?.description.contains("LiveCapture") == true)
    }

    @Test func aLoopThatEndsEarlyReadsNoMore() throws {
        // The second half is no capture any more: reading it would be an error.
        let packets = (0..<4_000).map { _ in Packet.att(.rx, "1B 0300 06 48") }
        let octets = Self.timed([Packet.connected()] + packets).btsnoop
        let capture = try Capture(
            Array(octets[..<(octets.count / 2)]) + [UInt8](repeating: 0xFF, count: 1 << 20), named: "half")
        expect(Array(capture.operations.prefix(10)).count, equals: 10)
        #expect(capture.error == nil)
        #expect(Array(capture.operations).count > 1_000)
        #expect(capture.error != nil)
    }

    @Test func archivesNeedTheOtherProduct() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.packets.btsnoop, to: "log")
        let gzip = try #require(Tool("gzip"))
        let archive = try folder.write(gzip.run(["-c", path]), to: "log.gz")
        let error = #expect(throws: CaptureError.self) { try Capture(archive) }
        #expect(error?.description.contains("AttlasFiles") == true)
        let (opened, all) = (try Capture(archive: archive), try Capture.all(in: archive))
        expect(Array(opened.operations).count, equals: 16)
        expect(all.count, equals: 1)
        let joined = try Capture(joining: [path, path])
        expect(Array(joined.operations).count, equals: 32)
    }
}
