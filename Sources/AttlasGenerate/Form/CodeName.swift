/// An identifier as words, which each language joins in its way. Only ASCII letters and digits.
package struct CodeName: Hashable {
    private(set) var words: [String]

    /// - Parameter fallback: the name if `text` has no letter or digit.
    package init(_ text: String, fallback: String = "field") {
        words = []
        var word = ""
        var length = 0
        func isLower(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { "a"..."z" ~= $0 || "0"..."9" ~= $0 } ?? false }
        for scalar in text.unicodeScalars where length < 64 {
            guard scalar.isASCII, scalar.properties.isAlphabetic || "0"..."9" ~= scalar else {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            // "LightValue" has two words.
            if "A"..."Z" ~= scalar, isLower(word.unicodeScalars.last) {
                words.append(word)
                word = ""
            }
            word.unicodeScalars.append(scalar)
            length += 1
        }
        if !word.isEmpty { words.append(word) }
        if words.isEmpty { words = [fallback] }
        if let first = words[0].unicodeScalars.first, "0"..."9" ~= first { words.insert("n", at: 0) }
    }

    private init(words: [String]) { self.words = words }

    static func + (first: CodeName, second: CodeName) -> CodeName { CodeName(words: first.words + second.words) }

    func adding(_ word: String) -> CodeName { CodeName(words: words + [word]) }

    /// `heartRate`, `e2eCRC`
    package var camel: String {
        let first = words[0]
        let isAcronym = first.utf8.allSatisfy { !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0) }
        let start = isAcronym ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        return start + CodeName.joined(words.dropFirst())
    }

    /// `HeartRate`
    package var pascal: String { CodeName.joined(words[...]) }

    /// `heart_rate`
    package var snake: String { words.map { $0.lowercased() }.joined(separator: "_") }

    /// `HEART_RATE`
    package var upperSnake: String { snake.uppercased() }

    /// Equal for names that some language does not distinguish.
    var canonical: String { words.joined().lowercased() }

    /// Whether it could be a variable of generated functions: a letter with a number.
    fileprivate var isLocal: Bool {
        canonical.count > 1 && canonical.utf8.dropFirst().allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    private static func joined(_ words: ArraySlice<String>) -> String {
        words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

/// The names of one scope, which differ in every language.
package struct NameScope {
    /// What is made out of the name of a member: accessors, counts and limits.
    static let memberForms =
        ["", "raw", "octets", "count", "length", "max"].map { ("", $0) } + [("set", ""), ("has", ""), ("add", "")]

    private var taken: Set<String>
    /// The number that a name gets next, so that many equal names take no time.
    private var numbers: [String: Int] = [:]

    package init(reserved: Set<String>) { taken = reserved }

    /// What is made out of the name of a type.
    static let typeForms = ["", "decode", "encode", "equal", "t", "joiner", "join", "split", "need"].map { ("", $0) }

    /// Whether something made out of the name has another meaning.
    func has(_ name: CodeName, forms: [(prefix: String, suffix: String)]) -> Bool {
        forms.contains { taken.contains($0.prefix + name.canonical + $0.suffix) }
    }

    /// The name, with a number if it is taken.
    package mutating func unique(
        _ name: CodeName, forms: [(prefix: String, suffix: String)] = [("", "")], inside prefix: String = ""
    ) -> CodeName {
        var candidate = name
        func keys(_ name: CodeName) -> [String] { forms.map { prefix + $0.prefix + name.canonical + $0.suffix } }
        if Self.words.contains(candidate.canonical) || candidate.isLocal { candidate = candidate.adding("value") }
        let start = prefix + candidate.canonical
        while keys(candidate).contains(where: taken.contains) {
            let number = numbers[start, default: 2]
            numbers[start] = number + 1
            candidate = name.adding("\(number)")
        }
        taken.formUnion(keys(candidate))
        return candidate
    }

    /// Keywords of one of the languages, and names of their libraries that generated code uses.
    static let words: Set<String> = Set(
        """
        and any arch array as asm assert associatedtype associativity async auto await bool borrowing break bytearray bytes
        case catch cases codecerror char character class classmethod codable codingkey collection consume consuming continue convenience
        copy count data dataclass dataclasses decode def default defer deinit del description dictionary didset discard do
        double dynamic each elif else encode enum equal equatable errno error except exec extension extern fallthrough false
        field fileprivate final finally float for from func get global goto guard hash hashable hashvalue i386 if import in
        indirect infix init inline inout input int int16 int32 int64 int8 int16t int32t int64t int8t internal is isinstance
        iter lambda lazy left len let linux list long macro mandatory math max min mutating namedtuple nan never next none
        nonisolated nonlocal nonmutating null object offset open operator optional optionset or output override package pass
        postfix precedence prefix print private property protocol public quotient raise range rawrepresentable rawvalue
        receivable register repr required rethrows return right round self sendable sequence set setter short signed sizeof
        sizet some staticmethod static staticstring stdin stdout stderr str string strong struct subscript super switch task
        throw throws true try tuple type typealias typedef typing uint uint16 uint32 uint64 uint8 uint16t uint32t uint64t
        uint8t union unix unowned unsafe unsigned using value values var void volatile weak where while willset with yield
        """.split { $0 == " " || $0 == "\n" }.map { String($0) })
}
