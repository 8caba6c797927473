/// How much comes out of a file that is compressed, at all levels and in all its parts together: a file of a few octets may stand for any
/// number of them. A log of HCI packets, in which nothing comes twice, shrinks to a tenth, and one that repeats itself to a fiftieth.
package final class Expansion {
    /// Octets that may come out of one.
    package static let ratioLimit = 256
    /// Octets up to which the ratio does not matter.
    package static let harmless = 256 << 20

    /// Octets of the file itself that were read.
    package var compressed = 0
    private var expanded = 0

    package func note(_ octets: Int) {
        expanded += octets
    }

    /// Why nothing more is taken out; nil as long as that is not so.
    package var excess: String? {
        guard expanded > Self.harmless, expanded / Self.ratioLimit > compressed else { return nil }
        return
            "\(compressed) octets expand to more than \(expanded): at a limit of \(Self.ratioLimit) to 1, this is treated as a"
            + " decompression bomb, and the rest is not read"
    }
}
