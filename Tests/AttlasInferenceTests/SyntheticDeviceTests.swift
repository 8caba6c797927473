import AttlasDissection
import AttlasTestSupport
import Testing

@testable import AttlasInference

/// Devices with hidden layouts, and characteristics without one: what is claimed is compared with what they are.
@Suite struct SyntheticDeviceTests {
    private struct Score {
        var checks = 0
        var rightChecks = 0
        var claims = 0
        var rightClaims = 0
        var fields = 0
        var foundFields = 0
        var mistakes: [String] = []
    }

    /// A field as an observer can know it: octets that never change are constant, whatever they are a part of.
    private struct Truth: Hashable {
        let place: Int
        let width: Int
        let kind: String
        let isBigEndian: Bool
        let isSigned: Bool
    }

    private func series(_ values: [(octets: [UInt8], time: Int64, layout: Int)]) -> ValueSeries {
        var series = ValueSeries()
        for (frame, value) in values.enumerated() { series.append(value.octets, time: value.time, frame: frame + 1) }
        return series
    }

    @Test func layoutsOfTenDevices() { expectLayouts(of: 0..<10) }

    @Test func layoutsOfTenAdvertisers() { expectLayouts(ofAdvertisers: 10) }

    fileprivate func expectLayouts(of devices: Range<Int>) {
        var score = Score()
        for number in devices {
            let device = SyntheticDevice(number: number)
            let values = device.values()
            judge(LayoutInference.layout(of: series(values)), values, device, number, &score)
        }
        verify(score)
    }

    /// The same in manufacturer data, each repeated until what it says is another. Legacy advertising has room for 24 octets.
    fileprivate func expectLayouts(ofAdvertisers count: Int) {
        var (score, judged) = (Score(), 0)
        for number in 0..<count * 8 where judged < count {
            let device = SyntheticDevice(number: number)
            let values = device.values()
            guard values.allSatisfy({ $0.octets.count <= 24 }) else { continue }
            judged += 1
            let packets = values.flatMap { value in
                (0..<3).map { repetition in
                    Packet.advertisement(
                        of: Address.strap, [UInt8(value.octets.count + 3), 0xFF, 0xAD, 0x0B] + value.octets
                    ).at(microseconds: Int(value.time / 1_000) + 1_000 * repetition)
                }
            }
            let model = document(of: packets) { InferenceCollector("manufacturer-data:0x0BAD", values: $0) }
            guard let layout = model.characteristics.first?.layouts.first?.layout else {
                score.mistakes.append("device \(number): not found")
                continue
            }
            judge(layout, values, device, number, &score)
        }
        #expect(judged == count)
        verify(score)
    }

    private func verify(_ score: Score) {
        let precision = Double(score.rightClaims) / Double(max(1, score.claims))
        let recall = Double(score.foundFields) / Double(max(1, score.fields))
        let figures = """
            checks \(score.rightChecks) of \(score.checks); fields: \(score.rightClaims) of \(score.claims) claims right \
            (\(precision)), \(score.foundFields) of \(score.fields) found (\(recall))
            \(score.mistakes.joined(separator: "\n"))
            """
        #expect(score.rightChecks * 100 >= score.checks * 95, "\(figures)")
        #expect(precision >= 0.95, "\(figures)")
        #expect(recall >= 0.80, "\(figures)")
    }

    private func judge(
        _ layout: InferredLayout, _ values: [(octets: [UInt8], time: Int64, layout: Int)], _ device: SyntheticDevice,
        _ number: Int, _ score: inout Score
    ) {
        judge(selectorOf: layout, device, number, &score)
        var isChecked = false
        for group in layout.groups {
            let own = values.filter { value in
                switch group.selector {
                case .all: true
                case .opcode(let octet, let place): value.octets[place] == octet
                case .length(let length): value.octets.count == length
                }
            }
            guard let first = own.first, own.allSatisfy({ $0.layout == first.layout }) else {
                score.mistakes.append("device \(number): \(group.selector) joins layouts")
                continue
            }
            isChecked = isChecked || judge(check: group, device, number, &score)
            if group.count >= 40 {
                judge(fields: group, own.map(\.octets), device.layouts[first.layout], number, &score)
            }
        }
        if device.check.algorithm != .none {
            score.checks += 1
            if isChecked { score.rightChecks += 1 } else { score.mistakes.append("device \(number): \(device.check)") }
        }
    }

