import AttlasTrace
import AttlasWire

/// Data in a capture that identifies devices and people, or gives access to them, and its replacements.
///
/// Filled by a first reading of the capture; a second one replaces.
package struct Secrets: Sendable {
    /// Octets of memory for all of them, about.
    private static let limit = 64 << 20

    let pseudonyms: Pseudonyms
    /// Whether it is a random address, by its 48 bits; nil if unknown.
    private var addresses: [UInt64: Bool?] = [:]
    private var addressCount = 0
    private var keys: Set<UInt128> = []
    private var texts: Set<[UInt8]> = []
    private var others: Set<[UInt8]> = []
    private var size = 0
    /// Beyond the limit: they are replaced where they are expected, but not searched for.
    package private(set) var beyondLimit = 0

    /// Values that came in several parts, kept until their secrets are known.
    private var assembled: [(value: [UInt8], frames: [Int])] = []
    /// Parts of values of which a secret may be in two.
    private var split: Set<Int> = []

    /// In the order of the search's; made by `settle`.
    private var newAddresses: [UInt64] = []
    private var newTexts: [[UInt8]: [UInt8]] = [:]
    private(set) var search = SecretSearch([])
    /// In the order of the search's secrets.
    private var replacements: [[UInt8]] = []

    init(_ pseudonyms: Pseudonyms) {
        self.pseudonyms = pseudonyms
    }

    /// How many different ones there are.
    package var counts: (addresses: Int, keys: Int, texts: Int, others: Int) {
        (addressCount, keys.count, texts.count, others.count)
    }

    /// All texts that must not be in the output.
    package var originals: SecretSearch { search }

    // MARK: Collecting

    private mutating func hasRoom(for octets: Int) -> Bool {
        guard size + octets <= Self.limit else {
            beyondLimit += 1
            return false
        }
        size += octets
        return true
    }

    mutating func note(address: UInt64, isRandom: Bool? = nil) {
        // No address, and any.
        guard address != 0, address != 0xFFFF_FFFF_FFFF else { return }
        if let known = addresses[address] {
            // The kind of a random address is in its first bits.
            if known != true, isRandom != nil { addresses[address] = .some(known == nil ? isRandom : true) }
            return
        }
        if hasRoom(for: 64) { addresses[address] = .some(isRandom) }
    }

    mutating func note(key: UInt128) {
        if key != 0, !keys.contains(key), hasRoom(for: 64) { keys.insert(key) }
    }

    mutating func note(text: ArraySlice<UInt8>) {
        if let narrow = Self.narrow(text) { return insert(narrow) }
        for part in text.split(separator: 0) { insert(Array(part)) }
    }

    private mutating func insert(_ text: [UInt8]) {
        if !texts.contains(text), hasRoom(for: 2 * text.count + 64) { texts.insert(text) }
    }

    mutating func note(octets: ArraySlice<UInt8>) {
        guard let first = octets.first, octets.contains(where: { $0 != first }) else { return }
        let octets = Array(octets)
        if !others.contains(octets), hasRoom(for: 2 * octets.count + 64) { others.insert(octets) }
    }

    mutating func note(assembled value: [UInt8], frames: [Int]) {
        if hasRoom(for: value.count + 8 * frames.count + 64) {
            assembled.append((value, frames))
        } else {
            split.formUnion(frames)
        }
    }

    /// Two characters or more of Latin in UTF-16, each in one octet; nil for another text.
    private static func narrow(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let first = stride(from: text.startIndex, to: text.endIndex, by: 2).map { text[$0] }
        let narrow = Array(first.prefix { $0 != 0 })
        return narrow.count > 1 && text.count { $0 != 0 } == narrow.count ? narrow : nil
    }

    /// Ends the first reading.
    mutating func settle(in trace: borrowing Trace) {
        for peer in trace.peers {
            if let address = peer.address { note(address: address.value, isRandom: address.isRandom) }
        }
        for controller in trace.controllers {
            if let address = controller.address { note(address: address.value, isRandom: address.isRandom) }
        }
        var originals: [[UInt8]] = []
        // In a fixed order, so that one seed always makes the same file.
        let oldAddresses = addresses.keys.sorted()
        newAddresses.reserveCapacity(oldAddresses.count)
        for value in oldAddresses {
            let old = BluetoothAddress(value, isRandom: (addresses[value] ?? nil) ?? false)
            newAddresses.append(pseudonyms.address(old, irk: trace.resolvingKey(of: old)).value)
        }
        addressCount = oldAddresses.count
        addresses = [:]
        for key in keys.sorted() {
            originals.append(key.littleEndianOctets)
            replacements.append(pseudonyms.key(key).littleEndianOctets)
        }
        // Before the texts: no text is to be replaced by one of them, or by one in which they are.
        let taken = SecretSearch(Array(texts), addresses: oldAddresses)
        for text in texts.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let new = newText(for: text, besides: taken)
            newTexts[text] = new
            for (old, new) in Self.forms(of: text, as: new) {
                originals.append(old)
                replacements.append(new)
            }
        }
        for octets in others.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            originals.append(octets)
            replacements.append(pseudonyms.octets(octets))
        }
        search = SecretSearch(originals, addresses: oldAddresses)
        for (value, frames) in assembled where search.next(in: Bytes(value.span), from: 0) != nil {
            split.formUnion(frames)
        }
        assembled = []
    }

    /// A name as it is, in capital and small letters, and in UTF-16, with its replacements.
    private static func forms(of text: [UInt8], as new: [UInt8]) -> [(old: [UInt8], new: [UInt8])] {
        func upper(_ octet: UInt8) -> UInt8 { (0x61...0x7A).contains(octet) ? octet - 0x20 : octet }
        func lower(_ octet: UInt8) -> UInt8 { (0x41...0x5A).contains(octet) ? octet + 0x20 : octet }
        func wide(_ octet: UInt8) -> [UInt8] { [octet, 0] }
        let all = [
            (text, new), (text.map(upper), new.map(upper)), (text.map(lower), new.map(lower)),
            (text.flatMap(wide), new.flatMap(wide)),
        ]
        var known: Set<[UInt8]> = []
        return all.filter { known.insert($0.0).inserted }
    }

    // MARK: Replacing

    /// Whether the record has a part of a value in which a secret is.
    func isPartOfSecret(_ frame: Int) -> Bool { split.contains(frame) }

    func replacement(ofAddress value: UInt64) -> UInt64 {
        if value == 0 || value == 0xFFFF_FFFF_FFFF { return value }
        return search.index(ofAddress: value).map { newAddresses[$0] }
            ?? pseudonyms.address(BluetoothAddress(value, isRandom: false)).value
    }

    func replacement(ofText text: ArraySlice<UInt8>) -> [UInt8] {
        func replacement(of part: [UInt8]) -> [UInt8] { newTexts[part] ?? pseudonyms.text(part) }
        if let narrow = Self.narrow(text) {
            let new: [UInt8] = replacement(of: narrow).flatMap { [$0, 0] }
            return new + [UInt8](repeating: 0, count: text.count - new.count)
        }
        // Zeros end it, and the octets after them were not meant to be seen.
        let parts = text.split(separator: 0, omittingEmptySubsequences: false).map { replacement(of: Array($0)) }
        return Array(parts.joined(separator: [0]))
    }

    private func newText(for text: [UInt8], besides taken: SecretSearch) -> [UInt8] {
        for attempt in 0..<Self.attempts {
            let new = pseudonyms.text(text, attempt: attempt)
            if new != text, taken.next(in: Bytes(new.span), from: 0) == nil { return new }
        }
        return [UInt8](repeating: UInt8(ascii: "x"), count: text.count)
    }

    /// Texts that are tried: nearly always the first two suffice.
    private static let attempts: UInt8 = 16

    /// The replacement of a match.
    ///
    /// - Parameter old: The octets that were found.
    func replacement(of match: SecretSearch.Match, _ old: [UInt8]) -> [UInt8] {
        func ordered(_ octets: [UInt8]) -> [UInt8] { match.isReversed ? octets.reversed() : octets }
        switch match.secret {
        case .octets(let index): return ordered(replacements[index])
        case .address(let index): return ordered(Array(newAddresses[index].littleEndianOctets.prefix(6)))
        case .text(let index):
            // As a text, the most significant octet comes first.
            let octets = ordered(newAddresses[index].littleEndianOctets.prefix(6).reversed())
            return Self.write(octets, over: old)
        }
    }

    /// Hexadecimal digits in the place of others, small or capital as they are.
    private static func write(_ octets: [UInt8], over old: [UInt8]) -> [UInt8] {
        let digits = Array((old.contains { $0 >= UInt8(ascii: "a") } ? "0123456789abcdef" : "0123456789ABCDEF").utf8)
        var nibbles = octets.flatMap { [$0 >> 4, $0 & 0xF] }[...]
        return old.map { SecretSearch.digit($0) == nil ? $0 : digits[Int(nibbles.removeFirst())] }
    }
}
