/// How much comes out of what is compressed. A file of a few octets may stand for any number of them; a log of HCI packets, in
/// which nothing comes twice, shrinks to a tenth, and one that repeats itself to a fiftieth.
struct Expansion {
    /// Octets that may come out of one.
    static let ratioLimit = 256
    /// Octets up to which the ratio does not matter.
    static let harmless = 256 << 20

    private var expanded = 0

    mutating func note(_ octets: Int) {
        expanded += octets
    }

    /// Why nothing more is taken out; nil as long as that is not so.
    func excess(from compressed: Int) -> String? {
        guard expanded > Self.harmless, expanded / Self.ratioLimit > compressed else { return nil }
        return
            "\(compressed) octets expand to more than \(expanded): at a limit of \(Self.ratioLimit) to 1, this is treated as a"
            + " decompression bomb, and the rest is not read"
    }
}