    /// What selects the layout is a claim as others are.
    private func judge(
        selectorOf layout: InferredLayout, _ device: SyntheticDevice, _ number: Int, _ score: inout Score
    ) {
        var place: Int?
        if case .opcode(_, let found)? = layout.groups.first?.selector { place = found }
        let before = device.layouts[0].prefix { $0.kind != .opcode }
        let truth = device.layouts.count > 1 ? before.reduce(0) { $0 + $1.width } : nil
        if truth != nil { score.fields += 1 }
        if place != nil { score.claims += 1 }
        guard place != truth else {
            if place != nil {
                score.rightClaims += 1
                score.foundFields += 1
            }
            return
        }
        score.mistakes.append(
            "device \(number): selector \(String(describing: place)), is \(String(describing: truth))")
    }

    private func judge(
        check group: InferredLayout.Group, _ device: SyntheticDevice, _ number: Int, _ score: inout Score
    ) -> Bool {
        for field in group.fields {
            guard case .check(let check) = field.kind else { continue }
            let fromEnd = check.place < 0 ? check.place : check.place - group.lengths.lowerBound
            let isRight =
                fromEnd == -device.check.width - device.check.trailer.count && check.start == device.check.start
                && check.width == device.check.width && check.endsBefore
                && (check.width == 1 || check.isBigEndian == device.check.isBigEndian)
                && title(device.check.algorithm).map { check.title.hasPrefix($0) } ?? false
            if !isRight {
                score.mistakes.append("device \(number): wrong check \(check.title) \(check), is \(device.check)")
            }
            return isRight
        }
        return false
    }

    private func title(_ algorithm: SyntheticDevice.Algorithm) -> String? {
        switch algorithm {
        case .none: nil
        case .sum: "sum modulo 256"
        case .xor: "exclusive or"
        case .negatedSum: "negated sum"
        case .invertedSum: "inverted sum"
        case .sum100: "sum modulo 100"
        case .modbus: "CRC-16/MODBUS"
        case .ccittFalse: "CRC-16/IBM-3740"
        case .xmodem: "CRC-16/XMODEM"
        case .mcrf4xx: "CRC-16/MCRF4XX"
        case .kermit: "CRC-16/KERMIT"
        case .smbus: "CRC-8/SMBUS"
        case .maxim: "CRC-8/MAXIM-DOW"
        case .iso32: "CRC-32/ISO-HDLC"
        case .mpeg32: "CRC-32/MPEG-2"
        case .odd16: "CRC-16, polynomial 0x6B2D"
        }
    }

    private func judge(
        fields group: InferredLayout.Group, _ values: [[UInt8]], _ fields: [SyntheticDevice.Field], _ number: Int,
        _ score: inout Score
    ) {
        var truths: Set<Truth> = []
        var place = 0
        for field in fields {
            let end = place + field.width
            defer { place = end }
            guard field.kind != .constant, field.kind != .opcode, field.kind != .open, field.width > 0 else { continue }
            func varies(_ place: Int) -> Bool { values.contains { $0[place] != values[0][place] } }
            var range = place..<end
            if ![.epoch, .text, .random].contains(field.kind) {
                while !range.isEmpty, !varies(field.isBigEndian ? range.lowerBound : range.upperBound - 1) {
                    range =
                        field.isBigEndian
                        ? range.lowerBound + 1..<range.upperBound : range.lowerBound..<range.upperBound - 1
                }
            }
            guard !range.isEmpty, field.kind != .length || group.isVariable else { continue }
            let isNegative =
                field.isSigned && range.count == field.width
                && Set(
                    values.map { value in
                        value[field.isBigEndian ? place : end - 1] >= 0x80
                    }
                ).count == 2
            // Text after text is one text.
            if field.kind == .text,
                let before = truths.first(where: { $0.kind == "text" && $0.place + $0.width == place })
            {
                truths.remove(before)
                range = before.place..<end
            }
            truths.insert(
                Truth(
                    place: range.lowerBound, width: range.count, kind: "\(field.kind)",
                    isBigEndian: range.count > 1 && field.isBigEndian, isSigned: isNegative))
        }
        var found: Set<Truth> = []
        for field in group.fields {
            let kind: String
            switch field.kind {
            case .constant, .opcode, .check, .open: continue
            case .counter: kind = "counter"
            case .length: kind = "length"
            case .epoch: kind = "epoch"
            case .uptime: kind = "uptime"
            case .number: kind = "number"
            case .flags: kind = "flags"
            case .text: kind = "text"
            case .scrambled: kind = "random"
            // The devices have none.
            case .float, .medicalFloat, .sum, .address, .uuid: kind = field.word
            }
            let claim = Truth(
                place: field.place, width: field.width, kind: kind,
                isBigEndian: field.width > 1 && field.isBigEndian, isSigned: field.isSigned)
            // Some of the random octets of several lengths are random, too.
            let isPart = kind == "random" && fields.last?.width == 0 && field.place >= place
            score.claims += 1
            if truths.contains(claim) || isPart {
                score.rightClaims += 1
                found.insert(claim)
            } else {
                score.mistakes.append(
                    "device \(number) (\(values.count)): no \(claim)\n   \(truths.sorted { $0.place < $1.place })")
            }
        }
        score.fields += truths.count
        score.foundFields += truths.intersection(found).count
        for missing in truths.subtracting(found) {
            score.mistakes.append("device \(number) (\(values.count)): missed \(missing)")
        }
    }

