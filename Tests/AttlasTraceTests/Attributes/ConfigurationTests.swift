import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Subscriptions. Core Specification, Vol 3, Part G, 3.3.3.3 and 4.12.3.
@Suite struct SubscriptionTests {
    func told(_ packets: [Packet]) -> [String] {
        decode([.connected()] + DiscoveryTests.heartRate + packets).lines("subscription")
    }

    @Test func aClientSubscribesWhenTheServerTookWhatItWrote() {
        let request = Packet.att(.tx, "12 1100 0100")
        expect(told([request]), equals: [])
        expect(told([request, .att(.rx, "13")]), equals: ["subscription 11 peer 0011 180D/2A37/2902 = 1"])
    }

    @Test func anErrorIsNoSubscription() {
        expect(told([.att(.tx, "12 1100 0100"), .att(.rx, "01 12 1100 05"), .att(.rx, "13")]), equals: [])
    }

    @Test func aCommandIsTakenAtOnce() {
        expect(told([.att(.tx, "52 1100 0300")]), equals: ["subscription 10 peer 0011 180D/2A37/2902 = 3"])
    }

    @Test func zeroEndsASubscription() {
        expect(
            told([.att(.tx, "12 1100 0000"), .att(.rx, "13")]), equals: ["subscription 11 peer 0011 180D/2A37/2902 = 0"]
        )
    }

    @Test func valuesOfOtherAttributesAndOtherLengthsAreNone() {
        expect(told([.att(.tx, "12 1500 0100"), .att(.rx, "13")]), equals: [])
        expect(told([.att(.tx, "12 1100 01"), .att(.rx, "13")]), equals: [])
        expect(told([.att(.tx, "12 1100 010000"), .att(.rx, "13")]), equals: [])
        expect(told([.frame(.tx, channel: 4, hex("12 1100 0100"), missing: 2), .att(.rx, "13")]), equals: [])
    }

    @Test func thePeerSubscribesToTheHost() {
        let recorder = decode([
            .connected(), .att(.rx, "04 1100 1100"), .att(.tx, "05 01 1100 0229"), .att(.rx, "12 1100 0200"),
            .att(.tx, "13"),
        ])
        expect(recorder.lines("subscription"), equals: ["subscription 5 local 0011 2902 = 2"])
    }
}

/// Client Characteristic Configurations that nobody asked for by type.
@Suite struct InferredConfigurationTests {
    func told(_ packets: [Packet]) -> [String] {
        decode([.connected()] + packets).lines("att", "subscription")
    }

    // MARK: By what was written and what came

    @Test func valuesFromTheHandleBeforeTheOneWrittenShowWhatThatIs() {
        let lines = told([
            .att(.tx, "12 1900 0100"), .att(.rx, "13"), .att(.rx, "1B 1800 56"), .att(.tx, "12 1900 0000"),
            .att(.rx, "13"),
        ])
        expect(
            lines,
            equals: [
                "att 2 tx 12 peer 0019", "att 3 rx 13 peer 0019 answers 2 after 1000", "att 4 rx 1B peer 0018",
                "subscription 4 peer 0019 2902 = 1", "att 5 tx 12 peer 0019 2902 inferred",
                "att 6 rx 13 peer 0019 2902 inferred answers 5 after 1000", "subscription 6 peer 0019 2902 = 0",
            ])
    }

    @Test func aWriteThatWasRefusedShowsNothing() {
        let lines = told([
            .att(.tx, "12 1900 0100"), .att(.rx, "01 12 1900 03"), .att(.rx, "1B 1800 56"), .att(.tx, "0A 1900"),
        ])
        expect(lines.last, equals: "att 5 tx 0A peer 0019")
    }

    @Test func indicationsDoNotFollowFromAskingForNotifications() {
        let lines = told([.att(.tx, "12 1900 0100"), .att(.rx, "13"), .att(.rx, "1D 1800 56"), .att(.tx, "0A 1900")])
        expect(lines.last, equals: "att 5 tx 0A peer 0019")
        let indicated = told([
            .att(.tx, "12 1900 0200"), .att(.rx, "13"), .att(.rx, "1D 1800 56"), .att(.tx, "0A 1900"),
        ])
        expect(indicated.last, equals: "att 5 tx 0A peer 0019 2902 inferred")
    }

    @Test func valuesOfTheOtherServerShowNothing() {
        // The host writes to 0x0019 of the peer and notifies its own 0x0018.
        let lines = told([
            .att(.tx, "12 1900 0100"), .att(.rx, "13"), .att(.tx, "1B 1800 56"), .att(.tx, "0A 1900"),
            .att(.rx, "0A 1900"),
        ])
        expect(lines.suffix(2), equals: ["att 5 tx 0A peer 0019", "att 6 rx 0A local 0019"])
    }

    @Test func whatWasFoundMeanwhileStays() {
        let lines = told([
            .att(.tx, "12 1900 0100"), .att(.rx, "13"), .att(.tx, "04 1900 1900"), .att(.rx, "05 01 1900 0129"),
            .att(.rx, "1B 1800 56"), .att(.tx, "0A 1900"),
        ])
        expect(lines.last, equals: "att 7 tx 0A peer 0019 2901 discovery")
    }

