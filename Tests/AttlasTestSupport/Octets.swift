/// Octets from hexadecimal digits; white space is for the reader. Anything else, and half an octet, stops the tests.
public func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.map { character in
        guard let digit = character.hexDigitValue else {
            preconditionFailure("\"\(character)\" in \"\(text)\" is no hexadecimal digit")
        }
        return digit
    }
    precondition(digits.count.isMultiple(of: 2), "half an octet in \"\(text)\"")
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// The low octets of a number, least significant first.
public func little(_ value: some BinaryInteger, _ count: Int = 2) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// The low octets of a number, most significant first.
public func big(_ value: some BinaryInteger, _ count: Int = 2) -> [UInt8] { little(value, count).reversed() }
