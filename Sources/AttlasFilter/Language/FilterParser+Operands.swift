import AttlasDissection
import AttlasIncidents
import AttlasProcedures
import AttlasTrace
import AttlasValues
import AttlasWire

/// The operand of a comparison.
extension FilterParser {
    mutating func parseOperand(
        of property: FilterProperty, _ comparison: FilterComparison, field: String, _ sign: FilterToken
    ) throws(FilterMistake) -> FilterTest {
        let token = token
        let text: String
        switch token.kind {
        case .word(let word) where !["and", "or", "not"].contains(word): text = word
        case .text(let quoted): text = quoted
        case .word, .sign, .end: throw noOperand(property, token)
        }
        guard !text.isEmpty else { throw noOperand(property, token) }
        advance()

        switch property {
        case .handle, .opcode, .frame, .connection, .controller, .rssi:
            guard let number = FilterNumber(text)?.whole() else { throw noOperand(property, token) }
            return .number(property, comparison, number)
        case .rtt: return .number(.rtt, comparison, try duration(text, token))
        case .method: return .method(try method(text, comparison, token))
        case .error: return try error(text, token)
        case .reason: return .reason(try reason(text, token))
        case .direction:
            let word = try word(text, property, token)
            return .direction(word == "tx" ? .tx : word == "rx" ? .rx : .unknown)
        case .server: return .server(try enumerated(text, property, token))
        case .incident:
            guard let kind = Incident.Kind(rawValue: text.lowercased()) else { throw noOperand(property, token) }
            return .incident(kind)
        case .procedure:
            let kind = Procedure.Kind.allCases.first { $0.rawValue.lowercased() == text.lowercased() }
            guard let kind else { throw noOperand(property, token) }
            return .procedure(kind)
        case .outcome:
            let word = try word(text, property, token)
            guard let outcome = FilterProperty.outcomes.first(where: { "\($0)" == word }) else {
                throw noOperand(property, token)
            }
            return .outcome(outcome)
        case .knownFrom: return .knownFrom(try enumerated(text, property, token))
        case .bearer: return .bearer(try bearer(text, token))
        case .peer: return .peer(comparison, FoldedText(text))
        case .characteristic, .service, .descriptor, .uuid:
            return .uuid(try uuid(text, property, comparison, token))
        case .serviceData:
            return .advertised(.serviceData(try uuid(text, property, comparison, token)))
        case .company:
            var number: UInt16?
            if case .word = token.kind { number = FilterNumber(text)?.whole().flatMap(UInt16.init(exactly:)) }
            guard number == nil || comparison == .equal else { throw noOperand(property, token) }
            if number == nil, comparison == .equal {
                try check(
                    text, isAmong: library.companyNames, what: "no company is called", token)
            }
            return .advertised(.company(number, comparison, FoldedText(text)))
        case .value: return .value(comparison, try octets(text, token))
        case .field:
            var number: FilterNumber?
            if case .word = token.kind { number = FilterNumber(text) }
            if comparison.isOrder, number == nil { throw mistake("expected a number", token) }
            return .field(fieldTest(field, comparison, number, text))
        // Compare with nothing, which was checked.
        case .encrypted, .ended, .fault, .known, .loss: throw noOperand(property, token)
        }
    }

    mutating func fieldTest(
        _ name: String, _ comparison: FilterComparison?, _ number: FilterNumber?, _ text: String
    ) -> FieldTest {
        fields.append(name)
        return FieldTest(comparison: comparison, number: number, text: FoldedText(text), slot: fields.count - 1)
    }

    private mutating func uuid(
        _ text: String, _ property: FilterProperty, _ comparison: FilterComparison, _ token: FilterToken
    ) throws(FilterMistake) -> UUIDTest {
        let uuid = BluetoothUUID(text)
        if comparison == .equal, uuid == nil {
            switch property {
            case .service, .serviceData:
                try check(text, isAmong: library.serviceNames, what: "no service is called", token)
            case .descriptor: try check(text, isAmong: library.attributeNames, what: "no descriptor is called", token)
            case .uuid:
                try check(
                    text, isAmong: library.serviceNames.union(library.attributeNames), what: "no UUID is called", token)
            default: try check(text, isAmong: library.attributeNames, what: "no characteristic is called", token)
            }
        }
        uuidCount += 1
        return UUIDTest(
            property: property, comparison: comparison, uuid: uuid, name: FoldedText(text), slot: uuidCount - 1)
    }

    // MARK: Words

    private func word(
        _ text: String, _ property: FilterProperty, _ token: FilterToken
    ) throws(FilterMistake) -> String {
        guard property.words.contains(text) else {
            throw mistake(
                "\(token.description) is not valid; expected \(property.expectation)"
                    + NearestWord.suggestion(for: text, among: property.words), token)
        }
        return text
    }

    private func enumerated<Value: RawRepresentable<String>>(
        _ text: String, _ property: FilterProperty, _ token: FilterToken
    ) throws(FilterMistake) -> Value {
        guard let value = Value(rawValue: try word(text, property, token)) else { throw noOperand(property, token) }
        return value
    }

    /// `eatt:0x0050` is the name of a channel in NDJSON.
    private func bearer(_ text: String, _ token: FilterToken) throws(FilterMistake) -> FilterBearer {
        if text.hasPrefix("eatt:"), let number = FilterNumber(text.dropFirst(5))?.whole(),
            let channel = UInt16(exactly: number)
        {
            return .enhanced(L2CAPChannel(rawValue: channel))
        }
        switch try word(text, .bearer, token) {
        case "eatt": return .enhanced(nil)
        case "bredr": return .classic
        default: return .unenhanced
        }
    }

