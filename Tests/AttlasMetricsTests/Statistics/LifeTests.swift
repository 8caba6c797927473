import AttlasCapture
import AttlasTestSupport
import AttlasTrace
import AttlasWire
import Testing

@testable import AttlasMetrics

@Suite struct LifeTests {
    private func time(_ milliseconds: Int) -> Timestamp { Timestamp(microseconds: milliseconds * 1_000) }

    private func moment(_ milliseconds: Int, _ frame: Int) -> Moment {
        Moment(frame: frame, time: time(milliseconds))
    }

    @Test func stepsStandInTheirOrder() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.tx, "02 6400", at: 100)
        talk.att(.rx, "03 4000", at: 110)
        talk.event("3E 06 0C 00 4000 01 02", at: 200)
        talk.event("3E 0B 07 4000 6400 4808 FB00 4808", at: 300)
        // Pairing Request and Response, both with a keyboard and a display, man-in-the-middle protection and Secure
        // Connections; the response offers a key of 7 octets and no bonding.
        talk.add(.frame(.tx, channel: 6, hex("01 04 00 0D 10 00 00")), at: 400)
        talk.add(.frame(.rx, channel: 6, hex("02 04 00 0C 07 00 00")), at: 410)
        talk.add(.frame(.rx, channel: 6, hex("05 0C")), at: 420)
        talk.event("08 04 06 4000 00", at: 500)
        talk.event("3E 0A 03 00 4000 0C00 0100 C800", at: 600)
        let life = talk.measure().connections[0]
        #expect(life.isCentral == true)
        expect(life.begun, equals: moment(0, 1))
        expect(life.steps.map(\.moment.frame), equals: [1, 3, 4, 5, 7, 8, 9, 10])
        #expect(life.end == nil)
        // Pairing Failed ended it.
        let pairing = try #require(life.first(.pairing))
        #expect(pairing.duration == 20_000_000 && !pairing.isDone && life.encrypted == nil)
        var kinds: [String] = []
        for step in life.steps {
            switch step.kind {
            case .parameters(let parameters):
                kinds.append("\(parameters.interval) \(parameters.latency) \(parameters.supervisionTimeout)")
            case .mtu(let exchange): kinds.append("\(exchange.client) \(exchange.server) \(exchange.inForce)")
            case .phy(let transmit, let receive): kinds.append("PHY \(transmit) \(receive)")
            case .dataLength(let length): kinds.append("\(length.maxTxOctets) \(length.maxRxOctets)")
            case .encryption(let isEnabled, let status): kinds.append("\(isEnabled) \(status.rawValue)")
            case .pairing(let method):
                kinds.append(
                    "\(method.association.rawValue) \(method.isSecureConnections) \(method.isBonding) \(method.keySize)"
                )
            case .pairingFailed(let reason): kinds.append(reason.name)
            case .subscription: kinds.append("subscription")
            case .endpoint: kinds.append("endpoint")
            }
        }
        expect(
            kinds,
            equals: [
                "24 0 72", "100 64 64", "PHY 1 2", "100 251", "Numeric Comparison true false 7",
                "Numeric Comparison Failed", "false 6", "12 1 200",
            ])
    }

    /// Pairing Request, and Encryption Change 3.2 s later; what is encrypted again is no pairing.
    @Test func pairingEndsWithEncryption() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.add(.frame(.tx, channel: 6, hex("01 04 00 0D 10 00 00")), at: 400)
        talk.event("08 04 00 4000 01", at: 3_600)
        talk.add(.frame(.tx, channel: 6, hex("01 04 00 0D 10 00 00")), at: 5_000)
        talk.event("08 04 00 4000 01", at: 6_000)
        let life = talk.measure().connections[0]
        let pairing = try #require(life.first(.pairing))
        #expect(pairing.duration == 3_200_000_000 && pairing.beganFrame == 2)
        expect(life.encrypted, equals: moment(3_600, 3))
    }

    /// What only the answer of the other side would show is unknown in a log with the PDUs of one side.
    @Test func aLogOfOneSideLeavesProceduresOpen() throws {
        func outcomes(_ answer: String?) throws -> [Int] {
            var talk = Talk()
            talk.connect(at: 0)
            for number in 0..<40 {
                talk.att(.tx, "0A 0300", at: Double(200 * number + 100))
                if let answer { talk.att(.rx, answer, at: Double(200 * number + 200)) }
            }
            talk.add(.frame(.tx, channel: 6, hex("01 04 00 0D 10 00 00")), at: 9_000)
            talk.disconnect(at: 9_500)
            let row = try #require(talk.measure().connections[0].procedures.first { $0.kind == .pairing })
            return [row.count(of: .interrupted), row.count(of: .doubtful)]
        }
        try expect(outcomes("0B 5A"), equals: [1, 0])
        try expect(outcomes(nil), equals: [0, 1])
    }

    @Test func aSubscriptionIsAStep() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.tx, "04 0400 0400", at: 100)
        talk.att(.rx, "05 01 0400 0229", at: 110)
        talk.att(.tx, "12 0400 0100", at: 200)
        talk.att(.rx, "13", at: 210)
        let step = try #require(talk.measure().connections[0].steps.last)
        guard case .subscription(let attribute, let configuration) = step.kind else {
            Issue.record("no subscription")
            return
        }
        expect(configuration, equals: 1)
        expect(attribute.handle, equals: 0x0004)
        expect(step.moment, equals: moment(210, 5))
    }

    @Test(arguments: [
        (UInt8(0x13), ConnectionChange.Party.peer, ConnectionLife.End.Kind.expected), (0x16, .host, .expected),
        (0x08, .link, .timeout), (0x22, .link, .timeout), (0x3D, .link, .micFailure), (0x3E, .link, .notEstablished),
        (0x1F, .unknown, .other),
    ])
    func ends(reason: UInt8, party: ConnectionChange.Party, kind: ConnectionLife.End.Kind) throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.disconnect(at: 5_000, reason: reason)
        let end = try #require(talk.measure().connections[0].end)
        expect(end.kind, equals: kind)
        expect(end.end, equals: .disconnected(HCIErrorCode(rawValue: reason), by: party))
        expect(end.moment, equals: moment(5_000, 2))
    }

    @Test func aHandleThatIsUsedAgainSupersedes() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.connect(at: 100)
        let collector = talk.measure()
        expect(collector.connections.count, equals: 2)
        try expect(#require(collector.connections[0].end).kind, equals: .superseded)
        // When the first ended nobody knows.
        #expect(collector.connections[1].previousEnd == nil)
    }

    @Test func aReconnectionCountsFromTheEndBefore() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.disconnect(at: 1_000)
        // Another device in between.
        talk.connect(at: 1_100, address: "15907C330AE6", handle: 0x41)
        talk.connect(at: 3_000)
        // Device Name, of the Generic Access service, is not what anybody waits for.
        talk.att(.tx, "10 0100 FFFF 0028", at: 3_010)
        talk.att(.rx, "11 06 0100 0500 0018 0600 0900 0F18", at: 3_020)
        talk.att(.tx, "08 0100 0500 0328", at: 3_030)
        talk.att(.rx, "09 07 0200 02 0300 002A", at: 3_040)
        talk.att(.tx, "0A 0300", at: 3_100)
        talk.att(.rx, "0B 48", at: 3_110)
        // A write brings no value from a server.
        talk.att(.tx, "52 0800 48", at: 3_150)
        talk.att(.tx, "0A 0800", at: 3_200)
        talk.att(.rx, "0B 64", at: 3_210)
        let lives = talk.measure().connections
        expect(lives.map(\.previousEnd), equals: [nil, nil, time(1_000)])
        expect(lives[2].firstValue, equals: moment(3_210, 13))
        #expect(lives[0].firstValue == nil)
        // Two searches of 10 ms.
        let discovery = try #require(lives[2].first(.discovery))
        #expect(discovery.steps == 2 && discovery.waited == 20_000_000 && discovery.duration == 30_000_000)
        #expect(discovery.beganFrame == 5 && discovery.ended?.frame == 8 && lives[0].first(.discovery) == nil)
    }

    @Test func theLongestSilence() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.rx, "1B 0300 01", at: 300)
        talk.att(.rx, "1B 0300 01", at: 500)
        talk.disconnect(at: 1_200, reason: 0x08)
        let silence = try #require(talk.measure().connections[0].longestSilence)
        expect(silence.nanoseconds, equals: 700_000_000)
        expect(silence.from, equals: moment(500, 3))
        expect(silence.to, equals: moment(1_200, 4))
    }

    @Test func aJumpOfTheClockIsNoSilence() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.rx, "1B 0300 01", at: 300)
        talk.att(.rx, "1B 0300 01", at: 100_000_000)
        talk.att(.rx, "1B 0300 01", at: 100_000_200)
        try expect(#require(talk.measure().connections[0].longestSilence).nanoseconds, equals: 300_000_000)
    }

    /// Read RSSI: −60, −85 and not available. Vol 4, Part E, 7.5.4.
    @Test func readingsOfTheSignal() {
        var talk = Talk()
        talk.connect(at: 0)
        for (time, reading) in [(10.0, "C4"), (20, "AB"), (30, "7F")] {
            talk.event("0E 07 01 0514 00 4000 \(reading)", at: time)
        }
        let life = talk.measure().connections[0]
        expect(life.signal?.range, equals: -85 ... -60)
        #expect(life.signal?.last.dBm == -85 && life.signal?.change == -25 && life.signalAge == nil)
    }

    /// The trend is of the last minute.
    @Test func theLastReadingBeforeTheEnd() throws {
        var talk = Talk()
        talk.connect(at: 0)
        for (time, reading) in [(1_000.0, "C4"), (70_000, "BA"), (71_000, "AB")] {
            talk.event("0E 07 01 0514 00 4000 \(reading)", at: time)
        }
        talk.disconnect(at: 73_500, reason: 0x08)
        let life = talk.measure().connections[0]
        #expect(life.signalAge == 2_500_000_000 && life.end?.isLoss == true)
        #expect(life.signal?.change == -15 && life.signal?.range == -85 ... -60)
    }

    /// Disconnect, and the supervision timeout before the peer answers: the user wanted the end. Vol 4, Part E, 7.1.6.
    @Test func aTimeoutWhileTheHostDisconnectsIsNoLoss() {
        var talk = Talk()
        talk.connect(at: 0)
        talk.add(.command("06 04 03 4000 13"), at: 100)
        talk.event("0F 04 00 01 0604", at: 101)
        talk.disconnect(at: 900, reason: 0x08)
        talk.connect(at: 1_500)
        let lives = talk.measure().connections
        #expect(lives[0].end?.isLoss == false && !lives[1].followsLoss)
    }

    /// LE Create Connection to F2:F2:F2:F2:F2:F2 fails with 0x3E, and succeeds 300 ms after the next command. Vol 4, Part E, 7.8.12.
    @Test func attemptsBeforeAConnection() throws {
        var talk = Talk()
        let create = "0D 20 19 6000 3000 00 01 F2F2F2F2F2F2 00 1800 2800 0000 F401 0000 0000"
        talk.add(.command(create), at: 0)
        talk.event("0F 04 00 01 0D20", at: 1)
        talk.event("3E 13 01 3E 0000 00 01 F2F2F2F2F2F2 0000 0000 0000 00", at: 500)
        talk.add(.command(create), at: 1_000)
        talk.event("0F 04 00 01 0D20", at: 1_001)
        talk.connect(at: 1_300)
        let life = talk.measure().connections[0]
        expect(life.failedAttempts, equals: 1)
        expect(life.first(.connectionAttempt)?.duration, equals: 300_000_000)
    }

    /// A link that is encrypted without a pairing has the key of an earlier one; one of which the beginning is missing may have been paired.
    @Test func bondsOfEncryptedLinks() {
        var talk = Talk()
        talk.connect(at: 0)
        talk.event("08 04 00 4000 01", at: 100)
        #expect(talk.measure().connections[0].isBonded == true)
        var paired = Talk()
        paired.connect(at: 0)
        // Just Works without bonding.
        paired.add(.frame(.tx, channel: 6, hex("01 03 00 00 10 00 00")), at: 10)
        paired.add(.frame(.rx, channel: 6, hex("02 03 00 00 10 00 00")), at: 20)
        paired.event("08 04 00 4000 01", at: 100)
        #expect(paired.measure().connections[0].isBonded == false)
        var late = Talk()
        late.att(.tx, "0A 0300", at: 0)
        late.event("08 04 00 4000 01", at: 100)
        #expect(late.measure().connections[0].isBonded == nil)
    }

    /// Read Local Version Information: 5.3, Broadcom (0x000F), LMP subversion 0x2206; of the peer 5.2, Nordic (0x0059), 0x0111. Vol 4,
    /// Part E, 7.4.1 and 7.7.12.
    @Test func versionsOfBothControllers() {
        var talk = Talk()
        talk.event("0E 0C 01 0110 00 0C 0622 0C 0F00 0622", at: 0)
        talk.connect(at: 10)
        talk.event("0C 08 00 4000 0B 5900 1101", at: 20)
        let versions = talk.measure().connections[0].versions
        expect(versions.own, equals: ControllerVersion(version: 12, companyIdentifier: 0x000F, subversion: 0x2206))
        expect(versions.peer, equals: ControllerVersion(version: 11, companyIdentifier: 0x0059, subversion: 0x0111))
        #expect(versions.own?.version.name == "5.3" && versions.peer?.version.name == "5.2")
    }

    /// What is in force at the end: the exchanged MTU, LE 2M, 251 octets; and what a connection begins with. Vol 6, Part B, 4.5.10.
    @Test func settingsAtTheEnd() {
        var talk = Talk()
        talk.connect(at: 0)
        expect(talk.measure().connections[0].settings.transmitPHY, equals: 1)
        talk.att(.tx, "02 F700", at: 100)
        talk.att(.rx, "03 F700", at: 110)
        talk.event("3E 06 0C 00 4000 02 02", at: 200)
        talk.event("3E 0B 07 4000 FB00 4808 FB00 4808", at: 300)
        talk.disconnect(at: 400, reason: 0x13)
        let settings = talk.measure().connections[0].settings
        #expect(settings.mtu == 247 && settings.transmitPHY == 2 && settings.receivePHY == 2)
        #expect(settings.maxTxOctets == 251 && settings.maxRxOctets == 251)
    }

    @Test func buffersOfTheController() throws {
        var talk = Talk()
        // LE Read Buffer Size: 27 octets, 8 packets. Vol 4, Part E, 7.8.2.
        talk.event("0E 07 01 0220 00 1B00 08", at: 0)
        talk.connect(at: 10)
        for time in [100.0, 101, 102] { talk.att(.tx, "52 0300 01", at: time) }
        // Number Of Completed Packets: 2 of 0x0040. 7.7.19.
        talk.event("13 05 01 4000 0200", at: 110)
        talk.att(.tx, "52 0300 01", at: 120)
        let life = talk.measure().connections[0]
        let buffers = try #require(life.buffers)
        expect(buffers.sent, equals: 4)
        expect(buffers.completed, equals: 2)
        expect(buffers.mostInFlight, equals: 3)
        expect(buffers.inFlight, equals: 2)
        expect(life.bufferCount, equals: 8)
    }

    @Test func theNameThatIsLearnedLastIsThePeers() {
        var talk = Talk()
        talk.connect(at: 0)
        // Device Name, found by its type.
        talk.att(.tx, "08 0100 FFFF 002A", at: 100)
        talk.att(.rx, "09 07 0300 48524D2D37", at: 110)
        expect(talk.measure().connections[0].peer.name, equals: "HRM-7")
    }

    @Test func stepsHaveALimit() {
        var talk = Talk()
        talk.connect(at: 0)
        for index in 1...300 { talk.event("08 04 00 4000 01", at: Double(index)) }
        let life = talk.measure().connections[0]
        expect(life.steps.count, equals: 256)
        expect(life.stepsLeftOut, equals: 45)
    }

    @Test func connectionsHaveALimit() {
        var talk = Talk()
        for index in 0..<StatisticsCollector.connectionLimit + 3 {
            talk.connect(at: Double(index))
            talk.disconnect(at: Double(index) + 0.5)
        }
        let collector = talk.measure()
        expect(collector.connections.count, equals: StatisticsCollector.connectionLimit)
        expect(collector.connectionsLeftOut, equals: 3)
    }

    /// The second connection has a read of 50 ms and a notification, the third a read of 70 ms, 10 ms later: no gap is between the two.
    @Test func connectionsBeyondTheLimitAreMeasuredTogether() throws {
        var talk = Talk()
        for (index, roundTrip) in [30.0, 50, 70].enumerated() {
            let start = Double(index) * 100
            talk.connect(at: start)
            talk.read(at: start + 10, answeredAfter: roundTrip)
            if index == 1 { talk.att(.rx, "1B 0300 57", at: start + 70) }
            talk.disconnect(at: start + 90)
        }
        var limits = TraceLimits.standard
        limits.measuredConnections = 1
        let collector = talk.measure(limits: limits)
        #expect(collector.connections.count == 1 && collector.connectionsLeftOut == 2)
        expect(collector.operationsLeftOut, equals: 5)
        let others = collector.others
        expect(others.directions, equals: [.tx, .rx])
        // Read Requests of 3 octets; responses of 2, and a notification of 4.
        #expect(others.links[.tx]?.attOctets == 6 && others.links[.rx]?.attOctets == 8)
        #expect(others.links[.rx]?.octets.value == 3 && others.links[.rx]?.values == 3)
        let reads = try #require(others.exchanges.first)
        expect(others.exchanges.count, equals: 1)
        #expect(reads.roundTrips.minimum == 50_000 && reads.roundTrips.maximum == 70_000)
        expect(others.values.map(\.count), equals: [2, 1])
        #expect(others.values.allSatisfy { $0.gaps.count == 0 })
        // With room for them, each has its own.
        limits.measuredConnections = 3
        expect(talk.measure(limits: limits).connections.count, equals: 3)
    }
}
