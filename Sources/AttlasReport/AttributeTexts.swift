import AttlasTrace
import AttlasWire

/// What an output says of an attribute, written once and kept: most lines of a capture are about few attributes.
///
/// Attributes that share a place share it in turn. Numbers of UUIDs are those of one trace.
struct AttributeTexts {
    private struct Entry {
        let attribute: AttributeInfo
        let text: [UInt8]
    }

    private static let count = 1_024

    private var entries = [Entry?](repeating: nil, count: count)

    func find(_ handle: AttributeHandle, _ attribute: AttributeInfo) -> [UInt8]? {
        guard let entry = entries[Self.place(handle, attribute)], entry.attribute == attribute else { return nil }
        return entry.text
    }

    mutating func keep(_ text: ArraySlice<UInt8>, _ handle: AttributeHandle, _ attribute: AttributeInfo) {
        entries[Self.place(handle, attribute)] = Entry(attribute: attribute, text: Array(text))
    }

    /// Devices number their attributes alike, and differ in what those are.
    private static func place(_ handle: AttributeHandle, _ attribute: AttributeInfo) -> Int {
        let uuids = Int(attribute.type.value) &* 37 &+ Int(attribute.service?.value ?? 0) &* 211
        return (Int(handle) &+ uuids &+ Int(attribute.characteristic?.value ?? 0) &* 17) & (count - 1)
    }
}
