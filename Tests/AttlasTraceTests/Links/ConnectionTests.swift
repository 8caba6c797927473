import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// The life of connections. Core Specification, Vol 4, Part E, 7.7.5, 7.7.8 and 7.7.65.
@Suite struct ConnectionTests {
    @Test func leConnectionCompleteMakesAConnection() {
        // Status 0, handle 0x0040, central, random F2:F2:F2:F2:F2:F2, 30 ms, latency 4, 720 ms, accuracy 0.
        let recorder = decode([.event("3E 13 01 00 4000 00 01 F2F2F2F2F2F2 1800 0400 4800 00")])
        expect(recorder.lines(), equals: ["connection 1 1 0040 made F2:F2:F2:F2:F2:F2 LE central 24/4/72"])
    }

    /// LE Connection Rate Change: 0.75 ms, a subrate factor of 4, latency 1, continuation 2, 2 s; then LE Subrate Change. 7.7.65.35 and 55.
    @Test func theConnectionRateAndTheSubrateChange() {
        var trace = Trace()
        let connected = Packet.connected()
        let rate = Packet.event("3E 0E 37 00 4000 0600 0400 0100 0200 C800")
        expect(decode([connected, rate], with: &trace).lines("connection").count, equals: 2)
        let parameters = trace.connections[0].parameters
        #expect(parameters?.intervalMicroseconds == 750 && parameters?.subrateFactor == 4)
        #expect(parameters?.latency == 1 && parameters?.continuationNumber == 2)
        expect(parameters?.supervisionTimeout, equals: 200)

        var other = Trace()
        _ = decode([connected, .event("3E 0C 23 00 4000 0A00 0000 0100 F401")], with: &other)
        expect(other.connections[0].parameters?.intervalMicroseconds, equals: 30_000)
        expect(other.connections[0].parameters?.subrateFactor, equals: 10)
        // A change that failed changes nothing.
        _ = decode([.event("3E 0E 37 0C 4000 0600 0400 0100 0200 C800")], with: &other)
        expect(other.connections[0].parameters?.intervalMicroseconds, equals: 30_000)
    }

    /// Intervals begin at 7.5 ms. With 0, the log has the peer and nothing else of how the connection began.
    @Test func aConnectionWithoutAnIntervalIsNotWhole() {
        var trace = Trace()
        let recorder = decode([.connected(interval: 0), .att(.tx, "0A 1900")], with: &trace)
        expect(recorder.lines("connection"), equals: ["connection 1 1 0040 made F2:F2:F2:F2:F2:F2 LE central"])
        #expect(!trace.connections[0].isWhole && trace.connections[0].parameters == nil)
        #expect(!trace.connections[0].bearer.isMTUKnown)
    }

    @Test func leEnhancedConnectionCompleteMakesAConnection() {
        // The controller resolved the peer: identity address, type 0x02 (public); both private addresses after it.
        let recorder = decode([
            .event("3E 1F 0A 00 4000 01 02 1371DA7D1A00 AAAAAAAAAA4A BBBBBBBBBB4B 0600 0000 C800 01")
        ])
        expect(recorder.lines(), equals: ["connection 1 1 0040 made 00:1A:7D:DA:71:13 LE peripheral 6/0/200"])
    }

    @Test func leEnhancedConnectionCompleteOfVersion2MakesAConnection() {
        let recorder = decode([
            .event("3E 22 29 00 4000 00 01 15907C330AE6 000000000000 000000000000 1800 0000 4800 00 FF FFFF")
        ])
        expect(recorder.lines(), equals: ["connection 1 1 0040 made E6:0A:33:7C:90:15 LE central 24/0/72"])
    }

    @Test func connectionCompleteMakesAClassicConnectionOfACLLinksOnly() {
        let recorder = decode([
            .event("03 0B 00 0B00 1371DA7D1A00 01 00"), .event("03 0B 00 0C00 1371DA7D1A00 00 00"),
        ])
        expect(recorder.lines(), equals: ["connection 1 1 000B made 00:1A:7D:DA:71:13 BR/EDR"])
    }

    @Test func aConnectionThatFailedIsNone() {
        let recorder = decode([
            .event("3E 13 01 3E 0000 00 01 F2F2F2F2F2F2 0000 0000 0000 00"), .event("03 0B 04 0000 1371DA7D1A00 01 00"),
        ])
        expect(
            recorder.lines(),
            equals: [
                "connection 1 failed Connection Failed to be Established / Synchronization Timeout F2:F2:F2:F2:F2:F2",
                "connection 2 failed Page Timeout 00:1A:7D:DA:71:13",
            ])
    }