    private func method(
        _ text: String, _ comparison: FilterComparison, _ token: FilterToken
    ) throws(FilterMistake) -> OctetSet {
        let opcodes = OctetSet { opcode in
            ATTOpcode(rawValue: opcode).isCalled(text, comparison)
        }
        guard opcodes.isEmpty else { return opcodes }
        let names = (UInt8.min...UInt8.max).flatMap { ATTOpcode(rawValue: $0).filterNames }
        let suggestion = NearestWord.suggestion(for: text, among: names)
        throw mistake("no ATT PDU is called \(token.description)\(suggestion)", token)
    }

    private func error(_ text: String, _ token: FilterToken) throws(FilterMistake) -> FilterTest {
        if case .word = token.kind, let code = FilterNumber(text)?.whole() {
            return .number(.error, .equal, code)
        }
        let name = FoldedText(text)
        let codes = OctetSet { FoldedText(ATTErrorCode(rawValue: $0).name) == name }
        if codes.isEmpty {
            let names = Set((UInt8.min...UInt8.max).map { ATTErrorCode(rawValue: $0).name })
            try check(
                text, isAmong: names.union(library.applicationErrorNames), what: "no error is called", token)
        }
        return .error(codes: codes, name: name)
    }

    /// Codes of Disconnection Complete. Core Specification, Vol 1, Part F, 1.3.
    private func reason(_ text: String, _ token: FilterToken) throws(FilterMistake) -> OctetSet {
        if case .word = token.kind, let code = FilterNumber(text)?.whole() { return OctetSet { Int64($0) == code } }
        let name = FoldedText(text)
        let codes = OctetSet { FoldedText(HCIErrorCode(rawValue: $0).name) == name }
        if codes.isEmpty {
            let names = Set((UInt8.min...UInt8.max).map { HCIErrorCode(rawValue: $0).name })
            try check(text, isAmong: names, what: "no reason is called", token)
        }
        return codes
    }

    // MARK: Quantities

    /// `100ms`, `1.5s`, `100 ms`: nanoseconds.
    private mutating func duration(_ text: String, _ token: FilterToken) throws(FilterMistake) -> Int64 {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        var unit = String(text.dropFirst(digits.count))
        if unit.isEmpty, case .word(let next) = self.token.kind, Self.units[next] != nil {
            unit = next
            advance()
        }
        guard let number = FilterNumber(digits) else { throw noOperand(.rtt, token) }
        guard let nanoseconds = Self.units[unit] else {
            throw mistake(
                unit.isEmpty
                    ? "a duration needs its unit: us, ms or s"
                    : "\"\(unit)\" is not a unit; the units are us, ms and s",
                token)
        }
        guard let duration = number.whole(times: nanoseconds) else {
            throw mistake("a duration is a whole number of nanoseconds, at most 292 years", token)
        }
        return duration
    }

    /// The micro sign and the Greek letter look alike.
    private static let units: [String: Int64] = [
        "us": 1_000, "\u{B5}s": 1_000, "\u{3BC}s": 1_000, "ms": 1_000_000, "s": 1_000_000_000,
    ]

    /// Hexadecimal digits, with or without 0x before and blanks between octets.
    private func octets(_ text: String, _ token: FilterToken) throws(FilterMistake) -> [UInt8] {
        let digits = (text.hasPrefix("0x") ? text.dropFirst(2) : Substring(text)).filter { $0 != " " }.utf8
        var octets: [UInt8] = []
        var high: Int?
        for digit in digits {
            guard let value = Character(UnicodeScalar(digit)).hexDigitValue else { throw noOperand(.value, token) }
            if let first = high { octets.append(UInt8(first << 4 | value)) }
            high = high == nil ? value : nil
        }
        guard high == nil else { throw mistake("expected two hexadecimal digits for each octet, found one", token) }
        return octets
    }
}

extension ATTOpcode {
    /// The names of the PDU in filters: its name, as the specification has it, without "Handle Value", without "Request" and
    /// "Response", as the conversation shows it, and its kind. None of an opcode that the specification does not define.
    package var filterNames: [String] {
        guard let definition else { return [] }
        let name = definition.name.description
        var names = [name, "\(shortName)", definition.kind.filterName]
        // The words of definitions.
        if let word = definition.kind.definitionName { names.append(word) }
        let plain = name.replacing("Handle Value ", with: "")
        names.append(plain)
        for ending in [" Request", " Response"] where plain.hasSuffix(ending) {
            names.append(String(plain.dropLast(ending.count)))
        }
        return names
    }

    fileprivate func isCalled(_ name: String, _ comparison: FilterComparison) -> Bool {
        let name = FoldedText(name.replacing("_", with: " "))
        return filterNames.contains { FoldedText($0).meets(comparison, name) }
    }
}

extension ATTOpcode.Definition.Kind {
    fileprivate var definitionName: String? {
        switch self {
        case .notification: "notify"
        case .indication: "indicate"
        default: nil
        }
    }

    fileprivate var filterName: String {
        switch self {
        case .request: "Request"
        case .response: "Response"
        case .command: "Command"
        case .notification: "Notification"
        case .indication: "Indication"
        case .confirmation: "Confirmation"
        }
    }
}
