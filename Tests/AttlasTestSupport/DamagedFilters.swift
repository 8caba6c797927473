/// Every beginning of a filter expression with something after it, and the expression with something put in at each place.
public let damagedFilters: [String] = {
    let expression =
        "not (rtt <= 1.5ms or handle != 0x19) and value ~ \"1e 48\" and bearer != eatt:0x40 and field(\"A\") > -0.5"
    let scalars = Array(expression.unicodeScalars)
    var texts: [String] = []
    for length in 0...scalars.count {
        for extra in ["", "(", ")", "\"", "\\", "=", "~", "0x", "-", "\u{0}", "\u{301}", "é", " and "] {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[..<length])
            text.append(contentsOf: extra.unicodeScalars)
            texts.append(String(text))
            text.append(contentsOf: scalars[length...])
            texts.append(String(text))
        }
    }
    return texts
}()