    /// LE Create Connection: 60 ms, 60 ms, policy, peer type and address, own type, 30–50 ms, latency 0, 720 ms. 7.8.12.
    private static func attempt(_ address: String, policy: String = "00") -> Packet {
        .command("0D20 19 6000 6000 \(policy) 01 \(address) 01 1800 2800 0000 4800 0000 0000")
    }

    /// LE Connection Complete with nothing but a status. 7.7.65.1.
    private static func failure(_ status: String) -> Packet {
        .event("3E 13 01 \(status) 0000 00 00 000000000000 0000 0000 0000 00")
    }

    @Test func aCancelledAttemptIsNoFailureAndNamesItsDevice() {
        // LE Create Connection Cancel; Command Complete; LE Connection Complete with Unknown Connection Identifier. 7.8.13.
        let recorder = decode([
            Self.attempt(Address.strap), .event("0F 04 00 01 0D20"), .command("0E20 00"), .event("0E 04 01 0E20 00"),
            Self.failure("02"),
        ])
        expect(recorder.lines(), equals: ["connection 5 cancelled F2:F2:F2:F2:F2:F2 after 4000"])
    }

    @Test func anAttemptThatFailsNamesItsDevice() {
        let recorder = decode([Self.attempt(Address.probe), .event("0F 04 00 01 0D20"), Self.failure("3E")])
        expect(
            recorder.lines(),
            equals: [
                "connection 3 failed Connection Failed to be Established / Synchronization Timeout "
                    + "E6:0A:33:7C:90:15 after 2000"
            ])
    }

    @Test func anAttemptForTheFilterAcceptListIsForNoDeviceInParticular() {
        let recorder = decode([Self.attempt("000000000000", policy: "01"), Self.failure("02")])
        expect(recorder.lines(), equals: ["connection 2 cancelled after 1000"])
    }

    @Test func anExtendedAttemptNamesItsDevice() {
        // LE Extended Create Connection: peer, own type random, peer type random, LE 1M with 60 ms, 60 ms, … 7.8.66.
        let recorder = decode([
            .command("4320 1A 00 01 01 \(Address.strap) 01 6000 6000 1800 2800 0000 4800 0000 0000"),
            .event("3E 1F 0A 02 0000 00 00 000000000000 000000000000 000000000000 0000 0000 0000 00"),
        ])
        expect(recorder.lines(), equals: ["connection 2 cancelled F2:F2:F2:F2:F2:F2 after 1000"])
    }

    @Test func anAttemptThatTheControllerRefusesIsAFailure() {
        // Create Connection of BR/EDR: address, packet types, R1, reserved, clock offset, role switch; Command Disallowed. 7.1.5.
        let recorder = decode([
            .command("0504 0D \(Address.phone) 18CC 01 00 0000 01"), .event("0F 04 0C 01 0504"),
            Self.attempt(Address.strap), .event("0F 04 0B 01 0D20"),
        ])
        expect(
            recorder.lines(),
            equals: [
                "connection 2 failed Command Disallowed 00:1A:7D:DA:71:13 after 1000",
                "connection 4 failed Connection Already Exists F2:F2:F2:F2:F2:F2 after 1000",
            ])
    }

    @Test func anAttemptThatSucceededIsNotTheOneThatFailsLater() {
        let recorder = decode([Self.attempt(Address.strap), .connected(), Self.failure("3C")])
        expect(recorder.lines().last, equals: "connection 3 failed Advertising Timeout")
    }

    @Test func aResetEndsTheConnectionsOfItsController() {
        // The other controller's continues. A Reset that fails (Hardware Failure) ends nothing. 7.3.2.
        let recorder = decode([
            .connected(), .connected(Address.probe, handle: 0x41), .connected(Address.probe, controller: 1),
            .command("030C 00"), .event("0E 04 01 030C 03"), .event("0E 04 01 030C 00"),
            .att(.rx, "1B 1900 01", controller: 1),
        ])
        expect(
            recorder.lines("connection", "att").dropFirst(3),
            equals: [
                "connection 6 1 0040 ended: controller reset", "connection 6 2 0041 ended: controller reset",
                "att 7 rx 1B peer connection 3 0019",
            ])
    }

