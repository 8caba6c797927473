/// Upper-case digits.
package func hexadecimal(_ value: UInt16, digits: Int = 4) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}

/// `1 octet`, `2 octets`
///
/// - Parameter plural: If it is another word than the noun with an s.
package func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// `31.2 s`, `48 ms`, `150 µs`
package func seconds(_ nanoseconds: Int64) -> String {
    if nanoseconds < 1_000_000 { return "\(nanoseconds / 1_000) µs" }
    if nanoseconds < 1_000_000_000 { return "\(nanoseconds / 1_000_000) ms" }
    let tenths = (nanoseconds + 50_000_000) / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
}

/// The same for a jump of the clock, of a second or more.
func seconds(ofMicroseconds microseconds: UInt64) -> String {
    "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10) s"
}

/// Converts from units of 1.25 ms.
package func milliseconds(_ interval: UInt16) -> String {
    let hundredths = Int(interval) * 125
    let rest = hundredths % 100
    if rest == 0 { return "\(hundredths / 100) ms" }
    return "\(hundredths / 100).\(rest % 10 == 0 ? rest / 10 : rest) ms"
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
