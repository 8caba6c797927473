/// A pattern of names: `*` stands for anything but a slash, `**` for anything, `?` for one character but a slash.
struct Glob: Sendable {
    let text: String

    func matches(_ name: String) -> Bool {
        Self.matches(Array(text.unicodeScalars)[...], Array(name.unicodeScalars)[...])
    }

    private static func matches(
        _ pattern: ArraySlice<Unicode.Scalar>, _ name: ArraySlice<Unicode.Scalar>
    ) -> Bool {
        // For each position in the name, whether the pattern so far ends there.
        var isReached = [true] + Array(repeating: false, count: name.count)
        var index = pattern.startIndex
        while index < pattern.endIndex {
            let scalar = pattern[index]
            let isDeep = scalar == "*" && pattern[(index + 1)...].first == "*"
            index += isDeep ? 2 : 1
            var next = isReached
            for (place, character) in name.enumerated() {
                if scalar == "*" {
                    next[place + 1] = next[place + 1] || next[place] && (isDeep || character != "/")
                } else {
                    next[place + 1] = isReached[place] && (scalar == character || scalar == "?" && character != "/")
                }
            }
            if scalar != "*" { next[0] = false }
            isReached = next
        }
        return isReached[name.count]
    }
}