    /// The opcodes of the Linux monitor: Delete Index, Close Index.
    @Test(arguments: [(1, "removed"), (9, "closed")] as [(UInt16, String)])
    func aControllerThatIsGoneEndsItsConnections(opcode: UInt16, what: String) {
        let recorder = decode([
            .connected(controller: 3), Packet(.monitor(opcode: opcode), .unknown, [], controller: 3),
            .att(.rx, "1B 1900 01", controller: 3),
        ])
        expect(
            recorder.lines("connection").dropFirst(),
            equals: [
                "connection 2 1 0040 ended: controller \(what)", "connection 3 2 0040 presumed LE",
            ])
    }

    @Test func updatesChangeWhatIsInForce() {
        let recorder = decode([
            .connected(),
            // 7.5 ms, latency 10, 1 s; then one that failed; then one of a handle that is not connected.
            .event("3E 0A 03 00 4000 0600 0A00 6400"), .event("3E 0A 03 3B 4000 0600 0A00 6400"),
            .event("3E 0A 03 00 4100 0600 0A00 6400"),
            .event("3E 06 0C 00 4000 02 03"),
            // 251 octets and 2120 µs to send, 27 and 328 to receive.
            .event("3E 0B 07 4000 FB00 4808 1B00 4801"),
        ])
        expect(
            recorder.lines("connection").dropFirst(),
            equals: [
                "connection 2 1 0040 parameters 6/10/100", "connection 5 1 0040 PHY 2 3",
                "connection 6 1 0040 data length 251 2120 27 328",
            ])
    }

    @Test func encryptionChangesOfBothVersionsAndKeyRefreshesAreTold() {
        let recorder = decode([
            .connected(),
            .event("08 04 06 4000 00"), .event("08 04 00 4000 01"), .event("59 05 00 4000 01 10"),
            .event("30 03 00 4000"),
        ])
        expect(
            recorder.lines("connection").dropFirst(),
            equals: [
                "connection 2 1 0040 encryption false PIN or Key Missing",
                "connection 3 1 0040 encryption true Success",
                "connection 4 1 0040 encryption true Success", "connection 5 1 0040 encryption true Success",
            ])
    }

    @Test func aKeyRefreshShowsThatALinkWasEncryptedBeforeTheCaptureBegan() {
        var trace = Trace()
        _ = decode([.att(.rx, "1B 1900 01"), .event("30 03 00 4000")], with: &trace)
        #expect(trace.connections[0].isEncrypted)
    }

    @Test(
        arguments: [
            (0x13, "peer"), (0x14, "peer"), (0x15, "peer"), (0x3B, "peer"), (0x16, "host"), (0x08, "link"),
            (0x22, "link"),
            (0x3D, "link"), (0x3E, "link"), (0x1F, "unknown"),
        ] as [(UInt8, String)])
    func theReasonTellsWhoEndedAConnection(reason: UInt8, party: String) {
        let recorder = decode([.connected(), .disconnected(reason: reason)])
        expect(
            recorder.lines("connection").last,
            equals: "connection 2 1 0040 ended by \(party): \(HCIErrorCode(rawValue: reason).name)")
    }

    @Test(
        arguments: [(0x13, "host"), (0x16, "host"), (0x1F, "host"), (0x08, "host"), (0x22, "host"), (0x3D, "link")]
            as [(UInt8, String)])
    func aDisconnectCommandTellsWhoEndedAConnectionUnlessTheLinkFailed(reason: UInt8, party: String) {
        // Disconnect, handle 0x0040, Remote User Terminated Connection.
        let recorder = decode([.connected(), .command("0604 03 4000 13"), .disconnected(reason: reason)])
        expect(
            recorder.lines("connection").last,
            equals: "connection 3 1 0040 ended by \(party): \(HCIErrorCode(rawValue: reason).name)")
    }

    @Test func aDisconnectCommandForAnotherHandleSaysNothing() {
        let recorder = decode([
            .connected(), .connected(Address.probe, handle: 0x41), .command("0604 03 4100 13"), .disconnected(),
        ])
        #expect(recorder.lines("connection").last?.contains("ended by peer") == true)
    }

    @Test func aDisconnectionThatFailedLeavesTheConnection() {
        let recorder = decode([.connected(), .event("05 04 0C 4000 16"), .att(.rx, "1B 1900 01")])
        expect(recorder.lines("connection", "att").dropFirst(), equals: ["att 3 rx 1B peer 0019"])
    }

