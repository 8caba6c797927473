import CWidth

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Columns that a terminal gives a character, by the C library.
package enum CharacterWidth {
    /// -1 when it is not printable. The C function is `wcwidth`, in a locale of UTF-8.
    package static func width(of scalar: Unicode.Scalar) -> Int {
        if 0x20...0x7E ~= scalar.value { return 1 }
        guard scalar.value >= 0xA0 else { return -1 }
        guard let locale = unsafe locale else { return 1 }
        let before = unsafe uselocale(locale)
        defer { _ = unsafe uselocale(before) }
        return Int(wcwidth(wchar_t(scalar.value)))
    }

    /// Never freed, and never changed.
    nonisolated(unsafe) private static let locale = unsafe newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
}