    @Test func tenRandomCharacteristicsHaveNoLayout() { expectNoLayout(10, mistakes: 0) }

    /// The results that the catalogue publishes.
    @Test func everyCatalogueCRC() {
        let digits = Array("123456789".utf8)
        for crc in CatalogueCRC.all {
            let check = InferredCheck(
                algorithm: crc.algorithm, name: crc.name, place: -4, width: 4, isBigEndian: true, start: 0,
                endsBefore: true)
            expect(check.result(of: (digits + [0, 0, 0, 0])[...]), equals: UInt64(crc.check), "\(crc.name)")
        }
    }
}

/// The same with the numbers in the documentation.
@Suite struct SyntheticDeviceLongTests {
    @Test func layoutsOf40Devices() { SyntheticDeviceTests().expectLayouts(of: 0..<40) }

    @Test func layoutsOf40Advertisers() { SyntheticDeviceTests().expectLayouts(ofAdvertisers: 40) }

    @Test func fiftyRandomCharacteristicsHaveNoLayout() { expectNoLayout(50, mistakes: 0) }

    @Test func aThousandRandomCharacteristicsHaveOneLayoutAtMost() { expectNoLayout(1_000, mistakes: 1) }

    /// An optimized build takes 2 s.
    @Test func aHundredThousandValues() {
        var device = SyntheticDevice(number: 6)
        device.count = 100_000
        var values = ValueSeries()
        for (frame, value) in device.values().enumerated() {
            values.append(value.octets, time: value.time, frame: frame + 1)
        }
        let time = ContinuousClock().measure {
            #expect(LayoutInference.layout(of: values).hasClaims)
        }
        print("100,000 values: \(time)")
    }
}

/// Octets without an order have no fields but themselves.
private func expectNoLayout(_ characteristics: Int, mistakes most: Int) {
    var random = SplitMix64(seed: 20_261_127)
    var (mistakes, requests) = ([String](), ValueSeries())
    for number in 0..<characteristics {
        var values = ValueSeries()
        let length = Int.random(in: 4...20, using: &random)
        for index in 0..<[50, 100, 200][number % 3] {
            let value = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            values.append(value, time: 1_795_000_000_000_000_000 + Int64(index) * 250_000_000, frame: index + 1)
        }
        let layout = LayoutInference.layout(of: values, InferenceContext(requests: requests, marks: marks(values)))
        if let messages = layout.messages { mistakes.append("\(number): \(messages.framing.sentence)") }
        if let dialect = layout.dialect { mistakes.append("\(number): \(dialect)") }
        mistakes += layout.relations.map { "\(number): \($0.sentence)" }
        for claim in layout.groups.flatMap(\.claims) where claim.kind != .scrambled {
            mistakes.append("\(number): \(claim)")
        }
        requests = values
    }
    #expect(mistakes.count <= most, "\(mistakes.joined(separator: "\n"))")
}

/// Eight moments of the series.
private func marks(_ values: ValueSeries) -> [(time: Int64, note: String)] {
    (0..<8).map { (values.times[$0 * values.count / 8], $0 % 2 == 0 ? "on" : "off") }
}