    @Test func twoConnectionsAtOnceAreTwoInstances() {
        let recorder = decode([
            .connected(), .connected(Address.probe, handle: 0x41),
            .att(.rx, "1B 1900 01", handle: 0x41), .att(.rx, "1B 1900 01"),
            .disconnected(handle: 0x40), .att(.rx, "1B 1900 01", handle: 0x41),
        ])
        expect(
            recorder.lines("att"),
            equals: [
                "att 3 rx 1B peer connection 2 0019", "att 4 rx 1B peer 0019", "att 6 rx 1B peer connection 2 0019",
            ])
    }

    /// The number that a phone keeps: each has its requests, its MTU, its table and its fragments.
    @Test func fourteenConnectionsInterleave() {
        let handles = Array(0x40..<0x4E)
        // 00:00:00:00:00:40 and so on, each with another characteristic at 0x0010.
        var packets = handles.map { Packet.connected("\(octet(UInt8($0)))0000000000", handle: $0, random: false) }
        packets += handles.map { .att(.tx, "08 0100 FFFF 0328", handle: $0) }
        for handle in handles.reversed() {
            packets.append(.att(.rx, "09 07 0F00 12 1000 \(octet(UInt8(handle)))2A", handle: handle))
        }
        packets += handles.map { .att(.tx, "02 \(octet(UInt8($0)))00", handle: $0) }
        packets += handles.map { .att(.rx, "03 F700", handle: $0) }
        // A notification of 0x0010 in two fragments; those of all connections alternate.
        packets += handles.map { .start(.rx, "0400 0400 1B", handle: $0) }
        packets += handles.reversed().map { .more(.rx, "1000 \(octet(UInt8($0)))", handle: $0) }
        var trace = Trace()
        let recorder = decode(packets, with: &trace)
        expect(trace.connections.map(\.bearer.mtu), equals: handles)
        expect(trace.peers.count, equals: 14)
        let notifications = recorder.lines("att").filter { $0.contains(" 1B ") }
        expect(notifications.count, equals: 14)
        for (index, handle) in handles.enumerated() {
            let connection = index == 0 ? "" : "connection \(index + 1) "
            let line = "rx 1B peer \(connection)0010 2A\(octet(UInt8(handle))) discovery"
            #expect(notifications.contains { $0.contains(line) }, "\(line)")
        }
        expect(recorder.lines("fault"), equals: [])
    }

    @Test func twoControllersMayUseTheSameHandleAtOnce() {
        let recorder = decode([
            .connected(), .connected(Address.probe, controller: 1),
            .att(.rx, "1B 1900 01", controller: 1), .att(.rx, "1B 1900 01"),
            .disconnected(controller: 1), .att(.rx, "1B 1900 01"),
        ])
        expect(
            recorder.lines("att", "data"),
            equals: [
                "att 3 rx 1B peer connection 2 0019", "att 4 rx 1B peer 0019", "att 6 rx 1B peer 0019",
            ])
    }

    @Test func aHandleUsedAgainWithoutADisconnectionIsAnotherConnection() {
        let recorder = decode([.connected(), .att(.tx, "0A 1900"), .connected(Address.probe), .att(.rx, "0B 57")])
        expect(
            recorder.lines("connection", "att").dropFirst(),
            equals: [
                "att 2 tx 0A peer 0019", "connection 3 1 0040 superseded",
                "connection 3 2 0040 made E6:0A:33:7C:90:15 LE central 24/0/72", "att 4 rx 0B peer connection 2",
            ])
    }

    @Test func theStateOfAConnectionEndsWithIt() {
        // A request, a prepared write and an MTU of the first connection mean nothing in the second.
        var trace = Trace()
        let recorder = decode(
            [
                .connected(), .att(.tx, "02 F700"), .att(.rx, "03 F700"),
                .att(.tx, "16 1900 0000 AA"), .att(.rx, "17 1900 0000 AA"), .att(.tx, "0A 1900"), .disconnected(),
                .connected(), .att(.rx, "0B 57"), .att(.tx, "18 01"), .att(.rx, "19"),
            ], with: &trace)
        expect(
            recorder.lines("att", "assembled").suffix(3),
            equals: [
                "att 9 rx 0B peer connection 2", "att 10 tx 18 peer connection 2",
                "att 11 rx 19 peer connection 2 answers 10 after 1000",
            ])
        expect(trace.connections[0].bearer.mtu, equals: 23)
    }

    @Test func aResponseAfterALossAnswersNobodyKnowsWhat() {
        let recorder = decode([.connected(), .att(.tx, "0A 1900"), .att(.rx, "0B 57").losing(3)])
        expect(recorder.lines("loss", "att"), equals: ["att 2 tx 0A peer 0019", "loss 3 3", "att 3 rx 0B peer"])
    }
}
