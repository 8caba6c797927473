import AttlasTrace
import AttlasWire

/// What an output says of an attribute, written once and kept: most lines of a capture are about few attributes.
///
/// The place is that of the handle's lowest bits; the attribute that came last has it. Numbers of UUIDs are those of one trace.
struct AttributeTexts {
    private struct Entry {
        let attribute: AttributeInfo
        let text: [UInt8]
    }

    private static let count = 256

    private var entries = [Entry?](repeating: nil, count: count)

    func find(_ handle: AttributeHandle, _ attribute: AttributeInfo) -> [UInt8]? {
        guard let entry = entries[Int(handle) % Self.count], entry.attribute == attribute else { return nil }
        return entry.text
    }

    mutating func keep(_ text: ArraySlice<UInt8>, _ handle: AttributeHandle, _ attribute: AttributeInfo) {
        entries[Int(handle) % Self.count] = Entry(attribute: attribute, text: Array(text))
    }
}