    // MARK: By its place

    /// A service 0x000E–0x0014 with a characteristic that notifies at 0x0010, one that indicates at 0x0013; one handle is
    /// left after each of them.
    static let service: [Packet] = [
        .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0E00 1400 0D18"),
        .att(.tx, "08 0E00 1400 0328"), .att(.rx, "09 07 0F00 10 1000 372A 1200 20 1300 1C2A"),
    ]

    @Test func theOnlyHandleBeforeTheNextDeclarationIsTheConfiguration() {
        let lines = told(Self.service + [.att(.tx, "12 1100 0100"), .att(.rx, "13")])
        expect(
            lines.suffix(3),
            equals: [
                "att 6 tx 12 peer 0011 180D/2A37/2902 inferred",
                "att 7 rx 13 peer 0011 180D/2A37/2902 inferred answers 6 after 1000",
                "subscription 7 peer 0011 180D/2A37/2902 = 1",
            ])
    }

    @Test func theOnlyHandleBeforeTheEndOfTheServiceIsTheConfiguration() {
        let lines = told(Self.service + [.att(.tx, "52 1400 0200")])
        expect(
            lines.suffix(2),
            equals: [
                "att 6 tx 52 peer 0014 180D/2A1C/2902 inferred", "subscription 6 peer 0014 180D/2A1C/2902 = 2",
            ])
    }

    @Test func itSaysWhatItRestsOn() {
        var trace = Trace()
        _ = decode([.connected()] + Self.service + [.att(.tx, "52 1400 0200")], with: &trace)
        let attribute = trace.attribute(0x14, server: .peer, connection: 0)
        expect(attribute?.knownFrom, equals: .inferred)
        expect(attribute?.inference, equals: .soleDescriptor)
    }

    @Test(arguments: [
        "12 1100 0400", "12 1100 01", "12 1100 010000", "52 1100 0001", "0A 1100", "12 1500 0100", "12 0E00 0100",
    ])
    func otherValuesAndPlacesShowNothing(pdu: String) {
        #expect(told(Self.service + [.att(.tx, pdu)]).last?.contains("inferred") == false)
    }

    @Test func twoHandlesMayBeAnything() {
        let wider: [Packet] = [
            .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0E00 1400 0D18"),
            .att(.tx, "08 0E00 1400 0328"), .att(.rx, "09 07 0F00 10 1000 372A 1300 02 1400 382A"),
        ]
        expect(told(wider + [.att(.tx, "12 1100 0100")]).last, equals: "att 6 tx 12 peer 0011")
        expect(told(wider + [.att(.tx, "12 1200 0100")]).last, equals: "att 6 tx 12 peer 0012")
    }

    @Test func aCharacteristicThatNeitherNotifiesNorIndicatesHasNone() {
        let reading: [Packet] = [
            .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0E00 1100 0D18"),
            .att(.tx, "08 0E00 1100 0328"), .att(.rx, "09 07 0F00 0A 1000 372A"),
        ]
        expect(told(reading + [.att(.tx, "12 1100 0100")]).last, equals: "att 6 tx 12 peer 0011")
    }

    @Test func withoutTheServiceItsEndIsUnknown() {
        let bare: [Packet] = [.att(.tx, "08 0E00 1400 0328"), .att(.rx, "09 07 0F00 10 1000 372A 1200 20 1300 1C2A")]
        expect(told(bare + [.att(.tx, "12 1100 0100")]).last, equals: "att 4 tx 12 peer 0011")
    }

    @Test func aConfigurationThatTheServerRefusesForWantOfSecurityIsOneAllTheSame() {
        let lines = told(Self.service + [.att(.tx, "12 1100 0100"), .att(.rx, "01 12 1100 05"), .att(.tx, "0A 1100")])
        expect(
            lines.suffix(2),
            equals: [
                "att 7 rx 01 peer 0011 180D/2A37/2902 inferred answers 6 after 1000",
                "att 8 tx 0A peer 0011 180D/2A37/2902 inferred",
            ])
    }

    @Test(arguments: ["01", "03", "0D"]) func anErrorThatNoConfigurationGivesTakesTheConclusionBack(error: String) {
        let lines = told(
            Self.service + [.att(.tx, "12 1100 0100"), .att(.rx, "01 12 1100" + error), .att(.tx, "0A 1100")])
        expect(lines.last, equals: "att 8 tx 0A peer 0011")
    }

    @Test func whatIsFoundReplacesWhatWasInferred() {
        let lines = told(
            Self.service + [
                .att(.tx, "12 1100 0100"), .att(.rx, "13"), .att(.tx, "04 1100 1100"), .att(.rx, "05 01 1100 0229"),
                .att(.tx, "0A 1100"),
            ])
        expect(lines.last, equals: "att 10 tx 0A peer 0011 180D/2A37/2902 discovery")
    }

    @Test func itIsStillInferredInALaterConnection() {
        let lines = told(
            Self.service + [
                .att(.tx, "12 1100 0100"), .att(.rx, "13"), .disconnected(), .connected(), .att(.tx, "12 1100 0100"),
                .att(.rx, "13"),
            ])
        expect(lines.last, equals: "subscription 11 peer 0011 180D/2A37/2902 = 1")
    }
}
