import AttlasDissection
import AttlasWire

/// The words of `type:`.
enum TypeReader {
    private static let words: [String: FieldType] = {
        var words: [String: FieldType] = [
            "medfloat16": .medfloat16, "medfloat32": .medfloat32, "float32": .float32, "float64": .float64,
            "utf8": .utf8, "utf8z": .utf8z, "bytes": .bytes, "uuid": .uuid, "uuid16": .uuid16, "address": .address,
            "handle": .handle, "connection-handle": .connectionHandle,
            "advertising-data": .advertisingData, "varint": .varint,
            "time-exponential-8": .timeExponential8, "power-of-two-64": .powerOfTwo64,
            "zigzag": .coded(.zigzag), "decimal-text": .coded(.decimalText), "hex-text": .coded(.hexadecimalText),
        ]
        for bits in stride(from: 8, through: 64, by: 8) {
            words["bcd\(bits)"] = .coded(.decimalDigits(bits: bits))
            words["sign-magnitude-\(bits)"] = .coded(.signMagnitude(bits: bits))
        }
        for bits in 1...64 { words["uint\(bits)"] = .unsigned(bits: bits) }
        for bits in 2...64 { words["sint\(bits)"] = .signed(bits: bits) }
        return words
    }()

    /// Names of the types in other formats.
    private static let synonyms: [String: String] = [
        "u8": "uint8", "u16": "uint16", "u24": "uint24", "u32": "uint32", "u64": "uint64",
        "s8": "sint8", "s16": "sint16", "s24": "sint24", "s32": "sint32", "s64": "sint64",
        "int8": "sint8", "int16": "sint16", "int24": "sint24", "int32": "sint32", "int64": "sint64",
        "byte": "uint8", "bool": "uint8", "boolean": "uint8", "string": "utf8", "utf8s": "utf8", "utf-8": "utf8",
        "sfloat": "medfloat16", "SFLOAT": "medfloat16", "FLOAT": "medfloat32", "float": "float32", "double": "float64",
        "hex": "bytes", "mac": "address", "struct": "fields", "bcd": "bcd8", "sign-magnitude": "sign-magnitude-16",
        "svarint": "zigzag", "ascii": "utf8",
    ]

    static func read(_ node: YAMLNode) throws(CompileMistake) -> FieldType {
        let word = try node.text("a type")
        if let type = words[word] { return type }
        if word == "struct" || word == "structure" {
            throw node.mistake("a structure has no type; it has \"fields\"")
        }
        if let right = synonyms[word] { throw node.mistake("\"\(word)\" is not a type; did you mean \"\(right)\"?") }
        let families = ["uint", "sint", "bcd", "sign-magnitude"]
        let common = words.keys.filter { word in !families.contains { word.hasPrefix($0) } }.sorted()
        let suggestion = NearestWord.suggestion(for: word, among: words.keys)
        throw node.mistake(
            "\"\(word)\" is not a type"
                + (suggestion.isEmpty
                    ? "; the types are uint1 to uint64, sint2 to sint64, bcd8 to bcd64, sign-magnitude-8 to -64, "
                        + common.joined(separator: ", ")
                    : suggestion))
    }
}
